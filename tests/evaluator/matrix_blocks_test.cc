// SPDX-License-Identifier: Apache-2.0
// Factors and systems in blocks against the plain loops.
#include "evaluator/kernels/linear_algebra/matrix_blocks.h"

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/linear_algebra/matrix_algorithms.h"
#include "evaluator/kernels/linear_algebra/matrix_batch.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_test_support.h"

namespace hloscope::evaluator {
namespace {

template <typename T>
class MatrixBlocksTest : public testing::Test {
 protected:
  T Number() {
    std::uniform_real_distribution<double> numbers(-1, 1);
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(numbers(random_));
    } else {
      const double real = numbers(random_);
      return T(static_cast<numerics::RealPart<T>>(real), static_cast<numerics::RealPart<T>>(numbers(random_)));
    }
  }
  std::vector<T> Numbers(int64_t count) {
    std::vector<T> numbers(static_cast<size_t>(count));
    for (T& number : numbers) number = Number();
    return numbers;
  }
  // Positive definite; garbage in the triangle that is not read.
  std::vector<T> Definite(int64_t n, bool lower) {
    std::vector<T> a = Numbers(n * n);
    for (int64_t i = 0; i < n; ++i) {
      a[static_cast<size_t>(i * n + i)] = T(static_cast<numerics::RealPart<T>>(2 * n));
      for (int64_t j = 0; j < n; ++j) {
        if (lower ? j > i : j < i) a[static_cast<size_t>(i * n + j)] = numerics::NotANumber<T>();
      }
    }
    return a;
  }
  void ExpectClose(const std::vector<T>& a, const std::vector<T>& b, double scale) {
    const double tolerance = scale * 64 * std::numeric_limits<numerics::RealPart<T>>::epsilon();
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
    EXPECT_LT(worst, tolerance);
  }

  std::mt19937 random_{7};
  SerialRuntime runtime_;
};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MatrixBlocksTest, Types);

TYPED_TEST(MatrixBlocksTest, FactorsEqualThePlainOnes) {
  CancellationPoll poll(this->runtime_);
  for (const int64_t n : {48, 64, 65, 150}) {
    for (const bool lower : {false, true}) {
      const std::vector<TypeParam> a = this->Definite(n, lower);
      std::vector<TypeParam> plain(a.size()), blocks(a.size());
      numerics::FactorMatrix(a.data(), plain.data(), n, lower, poll);
      ASSERT_TRUE(FactorMatrixInBlocks(a.data(), blocks.data(), n, lower, this->runtime_));
      this->ExpectClose(plain, blocks, 4);
    }
  }
}

TYPED_TEST(MatrixBlocksTest, MatricesWithoutAFactorAreLeftToThePlainLoop) {
  std::vector<TypeParam> a = this->Definite(100, true);
  std::vector<TypeParam> result(a.size());
  for (const double pivot : {-1.0, 0.0, std::nan("")}) {
    a[80 * 100 + 80] = TypeParam(static_cast<numerics::RealPart<TypeParam>>(pivot));
    EXPECT_FALSE(FactorMatrixInBlocks(a.data(), result.data(), 100, true, this->runtime_));
  }
}

TYPED_TEST(MatrixBlocksTest, SolutionsEqualThePlainOnes) {
  CancellationPoll poll(this->runtime_);
  for (const int64_t n : {48, 130}) {
    for (const int64_t sides : {1, 5, 200}) {
      for (int bits = 0; bits < 32; ++bits) {
        numerics::TriangularSolveOptions options;
        options.left_side = (bits & 1) != 0;
        options.lower = (bits & 2) != 0;
        options.unit_diagonal = (bits & 4) != 0;
        options.transpose = (bits & 8) != 0;
        options.conjugate = (bits & 16) != 0;
        std::vector<TypeParam> a = this->Definite(n, options.lower);
        for (TypeParam& number : a) number /= static_cast<numerics::RealPart<TypeParam>>(n);
        const int64_t rows = options.left_side ? n : sides, columns = options.left_side ? sides : n;
        std::vector<TypeParam> plain = this->Numbers(rows * columns), blocks = plain;
        numerics::SolveMatrix(a.data(), plain.data(), n, rows, columns, options, poll);
        ASSERT_TRUE(SolveMatrixInBlocks(a.data(), blocks.data(), n, rows, columns, options, this->runtime_));
        this->ExpectClose(plain, blocks, 8);
      }
    }
  }
}

TYPED_TEST(MatrixBlocksTest, ZerosOnTheDiagonalPassThrough) {
  const int64_t n = 60;
  Tensor a = *Tensor::Allocate(MatrixElementType<TypeParam>(), {n, n});
  Tensor b = *Tensor::Allocate(MatrixElementType<TypeParam>(), {n, 2});
  for (int64_t i = 0; i < n * n; ++i) a.template mutable_data_as<TypeParam>()[i] = TypeParam(i % (n + 1) == 0 ? 1 : 0);
  for (int64_t i = 0; i < n * 2; ++i) b.template mutable_data_as<TypeParam>()[i] = TypeParam(i % 2 == 0 ? 1 : 0);
  a.template mutable_data_as<TypeParam>()[50 * n + 50] = TypeParam();
  numerics::TriangularSolveOptions options;
  options.left_side = options.lower = true;
  const absl::StatusOr<Tensor> x = TriangularSolve(a, b, options, this->runtime_);
  ASSERT_TRUE(x.ok());
  const TypeParam* const values = x->template data_as<TypeParam>();
  EXPECT_EQ(values[2 * 49], TypeParam(1));
  EXPECT_FALSE(std::isfinite(std::real(values[2 * 50])));  // 1/0
  EXPECT_TRUE(std::isnan(std::real(values[2 * 50 + 1])));  // 0/0
  EXPECT_TRUE(std::isnan(std::real(values[2 * 51])));      // (1 - 0*inf) / 1
}

}  // namespace
}  // namespace hloscope::evaluator
