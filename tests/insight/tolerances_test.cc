// SPDX-License-Identifier: Apache-2.0
// By how much values may differ: by element type, by what computes them and from what, and as a user says.
#include "evaluator/compare/tolerances.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "evaluator/compare/run_comparison.h"
#include "evaluator/compare/tensor_difference.h"
#include "gtest/gtest.h"
#include "insight/runs/module_run.h"

namespace hloscope::evaluator {
namespace {

std::shared_ptr<const Document> Parse(const std::string& text) {
  auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << document->diagnostics()[0].Message();
  return document;
}

InstructionId Named(const Module& module, absl::string_view name) {
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  ADD_FAILURE() << name;
  return InstructionId();
}

constexpr char kKinds[] = R"(HloModule kinds

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  p = f32[1000,1000] parameter(0)
  q = bf16[8] parameter(1)
  i = s32[8] parameter(2)
  moved = f32[1000,1000] transpose(p), dimensions={1,0}
  zero = f32[] constant(0)
  rounded = f32[1000,1000] multiply(moved, p)
  moved_later = f32[1000,1000] negate(rounded)
  raised = f32[1000,1000] exponential(p)
  total = f32[] reduce(p, zero), dimensions={0,1}, to_apply=add
  narrow = bf16[8] add(q, q)
  wide = f32[8] convert(narrow)
  from_narrow = f32[8] multiply(wide, wide)
  kept = f32[8] convert(q)
  counted = s32[8] add(i, i)
  low = f32[8] reduce-precision(kept), exponent_bits=8, mantissa_bits=7
  ROOT r = (f32[1000,1000], f32[1000,1000], f32[], f32[8], s32[8], f32[8]) tuple(moved_later, raised, total, from_narrow, counted, low)
}
)";

TEST(TolerancesTest, GoByTypeOperationAndWhatAValueIsComputedFrom) {
  const auto document = Parse(kKinds);
  const Module& module = document->module();
  const ValueFlow flow(module);
  const ValueTolerances tolerances(flow, {});
  const auto share = [&](absl::string_view name) {
    const InstructionId id = Named(module, name);
    const Tolerance tolerance = tolerances.Of(id, module.shape(id).element_type());
    EXPECT_EQ(tolerance.relative, tolerance.of_largest);
    return tolerance.relative;
  };
  EXPECT_EQ(share("moved"), 0);
  EXPECT_EQ(share("counted"), 0);
  EXPECT_EQ(share("rounded"), 2e-5);
  EXPECT_EQ(share("moved_later"), 2e-5);
  EXPECT_EQ(share("raised"), 8e-5);
  EXPECT_GT(share("total"), 1e-4);
  EXPECT_LT(share("total"), 1e-3);
  EXPECT_EQ(share("narrow"), 4e-2);
  EXPECT_EQ(share("wide"), 4e-2);
  EXPECT_EQ(share("from_narrow"), 4e-2);
  EXPECT_EQ(share("kept"), 2e-5);
  EXPECT_NEAR(share("low"), 4e-2, 1e-3);
  const std::vector<Tolerance> results = tolerances.OfArrays(module.computation(module.entry()).root);
  ASSERT_EQ(results.size(), 6);
  EXPECT_EQ(results[1].relative, 8e-5);
  EXPECT_EQ(results[4].relative, 0);
}

TEST(TolerancesTest, WhatALoopPassesThroughStaysExact) {
  const auto document = Parse(R"(HloModule loop

body {
  s = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  weights = f32[4] get-tuple-element(s), index=1
  state = f32[4] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  exact = f32[4] negate(weights)
  scaled = f32[4] multiply(state, exact)
  ROOT t = (s32[], f32[4], f32[4]) tuple(next, weights, scaled)
}

condition {
  s = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT less = pred[] compare(i, n), direction=LT
}

ENTRY e {
  w = f32[4] parameter(0)
  v = f32[4] parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[4], f32[4]) tuple(zero, w, v)
  loop = (s32[], f32[4], f32[4]) while(start), condition=condition, body=body
  w2 = f32[4] get-tuple-element(loop), index=1
  v2 = f32[4] get-tuple-element(loop), index=2
  a = f32[4] negate(w2)
  b = f32[4] negate(v2)
  ROOT r = (f32[4], f32[4]) tuple(a, b)
}
)");
  const Module& module = document->module();
  const ValueFlow flow(module);
  const ValueTolerances tolerances(flow, {});
  EXPECT_EQ(tolerances.Of(Named(module, "exact"), ElementType::kF32).relative, 0);
  EXPECT_EQ(tolerances.Of(Named(module, "state"), ElementType::kF32).relative, 2e-5);
  EXPECT_EQ(tolerances.Of(Named(module, "a"), ElementType::kF32).relative, 0);
  EXPECT_EQ(tolerances.Of(Named(module, "b"), ElementType::kF32).relative, 2e-5);
}

TEST(TolerancesTest, TheMostSpecificRuleCounts) {
  const auto document = Parse(kKinds);
  const Module& module = document->module();
  const ValueFlow flow(module);
  std::vector<ToleranceRule> rules;
  for (const char* text :
       {"f32:exponential:ulp=3", "exponential:rtol=0.5", "f32:rtol=1e-3,atol=1e-4", "f32:rtol=1e-2"}) {
    const auto rule = ParseToleranceRule(text);
    ASSERT_TRUE(rule.ok()) << rule.status().message();
    rules.push_back(*rule);
  }
  const ValueTolerances tolerances(flow, rules);
  EXPECT_EQ(tolerances.Of(Named(module, "raised"), ElementType::kF32).ulps, 3);
  EXPECT_EQ(tolerances.Of(Named(module, "raised"), ElementType::kF64).relative, 0.5);
  EXPECT_EQ(tolerances.Of(Named(module, "rounded"), ElementType::kF32).relative, 1e-2);
  EXPECT_EQ(tolerances.Of(Named(module, "narrow"), ElementType::kBF16).relative, 4e-2);
}

TEST(TolerancesTest, BadRulesAreExplained) {
  for (const char* text : {"", "f32", "rtol", "rtol=", "rtol=-1", "rtol=nan", "ulp=1.5", "f32:f64:rtol=1",
                           "dot:f32:rtol=1", "f99:rtol=1", "f32:dot:dot:rtol=1", "rtol=1,", "speed=1"}) {
    const auto rule = ParseToleranceRule(text);
    EXPECT_FALSE(rule.ok()) << text;
    EXPECT_FALSE(rule.status().message().empty()) << text;
  }
}

TEST(TolerancesTest, DifferencesAreDistributedByUlp) {
  std::vector<float> first(16, 1.0F), second(16, 1.0F);
  second[1] = std::nextafter(1.0F, 2.0F);
  second[2] = 1.0F + 5 * (second[1] - 1.0F);
  second[3] = std::numeric_limits<float>::infinity();
  const auto tensor = [](const std::vector<float>& values) {
    return *Tensor::FromValues<float>(ElementType::kF32, {16}, values);
  };
  const TensorDifference difference = *DifferenceOf(tensor(first), tensor(second), {});
  EXPECT_EQ(difference.by_ulps, (std::vector<int64_t>{13, 1, 0, 1}));
  EXPECT_EQ(difference.not_finite, 1);
  EXPECT_NEAR(difference.root_mean_square, std::sqrt(26.0 / 15) * (second[1] - 1.0), 1e-12);
  EXPECT_EQ(DifferenceOf(tensor(first), tensor(first), {})->by_ulps, (std::vector<int64_t>{16}));
}

TEST(TolerancesTest, EveryComparedValueAndTheFrontierAreTold) {
  const auto run = [](const std::shared_ptr<const Document>& document) {
    RunOptions options;
    options.fill = FillRule{};
    options.fill->kind = FillKind::kRandom;
    return std::make_unique<insight::ModuleRun>(document, options, nullptr);
  };
  const std::string text = R"(HloModule two

ENTRY e {
  p = f32[8] parameter(0)
  a = f32[8] cosine(p)
  b = f32[8] multiply(a, p)
  c = f32[8] sine(p)
  d = f32[8] add(c, b)
  ROOT r = (f32[8], f32[8]) tuple(d, a)
}
)";
  std::string other = text;
  other.replace(other.find("multiply(a, p)"), 14, "maximum(a, p) ");
  const auto a = Parse(text), b = Parse(other);
  auto run_a = run(a), run_b = run(b);
  ASSERT_TRUE(run_a->Prepare().ok());
  ASSERT_TRUE(run_b->Prepare().ok());
  const ValueFlow flow_a(a->module()), flow_b(b->module());
  const ValueMatch match = MatchValues(flow_a, flow_b);
  ComparisonOptions options;
  options.statistics = true;
  const auto comparison = RunComparer(run_a->run(), run_b->run(), flow_a, flow_b, match, options).Run();
  ASSERT_TRUE(comparison.ok());
  std::vector<std::string> compared;
  for (const ComparedValue& value : comparison->values) {
    compared.emplace_back(a->module().InstructionName(value.a));
    EXPECT_EQ(value.executions, 1);
    EXPECT_FALSE(value.comparison.difference.by_ulps.empty());
  }
  EXPECT_EQ(compared.size(), match.matched_a - 2) << "all but the parameter and the tuple";
  ASSERT_EQ(comparison->divergences.size(), 1);
  EXPECT_EQ(a->module().InstructionName(comparison->divergences[0].a), "d");
  EXPECT_TRUE(comparison->divergences[0].is_frontier);
  EXPECT_LT(comparison->divergences[0].comparison.first_values.min, 1);
}

}  // namespace
}  // namespace hloscope::evaluator
