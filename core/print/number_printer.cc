// SPDX-License-Identifier: Apache-2.0
#include "core/print/number_printer.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

constexpr size_t kNumberBuffer = 64;

uint64_t LoadBits(const uint8_t* bytes, int count) {
  uint64_t bits = 0;
  for (int i = 0; i < count; ++i) bits |= uint64_t{bytes[i]} << (8 * i);
  return bits;
}

// True if the NaN payload bits of `type` may be written after `nan` (docs/text-format.md 5.5).
bool HasNanPayload(ElementType type) {
  switch (type) {
    case ElementType::kF64:
    case ElementType::kF32:
    case ElementType::kF16:
    case ElementType::kBF16:
    case ElementType::kF8E3M4:
    case ElementType::kF8E4M3:
    case ElementType::kF8E5M2:
      return true;
    case ElementType::kF4E2M1FN:
    case ElementType::kF6E2M3FN:
    case ElementType::kF6E3M2FN:
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3B11FNUZ:
    case ElementType::kF8E4M3FNUZ:
    case ElementType::kF8E5M2FNUZ:
    case ElementType::kF8E8M0FNU:
    case ElementType::kInvalid:
    case ElementType::kPred:
    case ElementType::kS1:
    case ElementType::kS2:
    case ElementType::kS4:
    case ElementType::kS8:
    case ElementType::kS16:
    case ElementType::kS32:
    case ElementType::kS64:
    case ElementType::kU1:
    case ElementType::kU2:
    case ElementType::kU4:
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32:
    case ElementType::kU64:
    case ElementType::kC64:
    case ElementType::kC128:
    case ElementType::kToken:
    case ElementType::kOpaque:
    case ElementType::kTuple:
    case ElementType::kBuffer:
      return false;
  }
  return false;
}

void AppendNan(ElementType type, uint64_t bits, std::string* out) {
  const FloatFormat& format = FloatFormatOf(type);
  if (format.has_sign && (bits >> (BitWidth(type) - 1) & 1) != 0) out->push_back('-');
  out->append("nan");
  if (!HasNanPayload(type)) return;
  const uint64_t payload = bits & ((uint64_t{1} << format.mantissa_bits) - 1);
  if (payload == uint64_t{1} << (format.mantissa_bits - 1)) return;
  char buffer[kNumberBuffer];
  const auto result = std::to_chars(buffer, buffer + kNumberBuffer, payload, 16);
  out->append("(0x").append(buffer, static_cast<size_t>(result.ptr - buffer)).push_back(')');
}

// Significant digits of a type whose precision does not depend on the value.
int FixedPrecision(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return 5;
    case ElementType::kBF16:
      return 4;
    case ElementType::kF8E3M4:
    case ElementType::kF8E4M3:
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3FNUZ:
    case ElementType::kF8E4M3B11FNUZ:
    case ElementType::kF6E2M3FN:
      return 3;
    case ElementType::kF4E2M1FN:
    case ElementType::kF6E3M2FN:
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
    case ElementType::kF8E8M0FNU:
      return 2;
    case ElementType::kF32:
    case ElementType::kF64:
      break;  // as many as the value needs
    case ElementType::kInvalid:
    case ElementType::kPred:
    case ElementType::kS1:
    case ElementType::kS2:
    case ElementType::kS4:
    case ElementType::kS8:
    case ElementType::kS16:
    case ElementType::kS32:
    case ElementType::kS64:
    case ElementType::kU1:
    case ElementType::kU2:
    case ElementType::kU4:
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32:
    case ElementType::kU64:
    case ElementType::kC64:
    case ElementType::kC128:
    case ElementType::kToken:
    case ElementType::kOpaque:
    case ElementType::kTuple:
    case ElementType::kBuffer:
      break;  // not floating-point
  }
  return 0;
}

// Six digits where they read back exactly, else enough for any value.
template <typename Float>
void AppendShortestOf(Float value, int short_precision, int long_precision, std::string* out) {
  char buffer[kNumberBuffer];
  const auto result = std::to_chars(buffer, buffer + kNumberBuffer, static_cast<double>(value),
                                    std::chars_format::general, short_precision);
  Float read = 0;
  std::from_chars(buffer, result.ptr, read);
  if (read == value) {
    out->append(buffer, static_cast<size_t>(result.ptr - buffer));
  } else {
    AppendGeneral(static_cast<double>(value), long_precision, out);
  }
}

void AppendFloat(ElementType type, uint64_t bits, std::string* out) {
  const double value = DecodeFloat(type, bits);
  if (std::isnan(value)) {
    AppendNan(type, bits, out);
  } else if (std::isinf(value)) {
    out->append(value < 0 ? "-inf" : "inf");
  } else if (type == ElementType::kF32) {
    AppendShortestOf(static_cast<float>(value), 6, 9, out);
  } else if (type == ElementType::kF64) {
    AppendShortestOf(value, 15, 17, out);
  } else {
    AppendGeneral(value, FixedPrecision(type), out);
  }
}

}  // namespace

void AppendInteger(int64_t value, std::string* out) {
  char buffer[kNumberBuffer];
  const auto result = std::to_chars(buffer, buffer + kNumberBuffer, value);
  out->append(buffer, static_cast<size_t>(result.ptr - buffer));
}

void AppendIntegers(absl::Span<const int64_t> values, absl::string_view separator, std::string* out) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out->append(separator.data(), separator.size());
    AppendInteger(values[i], out);
  }
}

void AppendGeneral(double value, int precision, std::string* out) {
  char buffer[kNumberBuffer];
  const auto result = std::to_chars(buffer, buffer + kNumberBuffer, value, std::chars_format::general, precision);
  out->append(buffer, static_cast<size_t>(result.ptr - buffer));
}

void AppendPlainFloat(double value, std::string* out) { AppendGeneral(value, 6, out); }

void AppendWrittenFloat(double value, bool is_f32, std::string* out) {
  char buffer[kNumberBuffer];
  std::to_chars_result result = std::to_chars(buffer, buffer + kNumberBuffer, value, std::chars_format::general, 6);
  double read = 0;
  std::from_chars(buffer, result.ptr, read);
  const bool is_same = is_f32 ? static_cast<float>(read) == static_cast<float>(value) : read == value;
  if (!is_same && !std::isnan(value)) {
    result = is_f32 ? std::to_chars(buffer, buffer + kNumberBuffer, static_cast<float>(value))
                    : std::to_chars(buffer, buffer + kNumberBuffer, value);
  }
  out->append(buffer, static_cast<size_t>(result.ptr - buffer));
}

void AppendElement(ElementType type, const uint8_t* bytes, std::string* out) {
  const int size = StorageBytes(type);
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      out->append(bytes[0] != 0 ? "true" : "false");
      return;
    case ElementKind::kSigned: {
      const int shift = 64 - 8 * size;
      AppendInteger(static_cast<int64_t>(LoadBits(bytes, size) << shift) >> shift, out);
      return;
    }
    case ElementKind::kUnsigned: {
      char buffer[kNumberBuffer];
      const auto result = std::to_chars(buffer, buffer + kNumberBuffer, LoadBits(bytes, size));
      out->append(buffer, static_cast<size_t>(result.ptr - buffer));
      return;
    }
    case ElementKind::kFloat:
      AppendFloat(type, LoadBits(bytes, size), out);
      return;
    case ElementKind::kComplex: {
      const ElementType component = ComplexComponent(type);
      out->push_back('(');
      AppendFloat(component, LoadBits(bytes, size / 2), out);
      out->append(", ");
      AppendFloat(component, LoadBits(bytes + size / 2, size / 2), out);
      out->push_back(')');
      return;
    }
    case ElementKind::kOther:
      return;
  }
}

}  // namespace hloscope
