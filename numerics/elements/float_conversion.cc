// SPDX-License-Identifier: Apache-2.0
#include "numerics/elements/float_conversion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "numerics/elements/numeric.h"

namespace hloscope::numerics {
namespace {

constexpr int kDoubleMantissaBits = 52;
constexpr uint64_t kDoubleMantissaMask = (uint64_t{1} << kDoubleMantissaBits) - 1;

// A positive finite double as significand * 2^exponent.
struct Parts {
  uint64_t significand;
  int exponent;
  // floor(log2(value)).
  int Log2() const { return std::bit_width(significand) - 1 + exponent; }
};

Parts Split(double magnitude) {
  const uint64_t bits = std::bit_cast<uint64_t>(magnitude);
  const int biased = static_cast<int>(bits >> kDoubleMantissaBits) & 0x7ff;
  const uint64_t mantissa = bits & kDoubleMantissaMask;
  if (biased == 0) return {mantissa, -1074};
  return {mantissa | (uint64_t{1} << kDoubleMantissaBits), biased - 1075};
}

// value / 2^shift, to nearest, ties to even. Requires value < 2^63.
uint64_t ShiftRightToNearestEven(uint64_t value, int shift) {
  if (shift <= 0) return value << -shift;
  if (shift > 63) return 0;
  const uint64_t quotient = value >> shift;
  const uint64_t rest = value & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  return quotient + (rest > half || (rest == half && (quotient & 1) != 0) ? 1 : 0);
}

uint64_t LargestFiniteCode(const FloatFormat& format) {
  const uint64_t all_ones = (uint64_t{1} << (format.exponent_bits + format.mantissa_bits)) - 1;
  if (!format.has_sign) return all_ones - 1;                                         // f8e8m0fnu: ff is NaN
  if (format.has_infinity) return all_ones - (uint64_t{1} << format.mantissa_bits);  // IEEE layout
  if (format.has_nan && format.has_negative_zero) return all_ones - 1;               // "fn": all ones is NaN
  return all_ones;                                                                   // no NaN, or NaN is "-0"
}

uint64_t SignBit(const FloatFormat& format) { return uint64_t{1} << (format.exponent_bits + format.mantissa_bits); }

uint64_t NanCode(const FloatFormat& format, bool negative) {
  const uint64_t sign = negative ? SignBit(format) : 0;
  if (!format.has_nan) return negative ? 0 : SignBit(format);  // the reference's odd zeros (1.2)
  if (!format.has_negative_zero) return SignBit(format);
  if (!format.has_infinity) return sign | (LargestFiniteCode(format) + 1);
  return sign | (LargestFiniteCode(format) + 1 + (uint64_t{1} << (format.mantissa_bits - 1)));
}

uint64_t OverflowCode(const FloatFormat& format, bool negative) {
  const uint64_t sign = negative ? SignBit(format) : 0;
  if (format.has_infinity) return sign | (LargestFiniteCode(format) + 1);
  if (format.has_nan) return NanCode(format, negative);
  return sign | LargestFiniteCode(format);
}

// f8e8m0fnu has no sign, zero or even mantissa: ties go up.
uint64_t EncodeScale(double value) {
  constexpr uint64_t kNan = 0xff;
  if (!(value > 0) || std::isinf(value)) return kNan;
  if (value <= 0x1p-127) return 0;
  if (value <= 0x1p-126) return 1;
  const Parts parts = Split(value);
  const int k = parts.Log2();
  const bool up = (parts.significand & (uint64_t{1} << (kDoubleMantissaBits - 1))) != 0;
  const int code = k + (up ? 1 : 0) + 127;
  return code > 0xfe ? kNan : static_cast<uint64_t>(code);
}

}  // namespace

uint64_t LargestFiniteCode(ElementType type) { return LargestFiniteCode(FloatFormatOf(type)); }

namespace {

// An f32 that rounds to fewer bits as `value` does: an inexact one has its last bit set, so that it is no tie.
float RoundedToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (nearest == value) return nearest;
  const bool is_beyond = std::abs(static_cast<double>(nearest)) > std::abs(value);
  return std::bit_cast<float>((std::bit_cast<uint32_t>(nearest) - (is_beyond ? 1 : 0)) | 1);
}

}  // namespace

uint64_t EncodeFloat(ElementType type, double value) {
  if (type == ElementType::kF8E8M0FNU) return EncodeScale(value);
  const FloatFormat& format = FloatFormatOf(type);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return NanCode(format, negative);
  if (type == ElementType::kF64) return std::bit_cast<uint64_t>(value);
  if (type == ElementType::kF32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == ElementType::kBF16) return FloatToBf16(RoundedToOdd(value));
  if (type == ElementType::kF16) return FloatToF16(RoundedToOdd(value));
  if (std::isinf(value)) return OverflowCode(format, negative);
  const uint64_t sign = negative ? SignBit(format) : 0;
  if (value == 0) return format.has_negative_zero ? sign : 0;

  const Parts parts = Split(std::fabs(value));
  const int exponent = std::max(parts.Log2(), 1 - format.bias);
  const uint64_t n = ShiftRightToNearestEven(parts.significand, exponent - format.mantissa_bits - parts.exponent);
  const uint64_t code = (static_cast<uint64_t>(exponent + format.bias - 1) << format.mantissa_bits) + n;
  if (code > LargestFiniteCode(format)) return OverflowCode(format, negative);
  if (code == 0 && !format.has_negative_zero) return 0;
  return sign | code;
}

namespace {

// 2^exponent. Requires a normal number.
double PowerOfTwo(int exponent) { return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52); }

}  // namespace

double DecodeFloat(ElementType type, uint64_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (type == ElementType::kF64) return std::bit_cast<double>(bits);
  if (type == ElementType::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  const FloatFormat& format = FloatFormatOf(type);
  if (!format.has_sign) {
    const int code = static_cast<int>(bits & 0xff);
    return code == 0xff ? kNan : PowerOfTwo(code - format.bias);
  }
  const bool negative = (bits & SignBit(format)) != 0;
  const uint64_t code = bits & (SignBit(format) - 1);
  if (negative && code == 0 && !format.has_negative_zero) return kNan;
  const double sign = negative ? -1.0 : 1.0;
  if (code > LargestFiniteCode(format)) {
    if (format.has_infinity && code == LargestFiniteCode(format) + 1) {
      return sign * std::numeric_limits<double>::infinity();
    }
    return std::copysign(kNan, sign);
  }
  const int exponent = static_cast<int>(code >> format.mantissa_bits);
  const uint64_t mantissa = code & ((uint64_t{1} << format.mantissa_bits) - 1);
  const uint64_t significand = exponent == 0 ? mantissa : mantissa | (uint64_t{1} << format.mantissa_bits);
  return sign * static_cast<double>(significand) *
         PowerOfTwo(std::max(exponent, 1) - format.bias - format.mantissa_bits);
}

}  // namespace hloscope::numerics
