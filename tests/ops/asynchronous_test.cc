// SPDX-License-Identifier: Apache-2.0
// Asynchronous chains and copies (docs/ops/control.md 1.15, 2.1, 6.9).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

constexpr absl::string_view kAsynchronousComputations = R"(
w { a = s32[] parameter(0) b = s32[] parameter(1) ROOT d = s32[] subtract(a, b) }
)";

std::string AsynchronousDiagnostics(absl::string_view entry,
                                    absl::string_view computations = kAsynchronousComputations) {
  return DiagnosticsOf(
      absl::StrCat(computations, "ENTRY e { p = s32[] parameter(0) q = s32[] parameter(1) ", entry, "}"));
}

TEST(AsyncRules, ChainsWithAndWithoutLateBinding) {
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[], u32[]) async-start(p, q), calls=w
  ROOT d = s32[] async-done(s))"),
            "ok");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), (), s32[]) async-start(p), calls=w
  u = ((s32[], s32[]), s32[], s32[]) async-update(s, q)
  ROOT d = s32[] async-done(u))"),
            "ok");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[], u32[]) subtract-start(p, q)
  ROOT d = s32[] subtract-done(s))"),
            "ok");
}

TEST(AsyncRules, FormOfTheShape) {
  EXPECT_EQ(AsynchronousDiagnostics("s = (s32[], s32[]) async-start(p, q), calls=w ROOT d = s32[] async-done(s)"),
            "async-shape at (s32[], s32[])");
  EXPECT_EQ(AsynchronousDiagnostics("s = ((s32[])) async-start(p), calls=w ROOT d = s32[] async-done(s)"),
            "async-shape at ((s32[]))");
}

TEST(AsyncRules, StartBindsItsOperands) {
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), s32[]) async-start(p, q), calls=w
  u = ((s32[], s32[]), s32[]) async-update(s, q)
  ROOT d = s32[] async-done(u))"),
            "declared-shape at (s32[])");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((f32[], s32[]), s32[]) async-start(p, q), calls=w
  ROOT d = s32[] async-done(s))"),
            "async-operands at ((f32[], s32[]), s32[]) | declared-shape at f32");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), f32[]) async-start(p, q), calls=w
  ROOT d = s32[] async-done(s))"),
            "async-result at ((s32[], s32[]), f32[])");
}

TEST(AsyncRules, UpdateGrowsWhatIsBound) {
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), (), s32[]) async-start(p), calls=w
  u = ((s32[], s32[]), s32[], s32[]) async-update(s)
  ROOT d = s32[] async-done(u))"),
            "declared-shape at (s32[], s32[])");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[], s32[]) async-start(p, q), calls=w
  u = ((s32[], s32[]), (), s32[]) async-update(s)
  ROOT d = s32[] async-done(u))"),
            "async-result at ((s32[], s32[]), (), s32[])");
  EXPECT_EQ(AsynchronousDiagnostics("u = ((s32[]), s32[]) async-update(p) ROOT d = s32[] async-done(u)"),
            "async-shape at p");
}

TEST(AsyncRules, DoneReturnsTheWrappedResultOnceAllIsBound) {
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[]) async-start(p, q), calls=w
  ROOT d = f32[] async-done(s))"),
            "declared-shape at f32");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w
  ROOT d = s32[] async-done(s))"),
            "async-unbound at s");
  EXPECT_EQ(AsynchronousDiagnostics("n = s32[] negate(p) ROOT d = s32[] async-done(n)"), "async-producer at n");
}

TEST(AsyncRules, ThreadOfTheWrappedComputation) {
  constexpr absl::string_view kThread = R"(
w { a = s32[] parameter(0) ROOT d = s32[] negate(a) }, execution_thread="side"
)";
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w, async_execution_thread="side"
  ROOT d = s32[] async-done(s))",
                                    kThread),
            "ok");
  // A start decides on which thread the computation runs.
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w, async_execution_thread="x"
  ROOT d = s32[] async-done(s))",
                                    kThread),
            "ok");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w, async_execution_thread="x"
  t = ((s32[]), s32[]) async-start(p), calls=w
  d = s32[] async-done(s)
  e = s32[] async-done(t)
  ROOT r = s32[] add(d, e))",
                                    kThread),
            "async-thread at async_execution_thread=\"x\"");
}

TEST(AsyncRules, UpdateMayAliasOnlyItsContext) {
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[], s32[]) async-start(p, q), calls=w
  u = ((s32[], s32[]), s32[], s32[]) async-update(s), output_to_operand_aliasing={{2}: (0, {2})}
  ROOT d = s32[] async-done(u))"),
            "ok");
  EXPECT_EQ(AsynchronousDiagnostics(R"(s = ((s32[], s32[]), s32[], s32[]) async-start(p, q), calls=w
  u = ((s32[], s32[]), s32[], s32[]) async-update(s), output_to_operand_aliasing={{1}: (0, {1})}
  ROOT d = s32[] async-done(u))"),
            "operand-aliasing at {1}: (0, {1})");
}

TEST(AsyncRules, StartAliasesPartsOfItsResult) {
  EXPECT_EQ(AsynchronousDiagnostics(
                R"(s = ((s32[], s32[]), s32[]) async-start(p, q), calls=w, output_to_operand_aliasing={{1}: (0, {})}
  ROOT d = s32[] async-done(s))"),
            "ok");
  EXPECT_EQ(AsynchronousDiagnostics(
                R"(s = ((s32[], s32[]), s32[]) async-start(p, q), calls=w, output_to_operand_aliasing={{1}: (2, {})}
  ROOT d = s32[] async-done(s))"),
            "operand-aliasing at {1}: (2, {})");
}

TEST(CopyRules, PairOfDestinationAndSource) {
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = f32[3] parameter(0)
  s = (f32[3]{0:S(1)}, f32[3], u32[]) copy-start(p)
  ROOT d = f32[3]{0:S(1)} copy-done(s)
})"),
            "ok");
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = f32[3] parameter(0)
  s = (f32[4], f32[3], u32[]) copy-start(p)
  ROOT d = f32[4] copy-done(s)
})"),
            "declared-shape at 4");
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = f32[3] parameter(0)
  s = (f32[3], f32[3], u32[]) copy-start(p)
  ROOT d = f32[2] copy-done(s)
})"),
            "declared-shape at 2");
}

TEST(CopyRules, LayoutOfThePairInLayoutSensitiveMode) {
  VerifyOptions options;
  options.layout_sensitive = true;
  constexpr absl::string_view kText = R"(ENTRY e {
  p = f32[2,3]{1,0} parameter(0)
  s = (f32[2,3]{0,1:S(2)}, f32[2,3]{1,0}, u32[]) copy-start(p)
  ROOT d = f32[2,3]{0,1:S(2)} copy-done(s)
})";
  EXPECT_EQ(DiagnosticsOf(kText), "ok");
  EXPECT_EQ(DiagnosticsOf(kText, options), "declared-shape at {0,1:S(2)}");
}

}  // namespace
}  // namespace hloscope
