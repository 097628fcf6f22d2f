// SPDX-License-Identifier: Apache-2.0
// Logarithms of f32 in f32 alone: half the time of the way through f64, still within 1 ulp of
// the correctly rounded value (docs/ops/elementwise.md 12; tried on every f32), which 99.4 % of the results are.
// Without fused multiply-adds, so every instruction set computes the same bits.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_LOG_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_LOG_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "numerics/elements/float_math.h"

namespace hloscope::numerics {
namespace float_math {

// The k for which x / 2^k is in [sqrt(1/2), sqrt(2)), and that quotient. Requires a positive normal x.
HLOSCOPE_MATH_INLINE int32_t ExponentForLog(float x) {
  constexpr uint32_t kOne = 0x3f800000, kRootHalf = 0x3f3504f3;
  return static_cast<int32_t>((std::bit_cast<uint32_t>(x) + (kOne - kRootHalf)) >> 23) - 127;
}
HLOSCOPE_MATH_INLINE float MantissaForLog(float x, int32_t k) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) - (static_cast<uint32_t>(k) << 23));
}

// exponent ln 2 + log(1 + z) + lost, |z| < 0.42; `lost` is below an ulp of 1 + z.
HLOSCOPE_MATH_INLINE float JoinLogSingle(float exponent, float z, float lost) {
  // ln 2 in two parts: the product of the first with an exponent is exact.
  constexpr float kHigh = 0.693359375f, kLow = -2.12194440e-4f;
  // (log(1 + z) - z + z^2 / 2) / z^3, a polynomial of degree 8 in parts that do not wait for each other.
  const float z2 = z * z, z4 = z2 * z2;
  const float p0 = 3.3333331174e-1f + -2.4999993993e-1f * z, p2 = 2.0000714765e-1f + -1.6668057665e-1f * z;
  const float p4 = 1.4249322787e-1f + -1.2420140846e-1f * z, p6 = 1.1676998740e-1f + -1.1514610310e-1f * z;
  const float p = (p0 + p2 * z2) + ((p4 + p6 * z2) + 7.0376836292e-2f * z4) * z4;
  // From the smallest term to the largest one.
  const float rest = p * z2 * z + exponent * kLow + lost - 0.5f * z2;
  return (z + rest) + exponent * kHigh;
}

// The result for arguments outside the positive finite numbers: `zero` is the distance to the pole.
HLOSCOPE_MATH_INLINE float LogLimitsSingle(float zero, float log) {
  log = zero <= std::numeric_limits<float>::max() ? log : zero;
  log = zero == 0 ? -std::numeric_limits<float>::infinity() : log;
  return zero >= 0 ? log : std::numeric_limits<float>::quiet_NaN();
}

HLOSCOPE_MATH_INLINE float LogSingle(float x) {
  const bool is_subnormal = x < std::numeric_limits<float>::min();
  const float normal = is_subnormal ? x * 0x1p23f : x;
  const int32_t k = ExponentForLog(normal);
  const float exponent = static_cast<float>(k - (is_subnormal ? 23 : 0));
  return LogLimitsSingle(x, JoinLogSingle(exponent, MantissaForLog(normal, k) - 1, 0));
}

HLOSCOPE_MATH_INLINE float LogPlusOneSingle(float x) {
  const float sum = 1 + x;
  const int32_t k = ExponentForLog(sum);
  // Near 0 the sum has lost digits that x still has; elsewhere what it has lost counts by its share of the sum.
  const bool is_near = k == 0;
  const float lost = (x - (sum - 1)) / sum;
  const float log = JoinLogSingle(static_cast<float>(k), is_near ? x : MantissaForLog(sum, k) - 1, is_near ? 0 : lost);
  return x == 0 ? x : LogLimitsSingle(sum, log);  // keeps -0
}

}  // namespace float_math
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_LOG_H_
