// SPDX-License-Identifier: Apache-2.0
// Products of few rows with a wide matrix are divided among threads, and have the same bits however they are.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/contraction/gemm.h"
#include "numerics/parallel/executor.h"

namespace hloscope::evaluator {
namespace {

using numerics::ElementType;

// Runs blocks of one item, last first, and counts them.
class BlockCounter : public numerics::Executor {
 public:
  void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    const int64_t size = std::max<int64_t>(grain, 1);
    for (int64_t block = (count - 1) / size; block >= 0; --block) {
      body(block * size, std::min(count, (block + 1) * size));
      ++blocks_;
    }
  }
  bool IsCancelled() override { return false; }
  int blocks() const { return blocks_; }

 private:
  int blocks_ = 0;
};

TEST(FewRowsTest, AreDividedAndHaveTheBitsOfOneBlock) {
  std::mt19937 random(7);
  std::normal_distribution<float> number;
  for (const int64_t rows : {1, 2, 3}) {
    for (const int64_t columns : {2048, 2500, 4096}) {
      constexpr int64_t kInner = 2100;
      std::vector<float> lhs(static_cast<size_t>(rows * kInner)), rhs(static_cast<size_t>(kInner * columns));
      for (float& value : lhs) value = number(random);
      for (float& value : rhs) value = number(random);
      const numerics::GemmSizes sizes = {rows, columns, kInner};
      const numerics::MatrixView a = {reinterpret_cast<const uint8_t*>(lhs.data()), kInner, 1};
      const numerics::MatrixView b = {reinterpret_cast<const uint8_t*>(rhs.data()), columns, 1};
      std::vector<float> divided(static_cast<size_t>(rows * columns)), whole = divided;
      BlockCounter counter;
      ASSERT_TRUE(numerics::MultiplyMatrixBatch(ElementType::kF32, 1, sizes, a, 0, b, 0,
                                                reinterpret_cast<uint8_t*>(divided.data()), counter)
                      .ok());
      EXPECT_GE(counter.blocks(), 2) << rows << " x " << columns;
      numerics::MultiplyByRows(ElementType::kF32, sizes, a, b, reinterpret_cast<uint8_t*>(whole.data()), columns,
                               /*accumulate=*/false);
      EXPECT_EQ(divided, whole) << rows << " x " << columns;
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
