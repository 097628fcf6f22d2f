// SPDX-License-Identifier: Apache-2.0
// Semantic tokens, inlay hints, selection ranges, declarations and implementations.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/declaration.h"
#include "lsp/features/inlay_hint.h"
#include "lsp/features/selection_range.h"
#include "lsp/features/semantic_tokens.h"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "line:column length type" of each token, lines and columns from 0.
std::vector<std::string> Decode(const FeatureDocument& document, const std::vector<uint32_t>& data) {
  std::vector<std::string> tokens;
  protocol::Position at;
  for (size_t i = 0; i + 5 <= data.size(); i += 5) {
    at.line += data[i];
    at.character = data[i] == 0 ? at.character + data[i + 1] : data[i + 1];
    const protocol::Range range = {at, {at.line, at.character + data[i + 2]}};
    tokens.push_back(absl::StrCat(SemanticTokenTypes()[data[i + 3]], data[i + 4] ? "! " : " ", document.Slice(range)));
  }
  return tokens;
}

TEST(SemanticTokensTest, WordsOfAModule) {
  const FeatureDocument document(kSampleModule);
  const auto tokens = Decode(document, ComputeSemanticTokens(document.view(), std::nullopt));
  for (const char* expected :
       {"namespace! sample", "class! sum", "parameter! a", "function add", "variable a", "type f32",
        "property dimensions", "class sum", "keyword ENTRY", "string \"model.py\""}) {
    EXPECT_THAT(tokens, Contains(expected));
  }
}

TEST(SemanticTokensTest, ColumnsCountInTheUnitOfTheClient) {
  const std::string text = "HloModule m\nENTRY e {\n  /* é 😀 */ ROOT x = f32[] parameter(0)\n}\n";
  for (ColumnUnit unit : {ColumnUnit::kUtf8, ColumnUnit::kUtf16, ColumnUnit::kUtf32}) {
    const FeatureDocument document(text, unit);
    EXPECT_THAT(Decode(document, ComputeSemanticTokens(document.view(), std::nullopt)), Contains("comment /* é 😀 */"));
    EXPECT_THAT(Decode(document, ComputeSemanticTokens(document.view(), std::nullopt)), Contains("parameter! x"));
  }
}

TEST(SemanticTokensTest, NoTokenSpansLines) {
  const FeatureDocument document("HloModule m\n/* one\ntwo */\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n");
  const auto tokens = Decode(document, ComputeSemanticTokens(document.view(), std::nullopt));
  EXPECT_THAT(tokens, Contains("comment /* one"));
  EXPECT_THAT(tokens, Contains("comment two */"));
}

TEST(SemanticTokensTest, ARangeHoldsItsTokens) {
  const FeatureDocument document(kSampleModule);
  const protocol::Position line = document.At("twice = ");
  const auto tokens =
      Decode(document, ComputeSemanticTokens(document.view(), protocol::Range{{line.line, 0}, {line.line, 30}}));
  EXPECT_THAT(tokens, Contains("variable! twice"));
  EXPECT_LT(tokens.size(), 12u);
}

std::vector<uint32_t> Applied(std::vector<uint32_t> tokens, const std::vector<SemanticTokensEdit>& edits) {
  for (size_t i = edits.size(); i-- > 0;) {
    const auto at = tokens.begin() + edits[i].start;
    tokens.erase(at, at + edits[i].delete_count);
    tokens.insert(tokens.begin() + edits[i].start, edits[i].data.begin(), edits[i].data.end());
  }
  return tokens;
}

TEST(SemanticTokensTest, DifferencesLeadFromOneAnswerToTheNext) {
  const std::vector<uint32_t> before = {0, 2, 3, 4, 0, 1, 7, 8, 9, 1, 2, 5, 5, 5, 4};
  for (const std::vector<uint32_t>& after :
       std::vector<std::vector<uint32_t>>{{0, 2, 9, 4, 0, 1, 7, 8, 9, 1, 2, 5, 5, 5, 4},
                                          {},
                                          {0, 2, 3, 4, 0, 1, 7, 8, 9, 1, 2, 5, 5, 5, 4, 1, 1, 1, 1, 1},
                                          {0, 2, 3, 4, 8, 1, 6, 8, 9, 1, 2, 5, 5, 5, 0},
                                          {1, 7, 8, 9, 5, 2, 5, 5, 5, 4}}) {
    EXPECT_EQ(Applied(before, DiffSemanticTokens(before, after)), after);
  }
  EXPECT_TRUE(DiffSemanticTokens(before, before).empty());
  // A modifier that changes far from the edit costs one number.
  const auto edits = DiffSemanticTokens(before, {0, 2, 3, 4, 4, 1, 7, 8, 9, 1, 2, 5, 6, 5, 4});
  ASSERT_EQ(edits.size(), 2u);
  EXPECT_EQ(edits[0].delete_count, 1u);
  EXPECT_EQ(edits[1].start, 10u);
}

// "name: modifiers" of each definition, and of each parameter.
std::vector<std::string> Marked(const FeatureDocument& document, const std::vector<uint32_t>& tokens) {
  std::vector<std::string> result;
  protocol::Position at;
  for (size_t i = 0; i + 5 <= tokens.size(); i += 5) {
    at = {at.line + tokens[i], tokens[i] == 0 ? at.character + tokens[i + 1] : tokens[i + 1]};
    if (tokens[i + 4] == 0) continue;
    std::string text = absl::StrCat(document.Slice({at, {at.line, at.character + tokens[i + 2]}}), ":");
    for (size_t bit = 0; bit < SemanticTokenModifiers().size(); ++bit) {
      if ((tokens[i + 4] >> bit) & 1) absl::StrAppend(&text, " ", SemanticTokenModifiers()[bit]);
    }
    result.push_back(std::move(text));
  }
  return result;
}

TEST(SemanticTokensTest, ModifiersTellRootsParametersAndWhatNothingUses) {
  const char kBefore[] =
      "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  y = f32[] negate(x)\n  z = f32[] negate(x)\n"
      "  t = token[] after-all()\n  o = token[] outfeed(x, t)\n  ROOT r = f32[] add(x, y)\n}\n";
  const FeatureDocument before(kBefore);
  const std::vector<uint32_t> tokens = ComputeSemanticTokens(before.view(), std::nullopt);
  EXPECT_THAT(Marked(before, tokens),
              ElementsAre("m: definition", "e: definition", "x: definition readonly", "y: definition",
                          "z: definition unused", "t: definition", "o: definition", "r: definition root"));
  // An edit in one line changes what is said of the definition in another.
  std::string text = kBefore;
  text.replace(text.find("add(x, y)"), 9, "add(x, z)");
  const FeatureDocument after(text);
  const uint32_t changed = static_cast<uint32_t>(text.find("z)"));
  const std::vector<uint32_t> updated =
      UpdateSemanticTokens(after.view(), {changed, changed + 1}, tokens, after.view().document.source().line_count());
  EXPECT_EQ(updated, ComputeSemanticTokens(after.view(), std::nullopt));
  EXPECT_THAT(Marked(after, updated), Contains("y: definition unused"));
  EXPECT_EQ(Applied(tokens, DiffSemanticTokens(tokens, updated)), updated);
}

std::vector<std::string> Hints(const FeatureDocument& document, const InlayHintSettings& settings = {}) {
  std::vector<std::string> result;
  for (const protocol::InlayHint& hint : ComputeInlayHints(document.view(), {{0, 0}, {1000, 0}}, settings))
    result.push_back(absl::StrCat(hint.position.line, ":", hint.position.character, " ", hint.label));
  return result;
}

constexpr char kShort[] =
    "HloModule m\nENTRY e {\n  x = f32[4,2] parameter(0)\n  z = f32[] constant(0)\n"
    "  y = add(x, x)\n  ROOT p = f32[6,2] pad(y, z), padding=1_1x0_0\n}\n";

TEST(InlayHintTest, ShapesAndNames) {
  EXPECT_THAT(Hints(FeatureDocument(kShort)), ElementsAre("4:6 f32[4,2]", "5:27 value:"));
  const InlayHintSettings none = {false, false, false, false};
  EXPECT_THAT(Hints(FeatureDocument(kShort), none), IsEmpty());
  const InlayHintSettings bytes = {false, false, false, true};
  EXPECT_THAT(Hints(FeatureDocument(kShort), bytes),
              ElementsAre("2:27 32 bytes", "3:23 4 bytes", "4:15 32 bytes", "5:46 48 bytes"));
  const InlayHintSettings operands = {false, false, true, false};
  EXPECT_THAT(Hints(FeatureDocument(kShort), operands), Contains("5:24 f32[4,2]"));
}

TEST(InlayHintTest, EveryFormOfAnOperationNamesItsOperands) {
  const FeatureDocument document(R"(HloModule m
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
two { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT r = (f32[], f32[]) tuple(a, b) }
ge { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = pred[] compare(a, b), direction=GE }
ENTRY e {
  x = f32[8,8] parameter(0)
  init = f32[] constant(0)
  init.3 = f32[] constant(0)
  init_value = f32[] constant(0)
  i = s32[4,1] parameter(1)
  u = f32[4,8] parameter(2)
  r1 = f32[8] reduce(x, init), dimensions={1}, to_apply=sum
  r2 = f32[8] reduce(x, init.3), dimensions={1}, to_apply=sum
  r3 = f32[8] reduce(x, init_value), dimensions={1}, to_apply=sum
  r4 = (f32[8], f32[8]) reduce(x, x, init, init_value), dimensions={1}, to_apply=two
  w1 = f32[4,4] reduce-window(x, init_value), window={size=2x2 stride=2x2}, to_apply=sum
  w2 = (f32[4,4], f32[4,4]) reduce-window(x, x, init, init), window={size=2x2 stride=2x2}, to_apply=two
  s1 = f32[8,8] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum
  s2 = f32[8,8] select-and-scatter(x, w1, f32[] init_value), window={size=2x2 stride=2x2}, select=ge, scatter=sum
  ROOT p = f32[10,8] pad(x, %init), padding=1_1x0_0
}
)");
  std::vector<std::string> hints;
  for (const std::string& hint : Hints(document)) hints.push_back(hint.substr(0, 2) + hint.substr(hint.find(' ')));
  EXPECT_THAT(hints, ElementsAre("21 init:", "22 x0:", "22 x1:", "22 init0:", "22 init1:", "23 init:", "24 x0:",
                                 "24 x1:", "24 init0:", "24 init1:", "25 indices:", "25 updates:", "26 source:",
                                 "26 init:", "27 value:"));
}

TEST(InlayHintTest, AcceptingAShapeWritesIt) {
  const FeatureDocument document(kShort);
  const auto hints = ComputeInlayHints(document.view(), {{4, 0}, {5, 0}});
  ASSERT_EQ(hints.size(), 1u);
  ASSERT_TRUE(hints[0].edit.has_value());
  EXPECT_EQ(hints[0].edit->new_text, "f32[4,2] ");
}

TEST(SelectionRangeTest, GrowsOutwards) {
  const FeatureDocument document(kSampleModule);
  std::vector<std::string> texts;
  for (const protocol::Range& range : ComputeSelectionRange(document.view(), document.At("twice, zero")))
    texts.push_back(document.Slice(range));
  ASSERT_GE(texts.size(), 5u);
  EXPECT_EQ(texts[0], "twice");
  EXPECT_EQ(texts[1], "twice, zero");
  EXPECT_EQ(texts[2], "(twice, zero)");
  EXPECT_EQ(texts[3], "total = f32[8] reduce(twice, zero), dimensions={1}, to_apply=sum");
  EXPECT_EQ(texts.back(), document.text());
}

TEST(SelectionRangeTest, EveryPositionNestsProperly) {
  const FeatureDocument document(kSampleModule);
  for (uint32_t offset = 0; offset <= document.text().size(); ++offset) {
    const auto ranges = ComputeSelectionRange(document.view(), document.view().positions.ToPosition(offset));
    ASSERT_FALSE(ranges.empty());
    for (size_t i = 1; i < ranges.size(); ++i) {
      EXPECT_LE(ranges[i].start, ranges[i - 1].start);
      EXPECT_GE(ranges[i].end, ranges[i - 1].end);
      EXPECT_NE(ranges[i], ranges[i - 1]);
    }
  }
}

TEST(SelectionRangeTest, HeaderAndSignatures) {
  const FeatureDocument document(
      "HloModule m, buffer_donor={ (0, {}) }\nf (a: f32[2,3], b: f32[]) -> f32[] {\n  a = f32[2,3] parameter(0)\n"
      "  ROOT b = f32[] parameter(1)\n}\n");
  const auto texts = [&](absl::string_view word) {
    std::vector<std::string> result;
    for (const protocol::Range& range : ComputeSelectionRange(document.view(), document.At(word)))
      result.push_back(document.Slice(range));
    return result;
  };
  EXPECT_THAT(texts("0, {}"), Contains("buffer_donor={ (0, {}) }"));
  EXPECT_THAT(texts("0, {}"), Contains("(0, {})"));
  EXPECT_THAT(texts("3], b"), Contains("a: f32[2,3]"));
}

std::vector<std::string> Texts(const FeatureDocument& document, const std::vector<protocol::Location>& locations) {
  std::vector<std::string> result;
  for (const protocol::Location& location : locations) result.push_back(document.Describe(location.range));
  return result;
}

TEST(DeclarationTest, SignaturesTypesAndRoots) {
  const FeatureDocument document(
      "HloModule m\nsum (a: f32[], b: f32[]) -> f32[] {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum\n}\n");
  const auto& view = document.view();
  EXPECT_THAT(Texts(document, FindDeclaration(view, document.At("a, b)"))), ElementsAre("2:6 a"));
  EXPECT_THAT(Texts(document, FindDeclaration(view, document.At("x, z)"))), ElementsAre("8:3 x"));
  EXPECT_THAT(Texts(document, FindTypeDefinition(view, document.At("r = "))),
              ElementsAre("2:1 sum (a: f32[], b: f32[]) -> f32[]"));
  EXPECT_THAT(Texts(document, FindTypeDefinition(view, document.At("z)"))), ElementsAre("7:7 e"));
  EXPECT_THAT(Texts(document, FindImplementation(view, document.At("to_apply=sum", 0))), ElementsAre("5:8 s"));
  EXPECT_THAT(Texts(document, FindImplementation(view, document.At("sum\n"))), ElementsAre("5:8 s"));
  EXPECT_THAT(Texts(document, FindImplementation(view, document.At("z)"))), ElementsAre("9:3 z"));
  EXPECT_THAT(FindTypeDefinition(view, document.At("HloModule")), IsEmpty());
}

}  // namespace
}  // namespace hloscope::lsp
