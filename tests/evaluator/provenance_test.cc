// SPDX-License-Identifier: Apache-2.0
// Where elements come from. The rules of every operation are tested by changing operands: an element that a rule names
// may change the result, one that it does not name never does.
#include "evaluator/debugger/provenance.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kProvenanceReducers = R"(
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=GE }
)";

struct Rule {
  const char* name;
  const char* body;  // of the entry computation; its root is `r`
};

const Rule kRules[] = {
    {"Add", "a = f32[2,3] parameter(0) b = f32[2,3] parameter(1) ROOT r = f32[2,3] add(a, b)"},
    {"Clamp", "a = f32[] parameter(0) b = f32[4] parameter(1) c = f32[] parameter(2) ROOT r = f32[4] clamp(a, b, c)"},
    {"Broadcast", "a = f32[3] parameter(0) ROOT r = f32[2,3,2] broadcast(a), dimensions={1}"},
    {"Bitcast", "a = f32[2,6]{1,0} parameter(0) ROOT r = f32[3,4]{1,0} bitcast(a)"},
    {"BitcastLayout", "a = f32[2,6]{0,1} parameter(0) ROOT r = f32[6,2]{1,0} bitcast(a)"},
    {"BitcastTiles", "a = f32[4,4]{1,0:T(2,2)} parameter(0) ROOT r = f32[2,8]{1,0} bitcast(a)"},
    {"BitcastWidth", "a = u32[2,3]{0,1} parameter(0) ROOT r = u16[3,4]{1,0} bitcast(a)"},
    {"BitcastJoin", "a = bf16[3,4]{1,0} parameter(0) ROOT r = f32[2,3]{0,1} bitcast(a)"},
    {"Reshape", "a = f32[2,6] parameter(0) ROOT r = f32[3,4] reshape(a)"},
    {"Transpose", "a = f32[2,3,4] parameter(0) ROOT r = f32[4,2,3] transpose(a), dimensions={2,0,1}"},
    {"Reverse", "a = f32[3,2] parameter(0) ROOT r = f32[3,2] reverse(a), dimensions={0}"},
    {"Slice", "a = f32[6,3] parameter(0) ROOT r = f32[2,2] slice(a), slice={[1:5:3],[1:3]}"},
    {"Pad", "a = f32[3] parameter(0) b = f32[] parameter(1) ROOT r = f32[7] pad(a, b), padding=1_1_1"},
    {"PadNegative", "a = f32[5] parameter(0) b = f32[] parameter(1) ROOT r = f32[5] pad(a, b), padding=-1_1"},
    {"Concatenate",
     "a = f32[2,2] parameter(0) b = f32[2,3] parameter(1) ROOT r = f32[2,5] concatenate(a, b), "
     "dimensions={1}"},
    {"DynamicSlice",
     "a = f32[5] parameter(0) i = s32[] constant(4) ROOT r = f32[3] dynamic-slice(a, i), "
     "dynamic_slice_sizes={3}"},
    {"DynamicUpdateSlice",
     "a = f32[5] parameter(0) b = f32[2] parameter(1) i = s32[] constant(1) ROOT r = f32[5] "
     "dynamic-update-slice(a, b, i)"},
    {"Gather",
     "a = f32[4,3] parameter(0) i = s32[2] constant({3,1}) ROOT r = f32[2,3] gather(a, i), offset_dims={1}, "
     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"},
    {"Scatter",
     "a = f32[4,3] parameter(0) i = s32[3] constant({3,1,3}) u = f32[3,3] parameter(1) ROOT r = f32[4,3] "
     "scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum"},
    {"Reduce",
     "a = f32[2,3,4] parameter(0) z = f32[] parameter(1) ROOT r = f32[3] reduce(a, z), dimensions={0,2}, "
     "to_apply=sum"},
    {"ReduceWindow",
     "a = f32[5,4] parameter(0) z = f32[] parameter(1) ROOT r = f32[3,2] reduce-window(a, z), "
     "window={size=3x2 stride=2x2 pad=1_1x0_0}, to_apply=sum"},
    {"Dot",
     "a = f32[2,3,4] parameter(0) b = f32[2,4,5] parameter(1) ROOT r = f32[2,3,5] dot(a, b), "
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"},
    {"Convolution",
     "a = f32[1,5,4,2] parameter(0) k = f32[3,2,2,3] parameter(1) ROOT r = f32[1,3,3,3] "
     "convolution(a, k), window={size=3x2 stride=2x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f"},
    {"ConvolutionGroups",
     "a = f32[2,5,4] parameter(0) k = f32[3,2,6] parameter(1) ROOT r = f32[2,3,6] "
     "convolution(a, k), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=2"},
    {"ConvolutionBatchGroups",
     "a = f32[4,5,2] parameter(0) k = f32[3,2,6] parameter(1) ROOT r = f32[2,3,6] "
     "convolution(a, k), window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2"},
    {"Sort", "a = f32[2,4] parameter(0) ROOT r = f32[2,4] sort(a), dimensions={1}, to_apply=ge"},
    {"SelectAndScatter",
     "a = f32[4] parameter(0) s = f32[2] parameter(1) z = f32[] parameter(2) ROOT r = f32[4] "
     "select-and-scatter(a, s, z), window={size=2 stride=2}, select=ge, scatter=sum"},
    {"SelectAndScatterPadding",
     "a = f32[6] parameter(0) s = f32[5] parameter(1) z = f32[] parameter(2) ROOT r = f32[6] "
     "select-and-scatter(a, s, z), window={size=4 stride=2 pad=3_3}, select=ge, scatter=sum"},
    {"SelectAndScatterNegativePadding",
     "a = f32[6] parameter(0) s = f32[1] parameter(1) z = f32[] parameter(2) ROOT r = f32[6] "
     "select-and-scatter(a, s, z), window={size=2 stride=3 pad=-2_0}, select=ge, scatter=sum"},
    {"Convert", "a = f32[3] parameter(0) ROOT r = bf16[3] convert(a)"},
    {"Cholesky", "a = f32[2,2] parameter(0) ROOT r = f32[2,2] cholesky(a)"},
};

// Sources whose window does not reach an element are not named, wherever the padding lets the windows begin.
TEST(SelectAndScatterDependenceTest, OnlyWindowsThatReachTheElementCount) {
  for (const int64_t pad : {-2, -1, 0, 1, 3}) {
    const int64_t count = (8 + pad - 3) / 2 + 1;
    const std::shared_ptr<const Module> module = ModuleFromText(absl::StrCat(
        kProvenanceReducers, "ENTRY e { a = f32[8] parameter(0) s = f32[", count, "] parameter(1) z = f32[] ",
        "parameter(2) ROOT r = f32[8] select-and-scatter(a, s, z), window={size=3 stride=2 pad=", pad,
        "_0}, select=ge, scatter=sum }"));
    ASSERT_NE(module, nullptr) << pad;
    const Computation& entry = module->computation(module->entry());
    std::vector<Value> operands;
    for (InstructionId id : entry.parameters) operands.push_back(*ZeroValue(module->shape(id)));
    for (int64_t at = 0; at < 8; ++at) {
      std::set<int64_t> named, expected;
      for (int64_t n = 0; n < count; ++n) {
        const int64_t first = 2 * n - pad;
        if (first <= at && at < first + 3) expected.insert(n);
      }
      const auto add = [&](size_t k, const Element& element) {
        if (k == 1) named.insert(element.index[0]);
        return true;
      };
      QuestionLimit limit;
      ForEachDependence(*module, entry.root, {{}, {at}}, operands, add, limit);
      EXPECT_EQ(named, expected) << "element " << at << ", padding " << pad;
    }
  }
}

class DependenceTest : public ::testing::TestWithParam<Rule> {};

// Calls `body` with every index of an array.
template <typename Body>
void ForEachElement(const Tensor& tensor, Body&& body) {
  std::vector<int64_t> index(static_cast<size_t>(tensor.rank()), 0);
  for (int64_t left = tensor.element_count(); left > 0; --left) {
    body(index);
    for (size_t d = index.size(); d > 0 && ++index[d - 1] == tensor.dimensions()[d - 1];) index[--d] = 0;
  }
}

TEST_P(DependenceTest, WhatIsNotNamedDoesNotCount) {
  const std::shared_ptr<const Module> module =
      ModuleFromText(absl::StrCat(kProvenanceReducers, "ENTRY e { ", GetParam().body, " }"));
  ASSERT_NE(module, nullptr);
  const Computation& entry = module->computation(module->entry());
  std::vector<Value> arguments;
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    arguments.push_back(*FillValue(module->shape(entry.parameters[k]), FillKind::kRandom, 5, static_cast<int64_t>(k)));
  }
  const Value result = *EvaluateModule(module, arguments);
  // The values of the root's operands: parameters and constants.
  std::vector<Value> operands;
  for (InstructionId operand : module->operands(entry.root)) {
    const Instruction& instruction = module->instruction(operand);
    operands.push_back(instruction.opcode == Opcode::kParameter ? arguments[instruction.parameter_number]
                                                                : *Value::FromLiteral(module->literal(operand)));
  }
  // By element of the result: the named (operand, index).
  std::vector<std::pair<std::vector<int64_t>, std::set<std::pair<size_t, std::vector<int64_t>>>>> named;
  ForEachElement(result.tensor(), [&](const std::vector<int64_t>& index) {
    std::set<std::pair<size_t, std::vector<int64_t>>> sources;
    const auto add = [&](size_t k, const Element& element) {
      EXPECT_TRUE(HasElement(operands[k], element)) << ElementName(absl::StrCat(k), element);
      sources.emplace(k, element.index);
      return true;
    };
    QuestionLimit limit;
    ForEachDependence(*module, entry.root, {{}, index}, operands, add, limit);
    EXPECT_FALSE(sources.empty());
    named.emplace_back(index, std::move(sources));
  });
  // Change each element of each parameter in turn.
  std::set<std::pair<size_t, std::vector<int64_t>>> changed_something;
  for (size_t k = 0; k < operands.size(); ++k) {
    const InstructionId operand = module->operands(entry.root)[k];
    if (module->opcode(operand) != Opcode::kParameter) continue;
    const uint32_t number = module->instruction(operand).parameter_number;
    ForEachElement(operands[k].tensor(), [&](const std::vector<int64_t>& index) {
      for (const float value : {100.0f, -100.0f}) {
        Tensor changed = *arguments[number].tensor().Copy();
        const ElementType own = changed.element_type();
        WriteReal(IsFloat(own) ? own : ElementType::kF32, static_cast<double>(value),
                  const_cast<uint8_t*>(changed.At(index)));
        std::vector<Value> other = arguments;
        other[number] = Value(changed);
        const absl::StatusOr<Value> moved = EvaluateModule(module, other);
        ASSERT_TRUE(moved.ok());
        for (const auto& [at, sources] : named) {
          const ElementType type = result.tensor().element_type();
          const double before = ReadReal(type, result.tensor().At(at)), after = ReadReal(type, moved->tensor().At(at));
          if (before == after || (std::isnan(before) && std::isnan(after))) continue;
          EXPECT_TRUE(sources.count({k, index}) == 1)
              << ElementName(absl::StrCat("operand ", k), {{}, index}) << " counts for " << ElementName("r", {{}, at});
          changed_something.emplace(k, index);
        }
      }
    });
  }
  EXPECT_FALSE(changed_something.empty());
}

INSTANTIATE_TEST_SUITE_P(Rules, DependenceTest, ::testing::ValuesIn(kRules),
                         [](const auto& info) { return std::string(info.param.name); });

class OriginTest : public ::testing::Test {
 protected:
  void Run(absl::string_view text, std::vector<Value> arguments, double snapshot_seconds = 1e9) {
    TimelineOptions options;
    options.snapshot_seconds = snapshot_seconds;
    timeline_ = *Timeline::Create(ModuleFromText(text), {}, SessionOptions(), options);
    for (size_t k = 0; k < arguments.size(); ++k) {
      ASSERT_TRUE(timeline_->run().device(0).SetArgument(static_cast<int64_t>(k), arguments[k]).ok());
    }
    timeline_->Start();
    ASSERT_EQ(timeline_->RunAll(), StopReason::kFinished) << timeline_->status().message();
  }
  InstructionId Root() const { return timeline_->module().computation(timeline_->module().entry()).root; }
  // "r[0] x[0,1] ...": the hops, then how they end.
  std::string Hops(const Element& element) {
    Provenance provenance(*timeline_);
    const absl::StatusOr<OriginReport> report = provenance.OriginOf({{0, 0}, Root(), element});
    if (!report.ok()) return std::string(report.status().message());
    std::string text;
    for (const PlacedElement& hop : report->hops) {
      absl::StrAppend(&text, ElementName(timeline_->module().InstructionName(hop.place.instruction), hop.place.element),
                      " ");
    }
    return absl::StrCat(text, "| ", report->why);
  }
  std::unique_ptr<Timeline> timeline_;
};

TEST_F(OriginTest, ThroughLoopsCallsAndConditionals) {
  constexpr absl::string_view kText = R"(
    half { x = f32[2] parameter(0) c = f32[2] constant({1, 0.5}) ROOT y = f32[2] subtract(x, c) }
    same { x = f32[2] parameter(0) ROOT y = f32[2] copy(x) }
    body { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0 v = f32[2] get-tuple-element(s), index=1
      one = s32[] constant(1) j = s32[] add(i, one) h = f32[2] call(v), to_apply=half
      q = f32[2] sqrt(h) m = f32[2] multiply(q, v) d = f32[2] conditional(i, m, m), branch_computations={same, same}
      ROOT t = (s32[], f32[2]) tuple(j, d) }
    cond { s = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(6)
      ROOT c = pred[] compare(i, n), direction=LT }
    ENTRY e { p = f32[2] parameter(0) z = s32[] constant(0) init = (s32[], f32[2]) tuple(z, p)
      w = (s32[], f32[2]) while(init), condition=cond, body=body ROOT r = f32[2] get-tuple-element(w), index=1 }
  )";
  for (const double snapshot_seconds : {1e9, 0.0}) {
    Run(kText, {*Tensor::FromValues<float>(ElementType::kF32, {2}, {1.6f, 4.0f})}, snapshot_seconds);
    const Element element{{}, {0}};
    const std::string hops = Hops(element);
    EXPECT_THAT(hops, HasSubstr("r[0] w{1}[0] t{1}[0] d[0] y[0] x[0] m[0] "));
    EXPECT_THAT(hops, HasSubstr("q[0] | sqrt made it from finite operands"));
    Provenance provenance(*timeline_);
    const absl::StatusOr<OriginReport> report = provenance.OriginOf({{0, 0}, Root(), element});
    ASSERT_TRUE(report.ok());
    const PlacedElement& culprit = report->hops.back();
    EXPECT_EQ(provenance.PathOf(culprit.place.frame, culprit.place.instruction), "e::w[body 2]/body::q");
    ASSERT_EQ(report->operands.size(), 1u);
    EXPECT_LT(std::stod(report->operands[0].text), 0);
    EXPECT_THAT(Hops({{}, {1}}), HasSubstr("there is no NaN or infinity to follow"));
  }
}

TEST_F(OriginTest, GivenValuesAndInfinities) {
  const float infinity = std::numeric_limits<float>::infinity();
  Run("ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] negate(p) }",
      {*Tensor::FromValues<float>(ElementType::kF32, {2}, {infinity, 1.0f})});
  EXPECT_EQ(Hops({{}, {0}}), "r[0] p[0] | it was given as argument 0");
  EXPECT_THAT(Hops({{}, {1}}), HasSubstr("r[1] is -1: there is no NaN or infinity to follow"));
  EXPECT_THAT(Hops({{}, {2}}), HasSubstr("r[2] is not an element"));
  Run("ENTRY e { c = f32[] constant(inf) p = f32[] parameter(0) s = f32[] subtract(c, c) ROOT r = f32[] add(s, p) }",
      {ScalarValue(ElementType::kF32, 1.0f)});
  EXPECT_EQ(Hops({}), "r s c | it is written in the module");
}

// 30 000 instructions in a chain: the way back costs a fraction of a second beyond the run.
TEST_F(OriginTest, LongChains) {
  std::string text = "ENTRY e { p = f32[4] parameter(0)\n  x0 = f32[4] log(p)\n";
  constexpr int kLength = 5000;
  for (int i = 1; i < kLength; ++i) absl::StrAppend(&text, "  x", i, " = f32[4] negate(x", i - 1, ")\n");
  absl::StrAppend(&text, "  ROOT r = f32[4] copy(x", kLength - 1, ") }");
  Run(text, {*Tensor::FromValues<float>(ElementType::kF32, {4}, {1, -1, 2, 3})}, 0.001);
  Provenance provenance(*timeline_);
  EXPECT_EQ(provenance.FirstNonFinite({0, 0}, Root())->index, std::vector<int64_t>{1});
  const absl::StatusOr<OriginReport> report = provenance.OriginOf({{0, 0}, Root(), {{}, {1}}});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->hops.size(), static_cast<size_t>(kLength) + 1);
  EXPECT_EQ(report->end, OriginReport::End::kMade);
}

}  // namespace
}  // namespace hloscope::evaluator
