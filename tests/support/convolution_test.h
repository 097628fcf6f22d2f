// SPDX-License-Identifier: Apache-2.0
// Convolutions of random arrays, compared with the formula (numerics/convolution).
#ifndef HLOSCOPE_TESTS_SUPPORT_CONVOLUTION_TEST_H_
#define HLOSCOPE_TESTS_SUPPORT_CONVOLUTION_TEST_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/ops/window_rules.h"
#include "gtest/gtest.h"
#include "numerics/convolution/convolution.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/random_arrays.h"

namespace hloscope::evaluator {

// [batch, spatial..., feature].
inline DimensionVector ResultSizes(const numerics::ConvolutionProblem& problem) {
  DimensionVector sizes = {problem.output_batch()};
  sizes.insert(sizes.end(), problem.output_spatial.begin(), problem.output_spatial.end());
  sizes.push_back(problem.output_features());
  return sizes;
}

class ConvolutionPathsTest : public ::testing::Test, public RandomArrays {
 protected:
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
};

// [batch, feature, spatial...] seen as [batch, spatial..., feature].
inline Tensor FeaturesLast(const Tensor& planes) {
  DimensionVector sizes(planes.dimensions().begin(), planes.dimensions().end());
  DimensionVector strides(planes.strides().begin(), planes.strides().end());
  std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
  std::rotate(strides.begin() + 1, strides.begin() + 2, strides.end());
  return planes.View(sizes, strides, 0);
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_TESTS_SUPPORT_CONVOLUTION_TEST_H_
