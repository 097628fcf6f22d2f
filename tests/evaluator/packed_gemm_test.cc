// SPDX-License-Identifier: Apache-2.0
// Products of packed operands: the innermost loops of every instruction set this machine has, and blocks that do not
// divide the sizes.
#include "numerics/contraction/packed_gemm.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "evaluator/kernels/contraction/dot.h"
#include "gtest/gtest.h"
#include "numerics/contraction/gemm_micro.h"
#include "numerics/contraction/pack_lines.h"
#include "numerics/parallel/cpu_level.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope::evaluator {
namespace {

// Small integers: sums are exact, whatever their order.
template <typename T>
std::vector<T> Integers(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values) value = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return values;
}

template <typename T>
void ExpectTilesEqualTheFormula(const numerics::MicroKernel<T>& kernel) {
  constexpr int64_t kGroups = 3, kRun = 5, kInner = kGroups * kRun;
  const std::vector<T> a = Integers<T>(kInner * kernel.rows, 1), b = Integers<T>(kInner * kernel.columns, 2);
  const int64_t stride = kernel.columns + 3;
  const std::vector<T> before = Integers<T>(kernel.rows * stride, 3);
  std::vector<T> stored = before, added = before, from_lines = before;
  kernel.multiply(kernel.rows, kInner, a.data(), b.data(), stored.data(), stride, false);
  kernel.multiply(kernel.rows, kInner, a.data(), b.data(), added.data(), stride, true);
  // The same left operand, every row of every group in a place of its own.
  std::vector<T> apart;
  std::vector<const T*> lines;
  apart.reserve(static_cast<size_t>(kInner * kernel.rows));
  for (int64_t g = 0; g < kGroups; ++g) {
    for (int64_t r = 0; r < kernel.rows; ++r) {
      lines.push_back(apart.data() + apart.size());
      for (int64_t k = g * kRun; k < (g + 1) * kRun; ++k) apart.push_back(a[static_cast<size_t>(k * kernel.rows + r)]);
    }
  }
  kernel.multiply_lines(kGroups, 0, kRun, lines.data(), b.data(), from_lines.data(), stride, false);
  // In two steps: some elements of the lines of one group, then the rest of them and the other groups.
  std::vector<T> in_steps = before;
  const int64_t columns = kernel.columns;
  kernel.multiply_lines(1, 0, 2, lines.data(), b.data(), in_steps.data(), stride, false);
  kernel.multiply_lines(1, 2, kRun - 2, lines.data(), b.data() + 2 * columns, in_steps.data(), stride, true);
  kernel.multiply_lines(kGroups - 1, 0, kRun, lines.data() + kernel.rows, b.data() + kRun * columns, in_steps.data(),
                        stride, true);
  EXPECT_EQ(in_steps, from_lines);
  // Tiles of fewer rows leave the others alone.
  for (int64_t height = 1; height <= kernel.rows; ++height) {
    std::vector<T> first_rows = before;
    kernel.multiply(height, kInner, a.data(), b.data(), first_rows.data(), stride, false);
    const int64_t computed = numerics::ComputedRows(kernel.rows, height);
    EXPECT_GE(computed, height);
    std::vector<T> expected = before;
    std::copy_n(stored.begin(), computed * stride, expected.begin());
    ASSERT_EQ(first_rows, expected) << height;
  }
  for (int64_t r = 0; r < kernel.rows; ++r) {
    for (int64_t j = 0; j < stride; ++j) {
      const size_t place = static_cast<size_t>(r * stride + j);
      T sum = T();
      for (int64_t k = 0; k < kInner && j < kernel.columns; ++k) {
        sum += a[static_cast<size_t>(k * kernel.rows + r)] * b[static_cast<size_t>(k * kernel.columns + j)];
      }
      const bool inside = j < kernel.columns;  // what lies between the rows is left alone
      ASSERT_EQ(stored[place], inside ? sum : before[place]) << r << "," << j;
      ASSERT_EQ(added[place], before[place] + sum) << r << "," << j;
      ASSERT_EQ(from_lines[place], inside ? sum : before[place]) << r << "," << j;
    }
  }
}

TEST(PackedGemmTest, TilesOfEveryInstructionSetEqualTheFormula) {
  const auto check = [](const numerics::MicroKernels& kernels) {
    ExpectTilesEqualTheFormula(kernels.floats);
    ExpectTilesEqualTheFormula(kernels.doubles);
    ExpectTilesEqualTheFormula(kernels.words);
  };
  check(numerics::BaselineMicroKernels());
  if (numerics::HasCpuLevel(numerics::CpuLevel::kAvx2)) check(numerics::Avx2MicroKernels());
  if (numerics::HasCpuLevel(numerics::CpuLevel::kAvx512)) check(numerics::Avx512MicroKernels());
}

// [lines, inner] as a matrix whose lines are rows in memory (step 1), or columns.
template <typename T>
void ExpectProduct(const numerics::GemmSizes& sizes, bool left_transposed, bool right_transposed) {
  const std::vector<T> lhs = Integers<T>(sizes.rows * sizes.inner, 1),
                       rhs = Integers<T>(sizes.inner * sizes.columns, 2);
  const int64_t stride = sizes.columns + 1;
  std::vector<T> result(static_cast<size_t>(sizes.rows * stride), T(99));
  SerialRuntime runtime;
  const auto pack = [](const std::vector<T>& matrix, bool transposed, int64_t lines, int64_t inner) {
    return [&matrix, transposed, lines, inner](int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel,
                                               T* to) {
      numerics::PackStrided(matrix.data(), transposed ? 1 : inner, transposed ? lines : 1, first, count, begin, end,
                            panel, to);
    };
  };
  ASSERT_TRUE(numerics::MultiplyPacked<T>(sizes, pack(lhs, left_transposed, sizes.rows, sizes.inner),
                                          pack(rhs, right_transposed, sizes.columns, sizes.inner), result.data(),
                                          stride, runtime)
                  .ok());
  for (int64_t i = 0; i < sizes.rows; ++i) {
    for (int64_t j = 0; j < sizes.columns; ++j) {
      T sum = T();
      for (int64_t k = 0; k < sizes.inner; ++k) {
        sum += lhs[static_cast<size_t>(left_transposed ? k * sizes.rows + i : i * sizes.inner + k)] *
               rhs[static_cast<size_t>(right_transposed ? k * sizes.columns + j : j * sizes.inner + k)];
      }
      ASSERT_EQ(result[static_cast<size_t>(i * stride + j)], sum) << i << "," << j;
    }
    ASSERT_EQ(result[static_cast<size_t>(i * stride + sizes.columns)], T(99));
  }
}

TEST(PackedGemmTest, BlocksNeedNotDivideTheSizes) {
  for (const numerics::GemmSizes& sizes :
       {numerics::GemmSizes{1, 1, 1}, numerics::GemmSizes{13, 33, 1}, numerics::GemmSizes{5, 1500, 270},
        numerics::GemmSizes{113, 37, 600}, numerics::GemmSizes{48, 1024, 256}}) {
    ExpectProduct<float>(sizes, false, false);
    ExpectProduct<float>(sizes, true, true);
    ExpectProduct<uint32_t>(sizes, true, false);
    ExpectProduct<uint32_t>(sizes, false, true);
    ExpectProduct<double>(sizes, false, true);
    ExpectProduct<double>(sizes, true, false);
  }
}

// Numbers that the fastest loop would take for zeros.
TEST(PackedGemmTest, SubnormalNumbersOfBf16Count) {
  const DotDimensionNumbers numbers = {{}, {}, {1}, {0}};
  SerialRuntime runtime;
  for (const uint16_t large : {uint16_t{0x4480}, uint16_t{0x3f80}}) {                      // 1024, 1
    for (const uint16_t small : {uint16_t{0x0001}, uint16_t{0x0100}, uint16_t{0x3f80}}) {  // 2^-133, 2^-125, 1
      const std::vector<uint16_t> smalls(32 * 31, small), larges(31 * 32, large);
      const Tensor lhs = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {32, 31}, smalls);
      const Tensor rhs = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {31, 32}, larges);
      const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, ElementType::kBF16, runtime);
      const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, ElementType::kBF16, runtime);
      ASSERT_TRUE(fast.ok() && reference.ok());
      EXPECT_TRUE(fast->BitwiseEqual(*reference)) << large << " " << small;
      EXPECT_NE(*fast->data_as<uint16_t>(), 0);
    }
  }
}

// Products of a batch that are distributed, some of which have such numbers; and one that is too large for that.
TEST(PackedGemmTest, BatchesOfBf16EqualTheirFormula) {
  SerialRuntime runtime;
  struct Sizes {
    int64_t batch, rows, columns, inner;
  };
  for (const Sizes& n : {Sizes{5, 33, 40, 31}, Sizes{4, 16, 16, 600}, Sizes{3, 24, 32, 8}, Sizes{4, 513, 512, 5}}) {
    // Powers of two: products and short sums of them are exact.
    std::vector<uint16_t> l(static_cast<size_t>(n.batch * n.rows * n.inner), 0x3f80);
    std::vector<uint16_t> r(static_cast<size_t>(n.batch * n.inner * n.columns), 0x3f80);
    for (size_t i = 0; i < l.size(); i += 7) l[i] = 0x4000;               // 2
    for (int64_t k = 0; k < n.inner; ++k) l[static_cast<size_t>(k)] = 1;  // row 0 of the first: 2^-133
    const Tensor lhs = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {n.batch, n.rows, n.inner}, l);
    // The right operand by columns, as a view.
    const Tensor rhs = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {n.batch, n.columns, n.inner}, r);
    const DotDimensionNumbers numbers = {{0}, {0}, {2}, {2}};
    for (ElementType type : {ElementType::kBF16, ElementType::kF32}) {
      const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime);
      const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime);
      ASSERT_TRUE(fast.ok() && reference.ok());
      EXPECT_TRUE(fast->BitwiseEqual(*reference)) << n.batch << " " << n.rows;
      EXPECT_NE(*fast->data_as<uint16_t>() | fast->data_as<uint16_t>()[1], 0);
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
