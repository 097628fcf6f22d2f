// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/convolution_pointwise.h"

#include "numerics/contraction/gemm.h"

namespace hloscope::numerics {

bool SuitsPointwise(const ConvolutionProblem& problem, ElementType result_type) {
  const bool is_float = problem.type == ElementType::kF32 || problem.type == ElementType::kF64;
  if (!is_float || problem.lhs.type != problem.type || result_type != problem.type || problem.window.empty() ||
      problem.feature_group_count != 1 || problem.batch_group_count != 1 || problem.IsEmpty()) {
    return false;
  }
  int64_t positions = 1;
  for (size_t j = problem.window.size(); j-- > 0;) {
    const WindowDimension& w = problem.window[j];
    const int64_t size = problem.lhs.sizes[j + 1];
    if (w.size != 1 || w.padding_low != 0 || w.base_dilation != 1 || problem.output_spatial[j] != size ||
        (size != 1 && (w.stride != 1 || problem.lhs.strides[j + 1] != positions))) {
      return false;
    }
    positions *= size;
  }
  return positions > 1;
}

bool TakesPointwiseKernel(const ConvolutionProblem& problem) {
  const StridedArray& kernel = problem.kernel;
  const size_t feature = kernel.rank() - 1;
  return kernel.type == problem.type && (kernel.strides[feature] == 1 || kernel.strides[feature - 1] == 1);
}

Outcome ConvolvePointwise(const ConvolutionProblem& problem, uint8_t* result, Executor& executor) {
  GemmSizes sizes = {problem.output_features(), 1, problem.input_features()};
  for (const int64_t size : problem.output_spatial) sizes.columns *= size;
  const size_t rank = problem.window.size();
  const MatrixView kernel = {problem.kernel.data, problem.kernel.strides[rank + 1], problem.kernel.strides[rank]};
  const MatrixView image = {problem.lhs.data, problem.lhs.strides.back(), 1};
  return MultiplyMatrixBatch(problem.type, problem.output_batch(), sizes, kernel, 0, image, problem.lhs.strides.front(),
                             result, executor);
}

}  // namespace hloscope::numerics
