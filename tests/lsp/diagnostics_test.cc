// SPDX-License-Identifier: Apache-2.0
// Published diagnostics and the quick fixes made of them.
#include "lsp/features/diagnostics.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/code_action.h"
#include "lsp/protocol/json.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::HasSubstr;

TEST(DiagnosticsTest, NoneForAGoodModule) {
  EXPECT_TRUE(ComputeDiagnostics(FeatureDocument(kSampleModule).view()).empty());
}

TEST(DiagnosticsTest, RangeCodeSeverityAndRelatedPlaces) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n  /* 😀 */ a = f32[] parameter(0)\n  a = f32[] constant(1)\n  ROOT r = f32[] "
      "negate(a)\n}\n");
  const auto diagnostics = ComputeDiagnostics(document.view());
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].code, "duplicate-instruction");
  EXPECT_EQ(diagnostics[0].severity, protocol::DiagnosticSeverity::kError);
  EXPECT_THAT(diagnostics[0].message, HasSubstr("`a` is defined twice"));
  EXPECT_EQ(diagnostics[0].range, (protocol::Range{{3, 2}, {3, 3}}));
  ASSERT_EQ(diagnostics[0].related.size(), 1u);
  EXPECT_EQ(diagnostics[0].related[0].location, (protocol::Location{"file:///test.hlo", {{2, 11}, {2, 12}}}));
}

TEST(DiagnosticsTest, UselessTextIsTagged) {
  const FeatureDocument document(
      "HloModule m\nuncalled {\n  ROOT c = f32[] constant(1)\n}\n"
      "ENTRY e {\n  a = f32[] parameter(0)\n  dead = f32[] negate(a)\n  ROOT r = f32[] negate(a)\n}\n");
  const auto diagnostics = ComputeDiagnostics(document.view());
  ASSERT_EQ(diagnostics.size(), 2u);
  for (const protocol::Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.tags, std::vector<protocol::DiagnosticTag>{protocol::DiagnosticTag::kUnnecessary});
  }
  EXPECT_EQ(diagnostics[0].severity, protocol::DiagnosticSeverity::kWarning);
  EXPECT_EQ(diagnostics[1].severity, protocol::DiagnosticSeverity::kHint);
  EXPECT_EQ(document.Slice(diagnostics[0].range), "uncalled");
  EXPECT_EQ(document.Slice(diagnostics[1].range), "dead");
}

TEST(DiagnosticsTest, ManyWarningsOfAKindAreFoldedAndFaded) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < 9; ++i) absl::StrAppend(&text, "c", i, " { ROOT a = f32[] parameter(0) }\n");
  const FeatureDocument document(text + "ENTRY e { ROOT x = f32[] parameter(0) }\n");
  const auto diagnostics = ComputeDiagnostics(document.view());
  ASSERT_EQ(diagnostics.size(), 9u);
  for (size_t i = 0; i < 9; ++i) {
    // Hints have no row in the list of problems; the text of each is faded.
    EXPECT_EQ(diagnostics[i].severity,
              i < 4 ? protocol::DiagnosticSeverity::kWarning : protocol::DiagnosticSeverity::kHint);
    EXPECT_EQ(diagnostics[i].tags, std::vector<protocol::DiagnosticTag>{protocol::DiagnosticTag::kUnnecessary});
    EXPECT_EQ(document.Slice(diagnostics[i].range), absl::StrCat("c", i));
  }
  EXPECT_THAT(diagnostics[2].message, HasSubstr("`c2` is never called"));
  EXPECT_EQ(diagnostics[3].message, "6 more like this, at 5:1, 6:1, 7:1, ...");
}

TEST(DiagnosticsTest, ManyAreCutWithANote) {
  std::string text = "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n";
  for (int i = 0; i < 1500; ++i) absl::StrAppend(&text, "  x", i, " = f32[] negate(missing)\n");
  const FeatureDocument document(text + "  ROOT r = f32[] negate(a)\n}\n");
  const auto diagnostics = ComputeDiagnostics(document.view());
  ASSERT_EQ(diagnostics.size(), kMaxPublishedDiagnostics);
  EXPECT_EQ(diagnostics.back().severity, protocol::DiagnosticSeverity::kInformation);
  EXPECT_EQ(diagnostics.back().message, "from here on, 501 more diagnostics are not shown");
}

// Faded text leaves room for what is wrong, wherever it is.
TEST(DiagnosticsTest, ErrorsComeBeforeHints) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < 2000; ++i) absl::StrAppend(&text, "g", i, " { ROOT a = f32[] parameter(0) }\n");
  const FeatureDocument document(text + "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[5] negate(p)\n}\n");
  const auto diagnostics = ComputeDiagnostics(document.view());
  ASSERT_EQ(diagnostics.size(), kMaxPublishedDiagnostics - 1);
  EXPECT_EQ(diagnostics.back().severity, protocol::DiagnosticSeverity::kError);
  EXPECT_EQ(diagnostics[3].message, "1997 more like this, at 5:1, 6:1, 7:1, ...");
}

TEST(DiagnosticsTest, JsonFollowsTheClient) {
  protocol::Diagnostic diagnostic;
  diagnostic.code = "c";
  diagnostic.message = "m";
  diagnostic.tags = {protocol::DiagnosticTag::kUnnecessary};
  diagnostic.related = {{{"u", {}}, "here"}};
  ClientCapabilities client;
  EXPECT_FALSE(ToJson(diagnostic, client).contains("tags"));
  EXPECT_FALSE(ToJson(diagnostic, client).contains("relatedInformation"));
  client.diagnostic_tags = client.related_information = true;
  EXPECT_EQ(ToJson(diagnostic, client)["tags"], nlohmann::json::array({1}));
  EXPECT_EQ(ToJson(diagnostic, client)["relatedInformation"][0]["message"], "here");
}

TEST(CodeActionTest, AppliesTheRepairOfADiagnostic) {
  const FeatureDocument document("HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT r = f32[] negat(a)\n}\n");
  const protocol::Position at = document.At("negat(");
  const auto actions = ComputeCodeActions(document.view(), {at, at}, false, [] { return false; });
  ASSERT_FALSE(actions.empty());
  EXPECT_EQ(actions[0].uri, "file:///test.hlo");
  EXPECT_EQ(actions[0].diagnostic->code, "unknown-opcode");
  ASSERT_EQ(actions[0].edits.size(), 1u);
  EXPECT_EQ(document.Slice(actions[0].edits[0].range), "negat");
  EXPECT_EQ(actions[0].edits[0].new_text, "negate");
  const protocol::Position elsewhere = document.At("parameter");
  EXPECT_TRUE(ComputeCodeActions(document.view(), {elsewhere, elsewhere}, false, [] { return false; }).empty());
}

}  // namespace
}  // namespace hloscope::lsp
