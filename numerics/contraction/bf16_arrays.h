// SPDX-License-Identifier: Apache-2.0
// Arrays of bf16 as operands and results of products in f32.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_BF16_ARRAYS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_BF16_ARRAYS_H_

#include <cstdint>

namespace hloscope::numerics {

// True if no product or sum of such numbers can be subnormal, which the loop for pairs (gemm_micro.h) would take for
// zero: all are zero or at least 2^-50 in size, so products are multiples of 2^-114.
bool IsSafeForPairs(const uint16_t* values, int64_t count);

// Each rounded as FloatToBf16 does (numerics/elements/numeric.h).
void RoundToBf16(const float* numbers, int64_t count, uint16_t* result);
void WidenBf16(const uint16_t* values, int64_t count, float* result);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_BF16_ARRAYS_H_
