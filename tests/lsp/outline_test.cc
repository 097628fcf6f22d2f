// SPDX-License-Identifier: Apache-2.0
// Document symbols and folding ranges.
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/document_symbol.h"
#include "lsp/features/folding_range.h"
#include "lsp/protocol/symbol_json.h"
#include "nlohmann/json.hpp"
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
    out.push_back(absl::StrCat(std::string(static_cast<size_t>(depth) * 2, ' '), symbol.name, " | ", symbol.detail,
                               " | ", document.Slice(symbol.selection_range)));
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
  EXPECT_THAT(
      Outline(document),
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

TEST(DocumentSymbolTest, SaysWhatIsLeftOut) {
  std::string text = "HloModule m\n";
  for (size_t i = 0; i < kMaxOutlineComputations + 10; ++i) {
    absl::StrAppend(&text, "g", i, " { ROOT a = f32[] parameter(0) }\n");
  }
  const FeatureDocument document(text + "ENTRY e { ROOT x = f32[] parameter(0) }\n");
  const std::vector<protocol::DocumentSymbol> symbols = ComputeDocumentSymbols(document.view());
  ASSERT_EQ(symbols.size(), kMaxOutlineComputations + 1);
  EXPECT_EQ(symbols[symbols.size() - 2].name, "e");
  EXPECT_EQ(symbols.back().name, "(11 small computations are not listed)");
}

TEST(DocumentSymbolTest, BrokenTexts) {
  for (const char* text :
       {"", "\n\n", "HloModule", "HloModule m\nENTRY e {", "ENTRY e { x = ", "}}}}", "a = f32[] add("}) {
    Outline(FeatureDocument(text));
  }
  EXPECT_THAT(Outline(FeatureDocument("")), IsEmpty());
}

TEST(DocumentSymbolTest, JsonText) {
  using nlohmann::json;
  protocol::DocumentSymbol symbol, child;
  symbol.name = "a\"b";
  symbol.kind = protocol::SymbolKind::kFunction;
  symbol.range = {{1, 2}, {3, 4}};
  symbol.selection_range = {{1, 2}, {1, 5}};
  child.name = "\xFF";
  child.detail = "add";
  symbol.children = {child, child};
  ClientCapabilities client;
  client.hierarchical_symbols = true;
  const json zero = json::parse(R"({"start":{"line":0,"character":0},"end":{"line":0,"character":0}})");
  const json range = json::parse(R"({"start":{"line":1,"character":2},"end":{"line":3,"character":4}})");
  json tree = json::parse(DocumentSymbolsText({symbol, child}, "u", client));
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree[0]["name"], "a\"b");
  EXPECT_EQ(tree[0]["kind"], 12);
  EXPECT_EQ(tree[0]["range"], range);
  EXPECT_EQ(tree[0]["selectionRange"]["end"]["character"], 5);
  ASSERT_EQ(tree[0]["children"].size(), 2u);
  EXPECT_EQ(tree[0]["children"][1],
            json({{"name", "\uFFFD"}, {"kind", 13}, {"detail", "add"}, {"range", zero}, {"selectionRange", zero}}));
  client.hierarchical_symbols = false;
  const json flat = json::parse(DocumentSymbolsText({symbol}, "u", client));
  ASSERT_EQ(flat.size(), 3u);
  EXPECT_EQ(flat[0], json({{"name", "a\"b"}, {"kind", 12}, {"location", {{"uri", "u"}, {"range", range}}}}));
  EXPECT_EQ(flat[2]["containerName"], "a\"b");
  EXPECT_EQ(json::parse(DocumentSymbolsText({}, "u", client)), json::array());
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
  EXPECT_THAT(folds, ElementsAre("FileNames ... 1 \"model.py\"", "FunctionN ... 2 \"step\"",
                                 "FileLocat ... 2 {file_name", "StackFram ... 2 {file_loca", "sum { ... ROOT s = f32",
                                 "ENTRY mai ... }, control-p", "ROOT larg ... }, control-p"));
}

TEST(FoldingRangeTest, OneLineBodiesDoNotFold) {
  EXPECT_THAT(ComputeFoldingRanges(FeatureDocument("HloModule m\nENTRY e { ROOT c = f32[] constant(1) }\n").view()),
              IsEmpty());
}

}  // namespace
}  // namespace hloscope::lsp
