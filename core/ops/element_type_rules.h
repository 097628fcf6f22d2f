// SPDX-License-Identifier: Apache-2.0
// Checks that most op families share: operands are arrays, their element types belong to the families an op accepts,
// and floating-point types are not mixed (docs/ops/elementwise.md 1.6 and 2, docs/ops/tensor.md 0.2-0.4).
#ifndef HLOSCOPE_CORE_OPS_ELEMENT_TYPE_RULES_H_
#define HLOSCOPE_CORE_OPS_ELEMENT_TYPE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "core/diagnostics/count_text.h"
#include "core/ir/element_type.h"
#include "core/ir/shape.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// A set of element type families.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(ElementKind kind)  // NOLINT(google-explicit-constructor)
      : bits_(static_cast<uint8_t>(1u << static_cast<unsigned>(kind))) {}

  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) {
    TypeSet both;
    both.bits_ = static_cast<uint8_t>(a.bits_ | b.bits_);
    return both;
  }
  bool Contains(ElementType type) const { return (bits_ >> static_cast<unsigned>(KindOf(type))) & 1u; }
  // "signed integer, floating-point or complex".
  std::string Describe() const;

 private:
  uint8_t bits_ = 0;
};

inline constexpr TypeSet kPredicateTypes = ElementKind::kPredicate;
inline constexpr TypeSet kSignedTypes = ElementKind::kSigned;
inline constexpr TypeSet kUnsignedTypes = ElementKind::kUnsigned;
inline constexpr TypeSet kIntegerTypes = kSignedTypes | kUnsignedTypes;
inline constexpr TypeSet kFloatTypes = ElementKind::kFloat;
inline constexpr TypeSet kComplexTypes = ElementKind::kComplex;
inline constexpr TypeSet kFloatOrComplexTypes = kFloatTypes | kComplexTypes;
inline constexpr TypeSet kAnyArrayTypes = kPredicateTypes | kIntegerTypes | kFloatTypes | kComplexTypes;

// True if the types are equal or both floating point.
inline bool SameUpToFloatPrecision(ElementType a, ElementType b) { return a == b || (IsFloat(a) && IsFloat(b)); }

// True if the arrays have the same rank and sizes; `?` matches every size, `<=` flags do not count.
bool SameSizes(const Shape& a, const Shape& b);

// `shape` with another element type. A packed element size in its layout is dropped unless the new type is itself
// narrower than a byte (docs/ops/elementwise.md 2.5).
Shape WithElementType(Shape shape, ElementType type);

// Each function below reports what is wrong and returns true if nothing is.

// Every operand of the numbers [first, end) is an array (EW-3).
bool CheckArrayOperands(RuleContext& context, size_t first = 0, size_t end = std::numeric_limits<size_t>::max());
// The instruction declares an array as its result. False without a report if it declares nothing (the reader has
// reported that).
bool CheckDeclaredArray(RuleContext& context);
// Operand `k` is an array of one of the families (EW-4).
bool CheckOperandType(RuleContext& context, size_t k, TypeSet allowed);
// Operand `k`, the size of a dimension, is s32[] (DRSH-4, SDS-2).
bool CheckSizeOperand(RuleContext& context, size_t k);
// Operand `k`, an array, has rank 0. `role` names it: "the padding value".
bool CheckScalarOperand(RuleContext& context, size_t k, absl::string_view role);
// The element types of operands `a` and `b` agree up to float precision (EW-6).
bool CheckSameOperandTypes(RuleContext& context, size_t a, size_t b);
// Reports that the element types of operands `a` and `b`, arrays, differ; offers to convert either.
void ReportTypesDiffer(RuleContext& context, size_t a, size_t b);
// Reports that operand `k` has the wrong shape next to operand `first`; `detail` goes on after both shapes: ":
// dimension 1 is 2 and 3". `is_tolerated`: compilers accept it.
void ReportShapesDiffer(RuleContext& context, size_t first, size_t k, absl::string_view detail,
                        bool is_tolerated = false);
// All floating-point leaves of the operands have one type unless mixed precision is allowed (EW-7). Not for the exempt
// opcodes of docs/ops/tensor.md 0.4.
bool CheckMixedPrecision(RuleContext& context);
// The element type of the declared result equals that of operand 0; where mixed precision is allowed, up to float
// precision.
bool CheckResultKeepsType(RuleContext& context);
// Every attribute the opcode requires is there. Absence has been reported by the reader; a rule then has nothing to
// say.
bool HasRequiredAttributes(const RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_ELEMENT_TYPE_RULES_H_
