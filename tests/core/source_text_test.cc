// SPDX-License-Identifier: Apache-2.0
#include "core/source/source_text.h"

#include <random>
#include <string>
#include <vector>

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

// Line ends and characters at every place of the blocks in which texts are looked through.
TEST(SourceTextTest, LinesOfAnyTextAreThoseOfPlainCounting) {
  std::mt19937 random(7);
  for (const absl::string_view alphabet : {"ab\n", "a\n\r", "aaaaaaaaaaaa\xC3\xA9\n", "aaaaaaaaa\r\n"}) {
    for (size_t size = 0; size < 300; ++size) {
      std::string content;
      while (content.size() < size) content += alphabet[random() % alphabet.size()];
      std::vector<uint32_t> starts = {0};
      bool is_ascii = true;
      for (size_t i = 0; i < size; ++i) {
        is_ascii = is_ascii && static_cast<uint8_t>(content[i]) < 0x80;
        const bool is_pair = content[i] == '\r' && i + 1 < size && content[i + 1] == '\n';
        if (content[i] == '\n' || (content[i] == '\r' && !is_pair)) starts.push_back(static_cast<uint32_t>(i + 1));
      }
      const auto text = SourceText::FromString("t", content);
      ASSERT_EQ(text->line_count(), starts.size());
      for (uint32_t line = 0; line < starts.size(); ++line) ASSERT_EQ(text->LineStart(line), starts[line]);
      if (is_ascii) {
        EXPECT_EQ(text->LineColumnAt(text->size(), ColumnUnit::kUtf32).column, size - starts.back());
      }
    }
  }
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
