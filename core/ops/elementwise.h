// SPDX-License-Identifier: Apache-2.0
// Elementwise arithmetic, comparison, selection and logic (docs/ops/elementwise.md 2, 4-8).
#ifndef HLOSCOPE_CORE_OPS_ELEMENTWISE_H_
#define HLOSCOPE_CORE_OPS_ELEMENTWISE_H_

#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {

// How an elementwise opcode's result type follows from its operand type.
enum class ElementwiseResult : uint8_t {
  kSame,
  kPredicate,
  kComponent,  // the component type of a complex operand; a real operand's own type
  kComplex,    // the complex type with that component
};

// One row of the table in docs/ops/elementwise.md 2.3.
struct ElementwiseTypes {
  TypeSet accepted;  // shape inference accepts these ("S")
  TypeSet defined;   // the op has a meaning for these ("eval"), a subset
  ElementwiseResult result = ElementwiseResult::kSame;
};
// Requires an opcode of the elementwise family. For clamp: the type of all operands; for select: of the branches.
ElementwiseTypes ElementwiseTypesOf(Opcode opcode);

// The order a comparison of operands of this type uses when `type=` is not written.
ComparisonType DefaultComparisonType(ElementType type);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_ELEMENTWISE_H_
