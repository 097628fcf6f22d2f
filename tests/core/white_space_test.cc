// SPDX-License-Identifier: Apache-2.0
// Formatting changes white space and nothing else.
#include "core/editing/white_space.h"

#include <cctype>
#include <filesystem>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/support/golden_file.h"
#include "tests/support/module_generator.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::string FormattedSpaces(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("test", text));
  const std::vector<TextEdit> edits = FormatWhiteSpace(*document, {0, document->source().size()});
  return std::string(document->WithEdit(edits)->source().text());
}

std::string WithoutSpace(absl::string_view text) {
  std::string result;
  for (char c : text) {
    if (!isspace(static_cast<unsigned char>(c))) result += c;
  }
  return result;
}

TEST(WhiteSpaceTest, StatementsHeadingsAndComputations) {
  EXPECT_EQ(
      FormattedSpaces("\n\nHloModule   m ,is_scheduled=true\n%f(a :f32[ 2 ],b: f32[])->f32[2]{\n"
                      "      %a= f32[2]{0}   parameter( 0 )  \n\n\n\n\n\t%b =f32[] parameter(1)\n"
                      " ROOT %r = f32[ 2,\t3 ]{1,0} add (%a,%a) ,metadata={op_name=\"a  b\"  source_line=3}\n\n}\n"
                      "ENTRY e {\n}"),
      "HloModule m, is_scheduled=true\n\n%f (a :f32[2], b: f32[]) -> f32[2] {\n"
      "  %a = f32[2]{0} parameter(0)\n\n\n  %b = f32[] parameter(1)\n"
      "  ROOT %r = f32[2,3]{1,0} add(%a, %a), metadata={op_name=\"a  b\"  source_line=3}\n}\n\n"
      "ENTRY e {\n}\n");
}

TEST(WhiteSpaceTest, OrderNamesCommentsLayoutsAndStringsStay) {
  const std::string text =
      "HloModule m\n\n// The entry.\n/* of\n   two lines */\nENTRY main {\n  // first\n"
      "  x = f32[2,2]{0,1:T(8,128)} parameter(0)   // aligned\n"
      "  c = f32[2,2] constant({\n          { 1,  2 },\n          { 3,  4 } })\n"
      "  t = (f32[2,2], /*index=1*/f32[2,2]) tuple(x, /*index=1*/c)\n"
      "  u = f32[2,2] custom-call(x), custom_call_target=\" a  ,b \", backend_config={ \"k\" :  1 }\n"
      "  ROOT r = f32[2,2] add(x, c)\n  // last\n}\n";
  EXPECT_EQ(FormattedSpaces(text), text);
}

TEST(WhiteSpaceTest, StatementsOfOneLineGetLinesAndContinuedOnesMoveTogether) {
  EXPECT_EQ(FormattedSpaces("HloModule m ENTRY e { a = f32[] parameter(0) ROOT b = f32[] negate(a) } // end\n"),
            "HloModule m\n\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT b = f32[] negate(a)\n} // end\n");
  EXPECT_EQ(
      FormattedSpaces("ENTRY e {\n    a = f32[] parameter(0)\n    ROOT b = f32[]\n        add(a,\n            a)\n}\n"),
      "ENTRY e {\n  a = f32[] parameter(0)\n  ROOT b = f32[]\n      add(a,\n          a)\n}\n");
  EXPECT_EQ(FormattedSpaces("ENTRY e {\r\na = f32[] parameter(0)   \r\n}\r\n"),
            "ENTRY e {\r\n  a = f32[] parameter(0)\r\n}\r\n");
}

TEST(WhiteSpaceTest, TextsWithErrors) {
  EXPECT_EQ(FormattedSpaces("HloModule m\nENTRY e {\nx = f32[4]  parametr( 0 )\n      y = f32[4] add(x,x   \n"
                            " ROOT z = f32[4]   negate( x )\n}\n"),
            "HloModule m\n\nENTRY e {\n  x = f32[4] parametr(0)\n  y = f32[4] add(x, x\n"
            "  ROOT z = f32[4] negate(x)\n}\n");
  EXPECT_EQ(FormattedSpaces(""), "");
  EXPECT_EQ(FormattedSpaces("}}}  {{"), "}}}  {{\n");
}

TEST(WhiteSpaceTest, RangesLeaveTheRestAlone) {
  const auto document = Document::Parse(SourceText::FromString(
      "test", "HloModule m\nENTRY e {\n  x = f32[4]   parameter( 0 )\n  ROOT y = f32[4]   add( x,x )\n}\n"));
  const uint32_t begin = document->source().LineStart(3);
  EXPECT_EQ(document->WithEdit(FormatWhiteSpace(*document, {begin, begin + 4}))->source().text(),
            "HloModule m\nENTRY e {\n  x = f32[4]   parameter( 0 )\n  ROOT y = f32[4] add(x, x)\n}\n");
}

TEST(WhiteSpaceTest, WhileTyping) {
  const auto typed = [](const std::string& text, uint32_t line, bool after_line_end) {
    const auto document = Document::Parse(SourceText::FromString("test", text));
    const auto edits = FormatTypedLine(*document, document->source().LineStart(line), after_line_end);
    return std::string(document->WithEdit(edits)->source().text());
  };
  EXPECT_EQ(typed("ENTRY e {\nx = f32[] parameter(0)\n}\n", 1, false), "ENTRY e {\n  x = f32[] parameter(0)\n}\n");
  EXPECT_EQ(typed("ENTRY e {\n  x = f32[] parameter(0)\n  }\n", 2, false), "ENTRY e {\n  x = f32[] parameter(0)\n}\n");
  EXPECT_EQ(typed("  ENTRY e {\n  x = f32[] parameter(0)\n}\n", 0, false), "ENTRY e {\n  x = f32[] parameter(0)\n}\n");
  EXPECT_EQ(typed("ENTRY e {\n  x = f32[]   parameter( 0 )\n\n}\n", 2, true),
            "ENTRY e {\n  x = f32[] parameter(0)\n  \n}\n");
}

// The golden texts of diagnostics are wrong in every way that is known.
TEST(WhiteSpaceTest, NothingButWhiteSpaceChangesInAnyText) {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HLOSCOPE_SOURCE_DIR "/tests/corpus")) {
    if (entry.path().extension() != ".hlo") continue;
    const auto sections = ParseGoldenFile(ReadFileOrDie(entry.path().string()));
    if (!sections.ok()) continue;
    for (const GoldenSection& section : *sections) texts.push_back(section.text);
  }
  ASSERT_GT(texts.size(), 100u);
  for (uint64_t seed = 0; seed < 20; ++seed) texts.push_back(RandomModule(seed));
  for (const std::string& text : texts) {
    const std::string once = FormattedSpaces(text);
    ASSERT_EQ(WithoutSpace(once), WithoutSpace(text));
    ASSERT_EQ(FormattedSpaces(once), once);
    const auto before = Document::Parse(SourceText::FromString("test", text));
    const auto after = Document::Parse(SourceText::FromString("test", once));
    ASSERT_EQ(before->diagnostics().size(), after->diagnostics().size()) << once;
  }
}

TEST(WhiteSpaceTest, CommentsBeforeAComputationHaveTheEmptyLineOnEitherSide) {
  for (const char* text : {"HloModule m\n// header\n\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n",
                           "HloModule m\n\n// entry\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n"}) {
    EXPECT_EQ(FormattedSpaces(text), text);
  }
  EXPECT_EQ(FormattedSpaces("HloModule m\n// entry\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n"),
            "HloModule m\n\n// entry\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n");
}

TEST(WhiteSpaceTest, DumpsAreFormattedAlready) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string path = CorpusFile("model-dumps/qwen3_14b.inference.1gpu.jit__prefill_jit.hlo");
  ASSERT_FALSE(path.empty());
  const std::string text = ReadFileOrDie(path);
  EXPECT_EQ(FormattedSpaces(text), text);
}

}  // namespace
}  // namespace hloscope
