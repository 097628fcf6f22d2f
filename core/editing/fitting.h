// SPDX-License-Identifier: Apache-2.0
// How well a value or a computation fits into an instruction that is being written. Nothing is refused here: the
// verifier does that. A choice that cannot be right only comes last.
#ifndef HLOSCOPE_CORE_EDITING_FITTING_H_
#define HLOSCOPE_CORE_EDITING_FITTING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

enum class Fit : uint8_t { kWrong, kPossible, kGood, kExact };

// What is known of the instruction.
struct PartialInstruction {
  Opcode opcode = Opcode::kInvalid;
  std::optional<Shape> result;  // as declared
  std::vector<Shape> operands;  // invalid shapes for those that are not known
};

// A value of that shape as operand `k`.
Fit FitOfOperand(const PartialInstruction& instruction, size_t k, const Shape& shape);

// A computation as the value (an entry of the value) of an attribute.
Fit FitOfComputation(const Module& module, const PartialInstruction& instruction, AttributeKind attribute,
                     ComputationId computation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_FITTING_H_
