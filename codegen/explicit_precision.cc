// SPDX-License-Identifier: Apache-2.0
#include "codegen/explicit_precision.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope::codegen {
namespace {

// Whether operand `operand` of a moving operation has another floating-point type than the result.
bool NeedsConversion(const Module& module, InstructionId id, InstructionId operand) {
  const ElementType type = module.shape(id).element_type();
  if (!operand.has_value() || !module.shape(operand).IsArray()) return false;
  const ElementType other = module.shape(operand).element_type();
  return IsFloat(type) && IsFloat(other) && other != type;
}

bool ConvertsWhileMoving(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  const OpFamily family = InfoOf(opcode).family;
  const bool moves = (family == OpFamily::kDataMovement && opcode != Opcode::kBitcast) || opcode == Opcode::kGather;
  if (!moves || !module.shape(id).IsArray()) return false;
  const absl::Span<const InstructionId> operands = module.operands(id);
  return std::any_of(operands.begin(), operands.end(),
                     [&](InstructionId operand) { return NeedsConversion(module, id, operand); });
}

// The operand in the type of the instruction.
InstructionId OperandInTypeOf(Module& module, InstructionId id, InstructionId operand) {
  const Shape& from = module.shape(operand);
  Shape shape = Shape::Array(module.shape(id).element_type(), from.dimensions());
  for (int64_t d = 0; d < from.rank(); ++d) shape.set_dynamic_dimension(d, from.IsDynamicDimension(d));
  if (from.has_layout()) shape.set_layout(from.layout());
  const std::string name = absl::StrCat(module.InstructionName(operand), ".converted");
  const InstructionId converted =
      module.AddInstruction(module.instruction(id).computation, Opcode::kConvert, name, shape, {operand});
  module.mutable_instruction(converted).shape_declared = true;
  module.mutable_instruction(converted).synthesized = true;
  return converted;
}

// Gives an instruction other operands.
void SetOperands(Module& module, InstructionId id, absl::Span<const InstructionId> operands) {
  const Instruction old = module.instruction(id);
  const absl::Span<const Attribute> written = module.attributes(id);
  const std::vector<Attribute> attributes(written.begin(), written.end());
  module.ReplaceInstruction(id, old.opcode, old.name, old.shape, operands);
  for (const Attribute& attribute : attributes) module.AddShared(id, attribute, attribute.syntax);
  Instruction& instruction = module.mutable_instruction(id);
  instruction.shape_declared = old.shape_declared;
  instruction.is_named = old.is_named;
  instruction.syntax = old.syntax;
}

}  // namespace

std::optional<Module> WithExplicitPrecision(const Module& module) {
  std::optional<Module> result;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (!ConvertsWhileMoving(module, id)) continue;
    if (!result) result.emplace(module);
    std::vector<InstructionId> operands;
    for (InstructionId operand : module.operands(id)) {
      operands.push_back(NeedsConversion(module, id, operand) ? OperandInTypeOf(*result, id, operand) : operand);
    }
    SetOperands(*result, id, operands);
  }
  return result;
}

}  // namespace hloscope::codegen
