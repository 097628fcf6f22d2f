// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/text_sync.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/lsp/editor_text.h"

namespace hloscope::lsp {
namespace {

using Changes = std::vector<protocol::ContentChange>;

protocol::ContentChange Replace(protocol::Position start, protocol::Position end, std::string text) {
  return {protocol::Range{start, end}, std::move(text)};
}

std::string After(const std::string& text, const Changes& changes, size_t* edit_count = nullptr) {
  const auto source = SourceText::FromString("t", text);
  const std::vector<TextEdit> edits = CombineChanges(source, changes, ColumnUnit::kUtf16);
  for (size_t i = 1; i < edits.size(); ++i) EXPECT_LT(edits[i - 1].range.end, edits[i].range.begin);
  if (edit_count != nullptr) *edit_count = edits.size();
  return ApplyEdits(text, edits);
}

TEST(TextSyncTest, OneChange) {
  EXPECT_EQ(After("abc\ndef\n", {Replace({1, 1}, {1, 2}, "XY")}), "abc\ndXYf\n");
  EXPECT_EQ(After("", {Replace({0, 0}, {0, 0}, "new")}), "new");
  EXPECT_EQ(After("abc", {}), "abc");
}

TEST(TextSyncTest, WholeText) {
  EXPECT_EQ(After("abc", {{std::nullopt, "new"}}), "new");
  EXPECT_EQ(After("abc", {Replace({0, 0}, {0, 1}, "x"), {std::nullopt, "new"}, Replace({0, 0}, {0, 1}, "N")}), "New");
}

TEST(TextSyncTest, RangesReferToTheTextAfterEarlierChanges) {
  EXPECT_EQ(After("abc", {Replace({0, 0}, {0, 0}, "12"), Replace({0, 2}, {0, 3}, "A")}), "12Abc");
  EXPECT_EQ(After("abc", {Replace({0, 3}, {0, 3}, "\nxyz"), Replace({1, 1}, {1, 2}, "Y")}), "abc\nxYz");
}

TEST(TextSyncTest, ChangesFromTheEndBecomeSeparateEdits) {
  size_t edits = 0;
  EXPECT_EQ(After("a b c d", {Replace({0, 6}, {0, 7}, "D"), Replace({0, 2}, {0, 3}, "BB"), Replace({0, 0}, {0, 1}, "")},
                  &edits),
            " BB c D");
  EXPECT_EQ(edits, 3u);
}

TEST(TextSyncTest, TouchingChangesBecomeOneEdit) {
  size_t edits = 0;
  EXPECT_EQ(
      After("abcd", {Replace({0, 2}, {0, 3}, "C"), Replace({0, 1}, {0, 2}, "B"), Replace({0, 1}, {0, 1}, "-")}, &edits),
      "a-BCd");
  EXPECT_EQ(edits, 1u);
}

TEST(TextSyncTest, ClampedPositionsFollowTheEarlierChange) {
  // Column 5 lies beyond the line at first, and inside it after the first change.
  EXPECT_EQ(After("ab\n", {Replace({0, 2}, {0, 2}, "WXYZ"), Replace({0, 5}, {0, 5}, "-")}), "abWXY-Z\n");
}

TEST(TextSyncTest, JoiningACarriageReturnWithALineFeed) {
  // After the first change, CR-LF is one line end and line 1 is `b`.
  EXPECT_EQ(After("a\rX\nb", {Replace({1, 0}, {1, 1}, ""), Replace({1, 0}, {1, 0}, "-")}), "a\r\n-b");
}

TEST(TextSyncTest, RandomChangesMatchAnEditor) {
  const std::vector<std::u16string> insertions = {u"",  u"x",   u"\n",          u"\r\n",    u"é",
                                                  u"😀", u"add", u"// \u4e2d\n", u"a\nb\nc", u"\r"};
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    EditorText editor(u"first line\nsecond é line\r\n😀 third\n\nlast");
    const std::string before = editor.Utf8();
    Changes changes;
    const int count = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < count; ++i) changes.push_back(editor.EditRandomly(random, insertions));
    ASSERT_EQ(After(before, changes), editor.Utf8()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace hloscope::lsp
