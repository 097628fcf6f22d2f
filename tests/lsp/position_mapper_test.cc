// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/position_mapper.h"

#include "gtest/gtest.h"

namespace hloscope::lsp {
namespace {

// é is 2 bytes, 1 UTF-16 unit; 😀 is 4 bytes, 2 UTF-16 units.
constexpr char kPositionMapperText[] = "ab\né😀x\r\nlast";

TEST(PositionMapperTest, EveryUnit) {
  const auto text = SourceText::FromString("t", kPositionMapperText);
  const uint32_t x = 9;  // of `x`
  EXPECT_EQ(PositionMapper(*text, ColumnUnit::kUtf8).ToPosition(x), (protocol::Position{1, 6}));
  EXPECT_EQ(PositionMapper(*text, ColumnUnit::kUtf16).ToPosition(x), (protocol::Position{1, 3}));
  EXPECT_EQ(PositionMapper(*text, ColumnUnit::kUtf32).ToPosition(x), (protocol::Position{1, 2}));
  for (ColumnUnit unit : {ColumnUnit::kUtf8, ColumnUnit::kUtf16, ColumnUnit::kUtf32}) {
    const PositionMapper mapper(*text, unit);
    for (uint32_t offset : {0u, 1u, 2u, 3u, 5u, 9u, 10u, 12u, 16u}) {
      EXPECT_EQ(mapper.ToOffset(mapper.ToPosition(offset)), offset) << PositionEncodingName(unit);
    }
  }
}

TEST(PositionMapperTest, ClampsWhatLiesOutside) {
  const auto text = SourceText::FromString("t", kPositionMapperText);
  const PositionMapper mapper(*text, ColumnUnit::kUtf16);
  EXPECT_EQ(mapper.ToOffset({0, 100}), 2u);
  EXPECT_EQ(mapper.ToOffset({1, 100}), 10u);  // before the CR
  EXPECT_EQ(mapper.ToOffset({2, 4294967295u}), 16u);
  EXPECT_EQ(mapper.ToOffset({4294967295u, 0}), 16u);
  EXPECT_EQ(mapper.ToOffset({1, 2}), 5u);  // inside the surrogate pair
}

TEST(PositionMapperTest, TurnsRangesRound) {
  const auto text = SourceText::FromString("t", kPositionMapperText);
  const PositionMapper mapper(*text, ColumnUnit::kUtf16);
  EXPECT_EQ(mapper.ToSourceRange({{1, 0}, {0, 1}}), (SourceRange{1, 3}));
}

TEST(PositionMapperTest, EncodingNames) {
  EXPECT_EQ(PositionEncodingFromName("utf-8"), ColumnUnit::kUtf8);
  EXPECT_EQ(PositionEncodingFromName("utf-16"), ColumnUnit::kUtf16);
  EXPECT_EQ(PositionEncodingFromName("utf-32"), ColumnUnit::kUtf32);
  EXPECT_FALSE(PositionEncodingFromName("utf-7").has_value());
}

}  // namespace
}  // namespace hloscope::lsp
