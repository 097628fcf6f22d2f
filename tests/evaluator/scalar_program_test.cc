// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/scalar_program.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/engine/engine_runtime.h"
#include "evaluator/tensor/fill.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

// A module whose entry does nothing, with `text` before it.
std::shared_ptr<const Module> ModuleWith(absl::string_view text) {
  return ModuleFromText(absl::StrCat(text, "\nENTRY e { ROOT c = s32[] constant(0) }\n"));
}

// Runs the computation on random lanes and compares with evaluating it through the engine, lane by lane.
void ExpectAgreesWithEngine(const Module& module, absl::string_view name, bool compiled, bool in_place = false) {
  const ComputationId id = module.FindComputation(name);
  ASSERT_TRUE(id.has_value());
  const absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(module, id);
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ((*program)->is_compiled(), compiled);
  EngineRuntime runtime(module, SessionOptions());
  for (const int64_t count : {1, 3, 512, 513, 1300}) {
    for (size_t uniform = 0; uniform <= (*program)->input_count(); ++uniform) {  // the last: none is uniform
      std::vector<Tensor> inputs;
      for (size_t k = 0; k < (*program)->input_count(); ++k) {
        const Shape shape = Shape::Array((*program)->input_type(k), {count});
        inputs.push_back(FillValue(shape, FillKind::kRandom, 5, static_cast<int64_t>(k))->tensor());
      }
      const std::vector<Tensor> given = [&] {
        std::vector<Tensor> copies;
        copies.reserve(inputs.size());
        for (const Tensor& input : inputs) copies.push_back(*input.Copy());
        return copies;
      }();
      std::vector<LaneOperand> operands;
      for (size_t k = 0; k < inputs.size(); ++k) operands.push_back({inputs[k].data(), k == uniform});
      std::vector<Tensor> results;
      std::vector<uint8_t*> outputs;
      for (size_t k = 0; k < (*program)->output_count(); ++k) {
        results.push_back(in_place && k < inputs.size() && k != uniform
                              ? inputs[k]
                              : *Tensor::Allocate((*program)->output_type(k), {count}));
        outputs.push_back(results.back().mutable_data());
      }
      ASSERT_TRUE((*program)->Run(operands, outputs, count, runtime).ok());
      for (int64_t i = 0; i < count; ++i) {
        std::vector<Value> arguments;
        for (size_t k = 0; k < given.size(); ++k) arguments.push_back(given[k].View({}, {}, k == uniform ? 0 : i));
        const absl::StatusOr<Value> expected = runtime.Call(id, arguments);
        ASSERT_TRUE(expected.ok()) << expected.status().message();
        size_t k = 0;
        expected->ForEachTensor([&](const Tensor& scalar) {
          EXPECT_TRUE(results[k].View({}, {}, i).BitwiseEqual(scalar)) << name << " lane " << i << " output " << k;
          ++k;
        });
      }
    }
  }
}

TEST(ScalarProgramTest, SingleResults) {
  const std::shared_ptr<const Module> module = ModuleWith(R"(
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    bf16_add {
      a = bf16[] parameter(0) b = bf16[] parameter(1)
      x = f32[] convert(a) y = f32[] convert(b) z = f32[] add(x, y) ROOT c = bf16[] convert(z)
    }
    polynomial {
      x = f64[] parameter(0) two = f64[] constant(2) three = f64[] constant(3) six = f64[] multiply(two, three)
      square = f64[] multiply(x, x) cube = f64[] multiply(square, x) scaled = f64[] multiply(cube, six)
      dead = f64[] sine(x) ROOT r = f64[] add(scaled, square)
    }
    call { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] call(a, b), to_apply=add ROOT d = f32[] add(c, a) }
    constant { a = f32[] parameter(0) ROOT c = s8[] constant(-3) }
    second { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] copy(b) }
  )");
  ASSERT_NE(module, nullptr);
  for (const char* name : {"add", "bf16_add", "polynomial", "call", "constant", "second"}) {
    ExpectAgreesWithEngine(*module, name, true);
  }
  for (const char* name : {"add", "bf16_add", "polynomial", "call", "second"}) {
    ExpectAgreesWithEngine(*module, name, true, /*in_place=*/true);
  }
}

constexpr absl::string_view kArgMax = R"(
    argmax {
      v0 = f32[] parameter(0) i0 = s32[] parameter(1) v1 = f32[] parameter(2) i1 = s32[] parameter(3)
      greater = pred[] compare(v0, v1), direction=GT
      equal = pred[] compare(v0, v1), direction=EQ
      before = pred[] compare(i0, i1), direction=LT
      tie = pred[] and(equal, before)
      first = pred[] or(greater, tie)
      v = f32[] select(first, v0, v1)
      i = s32[] select(first, i0, i1)
      ROOT t = (f32[], s32[]) tuple(v, i)
    }
    swap { a = f32[] parameter(0) b = f32[] parameter(1) ROOT t = (f32[], f32[]) tuple(b, a) }
    twice { a = s16[] parameter(0) n = s16[] negate(a) ROOT t = (s16[], s16[]) tuple(n, n) }
  )";

TEST(ScalarProgramTest, TuplesOfResults) {
  const std::shared_ptr<const Module> module = ModuleWith(kArgMax);
  ASSERT_NE(module, nullptr);
  for (const bool in_place : {false, true}) {
    ExpectAgreesWithEngine(*module, "argmax", true, in_place);
    ExpectAgreesWithEngine(*module, "swap", true, in_place);
    ExpectAgreesWithEngine(*module, "twice", true, in_place);
  }
}

TEST(ScalarProgramTest, ControlFlowGoesThroughTheEngine) {
  const std::shared_ptr<const Module> module = ModuleWith(R"(
    one { x = f32[] parameter(0) ROOT y = f32[] negate(x) }
    two { x = f32[] parameter(0) ROOT y = f32[] add(x, x) }
    choose {
      a = f32[] parameter(0) b = f32[] parameter(1) less = pred[] compare(a, b), direction=LT
      ROOT c = f32[] conditional(less, a, b), true_computation=one, false_computation=two
    })");
  ASSERT_NE(module, nullptr);
  ExpectAgreesWithEngine(*module, "choose", false);
}

TEST(ScalarProgramTest, OnlyScalars) {
  const std::shared_ptr<const Module> module = ModuleWith("f { a = f32[2] parameter(0) ROOT b = f32[2] negate(a) }");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(ScalarProgram::Compile(*module, module->FindComputation("f")).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(ScalarProgramTest, RecognizesReducers) {
  const std::shared_ptr<const Module> module = ModuleWith(R"(
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(b, a) }
    keep { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] copy(b) }
    double { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, a) }
    mixed { a = f32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(b, b) }
    less { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3)
           ROOT r = pred[] compare(d, c), direction=GT }
    total { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER }
  )");
  ASSERT_NE(module, nullptr);
  const auto reducer = [&](absl::string_view name) { return RecognizeReducer(*module, module->FindComputation(name)); };
  EXPECT_EQ(reducer("add").kind, KnownReducer::kAdd);
  EXPECT_FALSE(reducer("add").swapped);
  EXPECT_EQ(reducer("max").kind, KnownReducer::kMaximum);
  EXPECT_TRUE(reducer("max").swapped);
  EXPECT_EQ(reducer("keep").kind, KnownReducer::kSecond);
  EXPECT_EQ(reducer("double").kind, KnownReducer::kNone);
  EXPECT_EQ(reducer("mixed").kind, KnownReducer::kNone);
  const auto comparator = [&](absl::string_view name) {
    return RecognizeComparator(*module, module->FindComputation(name));
  };
  ASSERT_TRUE(comparator("less").has_value());
  EXPECT_EQ(comparator("less")->operand, 1u);
  EXPECT_EQ(comparator("less")->direction, ComparisonDirection::kLt);
  ASSERT_TRUE(comparator("total").has_value());
  EXPECT_TRUE(comparator("total")->total_order);
  EXPECT_FALSE(comparator("total")->canonical);
  EXPECT_FALSE(comparator("add").has_value());
}

// Comparators that look like the one of canonical numbers, each with one difference.
TEST(ScalarProgramTest, RecognizesCanonicalComparatorsAlone) {
  constexpr absl::string_view kComparator = R"(
    f { a = f32[] parameter(0) b = f32[] parameter(1) other = f32[] constant(nan) zero = f32[] constant(0)
        na = pred[] compare(a, a), direction=NE
        ea = pred[] compare(a, zero), direction=EQ
        za = f32[] select(ea, zero, a)
        ka = f32[] select(na, other, za)
        nb = pred[] compare(b, b), direction=NE
        eb = pred[] compare(b, zero), direction=EQ
        zb = f32[] select(eb, zero, b)
        kb = f32[] select(nb, other, zb)
        ROOT r = pred[] compare(ka, kb), direction=LT, type=TOTALORDER }
  )";
  const auto recognized = [&](absl::string_view before, absl::string_view after) {
    const std::shared_ptr<const Module> module = ModuleWith(absl::StrReplaceAll(kComparator, {{before, after}}));
    EXPECT_NE(module, nullptr) << after;
    return module == nullptr ? std::nullopt : RecognizeComparator(*module, module->FindComputation("f"));
  };
  const auto plain = recognized("ROOT r", "ROOT  r");
  ASSERT_TRUE(plain.has_value());
  EXPECT_TRUE(plain->canonical && plain->total_order);
  const auto mirrored = recognized("compare(ka, kb)", "compare(kb, ka)");
  ASSERT_TRUE(mirrored.has_value());
  EXPECT_EQ(mirrored->direction, ComparisonDirection::kGt);
  const std::pair<absl::string_view, absl::string_view> differences[] = {
      {"constant(nan)", "constant(-nan)"},
      {"constant(nan)", "constant(1)"},
      {"constant(0)", "constant(1)"},
      {"constant(0)", "constant(-0)"},
      {", type=TOTALORDER", ""},
      {"compare(ka, kb)", "compare(ka, b)"},
      {"compare(ka, kb)", "compare(za, zb)"},
      {"compare(ka, kb)", "compare(ka, ka)"},
      {"na = pred[] compare(a, a)", "na = pred[] compare(a, b)"},
      {"na = pred[] compare(a, a), direction=NE", "na = pred[] compare(a, a), direction=EQ"},
      {"ea = pred[] compare(a, zero)", "ea = pred[] compare(b, zero)"},
      {"select(ea, zero, a)", "select(ea, zero, b)"},
      {"select(ea, zero, a)", "select(ea, a, zero)"},
      {"select(na, other, za)", "select(na, za, other)"},
  };
  for (const auto& [before, after] : differences) EXPECT_FALSE(recognized(before, after).has_value()) << after;
}

// `count` lanes of `input`, elements in a row, with `others` for all of them.
std::vector<uint8_t> Results(const ScalarProgram& program, const std::vector<uint8_t>& input, int64_t at_once,
                             const std::vector<Tensor>& others, KernelRuntime& runtime) {
  const int64_t bytes = StorageBytes(program.input_type(0)), result_bytes = StorageBytes(program.output_type(0));
  const int64_t count = static_cast<int64_t>(input.size()) / bytes;
  std::vector<uint8_t> results(static_cast<size_t>(count * result_bytes));
  for (int64_t first = 0; first < count; first += at_once) {
    std::vector<LaneOperand> inputs = {{input.data() + first * bytes, false}};
    for (const Tensor& other : others) inputs.push_back({other.data(), true});
    uint8_t* const output = results.data() + first * result_bytes;
    EXPECT_TRUE(program.Run(inputs, {output}, std::min(at_once, count - first), runtime).ok());
  }
  return results;
}

// Many lanes at once, whose results are looked up after the first ones, and few at a time, which are computed.
TEST(ScalarProgramTest, ResultsThatAreLookedUpHaveTheSameBits) {
  const std::shared_ptr<const Module> module = ModuleWith(R"(
    gelu {
      x = bf16[] parameter(0) s = bf16[] parameter(1) c = bf16[] constant(0.0447) one = bf16[] constant(1)
      x2 = bf16[] multiply(x, x) x3 = bf16[] multiply(x2, x) a = bf16[] multiply(x3, c) b = bf16[] add(x, a)
      d = bf16[] multiply(b, s) t = bf16[] tanh(d) u = bf16[] add(t, one) ROOT r = bf16[] multiply(x, u)
    }
    silu {
      x = f16[] parameter(0) w = f32[] convert(x) l = f32[] logistic(w) m = f32[] multiply(w, l)
      ROOT r = f16[] convert(m)
    }
    dequantized {
      x = s8[] parameter(0) s = f32[] parameter(1) w = f32[] convert(x) m = f32[] multiply(w, s) e = f32[] exponential(m)
      l = f32[] log-plus-one(e) ROOT r = f32[] tanh(l)
    }
    counted { x = u16[] parameter(0) w = u16[] multiply(x, x) v = u16[] add(w, x) u = u16[] popcnt(v) t = u16[] multiply(u, v)
      q = u16[] remainder(t, v) ROOT r = pred[] compare(q, u), direction=LT }
  )");
  EngineRuntime runtime(*module, SessionOptions());
  constexpr int64_t kFew = 32;
  for (const char* name : {"gelu", "silu", "dequantized", "counted"}) {
    SCOPED_TRACE(name);
    const auto program = ScalarProgram::Compile(*module, module->FindComputation(name));
    ASSERT_TRUE(program.ok() && (*program)->is_compiled());
    std::vector<uint8_t> values;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const int64_t bytes = StorageBytes((*program)->input_type(0));
      for (int v = 0; v < (bytes == 1 ? 256 : 65536); ++v) {
        values.push_back(static_cast<uint8_t>(v & 0xff));
        if (bytes == 2) values.push_back(static_cast<uint8_t>(v >> 8));
      }
    }
    // Another value of the other input has other results, which must not come from the table of the first.
    for (const int seed : {1, 1, 2, 1}) {
      std::vector<Tensor> others;
      for (size_t k = 1; k < (*program)->input_count(); ++k) {
        others.push_back(FillValue(Shape::Array((*program)->input_type(k), {}), FillKind::kRandom, seed, 7)->tensor());
      }
      const auto computed = Results(**program, values, kFew, others, runtime);
      EXPECT_EQ(Results(**program, values, 100'000, others, runtime), computed);
      EXPECT_EQ(Results(**program, values, 1000, others, runtime), computed);
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
