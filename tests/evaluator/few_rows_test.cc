// SPDX-License-Identifier: Apache-2.0
// Products of few rows with a wide matrix, and convolutions of one row, are divided among threads, and have the same
// bits however they are.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/contraction/gemm.h"
#include "numerics/convolution/convolution.h"
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

// Whether a row is multiplied by a matrix that lies in rows or in columns, whole or in parts: the bits are the same.
template <typename T>
void ExpectTheBitsOfRows(ElementType type, int64_t inner, int64_t columns, bool accumulate) {
  std::mt19937 random(8);
  std::normal_distribution<T> number;
  std::vector<T> lhs(static_cast<size_t>(2 * inner)), in_rows(static_cast<size_t>(inner * columns));
  for (T& value : lhs) value = number(random);
  for (T& value : in_rows) value = number(random);
  std::vector<T> in_columns(in_rows.size()), expected(static_cast<size_t>(columns));
  for (int64_t k = 0; k < inner; ++k) {
    for (int64_t j = 0; j < columns; ++j) {
      in_columns[static_cast<size_t>(j * inner + k)] = in_rows[static_cast<size_t>(k * columns + j)];
    }
  }
  for (T& value : expected) value = number(random);
  std::vector<T> actual = expected;
  const auto bytes = [](std::vector<T>& values) { return reinterpret_cast<uint8_t*>(values.data()); };
  const numerics::GemmSizes sizes = {1, columns, inner};
  for (const int64_t step : {1, 2}) {  // of the row's elements
    const numerics::MatrixView row = {bytes(lhs), 0, step};
    numerics::MultiplyByRows(type, sizes, row, {bytes(in_rows), columns, 1}, bytes(expected), columns, accumulate);
    numerics::MultiplyByRows(type, sizes, row, {bytes(in_columns), 1, inner}, bytes(actual), columns, accumulate);
    EXPECT_EQ(actual, expected) << inner << " x " << columns << " step " << step;
  }
}

TEST(FewRowsTest, MatricesInColumnsGiveTheBitsOfRows) {
  for (const bool accumulate : {false, true}) {
    for (const int64_t inner : {1, 255, 256, 2048, 4095, 4096, 4097, 9000}) {
      for (const int64_t columns : {1, 7, 40}) {
        ExpectTheBitsOfRows<float>(ElementType::kF32, inner, columns, accumulate);
        ExpectTheBitsOfRows<double>(ElementType::kF64, inner, columns, accumulate);
      }
    }
  }
}

// A depthwise convolution along one dimension has a single row of results.
TEST(FewRowsTest, ADepthwiseConvolutionOfOneRowIsDivided) {
  constexpr int64_t kInputs = 3000, kWindow = 1001, kFeatures = 24, kOutputs = kInputs - kWindow + 1;
  std::mt19937 random(9);
  std::vector<float> inputs(kInputs * kFeatures), kernel(kWindow * kFeatures);
  for (float& value : inputs) value = static_cast<float>(static_cast<int>(random() % 9) - 4);  // sums are exact
  for (float& value : kernel) value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  numerics::ConvolutionProblem problem;
  problem.type = ElementType::kF32;
  problem.lhs = numerics::DenseArray(ElementType::kF32, inputs.data(), {1, kInputs, kFeatures});
  problem.kernel = numerics::DenseArray(ElementType::kF32, kernel.data(), {kWindow, 1, kFeatures});
  problem.window.push_back({.size = kWindow});
  problem.output_spatial.push_back(kOutputs);
  problem.feature_group_count = kFeatures;
  std::vector<float> divided(kOutputs * kFeatures), expected = divided;
  BlockCounter counter, other;
  ASSERT_TRUE(numerics::Convolve(problem, reinterpret_cast<uint8_t*>(divided.data()), counter).ok());
  EXPECT_GE(counter.blocks(), 16);
  ASSERT_TRUE(numerics::ConvolveReference(problem, reinterpret_cast<uint8_t*>(expected.data()), other).ok());
  EXPECT_EQ(divided, expected);
}

}  // namespace
}  // namespace hloscope::evaluator
