// SPDX-License-Identifier: Apache-2.0
#include "codegen/cpp_types.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope::codegen {
namespace {

bool IsByteFloat(ElementType type) { return IsFloat(type) && StorageBytes(type) == 1; }

std::string RealText(double value, bool is_float) {
  const absl::string_view type = is_float ? "float" : "double", suffix = is_float ? "f" : "";
  if (std::isnan(value)) {
    return absl::StrCat(std::signbit(value) ? "-" : "", "std::numeric_limits<", type, ">::quiet_NaN()");
  }
  if (std::isinf(value)) return absl::StrCat(value < 0 ? "-" : "", "std::numeric_limits<", type, ">::infinity()");
  // Whole numbers as people write them, others exactly.
  if (value == std::floor(value) && std::fabs(value) < 1e6 && !(value == 0 && std::signbit(value))) {
    return absl::StrFormat("%.1f%s", value, suffix);
  }
  return absl::StrFormat("%a%s", value, suffix);
}

}  // namespace

std::string EnumeratorOf(ElementType type) {
  switch (type) {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) \
  case ElementType::k##Enum:                                                \
    return "ElementType::k" #Enum;
#include "numerics/elements/element_types.def"
    case ElementType::kInvalid:
      break;
  }
  return "ElementType::kInvalid";
}

std::string StoredType(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      return "uint8_t";
    case ElementKind::kSigned:
      return absl::StrCat("int", StorageBytes(type) * 8, "_t");
    case ElementKind::kUnsigned:
      return absl::StrCat("uint", StorageBytes(type) * 8, "_t");
    case ElementKind::kFloat:
      return type == ElementType::kF32   ? "float"
             : type == ElementType::kF64 ? "double"
                                         : absl::StrCat("uint", StorageBytes(type) * 8, "_t");
    case ElementKind::kComplex:
      return type == ElementType::kC64 ? "std::complex<float>" : "std::complex<double>";
    case ElementKind::kOther:
      break;
  }
  return "void";
}

std::string NumberType(ElementType type) {
  if (IsFloat(type)) return type == ElementType::kF64 ? "double" : "float";
  return StoredType(type);
}

int64_t BytesOfStored(absl::string_view stored_type) {
  int64_t bits = 0;
  const size_t digit = stored_type.find_first_of("123456789");
  if (absl::SimpleAtoi(stored_type.substr(0, stored_type.find("_t")).substr(std::min(digit, stored_type.size())),
                       &bits)) {
    return bits / 8;
  }
  if (stored_type == "float") return 4;
  return stored_type == StoredType(ElementType::kC128) ? 16 : 8;
}

std::string BitsType(int bytes) { return bytes == 16 ? "Bits128" : absl::StrCat("uint", bytes * 8, "_t"); }

std::string Loaded(ElementType type, absl::string_view stored) {
  if (type == ElementType::kBF16) return absl::StrCat("LoadBf16(", stored, ")");
  if (type == ElementType::kF16) return absl::StrCat("LoadF16(", stored, ")");
  if (IsByteFloat(type)) return absl::StrCat("LoadByte<", EnumeratorOf(type), ">(", stored, ")");
  return std::string(stored);
}

std::string Stored(ElementType type, absl::string_view number) {
  if (type == ElementType::kBF16) return absl::StrCat("StoreBf16(", number, ")");
  if (type == ElementType::kF16) return absl::StrCat("StoreF16(", number, ")");
  if (IsByteFloat(type)) return absl::StrCat("StoreByte<", EnumeratorOf(type), ">(", number, ")");
  return std::string(number);
}

std::string Rounded(ElementType type, absl::string_view number) {
  if (type == ElementType::kBF16) return absl::StrCat("RoundBf16(static_cast<float>(", number, "))");
  if (type == ElementType::kF16) return absl::StrCat("RoundF16(static_cast<float>(", number, "))");
  if (IsByteFloat(type)) return absl::StrCat("RoundByte<", EnumeratorOf(type), ">(", number, ")");
  if (type == ElementType::kF32) return absl::StrCat("static_cast<float>(", number, ")");
  if (IsInteger(type) && BitWidth(type) < 8) {
    return absl::StrCat(IsSigned(type) ? "WrapSigned<" : "WrapUnsigned<", BitWidth(type), ">(", number, ")");
  }
  return std::string(number);
}

std::string Converted(ElementType from, ElementType to, absl::string_view number) {
  if (from == to) return std::string(number);
  if (IsComplex(from) && IsComplex(to)) return absl::StrCat("static_cast<", NumberType(to), ">(", number, ")");
  std::string x(number);
  if (IsComplex(from)) {  // decision A5: the real part counts
    x = absl::StrCat("(", x, ").real()");
    from = ComplexComponent(from);
    if (from == to) return x;
  }
  if (to == ElementType::kPred) return absl::StrCat("static_cast<uint8_t>(", x, " != 0)");
  if (IsComplex(to)) {
    return absl::StrCat(NumberType(to), "(static_cast<", NumberType(ComplexComponent(to)), ">(", x, "), 0)");
  }
  const std::string target = NumberType(to);
  if (IsFloat(to)) {
    if (IsFloat(from)) {
      if (to == ElementType::kF64) return absl::StrCat("static_cast<double>(", x, ")");
      return Rounded(to, x);
    }
    // Integers go to narrow floats through f32 (decision A3).
    const std::string wide = absl::StrCat("static_cast<", target, ">(", x, ")");
    return to == ElementType::kF32 || to == ElementType::kF64 ? wide : Rounded(to, wide);
  }
  if (IsFloat(from)) {
    return absl::StrCat("Saturation<", target, ", ", NumberType(from), ">(", BitWidth(to), ")(", x, ")");
  }
  const std::string same = target == NumberType(from) ? x : absl::StrCat("static_cast<", target, ">(", x, ")");
  return Rounded(to, same);
}

std::string NumberText(ElementType type, const uint8_t* element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<size_t>(std::min(StorageBytes(type), 8)));
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      return bits != 0 ? "uint8_t{1}" : "uint8_t{0}";
    case ElementKind::kSigned: {
      const int unused = 64 - StorageBytes(type) * 8;
      const int64_t value = static_cast<int64_t>(bits << unused) >> unused;
      if (value == std::numeric_limits<int64_t>::min()) return "std::numeric_limits<int64_t>::min()";
      return absl::StrCat(StoredType(type), "{", value, "}");
    }
    case ElementKind::kUnsigned:
      return absl::StrCat(StoredType(type), "{", bits, BitWidth(type) == 64 ? "u" : "", "}");
    case ElementKind::kFloat:
      return RealText(DecodeFloat(type, bits), type != ElementType::kF64);
    case ElementKind::kComplex: {
      const ElementType part = ComplexComponent(type);
      return absl::StrCat(NumberType(type), "(", NumberText(part, element), ", ",
                          NumberText(part, element + StorageBytes(part)), ")");
    }
    case ElementKind::kOther:
      break;
  }
  return "0";
}

std::string Quoted(absl::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    const bool plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '?';
    if (plain) {
      quoted += c;
      continue;
    }
    const unsigned char byte = static_cast<unsigned char>(c);
    quoted += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
               static_cast<char>('0' + byte % 8)};
  }
  return quoted + "\"";
}

std::string BracedList(absl::Span<const int64_t> values) { return absl::StrCat("{", absl::StrJoin(values, ", "), "}"); }

int64_t ProductOf(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

std::vector<int64_t> RowMajorStridesOf(absl::Span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

}  // namespace hloscope::codegen
