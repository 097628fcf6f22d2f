// SPDX-License-Identifier: Apache-2.0
// Bytes that ranges cover together, while they come and go.
#include "insight/memory/covered_bytes.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope::insight {
namespace {

TEST(CoveredBytesTest, SharedBytesCountOnce) {
  const std::vector<ByteRange> ranges = {{0, 10}, {5, 20}, {5, 20}, {30, 40}, {7, 7}};
  CoveredBytes covered(ranges);
  EXPECT_EQ(covered.covered(), 0);
  for (const ByteRange& range : ranges) covered.Add(range);
  EXPECT_EQ(covered.covered(), 30);
  covered.Remove({5, 20});
  EXPECT_EQ(covered.covered(), 30);
  covered.Remove({5, 20});
  EXPECT_EQ(covered.covered(), 20);
  covered.Remove({0, 10});
  covered.Remove({30, 40});
  EXPECT_EQ(covered.covered(), 0);
  EXPECT_EQ(CoveredBytes({}).covered(), 0);
}

TEST(CoveredBytesTest, AgreesWithCountingEachByte) {
  std::mt19937 random(1);
  std::vector<ByteRange> ranges;
  for (int i = 0; i < 60; ++i) {
    const int64_t begin = random() % 100;
    ranges.push_back({begin, begin + static_cast<int64_t>(random() % 30)});
  }
  CoveredBytes covered(ranges);
  std::vector<int> count(200, 0);
  std::vector<bool> is_in(ranges.size(), false);
  for (int step = 0; step < 500; ++step) {
    const size_t i = random() % ranges.size();
    is_in[i] ? covered.Remove(ranges[i]) : covered.Add(ranges[i]);
    for (int64_t byte = ranges[i].begin; byte < ranges[i].end; ++byte)
      count[static_cast<size_t>(byte)] += is_in[i] ? -1 : 1;
    is_in[i] = !is_in[i];
    int64_t expected = 0;
    for (const int n : count) expected += n > 0;
    ASSERT_EQ(covered.covered(), expected) << step;
  }
}

}  // namespace
}  // namespace hloscope::insight
