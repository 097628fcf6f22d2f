// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions as C++ expressions (families Elementwise and TypeConversion).
#ifndef HLOSCOPE_CODEGEN_ELEMENTWISE_H_
#define HLOSCOPE_CODEGEN_ELEMENTWISE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// True for instructions that compute each element of their result from the elements at the same place of operands of
// the same dimensions. Whether the types fit is another question.
bool IsElementwise(const Module& module, InstructionId id);

// The number of one element of the result, rounded to its type; `operands` are the numbers of the operands' elements
// there. Error Unimplemented if the opcode is not defined for the types.
absl::StatusOr<std::string> ElementExpression(const Module& module, InstructionId id,
                                              absl::Span<const std::string> operands);

// Nanoseconds that one element takes, roughly, in a loop that a compiler vectorised.
double ElementNanoseconds(const Module& module, InstructionId id);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_ELEMENTWISE_H_
