// SPDX-License-Identifier: Apache-2.0
// Convolution of images whose planes lie one feature after the other (dim_labels like bf01_oi01->bf01) as products of
// the kernel as it lies and patches, which are packed from copies of the planes with zeros around them.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PATCHES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PATCHES_H_

#include "numerics/convolution/convolution.h"

namespace hloscope::numerics {

// True if ConvolvePatches computes `problem`, of which lhs may have any strides.
bool SuitsPatches(const ConvolutionProblem& problem, ElementType result_type);

// Bytes that ConvolvePatches takes beside the arrays, about.
int64_t PatchBytes(const ConvolutionProblem& problem);

// The kernel may have any strides. Writes the result dense [batch, feature, output spatial...]. Sums are added in an
// order that depends on the sizes alone. Equal to the formula up to that order, also where infinite weights lie beside
// the input. Errors: kCancelled, kNoMemory.
Outcome ConvolvePatches(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PATCHES_H_
