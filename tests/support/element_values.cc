// SPDX-License-Identifier: Apache-2.0
#include "tests/support/element_values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

uint64_t Bits(ElementType type, const uint8_t* bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, std::min<size_t>(8, static_cast<size_t>(StorageBytes(type))));
  return bits;
}

void StoreBits(ElementType type, uint64_t bits, uint8_t* bytes) {
  std::memcpy(bytes, &bits, static_cast<size_t>(StorageBytes(type)));
}

double Decode(ElementType type, const uint8_t* bytes) { return DecodeFloat(type, Bits(type, bytes)); }

// Position of a float among the representable numbers of its type; neighbours differ by 1, both zeros are 0.
int64_t Ordinal(ElementType type, const uint8_t* bytes) {
  const uint64_t bits = Bits(type, bytes);
  if (!FloatFormatOf(type).has_sign) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (BitWidth(type) - 1);
  const int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool PartsWithin(double actual, double expected, double other, ElementType type, int64_t ulps) {
  if (std::isnan(expected) || std::isinf(expected) || std::isnan(actual) || std::isinf(actual)) {
    return (std::isnan(expected) && std::isnan(actual)) || expected == actual;
  }
  const double size =
      std::fabs(expected) < std::ldexp(std::fabs(other), -12) ? std::hypot(expected, other) : std::fabs(expected);
  const int mantissa_bits = FloatFormatOf(type).mantissa_bits;
  const double ulp =
      size == 0 ? 0 : std::ldexp(1.0, std::max(std::ilogb(size), 1 - FloatFormatOf(type).bias) - mantissa_bits);
  return std::fabs(actual - expected) <= static_cast<double>(ulps) * ulp &&
         (actual != 0 || expected != 0 || std::signbit(actual) == std::signbit(expected));
}

}  // namespace

bool ReadElement(ElementType type, absl::string_view text, uint8_t* bytes) {
  if (IsComplex(type)) {
    const size_t comma = text.find(',');
    if (text.size() < 5 || text.front() != '(' || text.back() != ')' || comma == absl::string_view::npos) return false;
    const ElementType component = ComplexComponent(type);
    return ReadElement(component, text.substr(1, comma - 1), bytes) &&
           ReadElement(component, text.substr(comma + 1, text.size() - comma - 2), bytes + StorageBytes(component));
  }
  if (!text.empty() && text.front() == '#') {
    const std::string hexadecimal(text.substr(1));
    StoreBits(type, std::strtoull(hexadecimal.c_str(), nullptr, 16), bytes);
    return true;
  }
  if (IsFloat(type)) {
    // strtof rounds decimals once; a detour through double would round twice.
    const std::string decimal(text);
    char* end = nullptr;
    const double value = type == ElementType::kF32 ? static_cast<double>(std::strtof(decimal.c_str(), &end))
                                                   : std::strtod(decimal.c_str(), &end);
    StoreBits(type, EncodeFloat(type, value), bytes);
    return end != decimal.c_str() && *end == 0;
  }
  int64_t number;
  uint64_t unsigned_number;
  if (absl::SimpleAtoi(text, &number)) {
    StoreBits(type, static_cast<uint64_t>(number), bytes);
    return true;
  }
  if (!absl::SimpleAtoi(text, &unsigned_number)) return false;
  StoreBits(type, unsigned_number, bytes);
  return true;
}

std::string PrintElement(ElementType type, const uint8_t* bytes) {
  if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    return absl::StrCat("(", PrintElement(component, bytes), ",",
                        PrintElement(component, bytes + StorageBytes(component)), ")");
  }
  const uint64_t bits = Bits(type, bytes);
  if (IsFloat(type)) return absl::StrFormat("%.17g[#%x]", DecodeFloat(type, bits), bits);
  if (!IsSigned(type)) return absl::StrCat(bits);
  const int unused = 64 - 8 * StorageBytes(type);
  return absl::StrCat(static_cast<int64_t>(bits << unused) >> unused);
}

bool ElementsIdentical(ElementType type, const uint8_t* a, const uint8_t* b) {
  if (std::memcmp(a, b, static_cast<size_t>(StorageBytes(type))) == 0) return true;
  if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    const int bytes = StorageBytes(component);
    return ElementsIdentical(component, a, b) && ElementsIdentical(component, a + bytes, b + bytes);
  }
  return IsFloat(type) && std::isnan(Decode(type, a)) && std::isnan(Decode(type, b));
}

bool ElementsWithin(ElementType type, const uint8_t* actual, const uint8_t* expected, int64_t ulps) {
  if (ElementsIdentical(type, actual, expected)) return true;
  if (IsComplex(type)) {
    const ElementType component = ComplexComponent(type);
    const int bytes = StorageBytes(component);
    const double parts[4] = {Decode(component, actual), Decode(component, actual + bytes), Decode(component, expected),
                             Decode(component, expected + bytes)};
    return PartsWithin(parts[0], parts[2], parts[3], component, ulps) &&
           PartsWithin(parts[1], parts[3], parts[2], component, ulps);
  }
  if (!IsFloat(type)) return false;
  const double a = Decode(type, actual), b = Decode(type, expected);
  if (std::isnan(a) || std::isnan(b) || std::isinf(a) != std::isinf(b) || (a == 0 && b == 0)) return false;
  const auto [low, high] = std::minmax({Ordinal(type, actual), Ordinal(type, expected)});
  return static_cast<uint64_t>(high) - static_cast<uint64_t>(low) <= static_cast<uint64_t>(ulps);
}

}  // namespace hloscope
