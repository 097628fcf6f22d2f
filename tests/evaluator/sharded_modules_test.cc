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

// Copies between a part, which may have padding at its ends, and its place in the whole, element by element.
void CopyPart(const ShardPlace& place, const Shape& whole, bool cut, Tensor* part, Tensor* all) {
  std::vector<int64_t> sizes;
  int64_t count = 1;
  for (const SliceRange& range : place.ranges) {
    sizes.push_back(range.limit - range.start);
    count *= sizes.back();
  }
  const int64_t bytes = part->element_bytes();
  for (int64_t k = 0; k < count; ++k) {
    std::vector<int64_t> at(sizes.size());
    int64_t rest = k, in_part = 0, in_all = 0;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) at[d] = rest % sizes[d];
    for (size_t d = 0; d < sizes.size(); ++d) {
      in_part = in_part * part->dimensions()[d] + at[d];
      in_all = in_all * whole.dimension(static_cast<int64_t>(d)) + place.ranges[d].start + at[d];
    }
    uint8_t* const from = cut ? all->mutable_data() + in_all * bytes : part->mutable_data() + in_part * bytes;
    uint8_t* const to = cut ? part->mutable_data() + in_part * bytes : all->mutable_data() + in_all * bytes;
    std::memcpy(to, from, static_cast<size_t>(bytes));
  }
}

// The whole value cut for a device. Padding is what would show if it were read: NaN where the type has it.
Value PartOf(const Value& whole, const Shape& shape, const Sharding* sharding, int64_t device) {
  const std::vector<ShardPlace> places =
      sharding == nullptr ? std::vector<ShardPlace>() : PlacesOfShards(*sharding, shape, 64);
  for (const ShardPlace& place : places) {
    if (place.device != device) continue;
    const std::vector<int64_t> counts = TileCounts(*sharding, shape);
    std::vector<int64_t> sizes;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      const int64_t count = counts[static_cast<size_t>(d)];
      sizes.push_back((shape.dimension(d) + count - 1) / count);
    }
    Tensor part = *Tensor::Zeros(shape.element_type(), sizes);
    if (shape.element_type() != ElementType::kPred) {
      std::memset(part.mutable_data(), 0xff, static_cast<size_t>(part.byte_size()));
    }
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

// Cuts, runs both, and (but for `comes_back` kUnknown) takes the cut one back. Returns its text.
enum class ComesBack { kNo, kYes, kUnknown };
std::string CheckSharded(const std::string& text, ComesBack comes_back = ComesBack::kYes,
                         const ShardOptions& options = {}) {
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
  if (comes_back == ComesBack::kUnknown) return sharded_text;
  const absl::StatusOr<Module> back = UnshardModule(*sharded);
  EXPECT_EQ(back.ok(), comes_back == ComesBack::kYes) << back.status();
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
  EXPECT_THAT(
      CheckSharded(ModuleOf("  x = f32[4,6] parameter(0)\n  ROOT y = f32[4,6] negate(x)\n"), ComesBack::kYes, options),
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
  EXPECT_THAT(WhyNot("  ROOT x = f32[<=5] parameter(0), sharding={devices=[2]<=[2]}\n"),
              HasSubstr("is cut along a dimension whose size is known at run time only"));
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

// Tiles of 5 rows are 3 and 2 on two devices, 2, 2 and 1 on three, 2, 2, 1 and none on four.
TEST(ShardedModulesTest, TilesWithPadding) {
  for (int devices : {2, 3, 4}) {
    const std::string p = absl::StrCat("  x = f32[5,7] parameter(0), sharding={devices=[", devices, ",1]<=[", devices,
                                       "]}\n  w = f32[7,5] parameter(1), sharding={devices=[1,", devices, "]<=[",
                                       devices, "]}\n  zero = f32[] constant(0)\n  low = f32[] constant(-inf)\n");
    for (const char* body : {
             "  ROOT y = f32[5,7] negate(x)\n",
             "  ROOT y = f32[7,5] transpose(x), dimensions={1,0}\n",
             "  ROOT y = f32[5,1,7] reshape(x)\n",
             "  ROOT y = f32[35] reshape(x)\n",
             "  ROOT y = f32[7,5] reshape(x)\n",
             "  ROOT y = f32[3,5,7] broadcast(x), dimensions={1,2}\n",
             "  ROOT y = f32[7] reduce(x, zero), dimensions={0}, to_apply=sum\n",
             "  ROOT y = f32[7] reduce(x, low), dimensions={0}, to_apply=most\n",
             "  ROOT y = f32[5] reduce(x, zero), dimensions={1}, to_apply=sum\n",
             "  ROOT y = f32[] reduce(x, zero), dimensions={0,1}, to_apply=sum\n",
             "  one = f32[] constant(1)\n  ROOT y = f32[7] reduce(x, one), dimensions={0}, to_apply=sum\n",
             "  ROOT y = f32[7,7] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n",
             "  ROOT y = f32[7,7] dot(w, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
             "  ROOT y = f32[5,5] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
             "  ROOT y = f32[5] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
             "rhs_contracting_dims={1}\n",
             "  ROOT y = f32[5,3] slice(x), slice={[0:5], [1:4]}\n",
             "  ROOT y = f32[3,7] slice(x), slice={[1:4], [0:7]}\n",
             "  ROOT y = f32[5,10] pad(x, zero), padding=0_0x1_2\n",
             "  ROOT y = f32[6,7] pad(x, zero), padding=0_1x0_0\n",
             "  ROOT y = f32[5,7] reverse(x), dimensions={0}\n",
             "  ROOT y = f32[5,14] concatenate(x, x), dimensions={1}\n",
             "  ROOT y = f32[10,7] concatenate(x, x), dimensions={0}\n",
             "  ROOT y = f32[5,7] reduce-window(x, low), window={size=3x1 pad=1_1x0_0}, to_apply=most\n",
             "  a = f32[7,5] transpose(x), dimensions={1,0}\n  ROOT y = f32[7,5] add(a, w)\n",
             "  i = f32[5,7] iota(), iota_dimension=0\n  ROOT y = f32[5,7] add(x, i)\n",
             "  b = f32[5,7] broadcast(zero), dimensions={}\n  ROOT y = f32[5,7] maximum(x, b)\n",
         }) {
      CheckSharded(ModuleOf(p + body), ComesBack::kUnknown);
    }
  }
}

TEST(ShardedModulesTest, PaddingIsNotSummedUp) {
  const std::string text = CheckSharded(ModuleOf("  x = f32[5] parameter(0), sharding={devices=[2]<=[2]}\n"
                                                 "  zero = f32[] constant(0)\n"
                                                 "  ROOT y = f32[] reduce(x, zero), dimensions={0}, to_apply=sum\n"),
                                        ComesBack::kUnknown);
  EXPECT_THAT(text, AllOf(HasSubstr("f32[3]{0} parameter(0)"), HasSubstr("select("), Not(HasSubstr("all-gather"))));
}

constexpr char kCountTo3[] =
    "less {\n  s = (s32[], f32[4,6], f32[4,6]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  n = s32[] constant(3)\n  ROOT l = pred[] compare(i, n), direction=LT\n}\n";

std::string LoopOf(const std::string& step, const std::string& shape = "f32[4,6]", int devices = 2) {
  return absl::StrReplaceAll(
      absl::StrCat(
          kSums, kCountTo3,
          "again {\n  s = (s32[], f32[4,6], f32[4,6]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
          "  x = f32[4,6] get-tuple-element(s), index=1\n  a = f32[4,6] get-tuple-element(s), index=2\n"
          "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n",
          step,
          "  ROOT t = (s32[], f32[4,6], f32[4,6]) tuple(j, y, b)\n}\n"
          "ENTRY e {\n  x = f32[4,6] parameter(0), sharding={devices=[DEVICES,1]<=[DEVICES]}\n"
          "  c = s32[] constant(0)\n  zero = f32[] constant(0)\n"
          "  z = f32[4,6] broadcast(zero), dimensions={}\n"
          "  s = (s32[], f32[4,6], f32[4,6]) tuple(c, x, z)\n"
          "  w = (s32[], f32[4,6], f32[4,6]) while(s), condition=less, body=again\n"
          "  u = f32[4,6] get-tuple-element(w), index=1\n  v = f32[4,6] get-tuple-element(w), index=2\n"
          "  ROOT r = f32[4,6] add(u, v)\n}\n"),
      {{"f32[4,6]", shape}, {"DEVICES", absl::StrCat(devices)}});
}

TEST(ShardedModulesTest, LoopsStayCut) {
  // What starts as zeros is cut from the start, since the body adds tiles to it.
  const std::string text = CheckSharded(LoopOf("  y = f32[4,6] tanh(x)\n  b = f32[4,6] add(a, y)\n"), ComesBack::kYes);
  EXPECT_THAT(text, AllOf(HasSubstr("(s32[], f32[2,6]{1,0}, f32[2,6]{1,0}) while("), Not(HasSubstr("all-gather"))));
  // Sums over the devices inside of the body.
  CheckSharded(LoopOf("  nought = f32[] constant(0)\n"
                      "  m = f32[6] reduce(x, nought), dimensions={0}, to_apply=sum\n"
                      "  mb = f32[4,6] broadcast(m), dimensions={1}\n  y = f32[4,6] subtract(x, mb)\n"
                      "  b = f32[4,6] add(a, y)\n"),
               ComesBack::kYes);
  // What the body cannot keep cut is whole; its sums stay cut.
  const std::string reversed =
      CheckSharded(LoopOf("  y = f32[4,6] reverse(x), dimensions={0}\n  b = f32[4,6] add(a, x)\n"), ComesBack::kYes);
  EXPECT_THAT(reversed, HasSubstr("(s32[], f32[4,6]{1,0}, f32[2,6]{1,0}) while("));
  // The two change places.
  CheckSharded(LoopOf("  y = f32[4,6] negate(a)\n  b = f32[4,6] copy(x)\n"), ComesBack::kYes);
  for (int devices : {2, 3, 4}) {
    CheckSharded(LoopOf("  nought = f32[] constant(0)\n"
                        "  m = f32[3] reduce(x, nought), dimensions={0}, to_apply=sum\n"
                        "  mb = f32[5,3] broadcast(m), dimensions={1}\n  y = f32[5,3] subtract(x, mb)\n"
                        "  b = f32[5,3] add(a, y)\n",
                        "f32[5,3]", devices),
                 ComesBack::kUnknown);
  }
}

TEST(ShardedModulesTest, LoopsWithinLoops) {
  const std::string outer =
      "outer_less {\n  s = (s32[], f32[4,6], f32[4,6]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
      "  n = s32[] constant(2)\n  ROOT l = pred[] compare(i, n), direction=LT\n}\n"
      "outer {\n  s = (s32[], f32[4,6], f32[4,6]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
      "  x = f32[4,6] get-tuple-element(s), index=1\n  a = f32[4,6] get-tuple-element(s), index=2\n"
      "  c = s32[] constant(0)\n  q = (s32[], f32[4,6], f32[4,6]) tuple(c, x, a)\n"
      "  w = (s32[], f32[4,6], f32[4,6]) while(q), condition=less, body=again\n"
      "  y = f32[4,6] get-tuple-element(w), index=1\n  b = f32[4,6] get-tuple-element(w), index=2\n"
      "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
      "  ROOT t = (s32[], f32[4,6], f32[4,6]) tuple(j, y, b)\n}\nENTRY";
  std::string text = absl::StrReplaceAll(LoopOf("  y = f32[4,6] tanh(x)\n  b = f32[4,6] add(a, y)\n"),
                                         {{"condition=less, body=again", "condition=outer_less, body=outer"}});
  text = absl::StrReplaceAll(text, {{"ENTRY", outer}});
  EXPECT_THAT(CheckSharded(text, ComesBack::kYes), Not(HasSubstr("all-gather")));
}

TEST(ShardedModulesTest, BranchesAndCallsStayCut) {
  const std::string branches =
      absl::StrCat(kSums,
                   "stay {\n  ROOT x = f32[4,6] parameter(0)\n}\n"
                   "turn {\n  x = f32[4,6] parameter(0)\n  ROOT y = f32[4,6] negate(x)\n}\n"
                   "flip {\n  x = f32[4,6] parameter(0)\n  ROOT y = f32[4,6] reverse(x), dimensions={0}\n}\n"
                   "pair {\n  x = f32[4,6] parameter(0)\n  y = f32[4,6] parameter(1)\n  p = f32[4,6] multiply(x, y)\n"
                   "  ROOT t = (f32[4,6], f32[4,6]) tuple(p, x)\n}\n"
                   "ENTRY e {\n  x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}\n");
  for (int number : {0, 1}) {
    EXPECT_THAT(CheckSharded(absl::StrCat(branches, "  i = s32[] constant(", number,
                                          ")\n  ROOT r = f32[4,6] conditional(i, x, x), "
                                          "branch_computations={stay, turn}\n}\n"),
                             ComesBack::kYes),
                AllOf(HasSubstr("f32[2,6]{1,0} conditional"), Not(HasSubstr("all-gather"))));
    CheckSharded(absl::StrCat(branches, "  p = pred[] constant(", number == 0 ? "false" : "true",
                              ")\n  ROOT r = f32[4,6] conditional(p, x, x), true_computation=turn, "
                              "false_computation=flip\n}\n"),
                 ComesBack::kYes);
  }
  EXPECT_THAT(CheckSharded(branches + "  c = (f32[4,6], f32[4,6]) call(x, x), to_apply=pair\n"
                                      "  a = f32[4,6] get-tuple-element(c), index=0\n"
                                      "  ROOT r = f32[4,6] negate(a)\n}\n",
                           ComesBack::kYes),
              AllOf(HasSubstr("f32[2,6]{1,0}) call("), Not(HasSubstr("all-gather"))));
  // What two instructions call stays as it is.
  CheckSharded(branches + "  a = f32[4,6] call(x), to_apply=turn\n  ROOT r = f32[4,6] call(a), to_apply=turn\n}\n",
               ComesBack::kYes);
}

// Neither the stack nor time runs out, and what is left alone computes the same.
TEST(ShardedModulesTest, CallsWithinManyCalls) {
  for (const int depth : {20, 10'000}) {
    std::string text = "HloModule m, num_partitions=2\n";
    for (int d = depth; d >= 0; --d) {
      absl::StrAppend(&text, "fn", d, " {\n  x = f32[4] parameter(0)\n");
      if (d < depth) absl::StrAppend(&text, "  y = f32[4] call(x), to_apply=fn", d + 1, "\n");
      absl::StrAppend(&text, "  ROOT r = f32[4] negate(", d < depth ? "y" : "x", ")\n}\n");
    }
    absl::StrAppend(&text, "ENTRY e {\n  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n",
                    "  ROOT r = f32[4] call(x), to_apply=fn0\n}\n");
    const std::shared_ptr<const Module> whole = ModuleFromText(text);
    ASSERT_NE(whole, nullptr);
    const absl::StatusOr<Module> sharded = ShardModule(*whole, {});
    ASSERT_TRUE(sharded.ok()) << sharded.status();
    ASSERT_NE(ReadAgain(*sharded), nullptr);
    EXPECT_EQ(PrintModule(*sharded, PrintOptions()).find("all-gather") == std::string::npos, depth == 20);
    ASSERT_TRUE(UnshardModule(*sharded).ok());
  }
}

// Each loop begins with an array that is whole at first and cut after an iteration: it is followed twice, and what is
// in it four times, and so on.
TEST(ShardedModulesTest, LoopsWithinManyLoops) {
  constexpr int kDepth = 30;
  const std::string state = "(s32[], f32[4], f32[4])";
  std::string text = "HloModule m, num_partitions=2\n";
  for (int d = kDepth; d >= 0; --d) {
    absl::StrAppend(&text, "c", d, " {\n  s = ", state,
                    " parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  one = s32[] constant(1)\n",
                    "  ROOT r = pred[] compare(i, one), direction=LT\n}\n");
    absl::StrAppend(&text, "b", d, " {\n  s = ", state,
                    " parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  one = s32[] constant(1)\n",
                    "  j = s32[] add(i, one)\n  x = f32[4] get-tuple-element(s), index=1\n",
                    "  y = f32[4] get-tuple-element(s), index=2\n");
    std::string sum = "y";
    if (d < kDepth) {
      absl::StrAppend(&text, "  zero = s32[] constant(0)\n  n = f32[4] iota(), iota_dimension=0\n  t = ", state,
                      " tuple(zero, x, n)\n  w = ", state, " while(t), condition=c", d + 1, ", body=b", d + 1,
                      "\n  v = f32[4] get-tuple-element(w), index=2\n");
      sum = "v";
    }
    absl::StrAppend(&text, "  z = f32[4] add(x, ", sum, ")\n  ROOT r = ", state, " tuple(j, x, z)\n}\n");
  }
  absl::StrAppend(
      &text, "ENTRY e {\n  zero = s32[] constant(0)\n",
      "  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n  n = f32[4] iota(), iota_dimension=0\n  t = ", state,
      " tuple(zero, x, n)\n  w = ", state,
      " while(t), condition=c0, body=b0\n  ROOT r = f32[4] get-tuple-element(w), index=2\n}\n");
  CheckSharded(text);
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
    bool has_padding = false;
    const auto& parameters = whole->computation(whole->entry()).parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Shape& shape = whole->shape(parameters[k]);
      if (!shape.IsArray()) continue;
      for (int64_t d = 0; d < shape.rank(); ++d) {
        if (shape.dimension(d) < 2 || (shape.dimension(d) % 2 != 0 && seed % 3 != 0)) continue;
        Sharding& sharding = shard.parameters[static_cast<int64_t>(k)];
        sharding.kind = Sharding::Kind::kTiled;
        sharding.tile_dimensions.assign(static_cast<size_t>(shape.rank()), 1);
        sharding.tile_dimensions[static_cast<size_t>(d)] = 2;
        sharding.devices = {0, 1};
        has_padding = has_padding || shape.dimension(d) % 2 != 0;
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
    if (!one.ok() || has_padding) continue;  // arrays come back with their padding
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
