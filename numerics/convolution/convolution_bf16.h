// SPDX-License-Identifier: Apache-2.0
// Convolutions of bf16 without widened copies of the arrays.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_BF16_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_BF16_H_

#include <cstdint>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if ConvolveBf16 is worth it: `problem`, whose arrays are of bf16 and may have any strides, sums many products of
// several features in f32, or is depthwise. The processor makes no difference.
bool SuitsBf16(const ConvolutionProblem& problem);

// As Convolve, of arrays of bf16, dense (in some order if the window is wide: convolution_wide.h), and sums of f32;
// `result` is f32 or, rounded once, bf16. Where the processor multiplies no pairs of bf16, or some number is too small
// for them (bf16_arrays.h), the arrays are widened first. Requires SuitsBf16(problem). Errors: kCancelled, kNoMemory.
Outcome ConvolveBf16(const ConvolutionProblem& problem, ElementType result_type, uint8_t* result, Executor& executor);

// Bytes that it takes beside the arrays, at most about.
int64_t Bf16ScratchBytes(const ConvolutionProblem& problem, ElementType result_type);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_BF16_H_
