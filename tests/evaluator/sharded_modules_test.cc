// SPDX-License-Identifier: Apache-2.0
// Modules cut for several devices compute what they did on one, and come back as modules for one.
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/sharding_places.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/sharding/shard.h"
#include "core/sharding/unshard.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/module_generator.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// What a text says that the module which was made says.
std::shared_ptr<const Module> ReadAgain(const Module& module) {
  PrintOptions options;
  options.large_constants = true;
  return ModuleFromText(PrintModule(module, options));
}

const Sharding* LeafOf(const Sharding* sharding, size_t k) {
  return sharding != nullptr && sharding->kind == Sharding::Kind::kTuple ? &sharding->leaves[k] : sharding;
}

// Copies between a part and its place in the whole, row by row.
void CopyPart(const ShardPlace& place, const Shape& whole, bool cut, Tensor* part, Tensor* all) {
  std::vector<int64_t> at(static_cast<size_t>(whole.rank()), 0);
  const int64_t bytes = part->element_bytes();
  for (int64_t k = 0; k < part->element_count(); ++k) {
    int64_t rest = k, offset = 0;
    for (int64_t d = whole.rank(); d-- > 0;) {
      const int64_t size = place.ranges[static_cast<size_t>(d)].limit - place.ranges[static_cast<size_t>(d)].start;
      at[static_cast<size_t>(d)] = place.ranges[static_cast<size_t>(d)].start + rest % size;
      rest /= size;
    }
    for (int64_t d = 0; d < whole.rank(); ++d) offset = offset * whole.dimension(d) + at[static_cast<size_t>(d)];
    if (cut) {
      std::memcpy(part->mutable_data() + k * bytes, all->data() + offset * bytes, static_cast<size_t>(bytes));
    } else {
      std::memcpy(all->mutable_data() + offset * bytes, part->data() + k * bytes, static_cast<size_t>(bytes));
    }
  }
}

// The whole value cut for a device.
Value PartOf(const Value& whole, const Shape& shape, const Sharding* sharding, int64_t device) {
  const std::vector<ShardPlace> places =
      sharding == nullptr ? std::vector<ShardPlace>() : PlacesOfShards(*sharding, shape, 64);
  for (const ShardPlace& place : places) {
    if (place.device != device) continue;
    std::vector<int64_t> sizes;
    for (const SliceRange& range : place.ranges) sizes.push_back(range.limit - range.start);
    Tensor part = *Tensor::Zeros(shape.element_type(), sizes);
    Tensor all = *whole.tensor().Contiguous();
    CopyPart(place, shape, /*cut=*/true, &part, &all);
    return part;
  }
  return whole;
}

Value Joined(const std::vector<Value>& parts, const Shape& shape, const Sharding* sharding) {
  const std::vector<ShardPlace> places =
      sharding == nullptr ? std::vector<ShardPlace>() : PlacesOfShards(*sharding, shape, 64);
  if (places.empty()) return parts[0];
  Tensor all = *Tensor::Zeros(shape.element_type(), shape.dimensions());
  for (const ShardPlace& place : places) {
    Tensor part = *parts[static_cast<size_t>(place.device)].tensor().Contiguous();
    CopyPart(place, shape, /*cut=*/false, &part, &all);
  }
  return all;
}

std::vector<Value> RandomArguments(const Module& module, uint64_t seed) {
  std::vector<Value> arguments;
  for (InstructionId parameter : module.computation(module.entry()).parameters) {
    arguments.push_back(
        *FillValue(module.shape(parameter), FillKind::kRandom, seed, static_cast<int64_t>(arguments.size())));
  }
  return arguments;
}

// The results of the module that was cut, put together as its root's sharding says. Parameters are arrays.
absl::StatusOr<Value> RunSharded(const std::shared_ptr<const Module>& sharded, const Module& whole,
                                 const std::vector<Value>& arguments) {
  const DeviceGrid grid{1, sharded->header().num_partitions};
  auto run = DeviceRun::Create(sharded, grid, SessionOptions());
  if (!run.ok()) return run.status();
  const auto& parameters = sharded->computation(sharded->entry()).parameters;
  const auto& whole_parameters = whole.computation(whole.entry()).parameters;
  for (int64_t device = 0; device < grid.partitions; ++device) {
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Value part =
          PartOf(arguments[k], whole.shape(whole_parameters[k]), sharded->ShardingAttribute(parameters[k]), device);
      if (const absl::Status set = (*run)->device(device).SetArgument(static_cast<int64_t>(k), part); !set.ok()) {
        return set;
      }
    }
  }
  if ((*run)->Run() != StopReason::kFinished) return (*run)->status();
  const Shape& shape = whole.shape(whole.computation(whole.entry()).root);
  const Sharding* const sharding = sharded->ShardingAttribute(sharded->computation(sharded->entry()).root);
  std::vector<Value> leaves;
  for (int64_t leaf = 0; leaf < (shape.IsTuple() ? shape.tuple_size() : 1); ++leaf) {
    std::vector<Value> parts;
    for (int64_t device = 0; device < grid.partitions; ++device) {
      const Value& result = (*run)->device(device).result();
      parts.push_back(shape.IsTuple() ? result.elements()[static_cast<size_t>(leaf)] : result);
    }
    const Shape& of_leaf = shape.IsTuple() ? shape.element(leaf) : shape;
    leaves.push_back(of_leaf.IsArray() ? Joined(parts, of_leaf, LeafOf(sharding, static_cast<size_t>(leaf)))
                                       : parts[0]);
  }
  return shape.IsTuple() ? Value::Tuple(std::move(leaves)) : leaves[0];
}

// Cuts, runs both, and takes the cut one back. Returns its text.
std::string CheckSharded(const std::string& text, bool comes_back = true, const ShardOptions& options = {}) {
  SCOPED_TRACE(text);
  const std::shared_ptr<const Module> whole = ModuleFromText(text);
  if (whole == nullptr) return "";
  const absl::StatusOr<Module> made = ShardModule(*whole, options);
  EXPECT_TRUE(made.ok()) << made.status();
  if (!made.ok()) return "";
  const std::shared_ptr<const Module> sharded = ReadAgain(*made);
  if (sharded == nullptr) return "";
  const std::string sharded_text = PrintModule(*sharded, PrintOptions());
  SCOPED_TRACE(sharded_text);
  const std::vector<Value> arguments = RandomArguments(*whole, 3);
  const absl::StatusOr<Value> expected = EvaluateModule(whole, arguments, /*watched=*/false);
  const absl::StatusOr<Value> actual = RunSharded(sharded, *whole, arguments);
  EXPECT_TRUE(expected.ok()) << expected.status();
  EXPECT_TRUE(actual.ok()) << actual.status();
  if (expected.ok() && actual.ok()) {
    EXPECT_TRUE(ValuesAgree(*actual, *expected));
  }
  const absl::StatusOr<Module> back = UnshardModule(*sharded);
  EXPECT_EQ(back.ok(), comes_back) << back.status();
  if (!back.ok()) return sharded_text;
  const std::shared_ptr<const Module> again = ReadAgain(*back);
  if (again == nullptr) return sharded_text;
  EXPECT_EQ(again->header().num_partitions, 1);
  const absl::StatusOr<Value> back_again = EvaluateModule(again, arguments, /*watched=*/false);
  EXPECT_TRUE(back_again.ok()) << back_again.status();
  if (expected.ok() && back_again.ok()) {
    EXPECT_TRUE(ValuesAgree(*back_again, *expected));
  }
  return sharded_text;
}

constexpr char kSums[] =
    "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
    "most {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n";

std::string ModuleOf(const std::string& body) { return absl::StrCat(kSums, "ENTRY e {\n", body, "}\n"); }

TEST(ShardedModulesTest, LayersOfTensorAndDataParallelism) {
  const std::string text = CheckSharded(
      ModuleOf("  x = f32[8,16] parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}\n"
               "  w1 = f32[16,32] parameter(1), sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}\n"
               "  w2 = f32[32,4] parameter(2), sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}\n"
               "  bias = f32[32] parameter(3)\n"
               "  h = f32[8,32] dot(x, w1), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
               "  biases = f32[8,32] broadcast(bias), dimensions={1}\n"
               "  hb = f32[8,32] add(h, biases)\n  r = f32[8,32] tanh(hb)\n"
               "  ROOT y = f32[8,4] dot(r, w2), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"));
  // The hidden layer stays cut in both dimensions; one sum over the devices that share rows.
  EXPECT_THAT(text, HasSubstr("r = f32[4,16]"));
  EXPECT_THAT(text, HasSubstr("replica_groups={{0,1},{2,3}}"));
  EXPECT_THAT(text, Not(HasSubstr("all-gather")));
}

TEST(ShardedModulesTest, EachOperationThatWorksOnTiles) {
  const std::string p = "  x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}\n  zero = f32[] constant(0)\n";
  for (const char* body : {
           "  ROOT y = f32[6,4] transpose(x), dimensions={1,0}\n",
           "  ROOT y = f32[2,2,6] reshape(x)\n",
           "  ROOT y = f32[24] reshape(x)\n",
           "  ROOT y = f32[8,3] reshape(x)\n",
           "  ROOT y = f32[3,4,6] broadcast(x), dimensions={1,2}\n",
           "  ROOT y = f32[6] reduce(x, zero), dimensions={0}, to_apply=sum\n",
           "  ROOT y = f32[4] reduce(x, zero), dimensions={1}, to_apply=sum\n",
           "  ROOT y = f32[] reduce(x, zero), dimensions={0,1}, to_apply=sum\n",
           "  ROOT y = f32[4,3] slice(x), slice={[0:4], [1:4]}\n",
           "  ROOT y = f32[4,9] pad(x, zero), padding=0_0x1_2\n",
           "  ROOT y = f32[4,6] reverse(x), dimensions={1}\n",
           "  ROOT y = f32[4,12] concatenate(x, x), dimensions={1}\n",
           "  i = s32[] constant(0)\n  j = s32[] constant(2)\n"
           "  ROOT y = f32[4,3] dynamic-slice(x, i, j), dynamic_slice_sizes={4,3}\n",
           "  i = s32[] constant(0)\n  j = s32[] constant(2)\n  u = f32[4,1] slice(x), slice={[0:4], [0:1]}\n"
           "  ROOT y = f32[4,6] dynamic-update-slice(x, u, i, j)\n",
           "  ROOT y = f32[4] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
           "rhs_contracting_dims={1}\n",
           "  ROOT y = f32[6,6] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n",
           "  y = f32[4,6] negate(x)\n  ROOT t = (f32[4,6], (f32[4,6], f32[])) tuple(x, y.t)\n",
       }) {
    std::string text = ModuleOf(p + body);
    if (absl::StrContains(text, "y.t")) {
      text =
          absl::StrReplaceAll(text, {{"  ROOT t", "  u = (f32[4,6], f32[]) tuple(y, zero)\n  ROOT t"}, {"y.t", "u"}});
      // Only the leaves of flat tuples are put together here.
      const auto module = ModuleFromText(text);
      ASSERT_NE(module, nullptr);
      EXPECT_TRUE(ShardModule(*module, {}).ok());
      continue;
    }
    EXPECT_THAT(CheckSharded(text), Not(HasSubstr("all-gather")));
  }
}

TEST(ShardedModulesTest, WhatNeedsAllOfAnArrayGetsIt) {
  const std::string p = "  x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}\n";
  for (const char* body : {
           "  ROOT y = f32[3,8] reshape(x)\n",
           "  ROOT y = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n",
           "  ROOT y = f32[4,6] reverse(x), dimensions={0}\n",
           "  one = f32[] constant(1)\n  ROOT y = f32[6] reduce(x, one), dimensions={0}, to_apply=sum\n",
           "  low = f32[] constant(-inf)\n"
           "  ROOT y = f32[4,6] reduce-window(x, low), window={size=3x1 pad=1_1x0_0}, to_apply=most\n",
           "  c = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
           "  ROOT y = f32[4,4] cholesky(c), lower=true\n",
       }) {
    // Gathered arrays come back whole.
    CheckSharded(ModuleOf(p + body));
  }
}

TEST(ShardedModulesTest, ShardingsOfInstructionsAndCustomCallsAreTaken) {
  const std::string text = CheckSharded(
      ModuleOf("  x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}\n"
               "  y = f32[4,6] custom-call(x), custom_call_target=\"Sharding\", sharding={devices=[1,2]<=[2]}\n"
               "  ROOT z = f32[4,6] negate(y), sharding={replicated}\n"));
  EXPECT_THAT(text, HasSubstr("tile = f32[4,3]"));
  EXPECT_THAT(text, HasSubstr("-> f32[4,6]"));
  EXPECT_THAT(text, Not(HasSubstr("custom-call")));
}

TEST(ShardedModulesTest, AnnotationsOfResultsGo) {
  EXPECT_THAT(
      CheckSharded(ModuleOf("  x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}\n"
                            "  y = f32[4,6] negate(x)\n"
                            "  ROOT z = f32[4,6] custom-call(y), custom_call_target=\"xla.sdy.FuncResultSharding\", "
                            "custom_call_has_side_effect=true\n")),
      Not(HasSubstr("custom-call")));
}

TEST(ShardedModulesTest, GivenShardings) {
  const auto probe = ModuleFromText("ENTRY e {\n  ROOT p = f32[4,6] parameter(0), sharding={devices=[1,3]<=[3]}\n}\n");
  ASSERT_NE(probe, nullptr);
  ShardOptions options;
  options.parameters[0] = *probe->ShardingAttribute(probe->computation(probe->entry()).root);
  EXPECT_THAT(CheckSharded(ModuleOf("  x = f32[4,6] parameter(0)\n  ROOT y = f32[4,6] negate(x)\n"), true, options),
              AllOf(HasSubstr("num_partitions=3"), HasSubstr("f32[4,2]{1,0} negate"), Not(HasSubstr("all-gather"))));
}

std::string WhyNot(const std::string& body, bool unshard = false) {
  const auto module = ModuleFromText((unshard ? "HloModule m, num_partitions=2\n" : "") + ModuleOf(body));
  if (module == nullptr) return "";
  const absl::StatusOr<Module> made = unshard ? UnshardModule(*module) : ShardModule(*module, {});
  return made.ok() ? "" : std::string(made.status().message());
}

TEST(ShardedModulesTest, WhatCannotBeCutIsNamed) {
  EXPECT_THAT(WhyNot("  ROOT x = f32[4] parameter(0)\n"), HasSubstr("nothing says over how many devices"));
  EXPECT_EQ(WhyNot("  ROOT x = f32[5] parameter(0), sharding={devices=[2]<=[2]}\n"),
            "`x` (parameter) f32[5] is not cut into equal tiles");
  EXPECT_THAT(WhyNot("  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n  y = f32[4] parameter(1), "
                     "sharding={devices=[4]<=[4]}\n  ROOT z = f32[4] add(x, y)\n"),
              HasSubstr("is sharded over 2 devices, and there are 4"));
  EXPECT_THAT(WhyNot("  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n  i = u32[] partition-id()\n"
                     "  ROOT z = (f32[4], u32[]) tuple(x, i)\n"),
              HasSubstr("`i` (partition-id) is for a module that is partitioned already"));
  EXPECT_THAT(WhyNot("  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n  t = token[] after-all()\n"
                     "  ROOT z = token[] outfeed(x, t), outfeed_shape=f32[4]\n"),
              HasSubstr("`z` (outfeed) has effects"));
}

TEST(ShardedModulesTest, WhatIsNoTileIsNamed) {
  const std::string p = "  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n";
  EXPECT_THAT(WhyNot(p + "  ROOT y = f32[4] reverse(x), dimensions={0}\n", true),
              HasSubstr("`y` (reverse) mixes tiles of `x`"));
  EXPECT_THAT(WhyNot(p + "  i = u32[] partition-id()\n  f = f32[] convert(i)\n  b = f32[4] broadcast(f), "
                         "dimensions={}\n  ROOT y = f32[4] add(x, b)\n",
                     true),
              HasSubstr("which every device has another value of"));
  EXPECT_THAT(WhyNot(p + "  zero = f32[] constant(0)\n  s = f32[] reduce(x, zero), dimensions={0}, to_apply=sum\n"
                         "  ROOT y = f32[] negate(s)\n",
                     true),
              HasSubstr("computes with parts of the sum `s`"));
  EXPECT_THAT(
      WhyNot(p + "  ROOT y = f32[4] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0}}\n", true),
      HasSubstr("`y` (collective-permute) sends tiles"));
}

TEST(ShardedModulesTest, RandomModules) {
  GeneratorOptions options;
  options.asynchronous = options.random_numbers = options.collectives = options.dynamic_sizes = false;
  int cut = 0, back = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = RandomModule(seed, options);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", text));
    const std::shared_ptr<const Module> whole = ModuleFromText(text);
    ASSERT_NE(whole, nullptr);
    ShardOptions shard;
    shard.partitions = 2;
    const auto& parameters = whole->computation(whole->entry()).parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Shape& shape = whole->shape(parameters[k]);
      if (!shape.IsArray()) continue;
      for (int64_t d = 0; d < shape.rank(); ++d) {
        if (shape.dimension(d) % 2 != 0 || shape.dimension(d) == 0) continue;
        Sharding& sharding = shard.parameters[static_cast<int64_t>(k)];
        sharding.kind = Sharding::Kind::kTiled;
        sharding.tile_dimensions.assign(static_cast<size_t>(shape.rank()), 1);
        sharding.tile_dimensions[static_cast<size_t>(d)] = 2;
        sharding.devices = {0, 1};
        break;
      }
    }
    const absl::StatusOr<Module> made = ShardModule(*whole, shard);
    if (!made.ok()) continue;
    const std::shared_ptr<const Module> sharded = ReadAgain(*made);
    ASSERT_NE(sharded, nullptr) << PrintModule(*made, PrintOptions());
    const std::vector<Value> arguments = RandomArguments(*whole, seed);
    const absl::StatusOr<Value> expected = EvaluateModule(whole, arguments, /*watched=*/false);
    if (!expected.ok()) continue;
    const absl::StatusOr<Value> actual = RunSharded(sharded, *whole, arguments);
    ASSERT_TRUE(actual.ok()) << actual.status() << PrintModule(*sharded, PrintOptions());
    EXPECT_TRUE(ValuesAgree(*actual, *expected, 1e-3)) << PrintModule(*sharded, PrintOptions());
    ++cut;
    const absl::StatusOr<Module> one = UnshardModule(*sharded);
    if (!one.ok()) continue;
    const std::shared_ptr<const Module> again = ReadAgain(*one);
    ASSERT_NE(again, nullptr) << PrintModule(*one, PrintOptions());
    const absl::StatusOr<Value> returned = EvaluateModule(again, arguments, /*watched=*/false);
    ASSERT_TRUE(returned.ok()) << returned.status();
    EXPECT_TRUE(ValuesAgree(*returned, *expected, 1e-3)) << PrintModule(*sharded, PrintOptions());
    ++back;
  }
  EXPECT_GE(cut, 30);
  EXPECT_GE(back, 20);
}

}  // namespace
}  // namespace hloscope::evaluator
