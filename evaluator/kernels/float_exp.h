// e^x of f32 in f32 alone: half the work of the way through f64 (float_math.h), still within 1 ulp of the correctly
// rounded value (spec/ops-a-elementwise.md 12; tried on every f32). Without fused multiply-adds, so every instruction
// set computes the same bits.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_FLOAT_EXP_H_
#define HLOSCOPE_EVALUATOR_KERNELS_FLOAT_EXP_H_

#include <bit>
#include <cstdint>

#include "evaluator/kernels/float_math.h"

namespace hloscope {
namespace float_math {

HLOSCOPE_MATH_INLINE float ExpSingle(float x) {
  // Adding this rounds to an integer, which then stands in the low bits.
  constexpr float kRounderSingle = 0x1.8p23f;
  // ln 2 in two parts: the product of the first with k is exact.
  constexpr float kHigh = 0.693359375f, kLow = -2.12194440e-4f;
  // Beyond these limits the result is 0 or infinite. NaN stays NaN.
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  const float shifted = x * 1.44269504088896341f + kRounderSingle;
  const float k = shifted - kRounderSingle;
  // x = k ln 2 + r, |r| <= 0.35, r = high - low with an exact high.
  const float high = x - k * kHigh, low = k * kLow;
  const float r = high - low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float power = 1.0f + (high + (p * (r * r) - low));
  // 2^k in two factors: k goes beyond the exponents of f32 on both sides, and subnormal results round once more.
  const int32_t exponent = std::bit_cast<int32_t>(shifted) - std::bit_cast<int32_t>(kRounderSingle);
  const int32_t half = exponent >> 1;
  const float first = std::bit_cast<float>((half + 127) << 23);
  const float second = std::bit_cast<float>((exponent - half + 127) << 23);
  return power * first * second;
}

}  // namespace float_math
}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_FLOAT_EXP_H_
