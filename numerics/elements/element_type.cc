// SPDX-License-Identifier: Apache-2.0
#include "numerics/elements/element_type.h"

#include <cstddef>
#include <tuple>

namespace hloscope::numerics {
namespace {

struct ElementTypeInfo {
  int bits;
  int storage_bytes;
  ElementKind kind;
};

constexpr ElementTypeInfo kInfos[] = {
    {0, 0, ElementKind::kOther},
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) {bits, storage_bytes, ElementKind::k##kind},
#include "numerics/elements/element_types.def"
};

const ElementTypeInfo& InfoOf(ElementType type) { return kInfos[static_cast<size_t>(type)]; }

constexpr FloatFormat kF4E2M1FN{2, 1, 1, false, false, true, true};
constexpr FloatFormat kF6E2M3FN{2, 3, 1, false, false, true, true};
constexpr FloatFormat kF6E3M2FN{3, 2, 3, false, false, true, true};
constexpr FloatFormat kF8E3M4{3, 4, 3, true, true, true, true};
constexpr FloatFormat kF8E4M3{4, 3, 7, true, true, true, true};
constexpr FloatFormat kF8E4M3FN{4, 3, 7, false, true, true, true};
constexpr FloatFormat kF8E4M3B11FNUZ{4, 3, 11, false, true, false, true};
constexpr FloatFormat kF8E4M3FNUZ{4, 3, 8, false, true, false, true};
constexpr FloatFormat kF8E5M2{5, 2, 15, true, true, true, true};
constexpr FloatFormat kF8E5M2FNUZ{5, 2, 16, false, true, false, true};
constexpr FloatFormat kF8E8M0FNU{8, 0, 127, false, true, false, false};
constexpr FloatFormat kF16{5, 10, 15, true, true, true, true};
constexpr FloatFormat kBF16{8, 7, 127, true, true, true, true};
constexpr FloatFormat kF32{8, 23, 127, true, true, true, true};
constexpr FloatFormat kF64{11, 52, 1023, true, true, true, true};

}  // namespace

ElementKind KindOf(ElementType type) { return InfoOf(type).kind; }
int BitWidth(ElementType type) { return InfoOf(type).bits; }
int StorageBytes(ElementType type) { return InfoOf(type).storage_bytes; }

ElementType ComplexComponent(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

ElementType ComplexOf(ElementType component) {
  if (component == ElementType::kF32) return ElementType::kC64;
  if (component == ElementType::kF64) return ElementType::kC128;
  return ElementType::kInvalid;
}

const FloatFormat& FloatFormatOf(ElementType type) {
  switch (type) {
    case ElementType::kF4E2M1FN:
      return kF4E2M1FN;
    case ElementType::kF6E2M3FN:
      return kF6E2M3FN;
    case ElementType::kF6E3M2FN:
      return kF6E3M2FN;
    case ElementType::kF8E3M4:
      return kF8E3M4;
    case ElementType::kF8E4M3:
      return kF8E4M3;
    case ElementType::kF8E4M3FN:
      return kF8E4M3FN;
    case ElementType::kF8E4M3B11FNUZ:
      return kF8E4M3B11FNUZ;
    case ElementType::kF8E4M3FNUZ:
      return kF8E4M3FNUZ;
    case ElementType::kF8E5M2:
      return kF8E5M2;
    case ElementType::kF8E5M2FNUZ:
      return kF8E5M2FNUZ;
    case ElementType::kF8E8M0FNU:
      return kF8E8M0FNU;
    case ElementType::kF16:
      return kF16;
    case ElementType::kBF16:
      return kBF16;
    case ElementType::kF64:
      return kF64;
    case ElementType::kF32:
      return kF32;
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
  return kF32;
}

ElementType WiderType(ElementType a, ElementType b) {
  const auto rank = [](ElementType type) {
    const ElementType component = ComplexComponent(type);
    int range = 0, mantissa = 0;
    if (IsFloat(component)) {
      range = FloatFormatOf(component).exponent_bits;
      mantissa = FloatFormatOf(component).mantissa_bits;
    }
    return std::make_tuple(IsComplex(type), range, mantissa, BitWidth(type), IsSigned(type));
  };
  return rank(a) < rank(b) ? b : a;
}

}  // namespace hloscope::numerics
