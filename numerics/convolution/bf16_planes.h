// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution of single planes from bf16 to bf16 for processors of CpuLevel::kAvx512: a row of the input is
// widened, shifted, multiplied and rounded in registers. The sums have the bits of SumBand (depthwise_lanes.h).
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_BF16_PLANES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_BF16_PLANES_H_

#include <cstdint>

namespace hloscope::numerics {

// A dense plane, and a window of side x side elements, 3 or 5, that moves by 1 over it and the zeros around it.
struct Bf16Plane {
  const uint16_t* input;
  int64_t rows, columns;
  int64_t zeros_above, zeros_left;  // below zero: so many rows or columns are left out
  const float* weights;             // [side, side]
  int64_t side;
  int64_t output_rows, output_columns;
};

// Writes [output_rows, output_columns] to `output` and returns true; returns false for other sides and on a smaller
// processor. Zeros are multiplied: requires finite weights.
bool ConvolveBf16Plane(const Bf16Plane& plane, uint16_t* output);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_BF16_PLANES_H_
