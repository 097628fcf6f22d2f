// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/packing.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/support/processor_time.h"
#include "tests/support/time_limit.h"

namespace hloscope::insight {
namespace {

// Whether two items lie over each other at some step.
bool HaveRoom(const std::vector<PackedItem>& items, int64_t size) {
  std::map<uint32_t, std::pair<std::vector<size_t>, std::vector<size_t>>>
      changes;  // by step: gone before it, new at it
  for (size_t i = 0; i < items.size(); ++i) {
    changes[items[i].begin].second.push_back(i);
    changes[items[i].end + 1].first.push_back(i);
  }
  std::map<int64_t, int64_t> taken;  // offset, end
  for (const auto& [step, change] : changes) {
    for (size_t i : change.first) taken.erase(items[i].offset);
    for (size_t i : change.second) {
      const int64_t begin = items[i].offset, end = begin + items[i].bytes;
      const auto after = taken.lower_bound(begin);
      if (begin % kPackingAlignment != 0 || end > size || (after != taken.end() && after->first < end)) return false;
      if (after != taken.begin() && std::prev(after)->second > begin) return false;
      taken.emplace(begin, end);
    }
  }
  return true;
}

TEST(PackingTest, ManyItemsThatLiveAtOnceTakeNoLongTime) {
  std::vector<PackedItem> items;
  uint64_t state = 1;
  const auto next = [&](uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  constexpr uint32_t kCount = 40000;
  for (uint32_t i = 0; i < kCount; ++i) {
    const bool is_long = i % 2 == 0;
    items.push_back(
        {1 + static_cast<int64_t>(next(1000)), i, is_long ? kCount : i + static_cast<uint32_t>(next(50)), 0});
  }
  const double start = ProcessorSeconds();
  const int64_t size = PackItems(absl::MakeSpan(items));
  EXPECT_LE(ProcessorSeconds() - start, TimeLimit(3));
  EXPECT_TRUE(HaveRoom(items, size));
  EXPECT_LE(size, int64_t{kCount} * 1024);
}

TEST(PackingTest, FewItemsLieAsLowAsTheyCan) {
  std::vector<PackedItem> items = {{100, 0, 1, 0}, {64, 1, 2, 0}, {100, 2, 3, 0}};
  EXPECT_EQ(PackItems(absl::MakeSpan(items)), 192);
  EXPECT_EQ(items[0].offset, 0);
  EXPECT_EQ(items[1].offset, 128);
  EXPECT_EQ(items[2].offset, 0);
  EXPECT_TRUE(HaveRoom(items, 192));
}

}  // namespace
}  // namespace hloscope::insight
