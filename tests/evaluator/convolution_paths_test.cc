// SPDX-License-Identifier: Apache-2.0
// The loops of convolutions against the formula (numerics/convolution).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/window_rules.h"
#include "evaluator/kernels/convolution/planes.h"
#include "evaluator/kernels/convolution/strided_array.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "gtest/gtest.h"
#include "numerics/contraction/gemm.h"
#include "numerics/convolution/convolution.h"
#include "numerics/convolution/convolution_bf16.h"
#include "numerics/convolution/convolution_depthwise.h"
#include "numerics/convolution/convolution_grouped.h"
#include "numerics/convolution/convolution_packed.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/convolution/depthwise_wide.h"
#include "numerics/convolution/joined_columns.h"
#include "numerics/data_movement/past_cache.h"
#include "tests/support/convolution_test.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::evaluator {
namespace {

constexpr ElementType kConvolvedTypes[] = {ElementType::kF32, ElementType::kF64,  ElementType::kBF16,
                                           ElementType::kS32, ElementType::kS8,   ElementType::kU64,
                                           ElementType::kC64, ElementType::kC128, ElementType::kPred};

TEST_F(ConvolutionPathsTest, ConvolutionEqualsItsFormula) {
  for (int round = 0; round < 300; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = numerics::AccumulatorType(kConvolvedTypes[round % 8]);
    const int64_t spatial_rank = Random(0, 3);
    // Of many groups each has one feature: depthwise.
    const bool is_depthwise = round % 5 == 1;
    problem.feature_group_count = is_depthwise ? Random(2, 150) : round % 3 == 1 ? Random(2, 3) : 1;
    problem.batch_group_count = !is_depthwise && round % 3 == 2 ? Random(2, 3) : 1;
    const int64_t features = is_depthwise ? 1 : Random(1, 3);
    DimensionVector lhs_sizes = {Random(1, 2) * problem.batch_group_count}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      WindowDimension w;
      w.size = Random(1, 3);
      w.stride = Random(1, 3);
      w.padding_low = Random(-1, 3);
      w.padding_high = Random(-1, 3);
      w.base_dilation = Random(1, 3);
      w.window_dilation = Random(1, 2);
      w.reversal = Random(0, 1) == 1;
      valid &= AddDimension(w, Random(2, 6), problem, lhs_sizes, kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features * problem.feature_group_count);
    kernel_sizes.push_back(features);
    kernel_sizes.push_back((is_depthwise ? 1 : Random(1, 2)) * problem.feature_group_count * problem.batch_group_count);
    Tensor lhs = *RandomTensor(problem.type, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    const DimensionVector sizes = ResultSizes(problem);
    Tensor reference = *Tensor::Allocate(problem.type, sizes), patches = *Tensor::Allocate(problem.type, sizes);
    Tensor chosen = *Tensor::Allocate(problem.type, sizes);
    ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveByPatches(problem, patches.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::Convolve(problem, chosen.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(patches, reference, 0)) << "round " << round;
    EXPECT_TRUE(ValuesAgree(chosen, reference, 0)) << "round " << round;
  }
}

// As many output features as some threads share, and so few positions that the kernel is not packed as a whole.
TEST_F(ConvolutionPathsTest, ConvolutionToFewPositionsEqualsItsFormula) {
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = round % 3 == 2 ? ElementType::kF64 : ElementType::kF32;
    problem.feature_group_count = round % 5 == 4 ? 2 : 1;
    // Less than a piece of features, about one, and several.
    const int64_t input_features = round % 2 == 0 ? Random(1, 40) : Random(250, 530);
    const int64_t spatial_rank = Random(0, 2);
    DimensionVector lhs_sizes = {Random(1, 3)}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      // Also results that meet padding alone.
      const WindowDimension w = {Random(1, 3), Random(1, 2), Random(-1, 15),   Random(-1, 5),
                                 Random(1, 2), Random(1, 2), Random(0, 3) == 0};
      valid &= AddDimension(w, Random(1, 7), problem, lhs_sizes, kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(input_features * problem.feature_group_count);
    kernel_sizes.push_back(input_features);
    kernel_sizes.push_back(Random(230, 300) * problem.feature_group_count);
    const Tensor lhs = *RandomTensor(problem.type, lhs_sizes).Contiguous();
    const Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    int64_t rows = problem.output_batch();
    for (int64_t size : problem.output_spatial) rows *= size;
    compared += rows <= 256;
    ExpectFormula(problem, round);
  }
  EXPECT_GT(compared, 20);
}

// Holes between the inputs: outputs are computed by phases, some of which meet no element of the kernel.
TEST_F(ConvolutionPathsTest, DilatedConvolutionEqualsItsFormula) {
  constexpr ElementType kDilatedTypes[] = {ElementType::kF32, ElementType::kF64, ElementType::kF32, ElementType::kC64,
                                           ElementType::kU64};
  int in_phases = 0, with_empty_phases = 0, with_infinities = 0;
  for (int round = 0; round < 250; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = kDilatedTypes[round % 5];
    const int64_t spatial_rank = Random(1, 3);
    problem.feature_group_count = round % 4 == 1 ? Random(2, 3) : 1;
    problem.batch_group_count = round % 4 == 3 ? Random(2, 3) : 1;
    const int64_t features = Random(2, 17);
    DimensionVector lhs_sizes = {Random(1, 3) * problem.batch_group_count}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      WindowDimension w;
      w.size = Random(1, 5);
      w.stride = Random(0, 2) == 0 ? Random(2, 6) : 1;
      w.padding_low = Random(-3, 5);
      w.padding_high = Random(-3, 5);
      w.base_dilation = Random(1, 4);
      w.window_dilation = Random(0, 2) == 0 ? Random(2, 6) : 1;
      w.reversal = Random(0, 1) == 1;
      valid &= AddDimension(w, spatial_rank == 1 ? Random(10, 60) : Random(3, 10), problem, lhs_sizes, kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features * problem.feature_group_count);
    kernel_sizes.push_back(features);
    // Every eighth time enough for products of few rows.
    kernel_sizes.push_back((round % 8 == 0 ? 240 : Random(1, 60)) * problem.feature_group_count *
                           problem.batch_group_count);
    const Tensor lhs = *RandomTensor(problem.type, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    // Holes are left out, not multiplied.
    if (round % 10 == 2) {
      kernel.mutable_data_as<float>()[0] = std::numeric_limits<float>::infinity();
      ++with_infinities;
    }
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    const int64_t phases = numerics::PhaseCount(problem);
    bool has_empty_phase = false;
    for (int64_t n = 0; n < phases; ++n) {
      has_empty_phase = has_empty_phase || numerics::PhaseOf(problem, phases, n).problem.IsEmpty();
    }
    in_phases += phases > 1 ? 1 : 0;
    with_empty_phases += has_empty_phase ? 1 : 0;
    ExpectFormula(problem, round);
  }
  EXPECT_GT(in_phases, 100);
  EXPECT_GT(with_empty_phases, 30);
  EXPECT_GT(with_infinities, 10);
}

// Pairs of bf16 with their numbers in f32, and what the pairs must not see: infinities beside padding, and numbers
// whose products are subnormal.
TEST_F(ConvolutionPathsTest, ConvolutionOfBf16EqualsItsFormula) {
  int compared = 0, odd = 0, wide = 0, with_holes = 0, with_few_rows = 0;
  for (int round = 0; round < 400; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = ElementType::kF32;
    const bool is_wide = round % 4 == 3;
    problem.feature_group_count = round % 5 == 1 && !is_wide ? Random(2, 3) : 1;
    problem.batch_group_count = round % 5 == 2 && !is_wide ? Random(2, 3) : 1;
    const int64_t spatial_rank = Random(is_wide ? 1 : 0, 3), features = Random(2, is_wide ? 9 : 40);
    DimensionVector lhs_sizes = {Random(1, is_wide ? 40 : 3) * problem.batch_group_count}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      WindowDimension w = {Random(1, 4), Random(1, 2), Random(-1, 3),    Random(-1, 3),
                           Random(1, 2), Random(1, 2), Random(0, 2) == 0};
      const int64_t size = spatial_rank == 1 ? Random(8, 90) : spatial_rank == 2 ? Random(4, 14) : Random(3, 6);
      // Windows as wide as the image, as those of gradients are.
      if (is_wide) w = {size - Random(0, 1), 1, Random(0, 1), Random(0, 1), 1, 1, false};
      valid &= AddDimension(w, size, problem, lhs_sizes, kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features * problem.feature_group_count);
    kernel_sizes.push_back(features);
    kernel_sizes.push_back((round % 8 == 0 ? 260 : Random(1, 70)) * problem.feature_group_count *
                           problem.batch_group_count);
    Tensor lhs = *RandomTensor(ElementType::kBF16, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(ElementType::kBF16, kernel_sizes).Contiguous();
    constexpr uint16_t kInfinity = 0x7f80;
    if (round % 6 == 2) kernel.mutable_data_as<uint16_t>()[Random(0, kernel.element_count() - 1)] = kInfinity;
    if (round % 6 == 4) {
      Tensor small = *ConvertElements(lhs, ElementType::kF32, runtime_);
      for (int64_t i = 0; i < small.element_count(); ++i) small.mutable_data_as<float>()[i] *= 0x1p-130f;
      lhs = *ConvertElements(small, ElementType::kBF16, runtime_);
    }
    if (round % 12 == 5) lhs.mutable_data_as<uint16_t>()[Random(0, lhs.element_count() - 1)] = kInfinity;
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    if (!numerics::SuitsBf16(problem)) continue;
    ++compared;
    odd += features % 2;
    wide += numerics::SuitsWideWindows(problem) ? 1 : 0;
    int64_t rows = problem.output_batch();
    for (int64_t size : problem.output_spatial) rows *= size;
    with_few_rows += rows <= 256 ? 1 : 0;
    for (const WindowDimension& w : problem.window) with_holes += w.base_dilation > 1 ? 1 : 0;

    numerics::ConvolutionProblem widened = problem;
    const Tensor wide_lhs = *ConvertElements(lhs, ElementType::kF32, runtime_);
    const Tensor wide_kernel = *ConvertElements(kernel, ElementType::kF32, runtime_);
    widened.lhs = ArrayOf(wide_lhs);
    widened.kernel = ArrayOf(wide_kernel);
    const DimensionVector sizes = ResultSizes(problem);
    Tensor reference = *Tensor::Allocate(ElementType::kF32, sizes), sums = *Tensor::Allocate(ElementType::kF32, sizes);
    Tensor rounded = *Tensor::Allocate(ElementType::kBF16, sizes);
    ASSERT_TRUE(numerics::ConvolveReference(widened, reference.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveBf16(problem, ElementType::kF32, sums.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveBf16(problem, ElementType::kBF16, rounded.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(sums, reference, 0)) << "round " << round;
    EXPECT_TRUE(ValuesAgree(rounded, *ConvertElements(reference, ElementType::kBF16, runtime_), 0))
        << "round " << round;
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(odd, 20);
  EXPECT_GT(wide, 10);
  EXPECT_GT(with_holes, 20);
  EXPECT_GT(with_few_rows, 20);
}

// Few features: the columns of the window join them, in copies where there is padding.
TEST_F(ConvolutionPathsTest, ConvolutionWithJoinedColumnsEqualsItsFormula) {
  int compared = 0, patches = 0, with_infinities = 0;
  for (int round = 0; round < 400; ++round) {
    numerics::ConvolutionProblem problem;
    const bool is_bf16 = round % 3 == 1;
    problem.type = round % 3 == 2 ? ElementType::kF64 : ElementType::kF32;
    const int64_t spatial_rank = Random(1, 3), features = Random(1, 7);
    DimensionVector lhs_sizes = {Random(1, 3)}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const bool is_last = j + 1 == spatial_rank;
      WindowDimension w = {Random(1, 5),
                           Random(1, 3),
                           Random(-1, 4),
                           Random(-1, 4),
                           is_last ? 1 : Random(1, 2),
                           is_last ? 1 : Random(1, 2),
                           !is_last && Random(0, 2) == 0};
      if (is_last && round % 4 == 0) w = {Random(2, 16), 1, 0, 0, 1, 1, false};
      if (is_last && round % 8 == 0) w.stride = w.size;
      valid &= AddDimension(w,
                            spatial_rank == 1   ? Random(40, 300)
                            : spatial_rank == 2 ? Random(16, 40)
                                                : Random(5, 12),
                            problem, lhs_sizes, kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features);
    kernel_sizes.push_back(features);
    kernel_sizes.push_back(Random(8, 90));
    const ElementType type = is_bf16 ? ElementType::kBF16 : problem.type;
    Tensor lhs = *RandomTensor(type, lhs_sizes).Contiguous(), kernel = *RandomTensor(type, kernel_sizes).Contiguous();
    // Padding must not meet it.
    const bool has_infinity = round % 11 == 3 && type == ElementType::kF32;
    if (has_infinity) {
      kernel.mutable_data_as<float>()[Random(0, kernel.element_count() - 1)] = std::numeric_limits<float>::infinity();
    }
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    if (problem.IsEmpty() || !numerics::SuitsJoinedColumns(problem)) continue;
    ++compared;
    patches += problem.window.back().stride == problem.window.back().size ? 1 : 0;
    with_infinities += has_infinity ? 1 : 0;
    const DimensionVector sizes = ResultSizes(problem);
    Tensor reference = *Tensor::Allocate(problem.type, sizes), sums = *Tensor::Allocate(problem.type, sizes);
    if (is_bf16) {
      numerics::ConvolutionProblem widened = problem;
      const Tensor wide_lhs = *ConvertElements(lhs, ElementType::kF32, runtime_);
      const Tensor wide_kernel = *ConvertElements(kernel, ElementType::kF32, runtime_);
      widened.lhs = ArrayOf(wide_lhs);
      widened.kernel = ArrayOf(wide_kernel);
      ASSERT_TRUE(numerics::ConvolveReference(widened, reference.mutable_data(), runtime_).ok());
      if (!numerics::SuitsBf16(problem)) continue;
      ASSERT_TRUE(numerics::ConvolveBf16(problem, ElementType::kF32, sums.mutable_data(), runtime_).ok());
    } else {
      ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
      ASSERT_TRUE(numerics::Convolve(problem, sums.mutable_data(), runtime_).ok());
    }
    EXPECT_TRUE(ValuesAgree(sums, reference, 0)) << "round " << round;
  }
  EXPECT_GT(compared, 80);
  EXPECT_GT(patches, 10);
  EXPECT_GT(with_infinities, 2);
}

// Groups of few features: values of the formula, and the bits of the packed loops. Some images are summed in bands.
TEST_F(ConvolutionPathsTest, GroupedConvolutionEqualsItsFormula) {
  int compared = 0, compared_large = 0, compared_strided = 0;
  for (int round = 0; round < 300; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = round % 3 == 2 ? ElementType::kF64 : ElementType::kF32;
    problem.feature_group_count = Random(2, 20);
    const bool is_large = round % 25 == 24;
    const int64_t spatial_rank = Random(1, is_large ? 2 : 3), features = Random(1, 9);
    DimensionVector lhs_sizes = {is_large ? 1 : Random(1, 3)}, kernel_sizes;
    bool valid = true, is_strided = false;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const WindowDimension w = {
          Random(1, 4),     Random(0, 2) == 0 ? Random(2, 3) : 1, Random(-2, 4), Random(-2, 4), 1, Random(1, 2),
          Random(0, 1) == 1};
      is_strided = is_strided || w.stride > 1;
      const int64_t most = spatial_rank == 1 ? 90 : spatial_rank == 2 ? 30 : 9;
      valid &= AddDimension(w, is_large ? (spatial_rank == 1 ? 20000 : 140) : Random(3, most), problem, lhs_sizes,
                            kernel_sizes);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features * problem.feature_group_count);
    kernel_sizes.push_back(features);
    // Narrow vectors have few lanes to spare.
    kernel_sizes.push_back(Random(1, Random(0, 1) == 0 ? 3 : 16) * problem.feature_group_count);
    Tensor lhs = *RandomTensor(problem.type, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    // Infinities of the input meet no padding.
    if (problem.type == ElementType::kF32 && round % 4 == 0) {
      lhs.mutable_data_as<float>()[Random(0, lhs.element_count() - 1)] = std::numeric_limits<float>::infinity();
    }
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    if (!numerics::SuitsGroups(problem)) continue;
    ++compared;
    compared_large += is_large ? 1 : 0;
    compared_strided += is_strided ? 1 : 0;
    ExpectFormula(problem, round);
    if (problem.type != ElementType::kF32 || round % 4 == 0) continue;
    // Sums that are not exact show their order.
    Tensor reference = *Tensor::Allocate(problem.type, ResultSizes(problem)), fast = *reference.Copy();
    for (Tensor* tensor : {&lhs, &kernel}) {
      float* const elements = tensor->mutable_data_as<float>();
      for (int64_t i = 0; i < tensor->element_count(); ++i) elements[i] += 0.001f * static_cast<float>(Random(-99, 99));
    }
    ASSERT_TRUE(numerics::ConvolvePacked(problem, reference.mutable_data_as<float>(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveGroups(problem, fast.mutable_data_as<float>(), runtime_).ok());
    EXPECT_EQ(std::memcmp(fast.data(), reference.data(), static_cast<size_t>(fast.element_count()) * sizeof(float)), 0)
        << "round " << round;
  }
  EXPECT_GT(compared, 30);
  EXPECT_GT(compared_large, 1);
  EXPECT_GT(compared_strided, 10);
}

// Features side by side in memory, of f32 and of bf16: whole windows, and what is left of others at the borders.
TEST_F(ConvolutionPathsTest, DepthwiseConvolutionEqualsItsFormula) {
  int compared = 0, with_windows = 0;
  for (int round = 0; round < 300; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = ElementType::kF32;
    const int64_t features = Random(0, 3) == 0 ? Random(60, 150) : Random(2, 40);
    problem.feature_group_count = features;
    DimensionVector lhs_sizes = {Random(1, 3)}, kernel_sizes;
    bool valid = true;
    const int64_t spatial_rank = Random(1, 3);
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const bool is_plain = round % 3 != 0;
      WindowDimension w = {Random(1, 8), Random(1, 2), Random(-1, 4),    Random(-1, 4),
                           Random(1, 2), Random(1, 2), Random(0, 3) == 0};
      if (is_plain) w = {Random(1, 3) * 2 + 1, Random(1, 2), Random(0, 3), Random(0, 3), 1, 1, false};
      valid &= AddDimension(w, spatial_rank == 3 ? Random(3, 7) : Random(5, 40), problem, lhs_sizes, kernel_sizes);
      if (j + 1 == spatial_rank && numerics::HasPlaceWindows(w.size, w.stride * features, features)) ++with_windows;
    }
    if (!valid) continue;
    lhs_sizes.push_back(features);
    kernel_sizes.push_back(1);
    kernel_sizes.push_back(features);
    Tensor lhs = *RandomTensor(ElementType::kBF16, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(ElementType::kBF16, kernel_sizes).Contiguous();
    if (round % 6 == 2) kernel.mutable_data_as<uint16_t>()[Random(0, kernel.element_count() - 1)] = 0x7f80;  // infinity
    if (round % 6 == 4) lhs.mutable_data_as<uint16_t>()[Random(0, lhs.element_count() - 1)] = 0x7fc0;        // NaN
    ++compared;
    numerics::ConvolutionProblem widened = problem;
    const Tensor wide_lhs = *ConvertElements(lhs, ElementType::kF32, runtime_);
    const Tensor wide_kernel = *ConvertElements(kernel, ElementType::kF32, runtime_);
    widened.lhs = ArrayOf(wide_lhs);
    widened.kernel = ArrayOf(wide_kernel);
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    const DimensionVector sizes = ResultSizes(problem);
    Tensor reference = *Tensor::Allocate(ElementType::kF32, sizes), sums = *Tensor::Allocate(ElementType::kF32, sizes);
    ASSERT_TRUE(numerics::ConvolveReference(widened, reference.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveDepthwise(widened, sums.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(sums, reference, 0)) << "round " << round;
    ASSERT_TRUE(numerics::SuitsBf16(problem));
    Tensor rounded = *Tensor::Allocate(ElementType::kBF16, sizes);
    ASSERT_TRUE(numerics::ConvolveBf16(problem, ElementType::kF32, sums.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::ConvolveBf16(problem, ElementType::kBF16, rounded.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(sums, reference, 0)) << "round " << round;
    EXPECT_TRUE(ValuesAgree(rounded, *ConvertElements(reference, ElementType::kBF16, runtime_), 0))
        << "round " << round;
  }
  EXPECT_GT(compared, 150);
  EXPECT_GT(with_windows, 40);
}

// A result that is written past the caches, in pieces that end anywhere in a row, has the bits of its images one by
// one, and those the values of the formula.
TEST_F(ConvolutionPathsTest, LargeDepthwiseConvolutionEqualsThatOfItsImages) {
  constexpr int64_t kImages = 5, kSize = 190, kFeatures = 50, kImage = kSize * kSize * kFeatures;
  static_assert(kImages * kImage * 4 > numerics::kPastCacheBytes && kImage * 4 < numerics::kPastCacheBytes);
  const Tensor lhs = *RandomTensor(ElementType::kF32, {kImages, kSize, kSize, kFeatures}).Contiguous();
  const Tensor kernel = *RandomTensor(ElementType::kF32, {3, 3, 1, kFeatures}).Contiguous();
  numerics::ConvolutionProblem problem;
  problem.type = ElementType::kF32;
  problem.feature_group_count = kFeatures;
  problem.kernel = ArrayOf(kernel);
  for (int j = 0; j < 2; ++j) {
    problem.window.push_back({.size = 3, .padding_low = 1, .padding_high = 1});
    problem.output_spatial.push_back(kSize);
  }
  problem.lhs = ArrayOf(lhs);
  Tensor whole = *Tensor::Allocate(ElementType::kF32, ResultSizes(problem)),
         single = *Tensor::Allocate(ElementType::kF32, ResultSizes(problem));
  ASSERT_TRUE(numerics::Convolve(problem, whole.mutable_data(), runtime_).ok());
  const float* const inputs = reinterpret_cast<const float*>(lhs.data());
  for (int64_t image = 0; image < kImages; ++image) {
    problem.lhs = numerics::DenseArray(ElementType::kF32, inputs + image * kImage, {1, kSize, kSize, kFeatures});
    ASSERT_TRUE(numerics::Convolve(problem, single.mutable_data() + image * kImage * 4, runtime_).ok());
  }
  EXPECT_EQ(std::memcmp(whole.data(), single.data(), kImages * kImage * 4), 0);
  Tensor reference = *Tensor::Allocate(ElementType::kF32, {1, kSize, kSize, kFeatures});
  ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
  EXPECT_EQ(std::memcmp(reference.data(), single.data() + (kImages - 1) * kImage * 4, kImage * 4), 0);
}

// Of images in planes, whose kernel lies either way or is neither: products, of several images side by side if they are
// small.
TEST_F(ConvolutionPathsTest, PointwiseConvolutionEqualsItsFormula) {
  int taken_as_it_is = 0;
  for (int round = 0; round < 200; ++round) {
    const ElementType type = round % 4 == 0 ? ElementType::kF64 : ElementType::kF32;
    const int64_t images = Random(1, 12), inputs = Random(1, 40), outputs = Random(1, 40);
    const int64_t height = Random(1, 30), width = Random(2, 30);
    numerics::ConvolutionProblem problem;
    problem.type = type;
    const int64_t step = round % 5 == 0 ? 2 : 1, step_of_rows = round % 5 < 2 ? 3 : 1;
    problem.window = {WindowDimension{.size = 1, .stride = step_of_rows}, WindowDimension{.size = 1, .stride = step}};
    // Negative padding at the end takes some away.
    const int64_t rows = std::max<int64_t>((height - 1) / step_of_rows + (round % 7 == 0 ? -1 : 1), 1);
    const int64_t columns = std::max<int64_t>((width - 1) / step + (round % 11 == 0 ? -2 : 1), 1);
    if (rows * columns == 1) continue;
    problem.output_spatial = {rows, columns};
    const Tensor planes = RandomTensor(type, {images, inputs, height, width});
    const Tensor lhs =
        planes.View({images, height, width, inputs}, {inputs * height * width, width, 1, height * width}, 0);
    // [output feature, input feature], [input feature, output feature], and one that has gaps.
    const int form = round % 3;
    const int64_t gap = form == 2 ? 2 : 1;
    const Tensor weights = *RandomTensor(type, {inputs * outputs * gap}).Contiguous();
    const DimensionVector strides = form == 0   ? DimensionVector{inputs * outputs, inputs * outputs, 1, inputs}
                                    : form == 1 ? DimensionVector{inputs * outputs, inputs * outputs, outputs, 1}
                                                : DimensionVector{1, 1, outputs * gap, gap};
    const Tensor view = weights.View({1, 1, inputs, outputs}, strides, 0);
    const Tensor kernel = *view.Contiguous();
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(view);
    // Where strides leave inputs out, small products do not.
    const bool leaves_out = rows != height || columns != width;
    if (leaves_out && !numerics::SuitsPlanes(problem, type)) continue;
    ASSERT_TRUE(numerics::SuitsPlanes(problem, type));
    EXPECT_FALSE(numerics::SuitsPlanes(problem, ElementType::kBF16));
    const bool as_it_is = numerics::PlanesTakeKernel(problem, type);
    if (inputs > 1 && outputs > 1 && form != 2) {
      EXPECT_TRUE(as_it_is);
    }
    taken_as_it_is += as_it_is ? 1 : 0;
    if (!as_it_is) problem.kernel = ArrayOf(kernel);
    const Tensor fast = *Tensor::Allocate(type, {images, outputs, rows, columns});
    ASSERT_TRUE(ConvolvePlanes(problem, type, Tensor(fast).mutable_data(), runtime_).ok());
    const Tensor dense = *lhs.Contiguous();
    problem.lhs = ArrayOf(dense);
    problem.kernel = ArrayOf(kernel);
    Tensor reference = *Tensor::Allocate(type, {images, rows, columns, outputs});
    ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    const Tensor found =
        fast.View({images, rows, columns, outputs}, {outputs * rows * columns, columns, 1, rows * columns}, 0);
    EXPECT_TRUE(ValuesAgree(found, reference, type == ElementType::kF64 ? 1e-13 : 1e-5)) << "round " << round;
  }
  EXPECT_GT(taken_as_it_is, 100);
}

TEST_F(ConvolutionPathsTest, PlanarConvolutionEqualsItsFormula) {
  constexpr ElementType kPlanarTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF64};
  int compared = 0, whole = 0;
  for (int round = 0; round < 500; ++round) {
    const ElementType type = kPlanarTypes[round % 3];
    numerics::ConvolutionProblem problem;
    problem.type = numerics::AccumulatorType(type);
    problem.feature_group_count = Random(2, 5);
    // Every other window is a square of neighbours, of which several rows are summed at once.
    const int64_t side = round % 2 == 0 ? 3 + 2 * Random(0, 2) : 0;
    // Rows that do not fill a vector, and inputs with holes between them: sums over whole planes.
    const bool takes_all = round % 5 == 1;
    const int64_t spatial_rank = side > 0 ? 2 : Random(1, 3);
    DimensionVector stored = {Random(1, 2), problem.feature_group_count}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const bool is_row = j + 1 == spatial_rank && !takes_all;
      WindowDimension w = {Random(1, 4), Random(1, 3),     Random(-1, 4), Random(-1, 4), is_row ? 1 : Random(1, 2),
                           Random(1, 3), Random(0, 1) == 1};
      if (takes_all) w.stride = 1;
      if (side > 0) {
        w.size = side;
        w.stride = w.window_dilation = w.base_dilation = 1;
      }
      valid &= AddDimension(w, is_row ? Random(8, 70) : Random(2, 6), problem, stored, kernel_sizes);
    }
    if (!valid) continue;
    kernel_sizes.push_back(1);
    kernel_sizes.push_back(problem.feature_group_count);
    const bool is_spoiled = takes_all && round % 3 == 0;
    const Tensor planes = RandomTensor(type, stored);
    const Tensor lhs = FeaturesLast(planes);
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    if (type == ElementType::kBF16 && round % 4 != 0) {
      // Weights that are bf16 as well, with products that are exact in f32, or with some that are not.
      kernel = *ConvertElements(*ConvertElements(kernel, type, runtime_), problem.type, runtime_);
      // No products that overflow: those that are added to a sum before they are rounded do not.
      constexpr uint16_t kExtremes[] = {0x0001, 0x0080, 0x2b00, 0x5400, 0x7c7f, 0x7f80, 0x7fc0, 0x8000};
      if (round % 7 < 3) {
        uint16_t* const elements = Tensor(planes).mutable_data_as<uint16_t>();
        for (int i = 0; i < 3; ++i) elements[Random(0, planes.element_count() - 1)] = kExtremes[Random(0, 7)];
      }
      if (round % 5 == 0) kernel.mutable_data_as<float>()[0] *= 0x1p-100f;
    }
    if (is_spoiled && problem.type == ElementType::kF32) {
      kernel.mutable_data_as<float>()[0] = std::numeric_limits<float>::infinity();
    }
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    if (takes_all && !numerics::SuitsPlanes(problem, type)) continue;
    whole += takes_all ? 1 : 0;
    ASSERT_TRUE(numerics::SuitsPlanes(problem, type));
    DimensionVector sizes = {stored[0], problem.feature_group_count};
    sizes.insert(sizes.end(), problem.output_spatial.begin(), problem.output_spatial.end());
    const Tensor fast = *Tensor::Allocate(type, sizes);
    ASSERT_TRUE(ConvolvePlanes(problem, type, Tensor(fast).mutable_data(), runtime_).ok());
    const Tensor converted = *ConvertElements(*lhs.Contiguous(), problem.type, runtime_);
    problem.lhs = ArrayOf(converted);
    const Tensor view = FeaturesLast(fast);
    Tensor reference =
        *Tensor::Allocate(problem.type, DimensionVector(view.dimensions().begin(), view.dimensions().end()));
    ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(view, *ConvertElements(reference, type, runtime_), 0)) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 250);
  EXPECT_GT(whole, 40);
}

// The orders in which arrays lie in planes: of the input [feature, batch, spatial...], of the kernel [input feature,
// output feature, spatial...].
DimensionVector PlaneOrder(size_t spatial_rank) {
  DimensionVector order = {static_cast<int64_t>(spatial_rank) + 1, 0};
  for (size_t j = 0; j < spatial_rank; ++j) order.push_back(static_cast<int64_t>(j) + 1);
  return order;
}
DimensionVector KernelPlaneOrder(size_t spatial_rank) {
  DimensionVector order = {static_cast<int64_t>(spatial_rank), static_cast<int64_t>(spatial_rank) + 1};
  for (size_t j = 0; j < spatial_rank; ++j) order.push_back(static_cast<int64_t>(j));
  return order;
}

// The gradients of filters: a window that is larger than the result.
TEST_F(ConvolutionPathsTest, WideConvolutionEqualsItsFormula) {
  int compared = 0, in_groups = 0, with_infinities = 0, by_planes = 0, groups_by_planes = 0;
  for (int round = 0; round < 600; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = round % 4 == 3 ? ElementType::kF64 : ElementType::kF32;
    const bool is_grouped = round % 2 == 1;
    const int64_t spatial_rank = Random(1, 3), features = Random(1, 9);
    const int64_t batch = is_grouped ? Random(8, 100) : Random(1, 40);
    problem.batch_group_count = is_grouped ? batch : 1;
    DimensionVector lhs_sizes = {batch}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const int64_t size = Random(2, spatial_rank == 1 ? 100 : spatial_rank == 2 ? 12 : 6);
      WindowDimension w = {
          Random(1, size), Random(1, 2),     Random(-1, 2), Random(-1, 2), round % 5 == 0 ? Random(1, 2) : 1,
          Random(1, 2),    Random(0, 3) == 0};
      lhs_sizes.push_back(size);
      kernel_sizes.push_back(w.size);
      const std::optional<int64_t> count = WindowCount(size, w);
      valid = valid && count && *count > 0;
      problem.output_spatial.push_back(count.value_or(0));
      problem.window.push_back(w);
    }
    if (!valid) continue;
    lhs_sizes.push_back(features);
    kernel_sizes.push_back(features);
    kernel_sizes.push_back(is_grouped ? batch : Random(1, 70));
    Tensor lhs = *RandomTensor(problem.type, lhs_sizes).Contiguous();
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    if (!numerics::SuitsWideWindows(problem)) continue;
    const DimensionVector sizes = ResultSizes(problem);
    const Tensor reference = *Tensor::Allocate(problem.type, sizes), wide = *Tensor::Allocate(problem.type, sizes);
    // Padding is left out, not multiplied.
    if (round % 7 == 0) {
      if (problem.type == ElementType::kF32) {
        kernel.mutable_data_as<float>()[0] = std::numeric_limits<float>::infinity();
      } else {
        kernel.mutable_data_as<double>()[0] = std::numeric_limits<double>::infinity();
      }
      ++with_infinities;
    }
    ASSERT_TRUE(numerics::ConvolveReference(problem, Tensor(reference).mutable_data(), runtime_).ok());
    const std::string label = absl::StrCat("round ", round);
    // Dense arrays are brought into the orders that are read; those that are in them stay where they are.
    ASSERT_TRUE(numerics::ConvolveWideWindows(problem, Tensor(wide).mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(wide, reference, 0)) << label;
    const numerics::WideOrders orders = numerics::OrdersOfWideWindows(problem.window.size());
    const DimensionVector lhs_order(orders.lhs.begin(), orders.lhs.end());
    const DimensionVector kernel_order(orders.kernel.begin(), orders.kernel.end());
    lhs = BackInOrder(*InOrder(lhs, lhs_order).Contiguous(), lhs_order);
    kernel = BackInOrder(*InOrder(kernel, kernel_order).Contiguous(), kernel_order);
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    ASSERT_TRUE(numerics::ConvolveWideWindows(problem, Tensor(wide).mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(wide, reference, 0)) << label;
    // So are planes: one array or both.
    const DimensionVector plane_order = PlaneOrder(problem.window.size()),
                          kernel_planes = KernelPlaneOrder(problem.window.size());
    const Tensor lhs_in_planes = BackInOrder(*InOrder(lhs, plane_order).Contiguous(), plane_order);
    const Tensor kernel_in_planes = BackInOrder(*InOrder(kernel, kernel_planes).Contiguous(), kernel_planes);
    for (const bool both : {false, true}) {
      problem.lhs = ArrayOf(lhs_in_planes);
      if (both) problem.kernel = ArrayOf(kernel_in_planes);
      const numerics::WidePlanes planes = numerics::PlanesOfWideWindows(problem);
      by_planes += planes.lhs ? 1 : 0;
      groups_by_planes += planes.lhs && is_grouped ? 1 : 0;
      ASSERT_TRUE(numerics::ConvolveWideWindows(problem, Tensor(wide).mutable_data(), runtime_).ok());
      EXPECT_TRUE(ValuesAgree(wide, reference, 0)) << label;
    }
    ++compared;
    in_groups += is_grouped ? 1 : 0;
  }
  EXPECT_GT(compared, 80);
  EXPECT_GT(by_planes, 40);
  EXPECT_GT(groups_by_planes, 10);
  EXPECT_GT(in_groups, 30);
  EXPECT_GT(with_infinities, 10);
}

// As they are computed on this processor; HLOSCOPE_CPU=avx2 asks for the loops of others.
TEST_F(ConvolutionPathsTest, BandsOfSumsEqualTheirFormula) {
  for (const int64_t side : {3, 5, 7}) {
    for (const int64_t count : {1, 15, 16, 17, 31, 32, 33, 56, 100}) {
      const int64_t pitch = count + side - 1 + Random(0, 3), rows = numerics::kBandRows + side - 1;
      std::vector<float> inputs(static_cast<size_t>(rows * pitch + numerics::kTapSlack));
      for (float& x : inputs) x = static_cast<float>(Random(-9, 9));
      std::vector<float> weights(static_cast<size_t>(side * side));
      for (float& w : weights) w = static_cast<float>(Random(-9, 9));
      std::vector<const float*> starts;
      for (int64_t i = 0; i < rows; ++i) starts.push_back(inputs.data() + i * pitch);
      std::vector<float> sums(static_cast<size_t>(numerics::kBandRows * count + numerics::kTapSlack));
      numerics::SumBand(starts.data(), weights.data(), side, sums.data(), count, count);
      const std::vector<double> wide_inputs(inputs.begin(), inputs.end()), wide_weights(weights.begin(), weights.end());
      std::vector<const double*> wide_starts;
      for (int64_t i = 0; i < rows; ++i) wide_starts.push_back(wide_inputs.data() + i * pitch);
      std::vector<double> wide_sums(sums.size());
      numerics::SumBand(wide_starts.data(), wide_weights.data(), side, wide_sums.data(), count, count);
      for (int64_t r = 0; r < numerics::kBandRows; ++r) {
        for (int64_t x = 0; x < count; ++x) {
          float expected = 0;
          for (int64_t k = 0; k < side; ++k) {
            for (int64_t c = 0; c < side; ++c) {
              expected += weights[static_cast<size_t>(k * side + c)] * starts[static_cast<size_t>(r + k)][x + c];
            }
          }
          ASSERT_EQ(sums[static_cast<size_t>(r * count + x)], expected) << side << " " << count << " " << r << " " << x;
          ASSERT_EQ(wide_sums[static_cast<size_t>(r * count + x)], static_cast<double>(expected));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
