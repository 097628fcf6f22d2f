// SPDX-License-Identifier: Apache-2.0
// Convolution of f32, f64 and pairs of bf16 at the speed of the machine.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// As ConvolveByPatches, but the input is read where it is: the innermost loop follows a pointer for each output
// position and element of the kernel; padding and holes point at zeros. T: float, double. Errors: kCancelled.
template <typename T>
Outcome ConvolvePacked(const ConvolutionProblem& problem, T* result, Executor& executor);

// The same of pairs of bf16 (gemm_micro.h), which are the elements of the arrays, of type kU32: input features are
// counted in pairs. Sums are those of f32; Result: float, or uint16_t for bf16. Requires MultipliesPairs().
template <typename Result>
Outcome ConvolvePackedPairs(const ConvolutionProblem& problem, Result* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_
