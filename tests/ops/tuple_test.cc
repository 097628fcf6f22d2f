// SPDX-License-Identifier: Apache-2.0
// Tuples, tokens and identities (docs/ops/control.md 1.2, 1.3, 1.11, 1.12).
#include <gtest/gtest.h>

#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

TEST(TupleRules, TupleIsTheTupleOfItsOperands) {
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  a = s32[2] parameter(0)
  b = (f32[], token[]) parameter(1)
  ROOT t = (s32[2], (f32[], token[]), s32[2]) tuple(a, b, a)
})"),
            "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { ROOT t = () tuple() }"), "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { a = s32[2] parameter(0) ROOT t = (s32[2], s32[2]) tuple(a) }"),
            "declared-shape at (s32[2], s32[2])");
  EXPECT_EQ(FirstDiagnosticOf("ENTRY e { a = s32[2] parameter(0) ROOT t = (s32[3]) tuple(a) }"),
            "`tuple`: declared shape (s32[3]) but the operands imply (s32[2]) (element {0}: dimension 0 is 3, expected "
            "2)");
}

TEST(TupleRules, ElementMustExist) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e { t = (s32[], s32[3]) parameter(0) ROOT r = s32[3] get-tuple-element(t), index=1 }"),
            "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { t = (s32[], s32[3]) parameter(0) ROOT r = s32[3] get-tuple-element(t), index=2 }"),
            "tuple-access at index=2");
  EXPECT_EQ(
      DiagnosticsOf("ENTRY e { t = (s32[], s32[3]) parameter(0) ROOT r = s32[3] get-tuple-element(t), index=-1 }"),
      "tuple-access at index=-1");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { t = s32[3] parameter(0) ROOT r = s32[3] get-tuple-element(t), index=0 }"),
            "operand-not-tuple at t");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { t = (s32[], s32[3]) parameter(0) ROOT r = s32[3] get-tuple-element(t), index=0 }"),
            "declared-shape at [3]");
}

TEST(TupleRules, TokensOrderOnlyTokens) {
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = s32[2] parameter(0)
  t0 = token[] after-all()
  t1 = token[] after-all(t0, t0)
  ROOT r = s32[2] add-dependency(p, t1)
})"),
            "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = s32[2] parameter(0) ROOT r = token[] after-all(p) }"),
            "operand-not-token at p");
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = s32[2] parameter(0)
  q = s32[] constant(1)
  ROOT r = s32[2] add-dependency(p, q)
})"),
            "operand-not-token at q");
}

TEST(TupleRules, BarriersKeepTheShape) {
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = (s32[2], f32[]) parameter(0)
  b = (s32[2], f32[]) opt-barrier(p)
  ROOT d = (s32[2], f32[]) domain(b), domain={kind="sharding", entry={{replicated}, {replicated}}, exit={{replicated}, {replicated}}}
})"),
            "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = s32[2] parameter(0) ROOT b = s32[3] opt-barrier(p) }"), "declared-shape at 3");
}

TEST(TupleRules, LayoutsCountInLayoutSensitiveMode) {
  constexpr absl::string_view kText = R"(ENTRY e {
  p = f32[2,3]{0,1} parameter(0)
  ROOT t = (f32[2,3]) tuple(p)
})";
  VerifyOptions options;
  EXPECT_EQ(DiagnosticsOf(kText, options), "ok");
  options.layout_sensitive = true;
  EXPECT_EQ(DiagnosticsOf(kText, options), "declared-shape at (f32[2,3])");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[2,3]{1,0} parameter(0) ROOT t = (f32[2,3]) tuple(p) }", options), "ok");
}

}  // namespace
}  // namespace hloscope
