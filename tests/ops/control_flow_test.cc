// SPDX-License-Identifier: Apache-2.0
// call, while, conditional and fusion (docs/ops/control.md 1.5-1.7, 1.10).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

constexpr absl::string_view kControlFlowComputations = R"(
inc { x = s32[] parameter(0) one = s32[] constant(1) ROOT y = s32[] add(x, one) }
below { x = s32[] parameter(0) five = s32[] constant(5) ROOT lt = pred[] compare(x, five), direction=LT }
sum2 { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
halve { x = s32[] parameter(0) ROOT y = f32[] convert(x) }
)";

// The diagnostics about an entry computation that may call the computations above.
std::string ControlFlowDiagnostics(absl::string_view entry, const VerifyOptions& options = {}) {
  return DiagnosticsOf(absl::StrCat(kControlFlowComputations, "ENTRY e {", entry, "}"), options);
}

TEST(CallRules, ArgumentsMatchParameters) {
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=sum2"), "ok");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT r = s32[] call(p), to_apply=sum2"),
            "argument-count at p");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[2] parameter(0) ROOT r = s32[] call(p), to_apply=inc"),
            "argument-shape at p");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT r = f32[] call(p), to_apply=inc"),
            "declared-shape at f32");
  EXPECT_EQ(FirstDiagnosticOf(absl::StrCat(kControlFlowComputations,
                                           "ENTRY e { p = s32[2] parameter(0) ROOT r = s32[] call(p), to_apply=inc }")),
            "`call`: operand 0 is s32[2], but parameter 0 of `inc` is s32[] (rank 1, expected 0)");
}

TEST(CallRules, CompositeNeedsItsFrontendAttributes) {
  const auto composite = [](absl::string_view attributes) {
    return ControlFlowDiagnostics(
        absl::StrCat("p = s32[] parameter(0) ROOT r = s32[] call(p), to_apply=inc, is_composite=true", attributes));
  };
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name="a.b"})"), "ok");
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name="a.b",composite.attributes={},composite.version="3"})"),
            "ok");
  EXPECT_EQ(composite(""), "composite-call at is_composite=true");
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name=""})"),
            R"(composite-call at frontend_attributes={composite.name=""})");
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name="n",composite.attributes=""})"),
            R"(composite-call at frontend_attributes={composite.name="n",composite.attributes=""})");
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name="n",composite.version="-1"})"),
            R"(composite-call at frontend_attributes={composite.name="n",composite.version="-1"})");
  EXPECT_EQ(composite(R"(, frontend_attributes={composite.name="n",composite.version="1.5"})"),
            R"(composite-call at frontend_attributes={composite.name="n",composite.version="1.5"})");
}

TEST(WhileRules, StateKeepsItsShape) {
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT w = s32[] while(p), condition=below, body=inc"), "ok");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT w = s32[] while(p), condition=inc, body=inc"),
            "callee-result at condition=inc");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT w = s32[] while(p), condition=below, body=halve"),
            "callee-result at body=halve");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT w = s32[] while(p), condition=below, body=sum2"),
            "argument-count at body=sum2");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT w = s32[2] while(p), condition=below, body=inc"),
            "declared-shape at [2]");
  EXPECT_EQ(ControlFlowDiagnostics("p = f32[] parameter(0) ROOT w = f32[] while(p), condition=below, body=halve"),
            "argument-shape at p | argument-shape at p");
}

TEST(ConditionalRules, SelectorAndBranches) {
  constexpr absl::string_view kOperands = "c = pred[] parameter(0) i = s32[] parameter(1) u = u32[] parameter(2) ";
  const auto conditional = [&](absl::string_view text) {
    return ControlFlowDiagnostics(absl::StrCat(kOperands, "ROOT r = ", text));
  };
  EXPECT_EQ(conditional("s32[] conditional(c, i, i), true_computation=inc, false_computation=inc"), "ok");
  EXPECT_EQ(conditional("s32[] conditional(i, i), branch_computations={inc}"), "ok");
  EXPECT_EQ(conditional("s32[] conditional(u, i, i), branch_computations={inc, inc}"), "branch-selector at u");
  EXPECT_EQ(conditional("s32[] conditional(c, i, i), branch_computations={inc, inc}"),
            "branch-attributes at conditional");
  EXPECT_EQ(conditional("s32[] conditional(i, i, i), true_computation=inc, false_computation=inc"),
            "branch-attributes at conditional");
  EXPECT_EQ(conditional("s32[] conditional(i, i), branch_computations={inc, inc}"), "operand-count at i, i");
  EXPECT_EQ(conditional("s32[] conditional(i, i), branch_computations={}"), "operand-count at i, i");
  EXPECT_EQ(conditional("s32[] conditional(i, i, i), branch_computations={inc, halve}"),
            "callee-result at branch_computations={inc, halve}");
  EXPECT_EQ(conditional("s32[] conditional(i, u), branch_computations={inc}"), "argument-shape at u");
  EXPECT_EQ(conditional("s32[] conditional(i, i), branch_computations={sum2}"),
            "argument-count at branch_computations={sum2}");
  EXPECT_EQ(conditional("s32[] conditional(), branch_computations={inc}"), "operand-count at conditional");
}

TEST(ConditionalRules, DynamicInOneBranchIsDynamic) {
  EXPECT_EQ(DiagnosticsOf(R"(
a { ROOT x = f32[8] parameter(0) }
b { ROOT x = f32[<=8] parameter(0) }
ENTRY e {
  i = s32[] parameter(0)
  p = f32[8] parameter(1)
  q = f32[<=8] parameter(2)
  c = conditional(i, p, q), branch_computations={a, b}
  n = s32[] constant(8)
  ROOT s = f32[8] set-dimension-size(c, n), dimensions={0}
})"),
            "ok");
}

TEST(FusionRules, ParametersAndResult) {
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT f = s32[] fusion(p), kind=kLoop, calls=inc"), "ok");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT f = s32[] fusion(p), kind=kLoop, calls=sum2"),
            "argument-count at p");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT f = s32[] fusion(p, p), kind=kLoop, calls=inc"),
            "surplus-operands at p");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[3] parameter(0) ROOT f = s32[] fusion(p), kind=kLoop, calls=inc"),
            "argument-shape at p");
  EXPECT_EQ(ControlFlowDiagnostics("p = s32[] parameter(0) ROOT f = s32[7] fusion(p), kind=kLoop, calls=inc"),
            "declared-shape at [7]");
}

TEST(FusionRules, AliasedPartsExistAndAgree) {
  const auto fusion = [](absl::string_view aliasing) {
    const std::string found = DiagnosticsOf(absl::StrCat(R"(
f { a = s32[2] parameter(0) b = f32[3] parameter(1) n = s32[2] negate(a) m = f32[3] negate(b) ROOT t = (s32[2], f32[3]) tuple(n, m) }
ENTRY e { p = s32[2] parameter(0) q = f32[3] parameter(1)
  ROOT r = (s32[2], f32[3]) fusion(p, q), kind=kLoop, calls=f, output_to_operand_aliasing=)",
                                                         aliasing, "}"));
    return found.substr(0, found.find(" at "));
  };
  EXPECT_EQ(fusion("{{0}: (0, {}), {1}: (1, {})}"), "ok");
  EXPECT_EQ(fusion("{{0}: (1, {})}"), "operand-aliasing");
  EXPECT_EQ(fusion("{{2}: (0, {})}"), "operand-aliasing");
  EXPECT_EQ(fusion("{{0}: (2, {})}"), "operand-aliasing");
  EXPECT_EQ(fusion("{{0}: (0, {0})}"), "operand-aliasing");
}

TEST(ControlFlowRules, UnreadablePartsCauseNoFollowUps) {
  EXPECT_EQ(DiagnosticsOf(R"(
f { x = s32[oops] parameter(0) ROOT y = s32[] broken-op(x) }
ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p), to_apply=f })")
                .find("argument"),
            std::string::npos);
}

}  // namespace
}  // namespace hloscope
