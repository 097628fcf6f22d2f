// SPDX-License-Identifier: Apache-2.0
// Convolution with windows of one element, without strides, of small images whose planes lie in one piece, one feature
// after the other (dim_labels like bf01_oi01->bf01): each image is a matrix of features and positions, which the kernel
// multiplies. (Large ones: convolution_patches.h.)
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_POINTWISE_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_POINTWISE_H_

#include "numerics/convolution/convolution.h"

namespace hloscope::numerics {

// True if ConvolvePointwise applies. Of `problem`, lhs and the kernel may have any strides.
bool SuitsPointwise(const ConvolutionProblem& problem, ElementType result_type);
// True if it takes the kernel as it lies; otherwise that must be dense.
bool TakesPointwiseKernel(const ConvolutionProblem& problem);

// Writes the result, of problem.type, dense [batch, feature, output spatial...]. Errors: kCancelled.
Outcome ConvolvePointwise(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_POINTWISE_H_
