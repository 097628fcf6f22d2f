// SPDX-License-Identifier: Apache-2.0
// Convolutions whose window covers more than their result has positions, as the gradients of filters are: few sums of
// many products.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_WIDE_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_WIDE_H_

#include "numerics/convolution/convolution.h"

namespace hloscope::numerics {

// True if ConvolveWideWindows can compute `problem` (whose arrays may have any strides) and is worth it.
bool SuitsWideWindows(const ConvolutionProblem& problem);

// Bytes of the sums that it keeps beside the result.
int64_t WideScratchBytes(const ConvolutionProblem& problem);

// The orders of dimensions, outermost first, in which it reads the arrays: [input feature, spatial..., batch] and
// [input feature, spatial..., output feature].
struct WideOrders {
  DimensionVector lhs, kernel;
};
WideOrders OrdersOfWideWindows(size_t spatial_rank);

// The arrays, of the type of the sums, that it reads in planes, as they lie. The sums are the same, but for those of
// batch groups, where either both are read so or none.
struct WidePlanes {
  bool lhs = false, kernel = false;
};
WidePlanes PlanesOfWideWindows(const ConvolutionProblem& problem);

// The arrays may have any strides; those that are neither in such planes nor dense in the orders above are copied
// first. The result is written as by Convolve. They are of the type of the sums, or both of bf16: then one batch group,
// MultipliesPairs(), numbers that are safe for pairs, and where the window meets no input a finite kernel are required.
// Sums are added in another order than that of the formula; it depends on the sizes alone. Errors: kCancelled,
// kNoMemory.
Outcome ConvolveWideWindows(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_WIDE_H_
