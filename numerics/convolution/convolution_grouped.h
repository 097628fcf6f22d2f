// SPDX-License-Identifier: Apache-2.0
// Convolutions in groups of few output features. Side by side these would leave most of a vector empty; here it is
// output positions that lie side by side.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GROUPED_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GROUPED_H_

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// True if ConvolveGroups can compute `problem`, which is not empty, and is worth it.
bool SuitsGroups(const ConvolutionProblem& problem);

// The result has the bits of ConvolvePacked; padding is multiplied as zeros. T: float, double. Errors: kCancelled,
// kNoMemory.
template <typename T>
Outcome ConvolveGroups(const ConvolutionProblem& problem, T* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_GROUPED_H_
