// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution of images whose planes lie in one piece, one feature after the other (dim_labels like
// bf01_oi01->bf01), without bringing the features together first.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_PLANAR_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_PLANAR_H_

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/convolution/convolution.h"

namespace hloscope::evaluator {

// True if ConvolvePlanes applies. Of `problem`, lhs may have any strides and element type.
bool SuitsPlanes(const numerics::ConvolutionProblem& problem);

// Writes the result in `type`, dense [batch, feature, output spatial...]. Elements of lhs are rounded to `type` before
// they are multiplied (D5), sums are those of problem.type, in the order of the formula. Errors: Cancelled.
absl::Status ConvolvePlanes(const numerics::ConvolutionProblem& problem, ElementType type, uint8_t* result,
                            KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_PLANAR_H_
