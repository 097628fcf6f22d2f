// SPDX-License-Identifier: Apache-2.0
// What the elementwise opcodes do to one complex number (docs/ops/elementwise.md 4, 5 and 8): one function object per
// opcode, for std::complex<float> and std::complex<double>. Signs of zero choose the side of a branch cut, so complex
// numbers are always built from their parts, never by arithmetic with i.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_FUNCTIONS_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_FUNCTIONS_H_

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numerics/elements/complex_product.h"
#include "numerics/elements/float_math.h"

namespace hloscope::numerics {
namespace complex_functions {

// Functions composed of several roundings are computed in a wider type, so that the parts meet the accuracy of 12.1.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <typename To, typename From>
std::complex<To> Cast(std::complex<From> z) {
  return {static_cast<To>(z.real()), static_cast<To>(z.imag())};
}

template <typename T>
T Infinity() {
  return std::numeric_limits<T>::infinity();
}

// (ac - bd, ad + bc) with the recovery of infinities of C99 Annex G (decision A16).
template <typename T>
__attribute__((noinline)) std::complex<T> RepairedProduct(std::complex<T> z, std::complex<T> w) {
  T a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
  const T ac = Rounded(a * c), bd = Rounded(b * d), ad = Rounded(a * d), bc = Rounded(b * c);
  T re = ac - bd, im = ad + bc;
  if (std::isnan(re) && std::isnan(im)) {
    const auto unit_if_infinite = [](T x) { return std::copysign(std::isinf(x) ? T(1) : T(0), x); };
    const auto zero_if_nan = [](T x) { return std::isnan(x) ? std::copysign(T(0), x) : x; };
    bool recover = false;
    if (std::isinf(a) || std::isinf(b)) {
      a = unit_if_infinite(a), b = unit_if_infinite(b);
      c = zero_if_nan(c), d = zero_if_nan(d);
      recover = true;
    }
    if (std::isinf(c) || std::isinf(d)) {
      c = unit_if_infinite(c), d = unit_if_infinite(d);
      a = zero_if_nan(a), b = zero_if_nan(b);
      recover = true;
    }
    if (!recover && (std::isinf(ac) || std::isinf(bd) || std::isinf(ad) || std::isinf(bc))) {
      a = zero_if_nan(a), b = zero_if_nan(b), c = zero_if_nan(c), d = zero_if_nan(d);
      recover = true;
    }
    if (recover) {
      re = Infinity<T>() * (Rounded(a * c) - Rounded(b * d));
      im = Infinity<T>() * (Rounded(a * d) + Rounded(b * c));
    }
  }
  return {re, im};
}

template <typename T>
std::complex<T> Product(std::complex<T> z, std::complex<T> w) {
  const std::complex<T> product = PlainProduct(z, w);
  const T re = product.real(), im = product.imag();
  if ((re != re) & (im != im)) [[unlikely]]
    return RepairedProduct(z, w);
  return product;
}

// Of real numbers and integers: their product.
template <typename T>
T Product(T a, T b) {
  return a * b;
}

// What (a + ib) / (c + id) is if both parts came out as NaN; c and d are scaled.
template <typename T>
__attribute__((noinline)) std::complex<T> RepairedQuotient(T a, T b, T c, T d, std::complex<T> quotient) {
  const auto unit_if_infinite = [](T x) { return std::copysign(std::isinf(x) ? T(1) : T(0), x); };
  if (c * c + d * d == 0 && (!std::isnan(a) || !std::isnan(b))) {
    return {std::copysign(Infinity<T>(), c) * a, std::copysign(Infinity<T>(), c) * b};
  }
  if ((std::isinf(a) || std::isinf(b)) && std::isfinite(c) && std::isfinite(d)) {
    a = unit_if_infinite(a), b = unit_if_infinite(b);
    return {Infinity<T>() * (Rounded(a * c) + Rounded(b * d)), Infinity<T>() * (Rounded(b * c) - Rounded(a * d))};
  }
  if ((std::isinf(c) || std::isinf(d)) && std::isfinite(a) && std::isfinite(b)) {
    c = unit_if_infinite(c), d = unit_if_infinite(d);
    return {T(0) * (Rounded(a * c) + Rounded(b * d)), T(0) * (Rounded(b * c) - Rounded(a * d))};
  }
  return quotient;
}

// (a + ib) / (c + id) by the formula with c and d scaled, and `scaled` of the quotients.
template <typename T, typename Scaled>
[[gnu::always_inline]] inline std::complex<T> ScaledQuotient(T a, T b, T c, T d, Scaled scaled) {
  const T norm = c * c + d * d;
  return {scaled((Rounded(a * c) + Rounded(b * d)) / norm), scaled((Rounded(b * c) - Rounded(a * d)) / norm)};
}

// A quotient for divisors whose larger part is a normal number with a normal reciprocal: multiplying by a power of two
// scales them. Both parts are NaN for others, and where there is something to repair.
template <typename T>
[[gnu::always_inline]] inline std::complex<T> PlainQuotient(std::complex<T> z, std::complex<T> w) {
  using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;
  constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
  constexpr Bits kTopExponent = std::is_same_v<T, float> ? 254 : 2046;
  const T c = std::fabs(w.real()), d = std::fabs(w.imag());
  const T largest = c > d ? c : d;
  const Bits exponent = std::bit_cast<Bits>(largest) >> kMantissaBits;
  const bool is_simple = (largest >= std::numeric_limits<T>::min()) & (exponent < kTopExponent);
  const T factor =
      is_simple ? std::bit_cast<T>((kTopExponent - exponent) << kMantissaBits) : std::numeric_limits<T>::quiet_NaN();
  return ScaledQuotient(
      z.real(), z.imag(), w.real() * factor,
      w.imag() * factor, [=](T x) __attribute__((always_inline)) { return x * factor; });
}

// Division with a scaled divisor and the recovery of C99 Annex G (5.2), for every divisor.
template <typename T>
__attribute__((noinline)) std::complex<T> FullQuotient(std::complex<T> z, std::complex<T> w) {
  T a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
  const T largest = std::fmax(std::fabs(c), std::fabs(d));
  int scale = 0;
  if (std::isfinite(largest) && largest != 0) {
    std::frexp(largest, &scale);
    --scale;  // of a fraction in [1, 2)
  }
  c = std::scalbn(c, -scale);
  d = std::scalbn(d, -scale);
  const std::complex<T> quotient = ScaledQuotient(a, b, c, d, [=](T x) { return std::scalbn(x, -scale); });
  const T re = quotient.real(), im = quotient.imag();
  if ((re != re) & (im != im)) return RepairedQuotient(a, b, c, d, quotient);
  return quotient;
}

template <typename T>
std::complex<T> Quotient(std::complex<T> z, std::complex<T> w) {
  if constexpr (!std::is_same_v<T, long double>) {
    const std::complex<T> quotient = PlainQuotient(z, w);
    const T re = quotient.real(), im = quotient.imag();
    if (!((re != re) & (im != im))) [[likely]]
      return quotient;
  }
  return FullQuotient(z, w);
}

struct Abs {
  float operator()(std::complex<float> z) const {
    const double re = z.real(), im = z.imag();
    if (std::isinf(re) || std::isinf(im)) return Infinity<float>();
    return static_cast<float>(std::sqrt(re * re + im * im));
  }
  double operator()(std::complex<double> z) const { return std::hypot(z.real(), z.imag()); }
};

struct Negate {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    return {-z.real(), -z.imag()};
  }
};

struct Sign {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    const T size = Abs()(z);
    if (size == 0) return {0, 0};
    return {z.real() / size, z.imag() / size};
  }
};

struct Real {
  template <typename T>
  T operator()(std::complex<T> z) const {
    return z.real();
  }
};
struct Imag {
  template <typename T>
  T operator()(std::complex<T> z) const {
    return z.imag();
  }
};
// `complex`.
struct Make {
  template <typename T>
  std::complex<T> operator()(T re, T im) const {
    return {re, im};
  }
};

struct Add {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return {z.real() + w.real(), z.imag() + w.imag()};
  }
};
struct Subtract {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return {z.real() - w.real(), z.imag() - w.imag()};
  }
};
// Lexicographic order, as StableHLO defines it: real parts first, then imaginary parts. A NaN wins.
template <typename T>
bool HasNan(std::complex<T> z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}
template <typename T>
bool Less(std::complex<T> z, std::complex<T> w) {
  return z.real() < w.real() || (z.real() == w.real() && z.imag() < w.imag());
}
struct Maximum {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return HasNan(z) || (!HasNan(w) && !Less(z, w)) ? z : w;
  }
};
struct Minimum {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return HasNan(z) || (!HasNan(w) && !Less(w, z)) ? z : w;
  }
};
struct Multiply {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return Product(z, w);
  }
};
struct Divide {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z, std::complex<T> w) const {
    return Quotient(z, w);
  }
};

struct Equal {
  template <typename T>
  uint8_t operator()(std::complex<T> z, std::complex<T> w) const {
    return (z.real() == w.real()) & (z.imag() == w.imag());
  }
};
struct NotEqual {
  template <typename T>
  uint8_t operator()(std::complex<T> z, std::complex<T> w) const {
    return (z.real() != w.real()) | (z.imag() != w.imag());
  }
};

// The C library's functions of f64 are accurate enough; c64 is computed there as well.
#define HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Name, function) \
  struct Name {                                           \
    template <typename T>                                 \
    std::complex<T> operator()(std::complex<T> z) const { \
      return Cast<T>(std::function(Cast<double>(z)));     \
    }                                                     \
  }
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Log, log);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Sqrt, sqrt);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Sine, sin);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Cosine, cos);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Tan, tan);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Sinh, sinh);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Cosh, cosh);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Tanh, tanh);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Asin, asin);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Acos, acos);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Asinh, asinh);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Acosh, acosh);
HLOSCOPE_COMPLEX_LIBRARY_FUNCTION(Atanh, atanh);
#undef HLOSCOPE_COMPLEX_LIBRARY_FUNCTION

// e^a (cos b + i sin b). NaN where the angle b is not moderate (float_math.h).
[[gnu::always_inline]] inline std::complex<float> ExponentialOfModerate(std::complex<float> z) {
  // Beyond these limits both parts are 0 or infinite whatever the angle is.
  const float_math::ExpParts parts = float_math::SplitExp(float_math::ClampTo(z.real(), -200, 200));
  const double size = parts.scale + parts.scale * parts.growth;
  const float_math::Angle angle = float_math::ReduceAngle(z.imag());
  const double sine = float_math::SineOfReduced(angle.r), cosine = float_math::CosineOfReduced(angle.r);
  const bool is_odd = (angle.quadrant & 1) != 0;
  const double x = is_odd ? sine : cosine, y = is_odd ? cosine : sine;
  const float re = static_cast<float>(size * (((angle.quadrant + 1) & 2) != 0 ? -x : x));
  const float im = static_cast<float>(size * ((angle.quadrant & 2) != 0 ? -y : y));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  // A zero angle keeps its sign.
  return {float_math::IsModerateAngle(z.imag()) ? re : nan, z.imag() == 0 ? z.imag() : im};
}
struct Exponential {
  std::complex<float> operator()(std::complex<float> z) const {
    const std::complex<float> power = ExponentialOfModerate(z);
    return HasNan(power) ? Cast<float>(std::exp(Cast<double>(z))) : power;
  }
  std::complex<double> operator()(std::complex<double> z) const { return std::exp(z); }
};

// 1 / sqrt(z).
struct Rsqrt {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    using W = Wide<T>;
    return Cast<T>(Quotient<W>({1, 0}, std::sqrt(Cast<W>(z))));
  }
};

// 1 / (1 + exp(-z)).
struct Logistic {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    using W = Wide<T>;
    const std::complex<W> power = std::exp(Negate()(Cast<W>(z)));
    return Cast<T>(Quotient<W>({1, 0}, {1 + power.real(), power.imag()}));
  }
};

// log(1 + z). Near |1 + z| = 1 the real part is log1p(a (a + 2) + b^2) / 2, which does not cancel.
struct LogPlusOne {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    using W = Wide<T>;
    const W a = z.real(), b = z.imag();
    const W size = std::hypot(1 + a, b);
    const bool is_moderate = size > W(0.5) && size < W(4);
    const W re = is_moderate ? std::log1p(a * (a + 2) + b * b) / 2 : std::log(size);
    return Cast<T>(std::complex<W>(re, std::atan2(b, 1 + a)));
  }
};

// exp(z) - 1 = (expm1(a) cos b - 2 sin^2(b/2), e^a sin b).
struct ExponentialMinusOne {
  template <typename T>
  std::complex<T> operator()(std::complex<T> z) const {
    using W = Wide<T>;
    const W a = z.real(), b = z.imag();
    const W growth = std::expm1(a);
    // A real argument has a real result; the formula would make 0 * inf of an infinite one.
    if (b == 0) return Cast<T>(std::complex<W>(growth, b));
    const W half = std::sin(b / 2);
    return Cast<T>(std::complex<W>(growth * std::cos(b) - 2 * half * half, std::exp(a) * std::sin(b)));
  }
};

// docs/ops/elementwise.md 5.4.
struct Power {
  template <typename T>
  std::complex<T> operator()(std::complex<T> base, std::complex<T> exponent) const {
    using W = Wide<T>;
    const bool base_is_one = base.real() == 1 && base.imag() == 0;
    const bool exponent_is_zero = exponent.real() == 0 && exponent.imag() == 0;
    if (base_is_one || exponent_is_zero) return {1, 0};
    if (base.real() == 0 && base.imag() == 0) return {0, 0};
    if ((std::isinf(base.real()) || std::isinf(base.imag())) && exponent.imag() == 0) {
      if (exponent.real() > 0) return {Infinity<T>(), 0};
      if (exponent.real() < 0) return {0, 0};
    }
    return Cast<T>(std::exp(Product(Cast<W>(exponent), std::log(Cast<W>(base)))));
  }
};

// atan2(y, x) = -i log((x + i y) / sqrt(x^2 + y^2)).
struct Atan2 {
  template <typename T>
  std::complex<T> operator()(std::complex<T> y, std::complex<T> x) const {
    using W = Wide<T>;
    const std::complex<W> v = Cast<W>(y), u = Cast<W>(x);
    const std::complex<W> numerator(u.real() - v.imag(), u.imag() + v.real());
    const std::complex<W> root = std::sqrt(Add()(Product(u, u), Product(v, v)));
    const std::complex<W> log = std::log(Quotient(numerator, root));
    return Cast<T>(std::complex<W>(log.imag(), -log.real()));
  }
};

}  // namespace complex_functions
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_COMPLEX_FUNCTIONS_H_
