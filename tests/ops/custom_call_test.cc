// SPDX-License-Identifier: Apache-2.0
// Custom calls (docs/ops/control.md 3, 6.8).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

std::string CustomCallDiagnostics(absl::string_view root, const VerifyOptions& options = {}) {
  return DiagnosticsOf(absl::StrCat(R"(
gt { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=GT }
ENTRY e { x = f32[2,3]{1,0} parameter(0) ROOT r = )",
                                    root, "}"),
                       options);
}

// The code of the first diagnostic.
std::string CustomCallCode(absl::string_view root) {
  const std::string found = CustomCallDiagnostics(root);
  return found.substr(0, found.find(" at "));
}

TEST(CustomCallRules, AnySignatureIsAcceptedOfAnUnknownTarget) {
  EXPECT_EQ(CustomCallDiagnostics(R"((f32[7], token[]) custom-call(x), custom_call_target="mine")"), "ok");
}

TEST(CustomCallRules, OneKindOfCallee) {
  EXPECT_EQ(CustomCallCode(R"(f32[2] custom-call(x), custom_call_target="T", called_computations={gt})"), "ok");
  EXPECT_EQ(CustomCallCode(R"(f32[2] custom-call(x), custom_call_target="T", to_apply=gt, called_computations={gt})"),
            "two-callees");
}

TEST(CustomCallRules, LayoutConstraints) {
  EXPECT_EQ(
      CustomCallCode(R"(f32[2]{0} custom-call(x), custom_call_target="T", operand_layout_constraints={f32[2,3]{1,0}})"),
      "ok");
  EXPECT_EQ(CustomCallCode(R"(f32[2]{0} custom-call(x), custom_call_target="T", operand_layout_constraints={})"),
            "layout-constraint");
  EXPECT_EQ(
      CustomCallCode(R"(f32[2]{0} custom-call(x), custom_call_target="T", operand_layout_constraints={f32[3,2]{1,0}})"),
      "layout-constraint");
  EXPECT_EQ(
      CustomCallCode(R"(f32[2]{0} custom-call(x), custom_call_target="T", operand_layout_constraints={f32[2,3]})"),
      "ok");
  EXPECT_EQ(
      CustomCallCode(R"(f32[2] custom-call(x), custom_call_target="T", operand_layout_constraints={f32[2,3]{1,0}})"),
      "ok");
}

TEST(CustomCallRules, AliasedPartsAgree) {
  EXPECT_EQ(
      CustomCallCode(R"(f32[2,3] custom-call(x), custom_call_target="T", output_to_operand_aliasing={{}: (0, {})})"),
      "ok");
  EXPECT_EQ(
      CustomCallCode(R"(f32[3,2] custom-call(x), custom_call_target="T", output_to_operand_aliasing={{}: (0, {})})"),
      "operand-aliasing");
  EXPECT_EQ(
      CustomCallCode(R"(f32[2,3] custom-call(x), custom_call_target="T", output_to_operand_aliasing={{}: (1, {})})"),
      "operand-aliasing");
  EXPECT_EQ(
      CustomCallCode(
          R"(f32[3,2] custom-call(x), custom_call_target="T", output_to_operand_aliasing={{}: (0, {})}, frontend_attributes={xla_skip_custom_call_alias_shape_check="true"})"),
      "ok");
  VerifyOptions options;
  options.layout_sensitive = true;
  EXPECT_EQ(
      CustomCallDiagnostics(
          R"(f32[2,3]{0,1} custom-call(x), custom_call_target="T", output_to_operand_aliasing={{}: (0, {})})", options),
      "operand-aliasing at {}: (0, {})");
}

TEST(CustomCallRules, TargetsWithSignatures) {
  EXPECT_EQ(CustomCallCode(R"(u64[] custom-call(), custom_call_target="GetRngSeed")"), "ok");
  EXPECT_EQ(CustomCallCode(R"(u32[] custom-call(), custom_call_target="GetRngSeed")"), "custom-call-signature");
  EXPECT_EQ(CustomCallCode(R"(u64[] custom-call(x), custom_call_target="GetRngSeed")"), "custom-call-signature");
}

TEST(CustomCallRules, PinAndUnpin) {
  constexpr absl::string_view kAlias = ", output_to_operand_aliasing={{}: (0, {})}";
  const auto chain = [&](absl::string_view pin, absl::string_view unpin) {
    return DiagnosticsOf(absl::StrCat("ENTRY e { x = f32[4] parameter(0) b = ", pin, " ROOT r = ", unpin, " }"));
  };
  const std::string pin = absl::StrCat(R"(b(f32[4]) custom-call(x), custom_call_target="Pin")", kAlias);
  const std::string unpin = absl::StrCat(R"(f32[4] custom-call(b), custom_call_target="Unpin")", kAlias);
  EXPECT_EQ(chain(pin, unpin), "ok");
  EXPECT_EQ(chain(R"(b(f32[4]) custom-call(x), custom_call_target="Pin")", unpin),
            "custom-call-signature at custom-call");
  EXPECT_EQ(chain(pin, R"(f32[4] custom-call(b), custom_call_target="Unpin")"), "custom-call-signature at custom-call");
  EXPECT_EQ(chain(R"(b(f32[4]) custom-call(), custom_call_target="CreateBuffer")", unpin), "ok");
  EXPECT_EQ(chain(R"(b(f32[4]) custom-call(x), custom_call_target="CreateBuffer")", unpin),
            "custom-call-signature at x");
}

TEST(CustomCallRules, BuffersAreAliasedExactlyOnce) {
  const auto with_use = [](absl::string_view use) {
    const std::string found = DiagnosticsOf(absl::StrCat(
        R"(ENTRY e { b = b(f32[4]) custom-call(), custom_call_target="CreateBuffer" c = )", use,
        R"( ROOT r = f32[4] custom-call(c), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})} })"));
    return found.substr(0, found.find(" at "));
  };
  EXPECT_EQ(with_use(R"(b(f32[4]) custom-call(b), custom_call_target="T", output_to_operand_aliasing={{}: (0, {})})"),
            "ok");
  EXPECT_EQ(with_use(R"(b(f32[4]) custom-call(b), custom_call_target="T")"), "buffer-aliasing");
}

}  // namespace
}  // namespace hloscope
