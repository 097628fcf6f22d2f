// SPDX-License-Identifier: Apache-2.0
// Definition, references and highlights.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/features/definition.h"
#include "lsp/features/references.h"
#include "tests/lsp/feature_fixture.h"

namespace hloscope::lsp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> DefinitionAt(const FeatureDocument& document, absl::string_view word, int occurrence = 0) {
  std::vector<std::string> places;
  for (const protocol::Location& location : FindDefinition(document.view(), document.At(word, occurrence))) {
    EXPECT_EQ(location.uri, "file:///test.hlo");
    places.push_back(document.Describe(location.range));
  }
  return places;
}

std::vector<std::string> ReferencesAt(const FeatureDocument& document, absl::string_view word,
                                      bool declaration = true) {
  std::vector<std::string> places;
  for (const protocol::Location& location : FindReferences(document.view(), document.At(word), declaration)) {
    places.push_back(document.Describe(location.range));
  }
  return places;
}

TEST(DefinitionTest, Operands) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "twice, zero"), ElementsAre("27:3 twice"));
  EXPECT_THAT(DefinitionAt(document, "x, x"), ElementsAre("25:3 x"));
  // After the last letter, where a cursor is after typing.
  EXPECT_THAT(DefinitionAt(document, ", zero)"), ElementsAre("27:3 twice"));
}

TEST(DefinitionTest, NamesResolveInTheirOwnComputation) {
  const FeatureDocument document(
      "HloModule m\nf {\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}\n"
      "ENTRY e {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(%x), to_apply=%f\n}\n");
  EXPECT_THAT(DefinitionAt(document, "x)", 0), ElementsAre("3:3 x"));
  EXPECT_THAT(DefinitionAt(document, "%x)"), ElementsAre("7:3 x"));
  EXPECT_THAT(DefinitionAt(document, "%f"), ElementsAre("2:1 f"));
}

TEST(DefinitionTest, ControlPredecessorsAndComputations) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "twice}"), ElementsAre("27:3 twice"));
  EXPECT_THAT(DefinitionAt(document, "sum\n"), ElementsAre("18:1 sum"));
}

TEST(DefinitionTest, TupleAccessLeadsToTheTuple) {
  const FeatureDocument document(
      "HloModule m\nENTRY e {\n  t = (f32[4], (s32[], f32[4])) parameter(0)\n"
      "  ROOT r = f32[4] add(f32[4] %t#0, f32[4] %t#1#1)\n}\n");
  EXPECT_THAT(DefinitionAt(document, "t#0"), ElementsAre("3:3 t"));
  EXPECT_THAT(DefinitionAt(document, "#1#1"), ElementsAre("3:3 t"));
  EXPECT_THAT(ReferencesAt(document, "t#1#1"), ElementsAre("3:3 t", "4:31 t", "4:44 t"));
}

TEST(DefinitionTest, RowsOfTables) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "stack_frame_id=2"), ElementsAre("16:1 2 {file_location_id=2 parent_frame_id=2}"));
  EXPECT_THAT(DefinitionAt(document, "file_name_id=1 function_name_id=2"), ElementsAre("4:1 1 \"model.py\""));
  EXPECT_THAT(DefinitionAt(document, "function_name_id=2"), ElementsAre("8:1 2 \"step\""));
  EXPECT_THAT(DefinitionAt(document, "1 parent_frame_id=1"),
              ElementsAre("11:1 1 {file_name_id=1 function_name_id=1 line=10 end_line=10 column=2 end_column=9}"));
  EXPECT_THAT(DefinitionAt(document, "parent_frame_id=2"),
              ElementsAre("15:1 1 {file_location_id=1 parent_frame_id=1}"));
  EXPECT_THAT(DefinitionAt(document, "parent_frame_id=1"), IsEmpty());
}

TEST(DefinitionTest, ADefinitionIsItsOwn) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "total ="), ElementsAre("28:3 total"));
  EXPECT_THAT(DefinitionAt(document, "main {"), ElementsAre("24:7 main"));
}

TEST(DefinitionTest, StackFrames) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "stack_frame_id=2"), ElementsAre("16:1 2 {file_location_id=2 parent_frame_id=2}"));
  EXPECT_THAT(DefinitionAt(document, "2}\n  total"), ElementsAre("16:1 2 {file_location_id=2 parent_frame_id=2}"));
}

TEST(DefinitionTest, NothingForOtherThings) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(DefinitionAt(document, "add(x"), IsEmpty());
  EXPECT_THAT(DefinitionAt(document, "f32[8,16]"), IsEmpty());
  EXPECT_THAT(DefinitionAt(document, "dimensions"), IsEmpty());
  EXPECT_THAT(DefinitionAt(document, "HloModule"), IsEmpty());
}

TEST(ReferencesTest, Instructions) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(ReferencesAt(document, "twice ="), ElementsAre("27:3 twice", "28:25 twice", "33:28 twice"));
  EXPECT_THAT(ReferencesAt(document, "twice}"), ElementsAre("27:3 twice", "28:25 twice", "33:28 twice"));
  EXPECT_THAT(ReferencesAt(document, "twice =", false), ElementsAre("28:25 twice", "33:28 twice"));
  EXPECT_THAT(ReferencesAt(document, "x, x"), ElementsAre("25:3 x", "27:30 x", "27:33 x"));
}

TEST(ReferencesTest, Computations) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(ReferencesAt(document, "sum {"), ElementsAre("18:1 sum", "28:64 sum"));
  EXPECT_THAT(ReferencesAt(document, "main {"), ElementsAre("24:7 main"));
}

TEST(ReferencesTest, NothingElsewhere) {
  const FeatureDocument document(kSampleModule);
  EXPECT_THAT(ReferencesAt(document, "add(x"), IsEmpty());
}

TEST(HighlightTest, DefinitionIsWritten) {
  const FeatureDocument document(kSampleModule);
  const auto highlights = FindHighlights(document.view(), document.At("zero)"));
  ASSERT_EQ(highlights.size(), 3u);
  EXPECT_EQ(document.Describe(highlights[0].range), "26:3 zero");
  EXPECT_EQ(highlights[0].kind, protocol::DocumentHighlightKind::kWrite);
  EXPECT_EQ(highlights[1].kind, protocol::DocumentHighlightKind::kRead);
  EXPECT_EQ(highlights[2].kind, protocol::DocumentHighlightKind::kRead);
}

}  // namespace
}  // namespace hloscope::lsp
