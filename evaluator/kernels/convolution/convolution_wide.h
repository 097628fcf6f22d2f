// Convolutions whose window covers more than their result has positions, as the gradients of filters are: few sums of
// many products.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_WIDE_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_WIDE_H_

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/convolution/convolution.h"

namespace hloscope::evaluator {

// True if ConvolveWideWindows can compute `problem` (whose arrays may have any strides here) and is worth it.
bool SuitsWideWindows(const numerics::ConvolutionProblem& problem);

// The input and the kernel lie densely in the order [input feature, spatial..., batch] and [input feature, spatial...,
// output feature]. The result is written as by Convolve. Sums are added in another order than that of the formula; it
// depends on the sizes alone. Errors: Cancelled, ResourceExhausted.
absl::Status ConvolveWideWindows(const numerics::ConvolutionProblem& problem, uint8_t* result, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_WIDE_H_
