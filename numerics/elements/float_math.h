// SPDX-License-Identifier: Apache-2.0
// Transcendental functions of f32, computed in f64 without branches, so that loops over them vectorise. In f64 they are
// good to some 1e-11, so the one rounding to f32 gives the correctly rounded result but for rare ties. Sines and
// cosines end in f32 (TurnedSine).
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_MATH_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_MATH_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace hloscope::numerics {
namespace float_math {

// Inlined even into functions compiled for a larger instruction set.
#define HLOSCOPE_MATH_INLINE inline __attribute__((always_inline))

// Adding this to a double below 2^51 rounds it to an integer, which is then in the low bits.
inline constexpr double kRounder = 0x1.8p52;
// ln 2 in two parts: the product of the first with an integer of up to 20 bits is exact.
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// 2^k for an integer k in [-1022, 1023].
HLOSCOPE_MATH_INLINE double PowerOfTwo(double k) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(k + (kRounder + 1023)) << 52);
}

// x = k ln 2 + r with |r| <= ln 2 / 2; e^r - 1 is `growth`. Requires |x| < 700 or NaN.
struct ExpParts {
  double scale;  // 2^k
  double growth;
};
HLOSCOPE_MATH_INLINE ExpParts SplitExp(double x) {
  const double k = (x * std::numbers::log2e + kRounder) - kRounder;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  // Taylor: the first term left out is below 1e-11.
  double p = 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  return {PowerOfTwo(k), p * r};
}

// NaN stays NaN.
HLOSCOPE_MATH_INLINE double ClampTo(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// Beyond these limits an f32 exponential is 0 or infinite.
HLOSCOPE_MATH_INLINE double ClampExponent(double x) { return ClampTo(x, -120, 100); }

HLOSCOPE_MATH_INLINE double ExpInDouble(double x) {
  const ExpParts parts = SplitExp(ClampExponent(x));
  return parts.scale + parts.scale * parts.growth;
}
HLOSCOPE_MATH_INLINE double ExpMinusOneInDouble(double x) {
  const ExpParts parts = SplitExp(ClampExponent(x));
  return parts.scale * parts.growth + (parts.scale - 1);
}

HLOSCOPE_MATH_INLINE float Exp(float x) { return static_cast<float>(ExpInDouble(static_cast<double>(x))); }

HLOSCOPE_MATH_INLINE float ExpMinusOne(float x) {
  const float result = static_cast<float>(ExpMinusOneInDouble(static_cast<double>(x)));
  return x == 0 ? x : result;  // keeps -0
}

// tanh x = (e^2x - 1) / (e^2x + 1), odd.
HLOSCOPE_MATH_INLINE float Tanh(float x) {
  const double size = std::fabs(static_cast<double>(x));
  const double growth = ExpMinusOneInDouble(2 * (size > 20 ? 20 : size));
  return std::copysign(static_cast<float>(growth / (growth + 2)), x);
}
HLOSCOPE_MATH_INLINE float Sinh(float x) {
  const double growth = ExpMinusOneInDouble(std::fabs(static_cast<double>(x)));
  return std::copysign(static_cast<float>((growth + growth / (growth + 1)) / 2), x);
}
HLOSCOPE_MATH_INLINE float Cosh(float x) {
  const double power = ExpInDouble(std::fabs(static_cast<double>(x)));
  return static_cast<float>((power + 1 / power) / 2);
}

// The third of the exponent and of the mantissa's upper bits together is that of the root but for 4 %; a step of
// Halley's method cubes what is missing.
HLOSCOPE_MATH_INLINE double CbrtStep(double y, double x) {
  const double cube = y * y * y;
  return y * ((cube + 2 * x) / (2 * cube + x));
}
HLOSCOPE_MATH_INLINE float Cbrt(float x) {
  constexpr double kThirds = 715094163;  // two thirds of the exponent's bias, in bits, less what halves the error
  const double size = std::fabs(static_cast<double>(x));
  // The upper half of the bits as the low bits of 2^52.
  const double upper = std::bit_cast<double>((std::bit_cast<uint64_t>(size) >> 32) | 0x4330000000000000) - 0x1p52;
  const double near = std::bit_cast<double>(std::bit_cast<uint64_t>(upper * (1.0 / 3) + (kThirds + kRounder)) << 32);
  const double root = CbrtStep(CbrtStep(near, size), size);
  const bool is_regular = (size > 0) & (size <= static_cast<double>(std::numeric_limits<float>::max()));
  return is_regular ? std::copysign(static_cast<float>(root), x) : x + x;
}

// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)). Requires a positive normal x.
struct LogParts {
  double exponent;
  double mantissa;
};
HLOSCOPE_MATH_INLINE LogParts SplitLog(double x) {
  constexpr uint64_t kOne = 0x3ff0000000000000, kRootHalf = 0x3fe6a09e667f3bcd;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const uint64_t biased = (bits + (kOne - kRootHalf)) >> 52;
  // The integer as the low bits of 2^52.
  const double exponent = std::bit_cast<double>(biased | 0x4330000000000000) - (0x1p52 + 1023);
  return {exponent, std::bit_cast<double>(bits - ((biased - 1023) << 52))};
}
// exponent ln 2 + log((1 + t) / (1 - t)), |t| < 0.172.
HLOSCOPE_MATH_INLINE double JoinLog(double exponent, double t) {
  const double s = t * t;
  double p = 1.0 / 13;
  p = p * s + 1.0 / 11;
  p = p * s + 1.0 / 9;
  p = p * s + 1.0 / 7;
  p = p * s + 1.0 / 5;
  p = p * s + 1.0 / 3;
  const double log = 2 * t + 2 * t * s * p;
  return exponent * kLn2High + (exponent * kLn2Low + log);
}
// Requires a positive normal x.
HLOSCOPE_MATH_INLINE double LogInDouble(double x) {
  const LogParts parts = SplitLog(x);
  return JoinLog(parts.exponent, (parts.mantissa - 1) / (parts.mantissa + 1));
}

// The result for arguments outside the positive finite numbers: `zero` is the distance to the pole.
HLOSCOPE_MATH_INLINE double LogLimits(double zero, double log) {
  log = zero > std::numeric_limits<double>::max() ? zero : log;
  log = zero == 0 ? -std::numeric_limits<double>::infinity() : log;
  return zero >= 0 ? log : std::numeric_limits<double>::quiet_NaN();
}

// Sine and cosine by reduction to |r| <= pi / 4. Requires |x| < kMaxReduced.
inline constexpr float kMaxReduced = 0x1p27f;
struct Angle {
  double r;
  uint64_t quadrant;  // in the low two bits
};
HLOSCOPE_MATH_INLINE Angle ReduceAngle(float x) {
  // pi / 2 in two parts: the product of the first, of 25 bits, with a quadrant number is exact.
  constexpr double kHigh = 0x1.921fb5p0, kLow = 0x1.110b4611a6263p-26;
  const double wide = static_cast<double>(x);
  const double rounded = wide * (2 / std::numbers::pi) + kRounder;
  const double k = rounded - kRounder;
  return {(wide - k * kHigh) - k * kLow, std::bit_cast<uint64_t>(rounded)};
}
HLOSCOPE_MATH_INLINE double SineOfReduced(double r) {
  const double s = r * r;
  double p = 1.0 / 6227020800;
  p = p * s - 1.0 / 39916800;
  p = p * s + 1.0 / 362880;
  p = p * s - 1.0 / 5040;
  p = p * s + 1.0 / 120;
  p = p * s - 1.0 / 6;
  return r + r * s * p;
}
HLOSCOPE_MATH_INLINE double CosineOfReduced(double r) {
  const double s = r * r;
  double p = -1.0 / 87178291200;
  p = p * s + 1.0 / 479001600;
  p = p * s - 1.0 / 3628800;
  p = p * s + 1.0 / 40320;
  p = p * s - 1.0 / 720;
  p = p * s + 1.0 / 24;
  p = p * s - 0.5;
  return 1 + s * p;
}
// The rest of the angle as the sum of two f32, in which the polynomials are computed: two thirds of the time, still
// within 1 ulp of the correctly rounded value (tried on every moderate f32).
HLOSCOPE_MATH_INLINE float TurnedSine(const Angle& angle, uint32_t turns) {
  const float r = static_cast<float>(angle.r), low = static_cast<float>(angle.r - static_cast<double>(r));
  const float s = r * r;
  const float sine = r + (r * s * ((-1.9515295891e-4f * s + 8.3321608736e-3f) * s - 1.6666654611e-1f) + low);
  const float p = (2.443315711809948e-5f * s - 1.388731625493765e-3f) * s + 4.166664568298827e-2f;
  const float cosine = 1 - (0.5f * s - (s * s * p - r * low));
  const uint32_t quadrant = static_cast<uint32_t>(angle.quadrant) + turns;
  const float value = (quadrant & 1) != 0 ? cosine : sine;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) ^ (quadrant & 2) << 30);
}
HLOSCOPE_MATH_INLINE float SineOfModerate(float x) {
  const float sine = TurnedSine(ReduceAngle(x), 0);
  return x == 0 ? x : sine;  // keeps -0
}
HLOSCOPE_MATH_INLINE float CosineOfModerate(float x) { return TurnedSine(ReduceAngle(x), 1); }
HLOSCOPE_MATH_INLINE bool IsModerateAngle(float x) { return std::fabs(x) < kMaxReduced; }
HLOSCOPE_MATH_INLINE float Sine(float x) { return IsModerateAngle(x) ? SineOfModerate(x) : std::sin(x); }
HLOSCOPE_MATH_INLINE float Cosine(float x) { return IsModerateAngle(x) ? CosineOfModerate(x) : std::cos(x); }

// NaN for arguments that are not moderate. A quotient of polynomials for the tangent, the reciprocal of its negative
// value in odd quadrants.
HLOSCOPE_MATH_INLINE float TanOfModerate(float x) {
  const Angle angle = ReduceAngle(x);
  const double s = angle.r * angle.r;
  const double p = angle.r * (135135 + s * (-17325 + s * (378 - s)));
  const double q = 135135 + s * (-62370 + s * (3150 - s * 28));
  const bool is_odd = (angle.quadrant & 1) != 0;
  const float result = static_cast<float>((is_odd ? -q : p) / (is_odd ? p : q));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  return IsModerateAngle(x) ? x == 0 ? x : result : nan;  // keeps -0
}
HLOSCOPE_MATH_INLINE float Tan(float x) {
  return IsModerateAngle(x) ? TanOfModerate(x) : static_cast<float>(std::tan(static_cast<double>(x)));
}

// Odd. A polynomial for erf(x) / x up to 2.25 and one for erf(x) above, which is 1 from 4 on; both are good to 1e-11.
HLOSCOPE_MATH_INLINE float Erf(float x) {
  double size = std::fabs(static_cast<double>(x));
  size = size > 4 ? 4 : size;
  const bool is_near = size < 2.25;
  const double u = is_near ? size * size : size - 3.125;
  double p = is_near ? -7.062882074723013e-13 : -1.0103076083561497e-07;
  p = p * u + (is_near ? 3.3433692299567737e-11 : 2.159593175193932e-06);
  p = p * u + (is_near ? -7.840943754483236e-10 : -6.687546676779619e-06);
  p = p * u + (is_near ? 1.2462688361184492e-08 : 4.503124091146442e-06);
  p = p * u + (is_near ? -1.5473415919170831e-07 : 2.5616771322988617e-05);
  p = p * u + (is_near ? 1.621664632427646e-06 : -0.00011159944652048937);
  p = p * u + (is_near ? -1.4877207639643404e-05 : 0.00026643684037348976);
  p = p * u + (is_near ? 0.00012048588819696974 : -0.00045222417888704644);
  p = p * u + (is_near ? -0.0008547684196536181 : 0.0005769671206176577);
  p = p * u + (is_near ? 0.005223937674366829 : -0.0005575856323762357);
  p = p * u + (is_near ? -0.026866155696171894 : 0.0004000195145537599);
  p = p * u + (is_near ? 0.1128379137782264 : -0.00020237032434998698);
  p = p * u + (is_near ? -0.376126388804576 : 6.47586853303251e-05);
  p = p * u + (is_near ? 1.1283791670925802 : 0.9999901032609912);
  return std::copysign(static_cast<float>(is_near ? size * p : p), x);
}

// The angle of the point (x, y): that of the smaller coordinate by the larger one, taken from pi / 4 where that is
// nearer.
HLOSCOPE_MATH_INLINE float Atan2(float y, float x) {
  // In the place of infinity: every finite f32 by this is 0 in f32.
  constexpr double kHuge = 1e300;
  constexpr double kTanOfEighth = 0.41421356237309503;  // of pi / 8
  const double wide = static_cast<double>(x);
  double height = std::fabs(static_cast<double>(y)), width = std::fabs(wide);
  height = height > kHuge ? kHuge : height;
  width = width > kHuge ? kHuge : width;
  const bool is_steep = height > width;
  const double low = is_steep ? width : height, high = is_steep ? height : width;
  const bool is_diagonal = low > high * kTanOfEighth;
  const double numerator = is_diagonal ? low - high : low, sum = is_diagonal ? low + high : high;
  const double t = numerator / (sum == 0 ? 1 : sum), s = t * t;
  double p = -0.04043224825887161;
  p = p * s + 0.07135325122330678;
  p = p * s - 0.09028983500350463;
  p = p * s + 0.11107495135714474;
  p = p * s - 0.14285612511387016;
  p = p * s + 0.1999999891728858;
  p = p * s - 0.3333333333144073;
  double angle = t + t * s * p + (is_diagonal ? std::numbers::pi / 4 : 0.0);
  angle = is_steep ? std::numbers::pi / 2 - angle : angle;
  angle = std::bit_cast<int64_t>(wide) < 0 ? std::numbers::pi - angle : angle;
  return std::copysign(static_cast<float>(angle), y);
}

// NaN, also in the place of a number, unless x / y is small: the C library serves the others. Everything is exact: a
// quotient below 2^28 of numbers of 24 bits is farther from halves than it is rounded, its product with the divisor has
// 52 bits, and what is left is a multiple of the divisor's last bit.
HLOSCOPE_MATH_INLINE float RemainderOfNear(float x, float y) {
  const double dividend = std::fabs(static_cast<double>(x)), divisor = std::fabs(static_cast<double>(y));
  const double quotient = dividend / divisor;
  const double nearest = (quotient + kRounder) - kRounder;
  double rest = dividend - nearest * divisor;
  rest = rest < 0 ? rest + divisor : rest;
  rest = quotient < 0x1p28 ? rest : std::numeric_limits<double>::quiet_NaN();
  return std::copysign(static_cast<float>(rest), x);
}
// The divisor in two parts: their products with a quotient of 20 bits are exact.
HLOSCOPE_MATH_INLINE double RemainderOfNear(double x, double y) {
  constexpr uint64_t kUpperHalf = ~((uint64_t{1} << 27) - 1);
  // A product with a larger dividend's quotient might be infinite.
  constexpr double kMax = std::numeric_limits<double>::max() / 4;
  const double dividend = std::fabs(x), divisor = std::fabs(y);
  const double quotient = dividend / divisor;
  const double nearest = (quotient + kRounder) - kRounder;
  const double upper = std::bit_cast<double>(std::bit_cast<uint64_t>(divisor) & kUpperHalf);
  double rest = (dividend - nearest * upper) - nearest * (divisor - upper);
  rest = rest < 0 ? rest + divisor : rest;
  rest = (quotient < 0x1p20) & (dividend < kMax) ? rest : std::numeric_limits<double>::quiet_NaN();
  return std::copysign(rest, x);
}
template <typename T>
HLOSCOPE_MATH_INLINE T Remainder(T x, T y) {
  const T result = RemainderOfNear(x, y);
  return result == result ? result : std::fmod(x, y);
}

// x^0 and 1^y are 1 even for a signaling NaN, which the C library passes on.
template <typename T>
T LibraryPower(T x, T y) {
  return (x == 1) | (y == 0) ? T(1) : std::pow(x, y);
}

HLOSCOPE_MATH_INLINE bool IsInteger(double x) { return (x + kRounder) - kRounder == x; }

// x^y for finite numbers, x not zero. NaN for a negative x and a y that is not an integer.
HLOSCOPE_MATH_INLINE float RegularPower(float x, float y) {
  const double exponent = static_cast<double>(y);
  const float size = static_cast<float>(ExpInDouble(exponent * LogInDouble(std::fabs(static_cast<double>(x)))));
  const float of_negative = IsInteger(exponent / 2) ? size
                            : IsInteger(exponent)   ? -size
                                                    : std::numeric_limits<float>::quiet_NaN();
  // 0 is an even integer, so x^0 is 1 for every x.
  return x < 0 ? of_negative : size;
}
HLOSCOPE_MATH_INLINE bool IsRegularPower(float x, float y) {
  constexpr float kMax = std::numeric_limits<float>::max();
  return (x != 0) & (std::fabs(x) <= kMax) & (std::fabs(y) <= kMax);
}
HLOSCOPE_MATH_INLINE float Power(float x, float y) {
  return IsRegularPower(x, y) ? RegularPower(x, y) : LibraryPower(x, y);
}

}  // namespace float_math
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_FLOAT_MATH_H_
