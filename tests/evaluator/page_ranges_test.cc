// SPDX-License-Identifier: Apache-2.0
#include "numerics/memory/page_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace hloscope::numerics {
namespace {

constexpr int64_t kPage = PageRanges::kPage;

// Writes to all of it.
void Fill(uint8_t* block, int64_t bytes) { std::memset(block, 0x5a, static_cast<size_t>(bytes)); }

TEST(PageRangesTest, NewMemoryIsAlignedToPages) {
  uint8_t* const block = PageRanges::Map(3 * kPage);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % static_cast<uintptr_t>(kPage), 0u);
  Fill(block, 3 * kPage);
  PageRanges ranges;
  EXPECT_EQ(ranges.Take(kPage), nullptr);
  ranges.Put(block, 3 * kPage);
  EXPECT_EQ(ranges.waiting_bytes(), 3 * kPage);
  ranges.TrimTo(0);
  EXPECT_EQ(ranges.waiting_bytes(), 0);
}

TEST(PageRangesTest, ARangeServesSmallerRequestsAndNeighboursBecomeOne) {
  PageRanges ranges;
  uint8_t* const block = PageRanges::Map(4 * kPage);
  ASSERT_NE(block, nullptr);
  ranges.Put(block, 4 * kPage);
  uint8_t *const first = ranges.Take(kPage), *const second = ranges.Take(2 * kPage);
  EXPECT_EQ(first, block);
  EXPECT_EQ(second, block + kPage);
  EXPECT_EQ(ranges.waiting_bytes(), kPage);
  ranges.Put(second, 2 * kPage);
  ranges.Put(first, kPage);
  EXPECT_EQ(ranges.Take(4 * kPage), block);
  ranges.Put(block, 4 * kPage);
  ranges.TrimTo(0);
}

// The pages of small ranges are moved to one that is large enough; what is missing is new.
TEST(PageRangesTest, SmallRangesAreJoined) {
  for (const int64_t wanted : {5, 6, 9}) {
    PageRanges ranges;
    std::vector<uint8_t*> gaps;
    for (const int64_t pages : {1, 2, 3}) {
      uint8_t* const block = PageRanges::Map((pages + 1) * kPage);
      ASSERT_NE(block, nullptr);
      Fill(block, (pages + 1) * kPage);
      ranges.Put(block, pages * kPage);
      gaps.push_back(block + pages * kPage);
    }
    uint8_t* const joined = ranges.Take(wanted * kPage);
    ASSERT_NE(joined, nullptr);
    EXPECT_EQ(ranges.waiting_bytes(), std::max<int64_t>(0, 6 - wanted) * kPage);
    Fill(joined, wanted * kPage);
    for (uint8_t* gap : gaps) EXPECT_EQ(*gap, 0x5a);
    ranges.Put(joined, wanted * kPage);
    for (uint8_t* gap : gaps) ranges.Put(gap, kPage);
    ranges.TrimTo(2 * kPage);
    EXPECT_EQ(ranges.waiting_bytes(), 2 * kPage);
    ranges.TrimTo(0);
  }
}

}  // namespace
}  // namespace hloscope::numerics
