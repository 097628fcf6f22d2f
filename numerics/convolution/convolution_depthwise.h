// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions whose features are neighbours in memory: sums run over all features side by side.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_DEPTHWISE_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_DEPTHWISE_H_

#include <cstdint>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// One input and one output feature per group.
bool IsDepthwise(const ConvolutionProblem& problem);

// As Convolve. Requires IsDepthwise. Errors: kCancelled.
Outcome ConvolveDepthwise(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);

// The same of dense arrays of bf16 and sums of f32, with the bits that widened arrays give; the result is f32 or,
// rounded once, bf16. Requires HasPlaceLoops (depthwise_wide.h). Errors: kCancelled, kNoMemory.
Outcome ConvolveDepthwiseBf16(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result,
                              Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_DEPTHWISE_H_
