// SPDX-License-Identifier: Apache-2.0
// What convert, reduce-precision and stochastic-convert do to one element (docs/ops/elementwise.md 9), where the
// language's own conversion does not do it.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_CONVERSION_FUNCTIONS_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_CONVERSION_FUNCTIONS_H_

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hloscope::numerics {
namespace elementwise {

// NaN gives 0; otherwise truncated toward zero and saturated. `above` is the power of two just above the largest value
// and `below` the smallest value, both exact in F.
template <typename To, std::floating_point F>
struct Saturation {
  F above, below;
  To largest, smallest;

  explicit Saturation(int width) {
    const int value_bits = std::is_signed_v<To> ? width - 1 : width;
    above = std::ldexp(F(1), value_bits);
    below = std::is_signed_v<To> ? -above : F(0);
    const int unused = static_cast<int>(sizeof(To)) * 8 - width;
    largest = static_cast<To>(std::numeric_limits<To>::max() >> unused);
    smallest = std::is_signed_v<To> ? static_cast<To>(-largest - 1) : To(0);
  }
  To operator()(F x) const { return x >= above ? largest : x > below ? static_cast<To>(x) : x == x ? smallest : To(0); }
};

// --- reduce-precision ---

struct ReducedFormat {
  int exponent_bits, mantissa_bits, bias;  // of the type
  int target_exponent_bits, target_mantissa_bits;
};

// The three steps of 9.3 on the bit pattern of one number.
template <std::unsigned_integral Bits>
Bits ReducePrecision(Bits x, const ReducedFormat& format) {
  const Bits one = 1;
  const Bits infinity = static_cast<Bits>(((one << format.exponent_bits) - 1) << format.mantissa_bits);
  const Bits sign = static_cast<Bits>(x & static_cast<Bits>(one << (format.exponent_bits + format.mantissa_bits)));
  Bits magnitude = static_cast<Bits>(x ^ sign);
  if (magnitude > infinity) return format.target_mantissa_bits > 0 ? x : infinity;
  if (format.target_mantissa_bits < format.mantissa_bits) {
    const Bits keep = static_cast<Bits>(one << (format.mantissa_bits - format.target_mantissa_bits));
    magnitude = static_cast<Bits>(magnitude + (keep / 2 - 1) + ((magnitude & keep) != 0 ? 1 : 0));
    magnitude = static_cast<Bits>(magnitude & ~(keep - 1));
  }
  if (format.target_exponent_bits < format.exponent_bits) {
    const int range = (1 << (format.target_exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
    if (exponent > format.bias + range) magnitude = infinity;
    if (exponent <= format.bias - range) magnitude = 0;
  }
  return static_cast<Bits>(magnitude | sign);
}

// --- stochastic-convert ---

// Rounds away from zero with the probability of the fraction (9.4), to an integer of `width` bits that is held in an
// Out; `random` has `random_width` bits.
template <typename Out>
class StochasticRounding {
 public:
  StochasticRounding(int width, int random_width) : saturate_(width), range_(std::ldexp(1.0, random_width)) {}
  Out operator()(double value, uint64_t random) const {
    const double size = std::fabs(value);
    // NaN, infinities and everything at or beyond the limits.
    if (!(value < static_cast<double>(saturate_.largest) && value > saturate_.below)) return saturate_(value);
    const double truncated = std::trunc(size);
    int64_t integer = static_cast<int64_t>(truncated);
    if (random < static_cast<uint64_t>((size - truncated) * range_)) {
      if (integer == saturate_.largest) return saturate_.smallest;
      ++integer;
    }
    return static_cast<Out>(std::signbit(value) ? -integer : integer);
  }

 private:
  Saturation<Out, double> saturate_;
  double range_;
};

}  // namespace elementwise
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_CONVERSION_FUNCTIONS_H_
