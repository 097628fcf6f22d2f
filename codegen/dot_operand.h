// SPDX-License-Identifier: Apache-2.0
// Where a product reads its operands: in the arrays that views show, or arranged for it.
#ifndef HLOSCOPE_CODEGEN_DOT_OPERAND_H_
#define HLOSCOPE_CODEGEN_DOT_OPERAND_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/element_type.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// The type in which products are formed and summed (docs/ops/tensor.md 0.2; AccumulatorType of
// numerics/contraction/gemm.h).
ElementType SumType(ElementType type);

// How many elements some dimensions have together.
int64_t SizeOf(const Shape& shape, absl::Span<const int64_t> dimensions);

// The type in which the products of a `dot` are summed; bf16 if its operands stay bf16, whose products are summed in
// f32.
ElementType DotSumType(const Module& module, InstructionId dot);
// The types through which operand `side` is converted: to that of the result first, so that e.g. a bf16 result
// multiplies operands rounded to bf16. One that the product reads as it is has its own type alone.
std::vector<ElementType> DotOperandTypes(const Module& module, InstructionId dot, size_t side);

// Operand 0 or 1 of a `dot` as a batch of matrices.
struct DotOperand {
  // Whose elements are read: what the views that lead to the operand show, if the product can read it in place.
  InstructionId array;
  bool is_in_place = false;  // else the elements of the operand are arranged first
  int64_t offset = 0;        // of the array's elements
  int64_t batch_stride = 0, row_stride = 0, column_stride = 0;
};
DotOperand DotOperandOf(const Module& module, InstructionId dot, size_t side);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_DOT_OPERAND_H_
