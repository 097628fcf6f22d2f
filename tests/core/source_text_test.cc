// SPDX-License-Identifier: Apache-2.0
#include "core/source/source_text.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

constexpr ColumnUnit kAllUnits[] = {ColumnUnit::kUtf8, ColumnUnit::kUtf16, ColumnUnit::kUtf32};

// Units of a well-formed text, counted the plain way.
uint32_t CountUnits(absl::string_view text, ColumnUnit unit) {
  uint32_t units = 0;
  for (char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (unit == ColumnUnit::kUtf8) {
      ++units;
    } else if ((byte & 0xC0) != 0x80) {
      units += unit == ColumnUnit::kUtf16 && byte >= 0xF0 ? 2 : 1;
    }
  }
  return units;
}

TEST(SourceTextTest, Lines) {
  const auto text = SourceText::FromString("t", "a\nb\r\nc\rd");
  ASSERT_EQ(text->line_count(), 4u);
  EXPECT_EQ(text->Line(0), "a");
  EXPECT_EQ(text->Line(1), "b");
  EXPECT_EQ(text->Line(2), "c");
  EXPECT_EQ(text->Line(3), "d");
  EXPECT_EQ(SourceText::FromString("t", "")->line_count(), 1u);
  EXPECT_EQ(SourceText::FromString("t", "a\n")->line_count(), 2u);
}

TEST(SourceTextTest, ClampsPositions) {
  for (const char* content : {"ab\ncd\n", "ab\ncd\n\xC3\xA9"}) {
    const auto text = SourceText::FromString("t", content);
    for (ColumnUnit unit : kAllUnits) {
      EXPECT_EQ(text->OffsetAt({0, 99}, unit), 2u);
      EXPECT_EQ(text->OffsetAt({1, 0xFFFFFFFFu}, unit), 5u);
      EXPECT_EQ(text->OffsetAt({99, 0}, unit), text->size());
      EXPECT_EQ(text->LineColumnAt(9999, unit), text->LineColumnAt(text->size(), unit));
    }
  }
}

TEST(SourceTextTest, BrokenUtf8CountsByteByByte) {
  const auto text = SourceText::FromString("t", "\xFF\xC3(\xF0\x9F\x98");
  EXPECT_EQ(text->LineColumnAt(6, ColumnUnit::kUtf16).column, 6u);
  EXPECT_EQ(text->OffsetAt({0, 4}, ColumnUnit::kUtf16), 4u);
}

TEST(SourceTextTest, ColumnsMatchPlainCounting) {
  const std::string pieces[] = {"a", "f32[8] add(x, y)", "\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "\n", "\r\n"};
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    // Odd seeds: everything on few lines, longer than several checkpoints.
    const uint32_t choices = seed % 2 == 0 ? 7 : 5;
    std::string content;
    while (content.size() < 6000) content += random() % 300 == 0 ? "\n" : pieces[random() % choices];
    const auto text = SourceText::FromString("t", content);
    for (uint32_t offset = 0; offset <= text->size(); ++offset) {
      if (offset < text->size() && (static_cast<uint8_t>(content[offset]) & 0xC0) == 0x80) continue;
      for (ColumnUnit unit : kAllUnits) {
        const LineColumn at = text->LineColumnAt(offset, unit);
        const uint32_t start = text->LineStart(at.line);
        ASSERT_EQ(at.column, CountUnits(text->text().substr(start, offset - start), unit)) << seed << " " << offset;
        const bool in_line_end = offset > start + text->Line(at.line).size();
        if (in_line_end) continue;
        ASSERT_EQ(text->OffsetAt(at, unit), offset) << seed;
      }
    }
  }
}

TEST(SourceTextTest, PositionsInsideACharacterGoToItsStart) {
  const auto text = SourceText::FromString("t", "\xF0\x9F\x98\x80x");
  EXPECT_EQ(text->OffsetAt({0, 1}, ColumnUnit::kUtf16), 0u);
  EXPECT_EQ(text->OffsetAt({0, 2}, ColumnUnit::kUtf8), 0u);
  EXPECT_EQ(text->LineColumnAt(2, ColumnUnit::kUtf16).column, 0u);
}

}  // namespace
}  // namespace hloscope
