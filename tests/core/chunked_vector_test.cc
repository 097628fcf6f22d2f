// SPDX-License-Identifier: Apache-2.0
#include "core/ir/chunked_vector.h"

#include <vector>

#include "gtest/gtest.h"

namespace hloscope {
namespace {

// Runs of every length around the size of a chunk, after others and before others: nothing else changes.
TEST(ChunkedVector, LongRunsLeaveTheirNeighboursAlone) {
  for (const size_t length : {size_t{4095}, size_t{4096}, size_t{4097}, size_t{9000}, size_t{12288}}) {
    for (const size_t before : {size_t{0}, size_t{1}, size_t{3000}, size_t{4096}}) {
      ChunkedVector<uint32_t> vector;
      for (uint32_t i = 0; i < before; ++i) vector.push_back(i);
      std::vector<uint32_t> run(length);
      for (uint32_t i = 0; i < length; ++i) run[i] = 1000000 + i;
      const size_t first = vector.AppendRun(run);
      const size_t second = vector.AppendRun({7, 8, 9});
      vector.push_back(10);
      for (uint32_t i = 0; i < before; ++i) ASSERT_EQ(vector[i], i) << length << " " << before;
      ASSERT_EQ(vector.Run(first, length), absl::MakeConstSpan(run));
      EXPECT_EQ(vector.Run(second, 3), absl::Span<const uint32_t>({7, 8, 9}));
      EXPECT_EQ(vector.back(), 10u);
    }
  }
}

}  // namespace
}  // namespace hloscope
