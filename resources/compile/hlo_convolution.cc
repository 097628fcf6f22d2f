// SPDX-License-Identifier: Apache-2.0
#include "hlo_convolution.h"

#include "numerics/convolution/convolution.h"

namespace hlo {

void Convolve(const Convolution& convolution, const void* lhs, const void* kernel, void* result) {
  const size_t rank = static_cast<size_t>(convolution.rank);
  numerics::ConvolutionProblem problem;
  problem.type = convolution.type;
  problem.lhs = numerics::DenseArray(convolution.type, lhs, {convolution.lhs_sizes, convolution.lhs_sizes + rank + 2});
  problem.kernel =
      numerics::DenseArray(convolution.type, kernel, {convolution.kernel_sizes, convolution.kernel_sizes + rank + 2});
  for (size_t d = 0; d < rank; ++d) {
    numerics::WindowDimension window;
    window.size = convolution.kernel_sizes[d];
    window.stride = convolution.stride[d];
    window.padding_low = convolution.padding_low[d];
    window.base_dilation = convolution.base_dilation[d];
    window.window_dilation = convolution.window_dilation[d];
    window.reversal = convolution.reversal[d] != 0;
    problem.window.push_back(window);
  }
  problem.output_spatial.assign(convolution.output_spatial, convolution.output_spatial + rank);
  problem.feature_group_count = convolution.feature_group_count;
  problem.batch_group_count = convolution.batch_group_count;
  CheckDone(numerics::Convolve(problem, static_cast<uint8_t*>(result), ProgramThreads()));
}

}  // namespace hlo
