// SPDX-License-Identifier: Apache-2.0
// Convolutions with holes between the inputs, as the gradients of inputs and transposed convolutions are: outputs that
// lie a period apart meet the same elements of the kernel, and the other elements only holes. The outputs of such a
// phase are a convolution without holes.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PHASES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PHASES_H_

#include <cstdint>

#include "numerics/convolution/convolution.h"
#include "numerics/parallel/small_vector.h"

namespace hloscope::numerics {

// The rows of a result, its output positions in order, that a phase computes.
struct PhaseRows {
  DimensionVector first, step, counts;  // by spatial dimension: positions first + n * step, 0 <= n < count
  DimensionVector strides;              // rows between neighbours of the whole result
  int64_t image_rows = 1;               // of the whole result

  // Row of the whole result that is number `n` of the phase.
  int64_t PlaceOf(int64_t n) const {
    int64_t place = 0;
    for (size_t j = counts.size(); j-- > 0; n /= counts[j]) place += (first[j] + n % counts[j] * step[j]) * strides[j];
    return place + n * image_rows;
  }
};

struct ConvolutionPhase {
  // Without dilation of the inputs. The kernel is a view of the elements that the outputs meet, in the same order;
  // empty if there are none.
  ConvolutionProblem problem;
  PhaseRows rows;
};

// How many phases `problem` is worth being computed in; 1 for one without holes. Sizes as IsEmpty says that they are.
int64_t PhaseCount(const ConvolutionProblem& problem);
// Number `phase` of them. If there is but one, it is the problem itself.
ConvolutionPhase PhaseOf(const ConvolutionProblem& problem, int64_t phase_count, int64_t phase);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PHASES_H_
