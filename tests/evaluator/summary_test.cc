// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace hloscope::evaluator {
namespace {

Tensor FloatTensor(std::vector<int64_t> dimensions, const std::vector<float>& values) {
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(ElementType::kF32, dimensions);
  EXPECT_TRUE(tensor.ok());
  for (size_t i = 0; i < values.size(); ++i) tensor->mutable_data_as<float>()[i] = values[i];
  return *std::move(tensor);
}

TEST(SummaryTest, CountsWhatIsNotANumberAndAveragesTheRest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const TensorSummary s = Summarize(FloatTensor({2, 3}, {1, nan, 3, 0, -infinity, 8}));
  EXPECT_EQ(s.count, 6);
  EXPECT_EQ(s.nan_count, 1);
  EXPECT_EQ(s.infinity_count, 1);
  EXPECT_EQ(s.zero_count, 1);
  EXPECT_EQ(s.min, -infinity);
  EXPECT_EQ(s.max, 8);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt((4 + 0 + 9 + 25) / 4.0));
}

TEST(SummaryTest, ReadsViewsThroughTheirStrides) {
  const Tensor row = FloatTensor({3}, {1, 2, 3});
  const TensorSummary broadcast = Summarize(row.View({4, 3}, {0, 1}, 0));
  EXPECT_EQ(broadcast.count, 12);
  EXPECT_DOUBLE_EQ(broadcast.mean, 2);
  const TensorSummary reversed = Summarize(row.View({2}, {-1}, 2));
  EXPECT_EQ(reversed.min, 2);
  EXPECT_EQ(reversed.max, 3);
}

// A broadcast of a billion elements has the summary of what it repeats.
TEST(SummaryTest, RepeatedElementsAreReadOnce) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor row = FloatTensor({4}, {0, nan, 2, 4});
  const std::atomic<bool> cancelled{false};
  const TensorSummary s = Summarize(row.View({1 << 30, 4, 1 << 20}, {0, 1, 0}, 0), &cancelled);
  EXPECT_FALSE(s.incomplete);
  EXPECT_EQ(s.count, int64_t{1} << 52);
  EXPECT_EQ(s.nan_count, int64_t{1} << 50);
  EXPECT_EQ(s.zero_count, int64_t{1} << 50);
  EXPECT_EQ(s.max, 4);
  EXPECT_DOUBLE_EQ(s.mean, 2);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(8.0 / 3));
  EXPECT_EQ(Summarize(row.View({1 << 30}, {0}, 2)).count, 1 << 30);
}

// The squares of such numbers are larger than the largest double, or smaller than the smallest.
TEST(SummaryTest, TheLargestAndTheSmallestNumbers) {
  constexpr double kMax = std::numeric_limits<double>::max(), kMin = std::numeric_limits<double>::denorm_min();
  const auto summary = [](const std::vector<double>& values) {
    return Summarize(*Tensor::FromValues<double>(ElementType::kF64, {static_cast<int64_t>(values.size())}, values));
  };
  TensorSummary s = summary({1.7e308, 1.5e308, 1.6e308});
  EXPECT_DOUBLE_EQ(s.mean, 1.6e308);
  EXPECT_NEAR(s.standard_deviation / 1e308, 0.1 * std::sqrt(2.0 / 3), 1e-12);
  s = summary({-kMax, kMax, -kMax, kMax});
  EXPECT_EQ(s.infinity_count, 0);
  EXPECT_EQ(s.mean, 0);
  EXPECT_DOUBLE_EQ(s.standard_deviation, kMax);
  s = summary({0, kMin, 1e-300, 1, 1.7e308, 0});
  EXPECT_DOUBLE_EQ(s.mean, 1.7e308 / 6);
  EXPECT_DOUBLE_EQ(s.standard_deviation, 1.7e308 / 6 * std::sqrt(5.0));
  s = summary({1.7e308, 1, -1});
  EXPECT_DOUBLE_EQ(s.standard_deviation, 1.7e308 / 3 * std::sqrt(2.0));
  s = summary({1e-200, 3e-200});
  EXPECT_DOUBLE_EQ(s.mean, 2e-200);
  EXPECT_DOUBLE_EQ(s.standard_deviation, 1e-200);
  s = summary({kMin, 3 * kMin});
  EXPECT_EQ(s.mean, 2 * kMin);
  EXPECT_EQ(s.standard_deviation, kMin);
  EXPECT_EQ(summary({0, 0}).standard_deviation, 0);
  const std::vector<std::complex<double>> values = {{1.7e308, 1.7e308}, {-1.7e308, 1.7e308}};
  s = Summarize(*Tensor::FromValues<std::complex<double>>(ElementType::kC128, {2}, values));
  EXPECT_EQ(s.infinity_count, 0);
  EXPECT_EQ(s.max, kMax);
  EXPECT_EQ(s.mean, kMax);
  EXPECT_EQ(s.standard_deviation, 0);
}

TEST(SummaryTest, EndsAfterSoManyElements) {
  const Tensor tensor = FloatTensor({2, 3}, {1, 2, 3, 4, 5, 6});
  const TensorSummary s = Summarize(tensor, nullptr, 4);
  EXPECT_TRUE(s.incomplete);
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.max, 4);
  EXPECT_FALSE(Summarize(tensor, nullptr, 6).incomplete);
}

TEST(SummaryTest, EmptyScalarAndMissingTensors) {
  EXPECT_EQ(Summarize(Tensor()).count, 0);
  EXPECT_EQ(Summarize(FloatTensor({0, 5}, {})).count, 0);
  const TensorSummary scalar = Summarize(FloatTensor({}, {7}));
  EXPECT_EQ(scalar.count, 1);
  EXPECT_EQ(scalar.min, 7);
}

TEST(SummaryTest, CanBeCancelled) {
  const std::atomic<bool> cancelled{true};
  absl::StatusOr<Tensor> large = Tensor::Zeros(ElementType::kPred, {1 << 20});
  ASSERT_TRUE(large.ok());
  EXPECT_TRUE(Summarize(*large, &cancelled).incomplete);
  EXPECT_EQ(Summarize(*large).zero_count, 1 << 20);
}

TEST(SummaryTest, ElementsOfEveryKindAreNumbers) {
  const uint8_t minus_one = 0xFF;
  EXPECT_EQ(ElementAsDouble(ElementType::kS8, &minus_one), -1);
  EXPECT_EQ(ElementAsDouble(ElementType::kU8, &minus_one), 255);
  const uint8_t yes = 1;
  EXPECT_EQ(ElementAsDouble(ElementType::kPred, &yes), 1);
  const float complex[] = {3, 4};
  EXPECT_DOUBLE_EQ(ElementAsDouble(ElementType::kC64, reinterpret_cast<const uint8_t*>(complex)), 5);
}

}  // namespace
}  // namespace hloscope::evaluator
