// SPDX-License-Identifier: Apache-2.0
// Element types of HLO arrays and the constant-time questions about them (docs/text-format.md 4.1).
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_TYPE_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_TYPE_H_

#include <cstdint>

namespace hloscope::numerics {

enum class ElementType : uint8_t {
  kInvalid,
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) k##Enum,
#include "numerics/elements/element_types.def"
};

enum class ElementKind : uint8_t { kPredicate, kSigned, kUnsigned, kFloat, kComplex, kOther };

ElementKind KindOf(ElementType type);
// Information content in bits: 1 for pred, 4 for s4, 6 for the f6 types, 128 for c128, 0 for non-arrays.
int BitWidth(ElementType type);
// Bytes of one element in memory; types below a byte take one byte each. 0 for non-arrays.
int StorageBytes(ElementType type);

inline bool IsSigned(ElementType type) { return KindOf(type) == ElementKind::kSigned; }
inline bool IsUnsigned(ElementType type) { return KindOf(type) == ElementKind::kUnsigned; }
// pred is not an integer (docs/ops/elementwise.md 1.1).
inline bool IsInteger(ElementType type) { return IsSigned(type) || IsUnsigned(type); }
inline bool IsFloat(ElementType type) { return KindOf(type) == ElementKind::kFloat; }
inline bool IsComplex(ElementType type) { return KindOf(type) == ElementKind::kComplex; }
// True for every type an array may have; false for token, opaque, tuple, buffer and kInvalid.
inline bool IsArrayElement(ElementType type) { return KindOf(type) != ElementKind::kOther; }

// f32 for c64, f64 for c128; the type itself otherwise.
ElementType ComplexComponent(ElementType type);
// c64 for f32, c128 for f64; kInvalid otherwise.
ElementType ComplexOf(ElementType component);

// Parameters of a binary floating-point format (docs/ops/elementwise.md 1.2).
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;  // explicit ones
  int bias;
  bool has_infinity;
  bool has_nan;
  bool has_negative_zero;
  bool has_sign;
};
// Requires IsFloat(type).
const FloatFormat& FloatFormatOf(ElementType type);

// The wider of two types under the lexicographic order of docs/ops/tensor.md 0.4:
// (is complex, exponent range, mantissa width, bit width, is signed).
ElementType WiderType(ElementType a, ElementType b);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_ELEMENT_TYPE_H_
