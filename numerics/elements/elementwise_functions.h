// SPDX-License-Identifier: Apache-2.0
// What the elementwise opcodes do to one element of a real type (docs/ops/elementwise.md 4-7): one function object
// per opcode, one definition per kind of number. Loops over lanes and arrays are made from these (lane_loops.h).
//
// The types are those of the evaluation domain (1.7): int8_t ... uint64_t, uint8_t holding 0 or 1 for pred, float and
// double. Floats narrower than f32 are widened to float before and rounded after. Integers narrower than a byte are
// sign- or zero-extended in int8_t or uint8_t before and wrapped after; the functions that depend on the number of bits
// take it as `width`.
//
// Everything here is free of branches that keep a compiler from vectorising, where that is possible at all, and defined
// for every input: no overflow, no trap.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_ELEMENTWISE_FUNCTIONS_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_ELEMENTWISE_FUNCTIONS_H_

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numerics/elements/complex_product.h"
#include "numerics/elements/double_math.h"
#include "numerics/elements/float_exp.h"
#include "numerics/elements/float_log.h"
#include "numerics/elements/float_math.h"

namespace hloscope::numerics {
namespace elementwise {

// The unsigned type in which T's arithmetic wraps without C++'s promotion to int.
template <std::integral T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <std::floating_point T>
bool IsNan(T x) {
  return x != x;
}

// The f64 function, rounded to T: for f32 correct to half an ulp and a hair.
#define HLOSCOPE_VIA_DOUBLE(T, expression_of_double) \
  static_cast<T>([](double x) { return expression_of_double; }(static_cast<double>(x)))

// --- 4: unary arithmetic, bit counting, rounding ---

struct Abs {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::floating_point<T>) {
      return std::fabs(x);
    } else if constexpr (std::is_signed_v<T>) {
      return x < 0 ? static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(x)) : x;
    } else {
      return x;
    }
  }
};

struct Negate {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::floating_point<T>) {
      return -x;
    } else {
      return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(x));
    }
  }
};

struct Sign {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::floating_point<T>) {
      // NaN and both zeros are returned as they are.
      return (x > 0) ? T(1) : (x < 0) ? T(-1) : x;
    } else {
      return static_cast<T>((x > 0) - (x < 0));
    }
  }
};

struct Not {
  template <std::integral T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
};
// `not` of pred.
struct LogicalNot {
  uint8_t operator()(uint8_t x) const { return x ^ 1; }
};

struct CountLeadingZeros {
  int width;
  template <std::integral T>
  T operator()(T x) const {
    using U = std::make_unsigned_t<T>;
    const int unused = static_cast<int>(sizeof(T)) * 8 - width;
    const U bits = static_cast<U>(static_cast<U>(x) << unused);
    return bits == 0 ? static_cast<T>(width) : static_cast<T>(std::countl_zero(bits));
  }
};

struct PopulationCount {
  int width;
  template <std::integral T>
  T operator()(T x) const {
    using U = std::make_unsigned_t<T>;
    const int unused = static_cast<int>(sizeof(T)) * 8 - width;
    return static_cast<T>(std::popcount(static_cast<U>(static_cast<U>(x) << unused)));
  }
};

struct Ceil {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};
struct Floor {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::floor(x);
  }
};
// Ties away from zero. floor(x + 0.5) would be wrong for 0.49999997 and for odd integers from 2^23 on.
struct RoundNearestAfz {
  template <std::floating_point T>
  T operator()(T x) const {
    const T truncated = std::trunc(x);
    const T away = std::fabs(x - truncated) >= T(0.5) ? std::copysign(T(1), x) : std::copysign(T(0), x);
    // The copysign keeps the sign of a result of zero; an infinity's difference is NaN and compares false.
    return std::copysign(truncated + away, x);
  }
};
// Relies on the default rounding mode, which nothing in this program changes.
struct RoundNearestEven {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::nearbyint(x);
  }
};

struct IsFinite {
  template <std::floating_point T>
  uint8_t operator()(T x) const {
    return std::fabs(x) <= std::numeric_limits<T>::max();
  }
};

// `imag` of a real number.
struct Zero {
  template <typename T>
  T operator()(T) const {
    return T(0);
  }
};

// --- 5: binary arithmetic ---

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return a + b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
  }
};
struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return a - b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
  }
};
struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return Rounded(a * b);
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
  }
};

// Integers: x / 0 has all bits set (-1 or the maximum), most negative / -1 is the most negative.
struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return a / b;
    } else {
      if (b == 0) return static_cast<T>(-1);
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return Negate()(a);
      }
      return static_cast<T>(a / b);
    }
  }
};

// Sign of the dividend; integers: x rem 0 = x.
struct Remainder {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return float_math::Remainder(a, b);
    } else {
      if (b == 0) return a;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
      }
      return static_cast<T>(a % b);
    }
  }
};

// Integers wrap; a negative exponent gives 0 for every base but 1 (decision A10).
struct Power {
  template <typename T>
  T operator()(T base, T exponent) const {
    if constexpr (std::same_as<T, float>) {
      return float_math::Power(base, exponent);
    } else if constexpr (std::floating_point<T>) {
      return float_math::LibraryPower(base, exponent);
    } else {
      if (base == 1 || exponent == 0) return 1;
      if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) return 0;
      }
      Wrapping<T> factor = static_cast<Wrapping<T>>(base);
      Wrapping<T> result = 1;
      for (auto bits = static_cast<std::make_unsigned_t<T>>(exponent); bits != 0; bits >>= 1) {
        if (bits & 1) result *= factor;
        factor *= factor;
      }
      return static_cast<T>(result);
    }
  }
};

// High half of the product of double width.
struct MultiplyHigh {
  template <std::integral T>
  T operator()(T a, T b) const {
    if constexpr (sizeof(T) == 8) {
      __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (sizeof(T) * 8));
    }
  }
};

struct Atan2 {
  HLOSCOPE_MATH_INLINE float operator()(float y, float x) const { return float_math::Atan2(y, x); }
  HLOSCOPE_MATH_INLINE double operator()(double y, double x) const { return double_math::Atan2(y, x); }
};

// --- 6: ordering, selection, logic, shifts ---

// The left operand if it is NaN or the two are equal, the right one if that is NaN (decisions A1, A2).
struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    return (a >= b) | (a != a) ? a : b;
  }
};
struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    return (a <= b) | (a != a) ? a : b;
  }
};

// min(high, max(value, low)), but the first NaN among low, value, high if there is one.
struct Clamp {
  template <typename T>
  T operator()(T low, T value, T high) const {
    const T raised = (low != low) | (low > value) ? low : value;
    return (raised == raised) & ((high <= raised) | (high != high)) ? high : raised;
  }
};

struct And {
  template <std::integral T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <std::integral T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <std::integral T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
// `clamp` of pred.
struct LogicalClamp {
  uint8_t operator()(uint8_t low, uint8_t value, uint8_t high) const { return high & (value | low); }
};

// Shift amounts are unsigned numbers of the type's width: a negative amount is a large one. Amounts of `width` or more
// shift everything out.
struct ShiftLeft {
  int width;
  template <std::integral T>
  T operator()(T x, T amount) const {
    using U = Wrapping<T>;
    const auto by = static_cast<std::make_unsigned_t<T>>(amount);
    return by < static_cast<unsigned>(width) ? static_cast<T>(static_cast<U>(x) << by) : T(0);
  }
};
struct ShiftRightLogical {
  int width;
  template <std::integral T>
  T operator()(T x, T amount) const {
    using U = std::make_unsigned_t<T>;
    const auto by = static_cast<U>(amount);
    const int unused = static_cast<int>(sizeof(T)) * 8 - width;
    const U bits = static_cast<U>(static_cast<U>(static_cast<U>(x) << unused) >> unused);
    return by < static_cast<unsigned>(width) ? static_cast<T>(bits >> by) : T(0);
  }
};
// The top bit of the width is the sign, for unsigned types too.
struct ShiftRightArithmetic {
  int width;
  template <std::integral T>
  T operator()(T x, T amount) const {
    using U = std::make_unsigned_t<T>;
    using S = std::make_signed_t<T>;
    const int unused = static_cast<int>(sizeof(T)) * 8 - width;
    const auto by = static_cast<U>(amount);
    const int limited = by < static_cast<unsigned>(width) ? static_cast<int>(by) : width - 1;
    const S bits = static_cast<S>(static_cast<S>(static_cast<U>(static_cast<U>(x) << unused)) >> unused);
    return static_cast<T>(bits >> limited);
  }
};

struct Equal {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a != b;
  }
};
struct Less {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a < b;
  }
};
struct LessOrEqual {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterOrEqual {
  template <typename T>
  uint8_t operator()(T a, T b) const {
    return a >= b;
  }
};

// The integer whose order is the total order of 6.3. `bits` is the pattern of a float of `width` bits.
// -NaN < -inf < ... < -0 < +0 < ... < inf < NaN; formats with one NaN in the place of -0 have it first; formats without
// a sign are ordered as they are.
inline int64_t TotalOrderKey(uint64_t bits, int width, bool has_sign, bool has_negative_zero) {
  if (!has_sign) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (width - 1);
  uint64_t magnitude = bits & (sign - 1);
  if ((bits & sign) == 0) return static_cast<int64_t>(magnitude);
  if (!has_negative_zero) magnitude = (magnitude - 1) & (sign - 1);
  return static_cast<int64_t>(~magnitude);
}

// --- 7: transcendental functions ---
// f32 is computed in f32 where that is exact enough (float_exp.h, float_log.h), else in f64 and rounded: by
// float_math.h where that vectorises, else by the C library. f64 by double_math.h where that vectorises.

struct Exponential {
  float operator()(float x) const { return float_math::Exp(x); }
  double operator()(double x) const { return double_math::Exp(x); }
};
struct ExponentialMinusOne {
  float operator()(float x) const { return float_math::ExpMinusOne(x); }
  double operator()(double x) const { return double_math::ExpMinusOne(x); }
};
struct Log {
  float operator()(float x) const { return float_math::LogSingle(x); }
  double operator()(double x) const { return double_math::Log(x); }
};
struct LogPlusOne {
  float operator()(float x) const { return float_math::LogPlusOneSingle(x); }
  double operator()(double x) const { return double_math::LogPlusOne(x); }
};
// By the formula, with three roundings (docs/ops/elementwise.md 7).
struct Logistic {
  float operator()(float x) const { return 1.0F / (1.0F + float_math::ExpSingle(-x)); }
  double operator()(double x) const { return 1 / (1 + double_math::Exp(-x)); }
};
struct Sqrt {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};
struct Rsqrt {
  template <std::floating_point T>
  T operator()(T x) const {
    return T(1) / std::sqrt(x);
  }
};
struct Cbrt {
  float operator()(float x) const { return float_math::Cbrt(x); }
  // The C library's is off by up to four ulps: one Newton step in extended precision repairs that.
  double operator()(double x) const {
    const double y = std::cbrt(x);
    if (y == 0 || !(std::fabs(y) <= std::numeric_limits<double>::max())) return y;
    const long double wide = y;
    return static_cast<double>(wide - (wide * wide * wide - x) / (3 * wide * wide));
  }
};
struct Sine {
  float operator()(float x) const { return float_math::Sine(x); }
  double operator()(double x) const { return double_math::Sine(x); }
};
struct Cosine {
  float operator()(float x) const { return float_math::Cosine(x); }
  double operator()(double x) const { return double_math::Cosine(x); }
};
struct Tan {
  float operator()(float x) const { return float_math::Tan(x); }
  double operator()(double x) const { return double_math::Tan(x); }
};
struct Asin {
  template <std::floating_point T>
  T operator()(T x) const {
    return HLOSCOPE_VIA_DOUBLE(T, std::asin(x));
  }
};
struct Acos {
  template <std::floating_point T>
  T operator()(T x) const {
    return HLOSCOPE_VIA_DOUBLE(T, std::acos(x));
  }
};
struct Sinh {
  float operator()(float x) const { return float_math::Sinh(x); }
  double operator()(double x) const { return std::sinh(x); }
};
struct Cosh {
  float operator()(float x) const { return float_math::Cosh(x); }
  double operator()(double x) const { return std::cosh(x); }
};
struct Tanh {
  float operator()(float x) const { return float_math::Tanh(x); }
  double operator()(double x) const { return double_math::Tanh(x); }
};
struct Asinh {
  template <std::floating_point T>
  T operator()(T x) const {
    return HLOSCOPE_VIA_DOUBLE(T, std::asinh(x));
  }
};
struct Acosh {
  template <std::floating_point T>
  T operator()(T x) const {
    return HLOSCOPE_VIA_DOUBLE(T, std::acosh(x));
  }
};
struct Atanh {
  template <std::floating_point T>
  T operator()(T x) const {
    return HLOSCOPE_VIA_DOUBLE(T, std::atanh(x));
  }
};
struct Erf {
  float operator()(float x) const { return float_math::Erf(x); }
  double operator()(double x) const { return std::erf(x); }
};

#undef HLOSCOPE_VIA_DOUBLE

}  // namespace elementwise
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_ELEMENTWISE_FUNCTIONS_H_
