// SPDX-License-Identifier: Apache-2.0
// Fast paths against the plain formulas, on random shapes.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "core/analysis/scalar_patterns.h"
#include "core/ops/window_rules.h"
#include "evaluator/kernels/contraction/dot.h"
#include "evaluator/kernels/convolution/planes.h"
#include "evaluator/kernels/convolution/strided_array.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/fft.h"
#include "evaluator/kernels/reduction/reduce.h"
#include "evaluator/kernels/reduction/reduce_window.h"
#include "evaluator/kernels/sorting/sort.h"
#include "gtest/gtest.h"
#include "numerics/contraction/gemm.h"
#include "numerics/convolution/convolution.h"
#include "numerics/convolution/convolution_grouped.h"
#include "numerics/convolution/convolution_packed.h"
#include "numerics/convolution/convolution_phases.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/convolution_wide.h"
#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/fourier/fourier_transform.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

// [batch, spatial..., feature].
DimensionVector ResultSizes(const numerics::ConvolutionProblem& problem) {
  DimensionVector sizes = {problem.output_batch()};
  sizes.insert(sizes.end(), problem.output_spatial.begin(), problem.output_spatial.end());
  sizes.push_back(problem.output_features());
  return sizes;
}

class FastPathsTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // Small integers: sums are exact in every type, whatever their order. The tensor is a view: permuted, or not dense.
  Tensor RandomTensor(ElementType type, const DimensionVector& sizes) {
    DimensionVector padded = sizes;
    for (int64_t& size : padded) size += Random(0, 1);
    int64_t count = 1;
    for (int64_t size : padded) count *= size;
    std::vector<double> values(static_cast<size_t>(count));
    for (double& value : values) value = static_cast<double>(Random(IsUnsigned(type) ? 0 : -4, 4));
    const Tensor dense =
        *ConvertElements(*Tensor::FromValues<double>(ElementType::kF64, padded, values), type, runtime_);
    return dense.View(sizes, dense.strides(), 0);
  }
  DimensionVector RandomSizes(int64_t rank, int64_t low, int64_t high) {
    DimensionVector sizes;
    for (int64_t d = 0; d < rank; ++d) sizes.push_back(Random(low, high));
    return sizes;
  }

  // Adds a spatial dimension of `size` inputs. False if the window has no place there.
  static bool AddDimension(const WindowDimension& w, int64_t size, numerics::ConvolutionProblem& problem,
                           DimensionVector& lhs_sizes, DimensionVector& kernel_sizes) {
    lhs_sizes.push_back(size);
    kernel_sizes.push_back(w.size);
    const std::optional<int64_t> count = WindowCount(size, w);
    problem.output_spatial.push_back(count.value_or(0));
    problem.window.push_back(w);
    return count && *count > 0;
  }

  void ExpectFormula(const numerics::ConvolutionProblem& problem, int round) {
    const DimensionVector sizes = ResultSizes(problem);
    Tensor reference = *Tensor::Allocate(problem.type, sizes), fast = *Tensor::Allocate(problem.type, sizes);
    ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    ASSERT_TRUE(numerics::Convolve(problem, fast.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(fast, reference, 0)) << "round " << round;
  }

  // The fast kernel against the reference, with the computation f as the reducer.
  void ExpectWindowsAgree(const Module& module, WindowReduction& reduction, int round, Tensor* reference) {
    reduction.computation = module.FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = ReduceWindow(module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> slow = ReduceWindowByProgram(module, reduction, runtime_);
    ASSERT_TRUE(fast.ok() && slow.ok());
    EXPECT_TRUE(ValuesAgree((*fast)[0], (*slow)[0], 0)) << "round " << round;
    *reference = (*slow)[0];
  }

  std::mt19937 random_{20240607};
  SerialRuntime runtime_;
};

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kF64,  ElementType::kBF16,
                                  ElementType::kS32, ElementType::kS8,   ElementType::kU64,
                                  ElementType::kC64, ElementType::kC128, ElementType::kPred};

TEST_F(FastPathsTest, DotEqualsItsFormula) {
  for (int round = 0; round < 200; ++round) {
    const ElementType type = kTypes[round % 9];
    const int64_t batch = Random(1, 3), rows = Random(0, 40), columns = Random(0, 40), inner = Random(0, 40);
    // lhs [rows, batch, inner], rhs [columns, inner, batch]: everything is transposed.
    const Tensor lhs = RandomTensor(type, {rows, batch, inner}), rhs = RandomTensor(type, {columns, inner, batch});
    const DotDimensionNumbers numbers = {{1}, {2}, {2}, {1}};
    const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime_);
    const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    EXPECT_EQ(fast->dimensions(), absl::Span<const int64_t>({batch, rows, columns}));
    EXPECT_TRUE(ValuesAgree(*fast, *reference, 0))
        << ElementTypeName(type) << " " << rows << "x" << inner << "x" << columns;
  }
}

// Small integers are multiplied as floats while their sums are exact: also the largest ones, of any length, and with
// results that keep the low bits alone.
TEST_F(FastPathsTest, DotOfSmallIntegersEqualsItsFormula) {
  constexpr ElementType kIntegers[] = {ElementType::kS4,  ElementType::kS8,  ElementType::kU8,
                                       ElementType::kS16, ElementType::kU16, ElementType::kS32};
  for (int round = 0; round < 300; ++round) {
    const ElementType l = kIntegers[Random(0, 5)], r = kIntegers[Random(0, 5)];
    const ElementType results[] = {ElementType::kS32, ElementType::kS64, ElementType::kS8,
                                   ElementType::kU16, ElementType::kU32, l};
    const ElementType type = results[Random(0, 5)];
    const int64_t rows = Random(1, 9), columns = Random(1, 20),
                  inner = round % 4 == 0 ? Random(900, 5000) : Random(1, 60);
    const bool extreme = Random(0, 1) == 1;
    const auto numbers_of = [&](ElementType element, const DimensionVector& sizes) {
      const int bits = BitWidth(element);
      const int64_t low = IsSigned(element) ? -(int64_t{1} << (bits - 1)) : 0, high = low + (int64_t{1} << bits) - 1;
      std::vector<int64_t> values;
      for (int64_t n = 0; n < sizes[0] * sizes[1]; ++n) values.push_back(extreme ? low : Random(low, high));
      return *ConvertElements(*Tensor::FromValues<int64_t>(ElementType::kS64, sizes, values), element, runtime_);
    };
    const Tensor lhs = numbers_of(l, {rows, inner}), rhs = numbers_of(r, {inner, columns});
    const DotDimensionNumbers numbers = {{}, {}, {1}, {0}};
    const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime_);
    const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    EXPECT_TRUE(fast->BitwiseEqual(*reference))
        << ElementTypeName(l) << " " << ElementTypeName(r) << " " << ElementTypeName(type) << " " << inner;
  }
}

TEST_F(FastPathsTest, ConvolutionEqualsItsFormula) {
  for (int round = 0; round < 300; ++round) {
    numerics::ConvolutionProblem problem;
    problem.type = numerics::AccumulatorType(kTypes[round % 8]);
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
TEST_F(FastPathsTest, ConvolutionToFewPositionsEqualsItsFormula) {
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
TEST_F(FastPathsTest, DilatedConvolutionEqualsItsFormula) {
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

// Groups of few features: values of the formula, and the bits of the packed loops. Some images are summed in bands.
TEST_F(FastPathsTest, GroupedConvolutionEqualsItsFormula) {
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

// A result that is written past the caches, in pieces that end anywhere in a row, has the bits of its images one by
// one, and those the values of the formula.
TEST_F(FastPathsTest, LargeDepthwiseConvolutionEqualsThatOfItsImages) {
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

TEST_F(FastPathsTest, PlanarConvolutionEqualsItsFormula) {
  constexpr ElementType kPlanarTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF64};
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const ElementType type = kPlanarTypes[round % 3];
    numerics::ConvolutionProblem problem;
    problem.type = numerics::AccumulatorType(type);
    problem.feature_group_count = Random(2, 5);
    // Every other window is a square of neighbours, of which several rows are summed at once.
    const int64_t side = round % 2 == 0 ? 3 + 2 * Random(0, 1) : 0;
    const int64_t spatial_rank = side > 0 ? 2 : Random(1, 3);
    DimensionVector stored = {Random(1, 2), problem.feature_group_count}, kernel_sizes;
    bool valid = true;
    for (int64_t j = 0; j < spatial_rank; ++j) {
      const bool is_row = j + 1 == spatial_rank;
      WindowDimension w = {Random(1, 4), Random(1, 3),     Random(-1, 4), Random(-1, 4), is_row ? 1 : Random(1, 2),
                           Random(1, 3), Random(0, 1) == 1};
      if (side > 0) {
        w.size = side;
        w.stride = w.window_dilation = w.base_dilation = 1;
      }
      valid &= AddDimension(w, is_row ? Random(8, 70) : Random(2, 6), problem, stored, kernel_sizes);
    }
    if (!valid) continue;
    kernel_sizes.push_back(1);
    kernel_sizes.push_back(problem.feature_group_count);
    // [batch, feature, spatial...] seen as [batch, spatial..., feature].
    const Tensor planes = RandomTensor(type, stored);
    const auto features_last = [](const Tensor& tensor) {
      DimensionVector sizes(tensor.dimensions().begin(), tensor.dimensions().end());
      DimensionVector strides(tensor.strides().begin(), tensor.strides().end());
      std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
      std::rotate(strides.begin() + 1, strides.begin() + 2, strides.end());
      return tensor.View(sizes, strides, 0);
    };
    const Tensor lhs = features_last(planes);
    Tensor kernel = *RandomTensor(problem.type, kernel_sizes).Contiguous();
    if (type == ElementType::kBF16 && round % 4 != 0) {
      // Weights that are bf16 as well, with products that are exact in f32, or with some that are not.
      kernel = *ConvertElements(*ConvertElements(kernel, type, runtime_), problem.type, runtime_);
      constexpr uint16_t kExtremes[] = {0x0001, 0x0080, 0x2b00, 0x5400, 0x7f7f, 0x7f80, 0x7fc0, 0x8000};
      if (round % 7 < 3) {
        uint16_t* const elements = Tensor(planes).mutable_data_as<uint16_t>();
        for (int i = 0; i < 3; ++i) elements[Random(0, planes.element_count() - 1)] = kExtremes[Random(0, 7)];
      }
      if (round % 5 == 0) kernel.mutable_data_as<float>()[0] *= 0x1p-100f;
    }
    problem.lhs = ArrayOf(lhs);
    problem.kernel = ArrayOf(kernel);
    ASSERT_TRUE(numerics::SuitsPlanes(problem));
    DimensionVector sizes = {stored[0], problem.feature_group_count};
    sizes.insert(sizes.end(), problem.output_spatial.begin(), problem.output_spatial.end());
    const Tensor fast = *Tensor::Allocate(type, sizes);
    ASSERT_TRUE(ConvolvePlanes(problem, type, Tensor(fast).mutable_data(), runtime_).ok());
    const Tensor converted = *ConvertElements(*lhs.Contiguous(), problem.type, runtime_);
    problem.lhs = ArrayOf(converted);
    const Tensor view = features_last(fast);
    Tensor reference =
        *Tensor::Allocate(problem.type, DimensionVector(view.dimensions().begin(), view.dimensions().end()));
    ASSERT_TRUE(numerics::ConvolveReference(problem, reference.mutable_data(), runtime_).ok());
    EXPECT_TRUE(ValuesAgree(view, *ConvertElements(reference, type, runtime_), 0)) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

// The gradients of filters: a window that is larger than the result.
TEST_F(FastPathsTest, WideConvolutionEqualsItsFormula) {
  int compared = 0, in_groups = 0, with_infinities = 0;
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
    ++compared;
    in_groups += is_grouped ? 1 : 0;
  }
  EXPECT_GT(compared, 80);
  EXPECT_GT(in_groups, 30);
  EXPECT_GT(with_infinities, 10);
}

std::shared_ptr<const Module> BinaryModule(ElementType type, absl::string_view opcode) {
  return ModuleFromText(absl::Substitute(
      "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  ROOT r = $0[] $1(a, b)\n}\n"
      "ENTRY e {\n  x = $0[4] parameter(0)\n  z = $0[] parameter(1)\n  ROOT r = $0[] reduce(x, z), dimensions={0}, "
      "to_apply=f\n}\n",
      std::string(ElementTypeName(type)), std::string(opcode)));
}

constexpr absl::string_view kFastPathsReducers[] = {"add", "multiply", "minimum", "maximum", "subtract"};

TEST_F(FastPathsTest, ReduceEqualsItsFormula) {
  for (int round = 0; round < 300; ++round) {
    const ElementType type = kTypes[round % 6];
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    const int64_t rank = Random(0, 4);
    Reduction reduction;
    reduction.inputs = {RandomTensor(type, RandomSizes(rank, 0, round % 20 == 0 ? 40 : 7))};
    reduction.inits = {RandomTensor(type, {})};
    DimensionVector dimensions;
    for (int64_t d = 0; d < rank; ++d) {
      if (Random(0, 1) == 1) dimensions.push_back(d);
    }
    reduction.dimensions = dimensions;
    reduction.computation = module->FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = Reduce(*module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> reference = ReduceByProgram(*module, reduction, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    // D3: a sum of narrow floats is rounded once, so only the fast path is right for bf16.
    if (type == ElementType::kBF16 && round % 5 == 0) continue;
    EXPECT_TRUE(ValuesAgree((*fast)[0], (*reference)[0], 0)) << "round " << round;
  }
}

// Long runs are folded in vectors, narrow floats as f32; of integers any reducer that does not mind the order.
TEST_F(FastPathsTest, LongRunsEqualTheirFormula) {
  static constexpr int64_t kRows[] = {1};
  for (ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64,
                           ElementType::kS8, ElementType::kU8, ElementType::kS32, ElementType::kS64}) {
    for (absl::string_view opcode : {"minimum", "maximum", "add", "and", "or"}) {
      if (IsFloat(type) && opcode != "minimum" && opcode != "maximum") continue;
      const std::shared_ptr<const Module> module = BinaryModule(type, opcode);
      ASSERT_NE(module, nullptr);
      for (int64_t size : {0, 1, 15, 16, 17, 33, 63, 64, 65, 79, 80, 128, 1039, 1040, 1041, 3000}) {
        std::vector<float> values(static_cast<size_t>(3 * size));
        for (float& value : values) value = static_cast<float>(Random(-1000, 1000));
        if (size > 70) {
          values[static_cast<size_t>(Random(0, size - 1))] = std::numeric_limits<float>::quiet_NaN();
          values[static_cast<size_t>(size + Random(0, size - 1))] = -std::numeric_limits<float>::infinity();
        }
        const Tensor f32 = *Tensor::FromValues<float>(ElementType::kF32, {3, size}, values);
        Reduction reduction;
        reduction.inputs = {*ConvertElements(f32, type, runtime_)};
        reduction.inits = {RandomTensor(type, {})};
        reduction.dimensions = kRows;
        reduction.computation = module->FindComputation("f");
        const absl::StatusOr<std::vector<Tensor>> fast = Reduce(*module, reduction, runtime_);
        const absl::StatusOr<std::vector<Tensor>> reference = ReduceByProgram(*module, reduction, runtime_);
        ASSERT_TRUE(fast.ok() && reference.ok());
        EXPECT_TRUE((*fast)[0].BitwiseEqual((*reference)[0])) << ElementTypeName(type) << " " << opcode << " " << size;
      }
    }
  }
}

// Bf16 is widened where it is read: as its copy in f32, whichever dimensions are reduced.
TEST_F(FastPathsTest, ReductionsOfBf16EqualThoseOfTheirCopiesInF32) {
  for (absl::string_view opcode : {"add", "minimum", "maximum"}) {
    const std::shared_ptr<const Module> narrow = BinaryModule(ElementType::kBF16, opcode);
    const std::shared_ptr<const Module> wide = BinaryModule(ElementType::kF32, opcode);
    ASSERT_TRUE(narrow != nullptr && wide != nullptr);
    for (int round = 0; round < 60; ++round) {
      const DimensionVector sizes = {Random(1, 12), Random(1, round % 10 == 0 ? 1100 : 40), Random(1, 70)};
      Tensor x = *ConvertElements(RandomTensor(ElementType::kF32, sizes), ElementType::kBF16, runtime_);
      if (round % 2 == 1) x = BackInOrder(*InOrder(x, {2, 0, 1}).Contiguous(), {2, 0, 1});
      DimensionVector dimensions;
      for (int64_t d = 0; d < 3; ++d) {
        if ((round % 7 + 1) >> d & 1) dimensions.push_back(d);
      }
      Reduction reduction;
      reduction.inputs = {x};
      reduction.inits = {RandomTensor(ElementType::kBF16, {})};
      reduction.dimensions = dimensions;
      reduction.computation = narrow->FindComputation("f");
      const absl::StatusOr<std::vector<Tensor>> direct = Reduce(*narrow, reduction, runtime_);
      reduction.inputs = {*ConvertElements(x, ElementType::kF32, runtime_)};
      reduction.inits = {*ConvertElements(reduction.inits[0], ElementType::kF32, runtime_)};
      reduction.computation = wide->FindComputation("f");
      const absl::StatusOr<std::vector<Tensor>> copied = Reduce(*wide, reduction, runtime_);
      ASSERT_TRUE(direct.ok() && copied.ok());
      EXPECT_TRUE((*direct)[0].BitwiseEqual(*ConvertElements((*copied)[0], ElementType::kBF16, runtime_)))
          << opcode << " round " << round;
    }
  }
}

// As they are computed on this processor; HLOSCOPE_CPU=avx2 asks for the loops of others.
TEST_F(FastPathsTest, BandsOfSumsEqualTheirFormula) {
  for (const int64_t side : {3, 5}) {
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

TEST_F(FastPathsTest, ReduceWindowEqualsItsFormula) {
  for (int round = 0; round < 400; ++round) {
    const ElementType type = kTypes[round % 6];
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    const int64_t rank = Random(0, 3);
    WindowReduction reduction;
    reduction.inputs = {RandomTensor(type, RandomSizes(rank, 1, round % 4 == 0 ? 20 : 6))};
    reduction.inits = {RandomTensor(type, {})};
    bool valid = true;
    const int64_t cumulative = Random(0, 5);
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t size = reduction.inputs[0].dimension(d);
      WindowDimension w;
      if (cumulative < rank) {
        if (d == cumulative) {
          w.size = size;
          w.padding_low = size - 1;
        }
      } else {
        w.size = Random(1, 3);
        w.stride = Random(1, 3);
        w.padding_low = Random(-1, 3);
        w.padding_high = Random(-1, 3);
        w.base_dilation = Random(1, 3);
        w.window_dilation = Random(1, 2);
      }
      const std::optional<int64_t> count = WindowCount(size, w);
      valid = valid && count;
      reduction.window.push_back(w);
      reduction.window_counts.push_back(count.value_or(0));
    }
    if (!valid) continue;
    Tensor reference;
    ExpectWindowsAgree(*module, reduction, round, &reference);

    // The formula, one position after the other.
    if (rank != 1 || type != ElementType::kS32 || round % 5 != 4) continue;
    const Tensor x = *reduction.inputs[0].Contiguous();
    for (int64_t o = 0; o < reduction.window_counts[0]; ++o) {
      int32_t expected = *reduction.inits[0].data_as<int32_t>();
      const WindowDimension& w = reduction.window[0];
      for (int64_t k = 0; k < w.size; ++k) {
        const int64_t p = o * w.stride + k * w.window_dilation - w.padding_low;
        if (p < 0 || p % w.base_dilation != 0 || p / w.base_dilation >= x.dimension(0)) continue;
        expected -= x.data_as<int32_t>()[p / w.base_dilation];
      }
      EXPECT_EQ(reference.data_as<int32_t>()[o], expected);
    }
  }
}

// Windows over the dimensions before the last one, whose elements are folded side by side, as in a network's pooling.
TEST_F(FastPathsTest, WindowsOfWholeRowsEqualTheirFormula) {
  for (int round = 0; round < 150; ++round) {
    const ElementType type = round % 3 == 2 ? ElementType::kBF16 : ElementType::kF32;
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    WindowReduction reduction;
    reduction.inputs = {RandomTensor(type, {Random(1, 2), Random(1, 9), Random(1, 9), Random(1, 150)})};
    reduction.inits = {RandomTensor(type, {})};
    bool valid = true;
    for (int64_t d = 0; d < 4; ++d) {
      WindowDimension w;
      if (d == 1 || d == 2) {
        w.size = Random(1, 4);
        w.stride = Random(1, 3);
        w.padding_low = Random(-1, 2);
        w.padding_high = Random(-1, 2);
        w.base_dilation = round % 4 == 0 ? 2 : 1;
        w.window_dilation = round % 5 == 0 ? 2 : 1;
      }
      const std::optional<int64_t> count = WindowCount(reduction.inputs[0].dimension(d), w);
      valid = valid && count;
      reduction.window.push_back(w);
      reduction.window_counts.push_back(count.value_or(0));
    }
    if (!valid) continue;
    Tensor reference;
    ExpectWindowsAgree(*module, reduction, round, &reference);
  }
}

TEST_F(FastPathsTest, SortEqualsTheAlgorithmOfTheSpec) {
  for (int round = 0; round < 120; ++round) {
    const ElementType type = kTypes[round % 6];
    const absl::string_view direction =
        std::vector<absl::string_view>{"LT", "GT", "LE"}[static_cast<size_t>(round % 3)];
    const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
        "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  c = s32[] parameter(2)\n"
        "  d = s32[] parameter(3)\n  ROOT r = pred[] compare(a, b), direction=$1\n}\nENTRY e {\n  x = $0[4] "
        "parameter(0)\n"
        "  y = s32[4] parameter(1)\n  ROOT r = ($0[4], s32[4]) sort(x, y), dimensions={0}, to_apply=f\n}\n",
        std::string(ElementTypeName(type)), std::string(direction)));
    ASSERT_NE(module, nullptr);
    const DimensionVector sizes = RandomSizes(2, 1, round % 10 == 0 ? 100 : 20);
    Sort sort;
    sort.operands = {RandomTensor(type, sizes), RandomTensor(ElementType::kS32, sizes)};
    sort.dimension = Random(0, 1);
    sort.comparator = module->FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
    const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
    ASSERT_TRUE(fast.ok() && lanes.ok());
    for (size_t k = 0; k < 2; ++k) EXPECT_TRUE(ValuesAgree((*fast)[k], (*lanes)[k], 0)) << "round " << round;
  }
}

// Lines that are long enough to be sorted by digits: any bits, ties, both zeros and, in every other round, NaNs. The
// second operand shows which of several equal elements went first.
TEST_F(FastPathsTest, SortOfLongLinesEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kS32,
                               ElementType::kU32, ElementType::kS16,  ElementType::kU16};
  for (int round = 0; round < 28; ++round) {
    const ElementType type = types[round % 7];
    const std::string compare = absl::StrCat("direction=", round % 2 == 0 ? "LT" : "GT",
                                             IsFloat(type) && round >= 21 ? ", type=TOTALORDER" : "");
    const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
        "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  c = s32[] parameter(2)\n"
        "  d = s32[] parameter(3)\n  ROOT r = pred[] compare(a, b), $1\n}\nENTRY e {\n  x = $0[2,300] parameter(0)\n"
        "  y = s32[2,300] parameter(1)\n  ROOT r = ($0[2,300], s32[2,300]) sort(x, y), dimensions={1}, to_apply=f\n}\n",
        std::string(ElementTypeName(type)), compare));
    ASSERT_NE(module, nullptr);
    Tensor keys = *Tensor::Allocate(type, {2, 300}), numbers = *Tensor::Allocate(ElementType::kS32, {2, 300});
    const bool may_have_nan = round % 4 < 2;
    for (int64_t i = 0; i < 600; ++i) {
      const int64_t kind = Random(0, 3);
      uint32_t bits = static_cast<uint32_t>(random_());
      const uint32_t sign = StorageBytes(type) == 4 ? 0x80000000u : 0x8000u;
      if (kind == 0) bits = bits % 2 == 0 ? 0 : sign;
      if (kind == 1) bits = bits % 16;
      if (IsFloat(type) && !may_have_nan) bits &= ~(sign >> 1);  // no exponent of all ones
      std::memcpy(keys.mutable_data() + i * keys.element_bytes(), &bits, static_cast<size_t>(keys.element_bytes()));
      numbers.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(i);
    }
    const Sort sort = {{keys, numbers}, 1, module->FindComputation("f")};
    const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
    const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
    ASSERT_TRUE(fast.ok() && lanes.ok());
    for (size_t k = 0; k < 2; ++k) EXPECT_TRUE((*fast)[k].BitwiseEqual((*lanes)[k])) << "round " << round << " " << k;
  }
}

// Lines that are sorted without their positions: of all lengths around those at which another way is taken, with keys
// of any bits, few different ones, all alike, and already in order; both zeros and, in some rounds, NaNs.
TEST_F(FastPathsTest, SortOfOneOperandEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kS32,
                               ElementType::kU32, ElementType::kS16,  ElementType::kU16, ElementType::kS8,
                               ElementType::kU8,  ElementType::kF64,  ElementType::kS64, ElementType::kPred};
  const int64_t lengths[] = {1, 2, 15, 16, 17, 33, 64, 100, 129, 255, 256, 257, 384, 511, 700, 3000, 40000};
  int round = 0;
  for (const int64_t length : lengths) {
    for (const ElementType type : types) {
      ++round;
      const int kind = round % 5;
      const bool may_have_nan = round % 7 == 0;
      const std::string compare = absl::StrCat("direction=", round % 2 == 0 ? "LT" : "GT",
                                               IsFloat(type) && round % 3 == 0 ? ", type=TOTALORDER" : "");
      const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
          "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  ROOT r = pred[] compare(a, b), $1\n}\n"
          "ENTRY e {\n  x = $0[$2] parameter(0)\n  ROOT r = $0[$2] sort(x), dimensions={0}, to_apply=f\n}\n",
          std::string(ElementTypeName(type)), compare, length));
      ASSERT_NE(module, nullptr);
      Tensor keys = *Tensor::Allocate(type, {length});
      const int bytes = StorageBytes(type);
      const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
      for (int64_t i = 0; i < length; ++i) {
        uint64_t bits = random_() | static_cast<uint64_t>(random_()) << 32;
        if (kind == 1) bits = bits % 8 | (bits & sign);
        if (kind == 2) bits = sign;
        if (kind == 3) bits = static_cast<uint64_t>(i);
        if (kind == 4) bits = i % 3 == 0 ? sign : i % 3 == 1 ? 0 : bits;
        if (IsFloat(type) && !may_have_nan) bits &= ~(sign >> 1);  // no exponent of all ones
        if (type == ElementType::kPred) bits &= 1;
        std::memcpy(keys.mutable_data() + i * bytes, &bits, static_cast<size_t>(bytes));
      }
      const Sort sort = {{keys}, 0, module->FindComputation("f")};
      const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
      const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
      ASSERT_TRUE(fast.ok() && lanes.ok());
      EXPECT_TRUE((*fast)[0].BitwiseEqual((*lanes)[0])) << ElementTypeName(type) << " " << length << " " << compare;
    }
  }
}

// The comparator of numbers without kinds of NaN and signs of zero: what it takes for equal stays in order, with its
// bits. NaNs of both signs, both zeros, and lines without any of them.
TEST_F(FastPathsTest, SortOfCanonicalNumbersEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64};
  int round = 0;
  for (const int64_t length : {1, 2, 17, 100, 257, 700, 3000}) {
    for (const ElementType type : types) {
      for (const bool has_positions : {false, true}) {
        ++round;
        const std::string name(ElementTypeName(type));
        const std::string canonical = absl::Substitute(
            "  n$1 = pred[] compare($1, $1), direction=NE\n  e$1 = pred[] compare($1, zero), direction=EQ\n"
            "  z$1 = $0[] select(e$1, zero, $1)\n  k$1 = $0[] select(n$1, other, z$1)\n",
            name, "A");
        const std::shared_ptr<const Module> module = ModuleFromText(
            absl::Substitute("HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n$1"
                             "  other = $0[] constant(nan)\n  zero = $0[] constant(0)\n$2$3"
                             "  ROOT r = pred[] compare(ka, kb), direction=$4, type=TOTALORDER\n}\n"
                             "ENTRY e {\n  x = $0[$5] parameter(0)\n  ROOT r = $0[$5] negate(x)\n}\n",
                             name, has_positions ? "  c = s32[] parameter(2)\n  d = s32[] parameter(3)\n" : "",
                             absl::StrReplaceAll(canonical, {{"A", "a"}}), absl::StrReplaceAll(canonical, {{"A", "b"}}),
                             round % 3 == 0 ? "GT" : "LT", length));
        ASSERT_NE(module, nullptr);
        const ComputationId comparator = module->FindComputation("f");
        ASSERT_TRUE(RecognizeComparator(*module, comparator).has_value() &&
                    RecognizeComparator(*module, comparator)->canonical);
        Tensor keys = *Tensor::Allocate(type, {length}), numbers = *Tensor::Allocate(ElementType::kS32, {length});
        const int bytes = StorageBytes(type);
        const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
        for (int64_t i = 0; i < length; ++i) {
          const uint64_t bits = random_() | static_cast<uint64_t>(random_()) << 32;
          uint64_t element = bits % 4 == 0 ? bits : bits % 4 == 1 ? bits & sign : bits % 64 | (bits & sign);
          if (round % 5 == 0) element = bits & ~(sign >> 1) & ~sign;  // all positive, no NaN
          std::memcpy(keys.mutable_data() + i * bytes, &element, static_cast<size_t>(bytes));
          numbers.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(i);
        }
        Sort sort = {{keys}, 0, comparator};
        if (has_positions) sort.operands.push_back(numbers);
        const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
        const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
        ASSERT_TRUE(fast.ok() && lanes.ok());
        for (size_t k = 0; k < sort.operands.size(); ++k) {
          EXPECT_TRUE((*fast)[k].BitwiseEqual((*lanes)[k])) << name << ' ' << length << ' ' << k;
        }
      }
    }
  }
}

// Copies in tiles: sizes around multiples of a tile, one of the strides 1 on either side.
TEST_F(FastPathsTest, TransposedCopiesEqualTheirElements) {
  for (const ElementType type :
       {ElementType::kS8, ElementType::kF32, ElementType::kBF16, ElementType::kF64, ElementType::kC128}) {
    for (int round = 0; round < 40; ++round) {
      const DimensionVector sizes = {Random(1, 3), Random(1, 70), Random(1, 70)};
      const Tensor x = RandomTensor(type, sizes);
      const int64_t s0 = x.strides()[0], s1 = x.strides()[1], s2 = x.strides()[2];
      const Tensor turned = x.View({sizes[0], sizes[2], sizes[1]}, {s0, s2, s1}, 0);
      const absl::StatusOr<Tensor> copy = turned.Copy();
      ASSERT_TRUE(copy.ok());
      for (int64_t a = 0; a < sizes[0]; ++a) {
        for (int64_t b = 0; b < sizes[2]; ++b) {
          for (int64_t c = 0; c < sizes[1]; ++c) {
            ASSERT_EQ(std::memcmp(copy->At({a, b, c}), x.At({a, c, b}), static_cast<size_t>(x.element_bytes())), 0);
          }
        }
      }
    }
  }
}

// Every element has its place, whether lines are written past the caches or not, aligned or not.
TEST_F(FastPathsTest, TransposedTilesEqualTheirElements) {
  const auto check = [](auto element) {
    using T = decltype(element);
    for (const bool past_cache : {false, true}) {
      for (const int64_t unaligned : {0, 1}) {
        constexpr int64_t kRows = 192, kColumns = 161;
        std::vector<T> x(kRows * kColumns);
        std::iota(x.begin(), x.end(), T{});
        std::vector<T> storage(x.size() + 2 * 64 / sizeof(T));
        T* target = storage.data();
        while (reinterpret_cast<uintptr_t>(target) % 64 != 0) ++target;
        target += unaligned;
        const std::array<int64_t, 2> sizes = {kColumns, kRows}, from = {1, kColumns}, to = {kRows, 1};
        numerics::CopyStrided(sizeof(T), sizes, reinterpret_cast<const uint8_t*>(x.data()), from,
                              reinterpret_cast<uint8_t*>(target), to, past_cache);
        int64_t wrong = 0;
        for (int64_t i = 0; i < kColumns; ++i) {
          for (int64_t j = 0; j < kRows; ++j)
            wrong += target[i * kRows + j] != x[static_cast<size_t>(j * kColumns + i)];
        }
        EXPECT_EQ(wrong, 0) << sizeof(T) << " bytes, " << past_cache << ", " << unaligned;
      }
    }
  };
  check(uint8_t{});
  check(uint16_t{});
  check(uint32_t{});
  check(uint64_t{});
}

TEST_F(FastPathsTest, FourierTransformsOfEveryLengthEqualTheFormula) {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 70; ++n) lengths.push_back(n);
  // Beyond what one pass takes: powers of two, products of small and of large primes, a prime.
  for (const int64_t n : {900, 1001, 2 * 1009, 1 << 15, 1 << 16, 10007, 20000, 3 * 7 * 11 * 101, 65537}) {
    lengths.push_back(n);
  }
  for (const int64_t n : lengths) {
    std::vector<std::complex<double>> x(static_cast<size_t>(n)), y;
    for (auto& value : x) value = {static_cast<double>(Random(-9, 9)), static_cast<double>(Random(-9, 9))};
    y = x;
    const numerics::FourierTransform transform(n, runtime_);
    std::vector<std::complex<double>> scratch(static_cast<size_t>(transform.scratch_size()));
    ASSERT_TRUE(transform.Forward(y.data(), scratch.data(), runtime_).ok());
    const double tolerance = 1e-12 * std::sqrt(static_cast<double>(n));
    for (int64_t k = 0; k < n; k += n / 70 + 1) {
      std::complex<double> expected = 0;
      for (int64_t t = 0; t < n; ++t) expected += x[static_cast<size_t>(t)] * numerics::RootOfUnity(k * t, n);
      EXPECT_NEAR(std::abs(y[static_cast<size_t>(k)] - expected), 0, 10 * tolerance) << n;
    }
    ASSERT_TRUE(transform.Inverse(y.data(), scratch.data(), runtime_).ok());
    double worst = 0;
    for (size_t t = 0; t < x.size(); ++t) worst = std::max(worst, std::abs(y[t] - x[t]));
    EXPECT_LT(worst, tolerance) << n;
  }
}

TEST_F(FastPathsTest, RootsOfUnityAreExactAtTheQuarters) {
  for (int64_t n : {4, 8, 12, 100}) {
    EXPECT_EQ(numerics::RootOfUnity(0, n), std::complex<double>(1, 0));
    EXPECT_EQ(numerics::RootOfUnity(n / 4, n), std::complex<double>(0, -1));
    EXPECT_EQ(numerics::RootOfUnity(n / 2, n), std::complex<double>(-1, 0));
    EXPECT_EQ(numerics::RootOfUnity(3 * n / 4, n), std::complex<double>(0, 1));
  }
  EXPECT_NEAR(std::abs(numerics::RootOfUnity(1, 3) - std::polar(1.0, -2.0943951023931953)), 0, 1e-15);
}

}  // namespace
}  // namespace hloscope::evaluator
