// SPDX-License-Identifier: Apache-2.0
// Convolutions with wide windows (convolution_wide.h) and one batch group for each feature, as the gradients of
// depthwise filters are, of images and kernels whose planes lie in one piece, one feature after the other.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_GROUP_PLANES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_GROUP_PLANES_H_

#include "numerics/convolution/convolution.h"

namespace hloscope::numerics {

// True if the arrays, both of the type of the sums, can be read as they lie: one or two spatial dimensions, without
// dilation of the input or reversal.
bool GroupPlanesSuit(const ConvolutionProblem& problem);

// Bytes of the copies of planes that a thread keeps.
int64_t GroupPlanesBytes(const ConvolutionProblem& problem);

// Writes the result as Convolve does. Sums are added in an order of their own, which depends on the sizes alone.
// T: float, double. Errors: kCancelled, kNoMemory.
template <typename T>
Outcome ConvolveGroupPlanes(const ConvolutionProblem& problem, T* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_GROUP_PLANES_H_
