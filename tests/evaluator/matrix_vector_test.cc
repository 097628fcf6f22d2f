// SPDX-License-Identifier: Apache-2.0
// A matrix times a vector gives the same bits however the matrix lies in memory: sums of chains of 256 products.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/contraction/gemm.h"

namespace hloscope::evaluator {
namespace {

template <typename T>
std::vector<T> Numbers(int64_t count, std::mt19937& random) {
  std::uniform_real_distribution<T> numbers(-1, 1);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values) value = numbers(random);
  return values;
}

template <typename T>
numerics::MatrixView View(const std::vector<T>& values, int64_t row_stride, int64_t column_stride) {
  return {reinterpret_cast<const uint8_t*>(values.data()), row_stride, column_stride};
}

// `rows` x `inner`, rows `stride` apart; every `step`-th element of the vector.
template <typename T>
void ExpectChains(numerics::ElementType type, int64_t rows, int64_t inner, int64_t stride, int64_t step) {
  std::mt19937 random(static_cast<uint32_t>(rows * 1000 + inner));
  const std::vector<T> matrix = Numbers<T>(rows * stride, random), vector = Numbers<T>(inner * step, random);
  std::vector<T> turned(static_cast<size_t>(rows * inner));
  std::vector<T> expected(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) {
    T sum = 0;
    for (int64_t first = 0; first < inner; first += 256) {
      T chain = 0;
      for (int64_t k = first; k < std::min(inner, first + 256); ++k) {
        const volatile T product =
            matrix[static_cast<size_t>(i * stride + k)] * vector[static_cast<size_t>(k * step)];  // rounded
        chain += product;
        turned[static_cast<size_t>(k * rows + i)] = matrix[static_cast<size_t>(i * stride + k)];
      }
      sum += chain;
    }
    expected[static_cast<size_t>(i)] = sum;
  }
  std::vector<T> result(static_cast<size_t>(rows), T(99));
  uint8_t* const to = reinterpret_cast<uint8_t*>(result.data());
  numerics::MultiplyByRows(type, {rows, 1, inner}, View(matrix, stride, 1), View(vector, step, 1), to, 1, false);
  EXPECT_EQ(result, expected) << rows << " x " << inner << ", by rows";
  numerics::MultiplyByRows(type, {rows, 1, inner}, View(turned, 1, rows), View(vector, step, 1), to, 1, false);
  EXPECT_EQ(result, expected) << rows << " x " << inner << ", by columns";
  numerics::MultiplyByRows(type, {1, rows, inner}, View(vector, 1, step), View(matrix, 1, stride), to, rows, false);
  EXPECT_EQ(result, expected) << rows << " x " << inner << ", on the right";
}

TEST(MatrixVectorTest, LayoutsOfTheMatrixGiveTheSameBits) {
  for (const int64_t rows : {4, 8, 15, 16, 17, 31, 32, 50, 129}) {
    for (const int64_t inner : {1, 7, 8, 15, 16, 17, 255, 256, 257, 700}) {
      ExpectChains<float>(numerics::ElementType::kF32, rows, inner, inner + rows % 3, 1 + inner % 2);
      ExpectChains<double>(numerics::ElementType::kF64, rows, inner, inner + rows % 3, 1 + inner % 2);
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
