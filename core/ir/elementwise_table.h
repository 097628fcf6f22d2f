// SPDX-License-Identifier: Apache-2.0
// Questions about the table of elementwise opcodes, elementwise.def.
#ifndef HLOSCOPE_CORE_IR_ELEMENTWISE_TABLE_H_
#define HLOSCOPE_CORE_IR_ELEMENTWISE_TABLE_H_

#include <algorithm>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"

namespace hloscope {

// One row; see there.
struct ElementwiseInfo {
  absl::string_view predicate_function, integer_function, float_function, complex_function;  // "None": there is none
  bool is_transcendental;
  double integer_nanoseconds, float_nanoseconds, complex_nanoseconds;

  // The function for elements of `kind`; empty if there is none.
  constexpr absl::string_view FunctionOf(ElementKind kind) const {
    const absl::string_view function = kind == ElementKind::kPredicate ? predicate_function
                                       : kind == ElementKind::kSigned || kind == ElementKind::kUnsigned
                                           ? integer_function
                                       : kind == ElementKind::kFloat   ? float_function
                                       : kind == ElementKind::kComplex ? complex_function
                                                                       : "None";
    return function == "None" ? absl::string_view() : function;
  }
};

// Nothing for opcodes without a row.
constexpr std::optional<ElementwiseInfo> ElementwiseInfoOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name:                                                                                        \
    return ElementwiseInfo{#Predicate, #Integer, #Float, #Complex, transcendental, integer_ns, float_ns, complex_ns};
#include "core/ir/elementwise.def"
    default:
      return std::nullopt;
  }
}

// True if floats among the operands are not of the type of the result and have to be converted to it before the
// function is applied (docs/ops/tensor.md 0.4). Floats narrower than f32 are computed in f32 anyway.
inline bool ConvertsOperands(absl::Span<const ElementType> operands, ElementType result) {
  return IsFloat(result) && std::any_of(operands.begin(), operands.end(), [&](ElementType type) {
           return IsFloat(type) && type != result && (result != ElementType::kF32 || type == ElementType::kF64);
         });
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ELEMENTWISE_TABLE_H_
