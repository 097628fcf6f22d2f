// SPDX-License-Identifier: Apache-2.0
// Convolution of images in planes (numerics/convolution/convolution_planar.h) on elements of every type.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_PLANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_PLANES_H_

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/convolution/convolution.h"

namespace hloscope::evaluator {

// Writes the result in `type`, dense [batch, feature, output spatial...]. Elements of lhs are rounded to `type` before
// they are multiplied (D5). Requires numerics::SuitsPlanes. Errors: Cancelled; ResourceExhausted beyond the memory
// limit.
absl::Status ConvolvePlanes(const numerics::ConvolutionProblem& problem, ElementType type, uint8_t* result,
                            KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_PLANES_H_
