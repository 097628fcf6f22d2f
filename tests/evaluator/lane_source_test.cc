// SPDX-License-Identifier: Apache-2.0
// Operands of loops over lanes: every element has its place, also in a buffer that still holds the block before.
#include "evaluator/kernels/lanes/lane_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/random_arrays.h"

namespace hloscope::evaluator {
namespace {

class LaneSourceTest : public ::testing::Test, public RandomArrays {};

TEST_F(LaneSourceTest, BlocksThatRepeatEachOtherAreGatheredOnce) {
  constexpr ElementType kTypes[] = {ElementType::kS8, ElementType::kBF16, ElementType::kF32, ElementType::kF64,
                                    ElementType::kC128};
  int64_t held_blocks = 0, gathered_blocks = 0;
  for (int round = 0; round < 300; ++round) {
    const int64_t rank = Random(1, 4);
    const DimensionVector sizes = RandomSizes(rank, 1, rank == 1 ? 600 : rank == 2 ? 40 : 9);
    // Some dimensions are repeated, and the last one is maybe read with gaps.
    DimensionVector kept = sizes, strides(sizes.size(), 0);
    int64_t count = 1;
    const int64_t gap = Random(1, 2);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (Random(0, 2) == 0) {
        kept[d] = 1;
        continue;
      }
      strides[d] = count * gap;
      count *= sizes[d];
    }
    const ElementType type = kTypes[round % 5];
    std::vector<double> values(static_cast<size_t>(count * gap));
    std::iota(values.begin(), values.end(), 0.0);
    for (double& value : values) value = static_cast<double>(static_cast<int64_t>(value) % 127);
    const Tensor tensor =
        *ConvertElements(*Tensor::FromValues<double>(ElementType::kF64, {count * gap}, values), type, runtime_);
    const LaneSource source(tensor, sizes, strides);
    const int64_t elements = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
    const int64_t most = Random(1, 100), bytes = tensor.element_bytes();
    std::vector<uint8_t> buffer(static_cast<size_t>(most * bytes));
    GatheredBlock block;
    for (int64_t first = Random(0, elements - 1), part = 0; first < elements; first += part) {
      part = std::min(BlockOfPeriods({&source, 1}, first, most), elements - first);
      ASSERT_GT(part, 0);
      ASSERT_LE(part, most);
      const bool holds = block.Holds(source, first, part);
      (holds ? held_blocks : gathered_blocks) += 1;
      if (!holds) source.Gather(first, part, buffer.data());
      for (int64_t n = 0; n < part; ++n) {
        ASSERT_EQ(std::memcmp(buffer.data() + n * bytes, source.At(first + n), static_cast<size_t>(bytes)), 0)
            << "round " << round << ", element " << first + n;
      }
    }
  }
  EXPECT_GT(held_blocks, 100);
  EXPECT_GT(gathered_blocks, 500);
}

}  // namespace
}  // namespace hloscope::evaluator
