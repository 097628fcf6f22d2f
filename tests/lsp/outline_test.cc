// Document symbols and folding ranges.
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/document_symbol.h"
#include "lsp/features/folding_range.h"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One line per symbol, indented by depth: "name | detail | selected text".
void Describe(const FeatureDocument& document, const std::vector<protocol::DocumentSymbol>& symbols, int depth,
              std::vector<std::string>& out) {
  for (const protocol::DocumentSymbol& symbol : symbols) {
    EXPECT_LE(symbol.range.start, symbol.selection_range.start);
    EXPECT_GE(symbol.range.end, symbol.selection_range.end);
    out.push_back(absl::StrCat(std::string(static_cast<size_t>(depth) * 2, ' '), symbol.name, " | ", symbol.detail, " | ",
                               document.Slice(symbol.selection_range)));
    Describe(document, symbol.children, depth + 1, out);
  }
}

std::vector<std::string> Outline(const FeatureDocument& document) {
  std::vector<std::string> lines;
  Describe(document, ComputeDocumentSymbols(document.view()), 0, lines);
  return lines;
}

TEST(DocumentSymbolTest, ComputationsHoldInstructions) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(Outline(document),
              ElementsAre("sum |  | sum", "  a | parameter f32[] | a", "  b | parameter f32[] | b", "  s | add f32[] | s",
                          "main | ENTRY | main", "  x | parameter f32[8,16] | x", "  zero | constant f32[] | zero",
                          "  twice | add f32[8,16] | twice", "  total | reduce f32[8] | total",
                          "  largest | reduce f32[] | largest", "    (inline computation) |  | ",
                          "      p | parameter f32[] | p", "      q | parameter f32[] | q", "      m | maximum f32[] | m"));
}

TEST(DocumentSymbolTest, MadeUpInstructionsAreLeftOut) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n  t = (f32[4], f32[4]) parameter(0)\n"
      "  ROOT r = f32[4] add(f32[4] %t#0, f32[4] negate(f32[4] %t#1))\n}\n");
  EXPECT_THAT(Outline(document),
              ElementsAre("e | ENTRY | e", "  t | parameter (f32[4], f32[4]) | t", "  r | add f32[4] | r"));
}

TEST(DocumentSymbolTest, BrokenTexts) {
  for (const char* text : {"", "\n\n", "HloModule", "HloModule m\nENTRY e {", "ENTRY e { x = ", "}}}}", "a = f32[] add("}) {
    Outline(FeatureDocument(text));
  }
  EXPECT_THAT(Outline(FeatureDocument("")), IsEmpty());
}

TEST(FoldingRangeTest, BodiesTablesAndLongInstructions) {
  const FeatureDocument document(kSampleModule);
  // The text of each fold's first and last line, without indentation.
  const auto line = [&](uint32_t number) {
    return std::string(absl::StripAsciiWhitespace(document.view().document.source().Line(number)));
  };
  std::vector<std::string> folds;
  for (const protocol::FoldingRange& range : ComputeFoldingRanges(document.view())) {
    folds.push_back(absl::StrCat(line(range.start_line).substr(0, 9), " ... ", line(range.end_line).substr(0, 12)));
  }
  EXPECT_THAT(folds, ElementsAre("FileNames ... 1 \"model.py\"", "FunctionN ... 2 \"step\"", "FileLocat ... 2 {file_name",
                                 "StackFram ... 2 {file_loca", "sum { ... ROOT s = f32", "ENTRY mai ... }, control-p",
                                 "ROOT larg ... }, control-p"));
}

TEST(FoldingRangeTest, OneLineBodiesDoNotFold) {
  EXPECT_THAT(ComputeFoldingRanges(FeatureDocument("HloModule m\nENTRY e { ROOT c = f32[] constant(1) }\n").view()),
              IsEmpty());
}

}  // namespace
}  // namespace hloscope::lsp
