// SPDX-License-Identifier: Apache-2.0
// A rewritten module as few changes of the text.
#include "core/editing/module_edits.h"

#include <string>

#include "core/analysis/module_compare.h"
#include "core/editing/text_style.h"
#include "core/editing/word_merge.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_generator.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

std::string Applied(const Document& document, const std::vector<TextEdit>& edits) {
  return std::string(document.WithEdit(edits)->source().text());
}

std::string Merged(const std::string& written, const std::string& before, const std::string& after) {
  const auto document = ParseDocument(written);
  return Applied(*document, MergeWords(written, 0, before, after));
}

TEST(WordMergeTest, WhatDiffersIsReplacedAndTheRestStays) {
  EXPECT_EQ(Merged("y  = f32[4] add(a,/*why*/b)", "y = f32[4]{0} add(a, b)", "y = f32[4]{0} add(a, c)"),
            "y  = f32[4] add(a,/*why*/c)");
  EXPECT_EQ(Merged("y  = f32[4] add(a,b) , metadata={}", "y = f32[4]{0} add(a, b), metadata={}",
                   "y = f32[4]{0} subtract(a, b), metadata={}"),
            "y  = f32[4] subtract(a,b) , metadata={}");
  EXPECT_EQ(
      Merged("y = f32[4] add(a, b)", "y = f32[4]{0} add(a, b)", "y = f32[4]{0} negate(b), frontend_attributes={}"),
      "y = f32[4] negate(b), frontend_attributes={}");
  EXPECT_EQ(Merged("", "", "x"), "x");
  EXPECT_EQ(Merged("same", "same", "same"), "same");
}

constexpr char kText[] =
    "HloModule m\n\n// What the model does.\nENTRY e {\n  x = f32[4,8]   parameter(0)  // the input\n"
    "  unused = f32[] constant(1)\n\n  // There and back.\n"
    "  t = f32[8,4] transpose(x),dimensions={1,0}\n  u = f32[4,8] transpose(t), dimensions={1,0}  // back\n"
    "  // Kept.\n  ROOT r = f32[4,8]  add(u,/*again*/ x)\n}\n";

TEST(ModuleEditsTest, ARewriteChangesItsLinesOnly) {
  const auto document = ReadDocument(kText);
  ASSERT_FALSE(document->has_errors());
  // Take the module with one operand changed by hand: the same as any rewrite that forwards a value.
  std::string wanted_text = kText;
  const size_t at = wanted_text.find("add(u");
  wanted_text.replace(at, 5, "add(x");
  const auto wanted = ReadDocument(wanted_text);
  EXPECT_EQ(Applied(*document, EditsToModule(*document, wanted->module())), wanted_text);
}

TEST(ModuleEditsTest, RemovedAndAddedStatementsAndComputations) {
  const auto document = ReadDocument(kText);
  const auto wanted = ReadDocument(
      "HloModule m\n\nf {\n  p = f32[4,8] parameter(0)\n  ROOT n = f32[4,8] negate(p)\n}\n\nENTRY e {\n"
      "  x = f32[4,8] parameter(0)\n  unused = f32[] constant(1)\n  c = f32[4,8] call(x), to_apply=f\n"
      "  ROOT r = f32[4,8] add(c, x)\n}\n");
  EXPECT_EQ(Applied(*document, EditsToModule(*document, wanted->module())),
            "HloModule m\n\nf {\n  p = f32[4,8] parameter(0)\n  ROOT n = f32[4,8] negate(p)\n}\n\n"
            "// What the model does.\nENTRY e {\n  x = f32[4,8]   parameter(0)  // the input\n"
            "  unused = f32[] constant(1)\n\n  // There and back.\n"
            "  c = f32[4,8] call(x), to_apply=f\n  // Kept.\n  ROOT r = f32[4,8]  add(c,/*again*/ x)\n}\n");
}

// What a rewrite made comes before its first user, in whatever order the rewrite left the instructions.
TEST(ModuleEditsTest, StatementsStayWhereTheyAre) {
  const auto document = ReadDocument(kText);
  const auto wanted = ReadDocument(
      "HloModule m\n\nENTRY e {\n  unused = f32[] constant(1)\n  one = f32[] constant(1)\n"
      "  x = f32[4,8] parameter(0)\n  ones = f32[4,8] broadcast(one), dimensions={}\n"
      "  t = f32[8,4] transpose(x), dimensions={1,0}\n  u = f32[4,8] transpose(t), dimensions={1,0}\n"
      "  ROOT r = f32[4,8] add(u, ones)\n}\n");
  std::string expected = kText;
  const size_t at = expected.find("  // Kept.");
  expected.replace(expected.find("/*again*/ x"), 11, "/*again*/ ones");
  expected.insert(at, "  one = f32[] constant(1)\n  ones = f32[4,8] broadcast(one), dimensions={}\n");
  EXPECT_EQ(Applied(*document, EditsToModule(*document, wanted->module())), expected);
}

// Editors make one of very many edits: what is nearest is joined.
TEST(ModuleEditsTest, AtMostAThousandEdits) {
  std::string text = "HloModule m\n\nENTRY e {\n  x0 = f32[4] parameter(0)\n", other = text;
  for (int i = 1; i <= 3000; ++i) {
    const std::string line = absl::StrCat("f32[4] add(x", i - 1, ", x", i - 1, ")\n");
    absl::StrAppend(&text, "  x", i, " = ", line);
    absl::StrAppend(&other, "  x", i, " = ", i % 2 == 0 ? line : absl::StrCat("f32[4] negate(x", i - 1, ")\n"));
  }
  const auto document = ReadDocument(text + "  ROOT r = f32[4] negate(x3000)\n}\n");
  const auto wanted = ReadDocument(other + "  ROOT r = f32[4] negate(x3000)\n}\n");
  const std::vector<TextEdit> edits = EditsToModule(*document, wanted->module());
  EXPECT_LE(edits.size(), 1000u);
  EXPECT_EQ(Applied(*document, edits), other + "  ROOT r = f32[4] negate(x3000)\n}\n");
}

TEST(ModuleEditsTest, EveryRewriteOfRandomModulesIsCarriedOver) {
  const std::vector<std::string> names = {"cse", "dce", "algebraic"};
  int changed = 0, printed_again = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const auto document = ReadDocument(RandomModule(seed));
    const auto result = TransformModule(document->module(), names, TransformOptions());
    ASSERT_TRUE(result.ok()) << result.status();
    if (!result->changed) continue;
    ++changed;
    const std::vector<TextEdit> edits = EditsToModule(*document, result->module);
    const auto after = document->WithEdit(edits);
    ASSERT_FALSE(after->has_errors());
    // Rewrites leave names to printing.
    const auto expected = ReadDocument(PrintModule(result->module, StyleOfNewParts(*document)));
    EXPECT_EQ(FirstDifference(after->module(), expected->module()), "") << seed;
    // One edit from near the beginning to near the end: the text could not be kept.
    const uint32_t size = document->source().size();
    printed_again += edits.size() == 1 && edits[0].range.size() > size / 2 ? 1 : 0;
  }
  EXPECT_GT(changed, 0);
  EXPECT_LE(2 * printed_again, changed) << printed_again << " of " << changed;
}

}  // namespace
}  // namespace hloscope
