// SPDX-License-Identifier: Apache-2.0
// How much of a convolution of planes is copied and multiplied at a time.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_STRIPS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_STRIPS_H_

#include <cstdint>
#include <vector>

#include "numerics/convolution/convolution.h"
#include "numerics/convolution/patch_matrices.h"

namespace hloscope::numerics {

// Of the copies with zeros around them, which are kept for the next time; what cannot be cut may take more.
constexpr int64_t kCopiedBytes = int64_t{8} << 20, kMostCopiedBytes = int64_t{32} << 20;

// Outputs along the first dimension whose inputs are copied together; 0 if what they need is too much.
int64_t OutputsOfStrip(const std::vector<ConvolutionProblem>& phases);

// Strips of outputs of which a thread copies the inputs, and multiplies them while they are in its cache. It waits for
// no other.
struct PatchStrips {
  int64_t outputs = 0;        // along the first dimension; 0: not so
  bool reads_planes = false;  // where they are, one feature after the other (plane_products.h); else they are packed
};

// For products of more than `least_columns` columns whose kernel has at most `most_kernel` elements. T: float or
// double.
template <typename T>
PatchStrips PatchStripsOf(const Phases& phases, int64_t least_columns, int64_t most_kernel);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_PATCH_STRIPS_H_
