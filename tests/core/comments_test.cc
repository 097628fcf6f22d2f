// SPDX-License-Identifier: Apache-2.0
// Comments stay where they belong when a text is printed in another form.
#include "core/editing/comments.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/analysis/module_compare.h"
#include "core/document/document.h"
#include "core/editing/text_style.h"
#include "core/lex/lexer.h"
#include "core/print/printer.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

std::string Formatted(const std::string& text, const PrintOptions& options) {
  return PrintWithComments(*ParseDocument(text), options);
}

TEST(Comments, StayAtTheirStatement) {
  const std::string text = R"(// the file
HloModule m // the module

/* sums
   two */
sum { // opens
  x = f32[] parameter(0) // left
  // about the right one
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, /* first */ y) /* a */ // b
  // last in the body
} // closes
// about the entry
ENTRY e {
  ROOT c = f32[] constant(1)
}
// the end
)";
  const std::string expected = R"(// the file
HloModule m, entry_computation_layout={()->f32[]} // the module

/* sums
   two */
sum { // opens
  x = f32[] parameter(0) // left
  // about the right one
  y = f32[] parameter(1)
  /* first */
  ROOT s = f32[] add(x, y) /* a */ // b
  // last in the body
} // closes

// about the entry
ENTRY e {
  ROOT c = f32[] constant(1)
}

// the end
)";
  EXPECT_EQ(Formatted(text, PrintOptions::Short()), expected);
  EXPECT_EQ(Formatted(expected, PrintOptions::Short()), expected);
}

TEST(Comments, KeepTheirDistanceAndBlankLines) {
  const std::string text = R"(
// first


HloModule m
/* directly below */

f {
    // indented in its own way
  a = f32[] parameter(0)   // three blanks

  // after a blank line

  b = f32[] negate(a)	// a tab
  c = f32[] abs(b) /* one */ /* two */
  d = f32[] abs(c)
  e = f32[] abs(d)
  ROOT g = f32[] abs(e)
 // last
}// none



// after blank lines
ENTRY e {
  p = f32[] parameter(0)
  ROOT r = f32[] call(p), to_apply=f
} // e
)";
  const auto document = ParseDocument(text);
  PrintOptions options = StyleOf(*document);
  EXPECT_EQ(PrintWithComments(*document, options), text);
  // What follows a brace takes the place of a name there.
  options.closing_names = true;
  EXPECT_EQ(PrintWithComments(*document, options), text);
}

TEST(Comments, OfAHeaderWithEmbeddedModulesStayOutsideTheirStrings) {
  const std::string text =
      "HloModule m, origin_recovery_table={ {\"x\"} : {\"y\"}, \"ENTRY r { ROOT p = f32[] parameter(0) }\" } // here\n"
      "ENTRY e { ROOT c = f32[] constant(1) }\n";
  const std::string printed = Formatted(text, PrintOptions::Long());
  EXPECT_FALSE(ParseDocument(printed)->has_errors()) << printed;
  EXPECT_EQ(Formatted(printed, PrintOptions::Long()), printed);
  EXPECT_NE(printed.find("\n} // here\n"), std::string::npos) << printed;
}

// The text with a comment put into some of the gaps between its tokens: after lines, on lines of their own, inside.
std::string WithComments(const Document& document, std::mt19937& random, std::vector<std::string>& comments) {
  const absl::string_view text = document.source().text();
  const TokenBuffer& tokens = document.tokens();
  std::string out;
  size_t copied = 0;
  for (TokenIndex t = 0; t + 1 < tokens.size(); ++t) {
    if (random() % 97 != 0) continue;
    const size_t at = tokens.begin(t);
    out.append(text.data() + copied, at - copied);
    copied = at;
    const std::string body = absl::StrCat("note ", comments.size(), " #", random() % 1000);
    const bool is_line = random() % 2 == 0;
    comments.push_back(is_line ? absl::StrCat("// ", body) : absl::StrCat("/* ", body, " */"));
    if (random() % 3 == 0) out.push_back('\n');
    absl::StrAppend(&out, " ", comments.back(), is_line || random() % 3 == 0 ? "\n" : " ");
  }
  out.append(text.data() + copied, text.size() - copied);
  return out;
}

TEST(Comments, NoneIsLostInCorpusFilesAndFormattingEnds) {
  SKIP_WITHOUT_SHARED_FILES();
  std::mt19937 random(1);
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = options.keep_written_tuple_access = true;
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Open(file, {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok());
    if ((*document)->source().size() > 700000) continue;
    std::vector<std::string> comments;
    const std::string text = WithComments(**document, random, comments);
    auto current = ParseDocument(text);
    ASSERT_FALSE(current->has_errors()) << file;
    std::string printed;
    int prints = 0;
    do {
      printed = PrintWithComments(*current, options);
      if (printed == current->source().text()) break;
      current = ParseDocument(printed);
      ASSERT_FALSE(current->has_errors()) << file;
    } while (++prints < 5);
    EXPECT_LT(prints, 5) << file << " never stops changing";
    ModuleComparison comparison;
    comparison.ignore_names = true;  // unique names
    EXPECT_EQ(FirstDifference((*document)->module(), current->module(), comparison), "") << file;
    for (const std::string& comment : comments) {
      const size_t at = printed.find(comment);
      ASSERT_NE(at, std::string::npos) << file << ": " << comment;
      EXPECT_EQ(printed.find(comment, at + 1), std::string::npos) << file << ": " << comment;
    }
  }
}

// A comment after or above an instruction is after or above the same one afterwards.
TEST(Comments, StayWithTheirInstructionInCorpusFiles) {
  SKIP_WITHOUT_SHARED_FILES();
  PrintOptions options = PrintOptions::Dump();
  options.keep_written_tuple_access = true;
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Open(file, {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok());
    if ((*document)->source().size() > 400000) continue;
    // `// above NAME` on the line before each instruction, `// after NAME` at its end.
    const SyntaxTree& tree = (*document)->syntax();
    const absl::string_view text = (*document)->source().text();
    std::string commented;
    size_t copied = 0;
    const TokenBuffer& tokens = (*document)->tokens();
    for (const InstructionSyntax& node : tree.instructions) {
      if (node.name == kNoToken || tokens.begin(node.tokens.begin) < copied) continue;
      const std::string name(TokenName(tokens.kind(node.name), (*document)->source().Slice(tokens.range(node.name))));
      const size_t begin = tokens.begin(node.tokens.begin), end = tokens.end(node.tokens.end - 1);
      commented.append(text.data() + copied, begin - copied);
      absl::StrAppend(&commented, "// above ", name, "\n  ", text.substr(begin, end - begin), " // after ", name, "\n");
      copied = end;
    }
    commented.append(text.data() + copied, text.size() - copied);
    const std::string printed = Formatted(commented, options);
    const std::vector<std::string> lines = absl::StrSplit(printed, '\n');
    size_t checked = 0;
    for (size_t i = 0; i + 1 < lines.size(); ++i) {
      absl::string_view above = absl::StripLeadingAsciiWhitespace(lines[i]);
      if (!absl::ConsumePrefix(&above, "// above ")) continue;
      const std::string after = absl::StrCat(" // after ", above);
      EXPECT_TRUE(absl::EndsWith(lines[i + 1], after)) << file << ": " << lines[i + 1];
      ++checked;
    }
    EXPECT_GT(checked, 0u) << file;
  }
}

}  // namespace
}  // namespace hloscope
