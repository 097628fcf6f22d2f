// SPDX-License-Identifier: Apache-2.0
// e^x of f32 in f32 alone: half the work of the way through f64 (float_math.h), still within 1 ulp of the correctly
// rounded value (docs/ops/elementwise.md 12; tried on every f32). Without fused multiply-adds, so every instruction
// set computes the same bits.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_EXP_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_EXP_H_

#include <bit>
#include <cstdint>

#include "numerics/elements/float_math.h"

namespace hloscope::numerics {
namespace float_math {

HLOSCOPE_MATH_INLINE float ExpSingle(float x) {
  // Adding this rounds to an integer k, which is then in the low bits, as k + 254.
  constexpr float kRounderSingle = 0x1.8p23f + 254;
  // ln 2 in two parts: the product of the first with k is exact.
  constexpr float kHigh = 0.693359375f, kLow = -2.12194440e-4f;
  // Below, the result is 0. NaN stays NaN.
  x = x < -104.0f ? -104.0f : x;
  // From 2^130 on it is infinite. The limit is one of integers, which takes one instruction.
  constexpr int32_t kMost = std::bit_cast<int32_t>(kRounderSingle + 130.0f);
  const int32_t rounded = std::bit_cast<int32_t>(x * 1.44269504088896341f + kRounderSingle);
  const int32_t bits = rounded < kMost ? rounded : kMost;
  const float k = std::bit_cast<float>(bits) - kRounderSingle;
  // x = k ln 2 + r, |r| <= 0.35, r = high - low with an exact high.
  const float high = x - k * kHigh, low = k * kLow;
  const float r = high - low, r2 = r * r;
  // A polynomial of degree 5 in r, its halves side by side.
  const float p4 = 1.9875691500e-4f * r + 1.3981999507e-3f;
  const float p2 = 8.3334519073e-3f * r + 4.1665795894e-2f;
  const float p0 = 1.6666665459e-1f * r + 5.0000001201e-1f;
  const float p = (p4 * r2 + p2) * r2 + p0;
  const float power = 1.0f + (high + (p * r2 - low));
  // 2^k in two factors: k goes beyond the exponents of f32 on both sides, and subnormal results round once more. The
  // 254 are twice the bias of an exponent.
  const int32_t half = bits >> 1;
  const float first = std::bit_cast<float>(static_cast<uint32_t>(half) << 23);
  const float second = std::bit_cast<float>(static_cast<uint32_t>(bits - half) << 23);
  return power * first * second;
}

}  // namespace float_math
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_EXP_H_
