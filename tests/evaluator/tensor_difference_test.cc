// SPDX-License-Identifier: Apache-2.0
// How far two arrays are apart.
#include "evaluator/compare/tensor_difference.h"

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kTensorDifferenceNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor F32(const std::vector<float>& values) {
  return *Tensor::FromValues<float>(ElementType::kF32, {static_cast<int64_t>(values.size())}, values);
}

TensorDifference Difference(const std::vector<float>& a, const std::vector<float>& b, const Tolerance& tolerance = {}) {
  return *DifferenceOf(F32(a), F32(b), tolerance);
}

TEST(TensorDifferenceTest, EqualMeansEqualValues) {
  const TensorDifference difference =
      Difference({1, 0, kTensorDifferenceNan, kInfinity}, {1, -0.0f, -kTensorDifferenceNan, kInfinity});
  EXPECT_EQ(difference.count, 4);
  EXPECT_EQ(difference.different, 0);
  EXPECT_THAT(difference.first_beyond, IsEmpty());
}

TEST(TensorDifferenceTest, EachToleranceIsEnoughByItself) {
  const std::vector<float> a = {100, 1}, b = {101, std::nextafter(1.0f, 2.0f)};
  EXPECT_EQ(Difference(a, b).beyond, 2);
  EXPECT_EQ(Difference(a, b, {.absolute = 1}).beyond, 0);
  EXPECT_EQ(Difference(a, b, {.relative = 0.01}).beyond, 0);
  EXPECT_EQ(Difference(a, b, {.relative = 0.0099}).beyond, 1);
  EXPECT_EQ(Difference(a, b, {.ulps = 1}).beyond, 1);
  EXPECT_EQ(Difference(a, b, {.of_largest = 0.01}).beyond, 0);
}

TEST(TensorDifferenceTest, Statistics) {
  const TensorDifference difference = Difference({4, 8, 0}, {4.5, 7, 0.25});
  EXPECT_EQ(difference.different, 3);
  EXPECT_DOUBLE_EQ(difference.max_absolute, 1);
  EXPECT_DOUBLE_EQ(difference.max_relative, 0.125);
  EXPECT_THAT(difference.worst, ElementsAre(1));
  EXPECT_THAT(difference.first_beyond, ElementsAre(0));
}

TEST(TensorDifferenceTest, NonFiniteElementsNeverAgreeWithOthers) {
  const Tolerance wide{.absolute = 1e30, .relative = 10, .ulps = 1u << 30};
  const TensorDifference difference =
      Difference({1, kTensorDifferenceNan, kInfinity, kInfinity}, {kTensorDifferenceNan, 1, -kInfinity, 5}, wide);
  EXPECT_EQ(difference.beyond, 4);
  EXPECT_EQ(difference.not_finite, 4);
  EXPECT_THAT(difference.worst, ElementsAre(0));
  EXPECT_EQ(difference.max_absolute, 0);
}

TEST(TensorDifferenceTest, IntegersComplexNumbersAndSmallFloats) {
  const Tensor a = *Tensor::FromValues<int64_t>(ElementType::kS64, {2}, {INT64_MIN, 5});
  const Tensor b = *Tensor::FromValues<int64_t>(ElementType::kS64, {2}, {INT64_MAX, 7});
  const TensorDifference integers = *DifferenceOf(a, b, UsualTolerance(ElementType::kS64));
  EXPECT_EQ(integers.beyond, 2);
  EXPECT_EQ(integers.max_ulps, UINT64_MAX);

  const Tensor c = *Tensor::FromValues<std::complex<float>>(ElementType::kC64, {1}, {{1, 2}});
  const Tensor d = *Tensor::FromValues<std::complex<float>>(ElementType::kC64, {1}, {{4, -2}});
  EXPECT_DOUBLE_EQ(DifferenceOf(c, d, {})->max_absolute, 5);

  // bf16 1 and the next larger value.
  const Tensor e = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {1}, {0x3f80});
  const Tensor f = *Tensor::FromValues<uint16_t>(ElementType::kBF16, {1}, {0x3f81});
  EXPECT_EQ(DifferenceOf(e, f, {})->max_ulps, 1u);
  EXPECT_EQ(DifferenceOf(e, f, UsualTolerance(ElementType::kBF16))->beyond, 0);
}

// Neighbours among 64-bit integers are one double, and the largest differences are none.
TEST(TensorDifferenceTest, TheLargestNumbers) {
  const auto u64 = [](const std::vector<uint64_t>& values) {
    return *Tensor::FromValues<uint64_t>(ElementType::kU64, {static_cast<int64_t>(values.size())}, values);
  };
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const TensorDifference near = *DifferenceOf(u64({most, 3}), u64({most - 1, 3}), {});
  EXPECT_EQ(near.beyond, 1);
  EXPECT_EQ(near.not_finite, 0);
  EXPECT_EQ(near.max_absolute, 1);
  EXPECT_EQ(DifferenceOf(u64({most}), u64({most - 1}), {.absolute = 1})->beyond, 0);
  EXPECT_EQ(DifferenceOf(u64({most}), u64({0}), {})->max_absolute, static_cast<double>(most));
  const auto s64 = [](int64_t value) { return *Tensor::FromValues<int64_t>(ElementType::kS64, {1}, {value}); };
  const TensorDifference far =
      *DifferenceOf(s64(std::numeric_limits<int64_t>::min()), s64(std::numeric_limits<int64_t>::max()), {});
  EXPECT_EQ(far.not_finite, 0);
  EXPECT_EQ(far.beyond, 1);
  EXPECT_EQ(far.max_ulps, most);
  EXPECT_EQ(far.max_absolute, static_cast<double>(most));
  const auto f64 = [](double value) { return *Tensor::FromValues<double>(ElementType::kF64, {1}, {value}); };
  const TensorDifference signs = *DifferenceOf(f64(-1.7e308), f64(1.7e308), {});
  EXPECT_EQ(signs.not_finite, 0);
  EXPECT_EQ(signs.max_absolute, std::numeric_limits<double>::max());
}

// Squares, quotients and magnitudes of such numbers are no doubles.
TEST(TensorDifferenceTest, SquaresAndQuotientsBeyondDouble) {
  constexpr double kMax = std::numeric_limits<double>::max(), kMin = std::numeric_limits<double>::denorm_min();
  const auto f64 = [](const std::vector<double>& values) {
    return *Tensor::FromValues<double>(ElementType::kF64, {static_cast<int64_t>(values.size())}, values);
  };
  const TensorDifference large = *DifferenceOf(f64({1.7e308, 1e308}), f64({1.5e308, 1e308}), {});
  EXPECT_NEAR(large.root_mean_square / 2e307, std::sqrt(0.5), 1e-12);
  const TensorDifference signs = *DifferenceOf(f64({-1.7e308}), f64({1.7e308}), {.relative = 1.5});
  EXPECT_EQ(signs.beyond, 1);
  EXPECT_DOUBLE_EQ(signs.max_relative, 2);
  EXPECT_EQ(signs.root_mean_square, kMax);
  EXPECT_EQ(DifferenceOf(f64({-1.7e308}), f64({1.7e308}), {.relative = 2})->beyond, 0);
  // What is allowed in all is larger than any number, but one difference is larger still.
  EXPECT_EQ(DifferenceOf(f64({-1.7e308}), f64({1.7e308}), {.relative = 0.9, .of_largest = 0.9})->beyond, 1);
  EXPECT_EQ(DifferenceOf(f64({-1.7e308}), f64({1.7e308}), {.relative = 1, .of_largest = 1})->beyond, 0);
  const TensorDifference small = *DifferenceOf(f64({kMin, 3 * kMin}), f64({3 * kMin, 3 * kMin}), {});
  EXPECT_EQ(small.max_relative, 2);
  EXPECT_EQ(small.root_mean_square, kMin);
  EXPECT_EQ(DifferenceOf(f64({kMin}), f64({1}), {})->max_relative, kMax);
  // A complex number may be larger than its parts can be.
  using Complex = std::complex<double>;
  const auto c128 = [](const Complex& value) {
    return *Tensor::FromValues<Complex>(ElementType::kC128, {1}, std::vector<Complex>{value});
  };
  const TensorDifference complex = *DifferenceOf(c128({1.7e308, 1.7e308}), c128({1.7e308, 0}), {.relative = 0.7});
  EXPECT_EQ(complex.beyond, 1);
  EXPECT_EQ(complex.not_finite, 0);
  EXPECT_DOUBLE_EQ(complex.max_relative, std::sqrt(0.5));
  EXPECT_EQ(DifferenceOf(c128({1.7e308, 1.7e308}), c128({1.7e308, 0}), {.relative = 0.71})->beyond, 0);
}

TEST(TensorDifferenceTest, ViewsCompareByIndex) {
  const Tensor dense = *Tensor::FromValues<float>(ElementType::kF32, {2, 2}, {1, 2, 3, 4});
  const Tensor transposed = dense.View({2, 2}, {1, 2}, 0);
  const TensorDifference difference = *DifferenceOf(dense, transposed, {});
  EXPECT_EQ(difference.different, 2);
  EXPECT_THAT(difference.first_beyond, ElementsAre(0, 1));
}

TEST(TensorDifferenceTest, ShapesMustAgree) {
  const absl::StatusOr<TensorDifference> difference = DifferenceOf(F32({1}), F32({1, 2}), {});
  EXPECT_EQ(difference.status().message(), "one is f32[1], the other f32[2]");
  EXPECT_EQ(DifferenceOf(F32({}), F32({}), {})->count, 0);
}

}  // namespace
}  // namespace hloscope::evaluator
