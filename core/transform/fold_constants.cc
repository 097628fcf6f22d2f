// SPDX-License-Identifier: Apache-2.0
// The pass `fold-constants`: instructions whose operands are known become constants. What they come to is asked of the
// front end, since values are the evaluator's business.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/transform/pass.h"
#include "core/transform/simplify.h"

namespace hloscope {
namespace {

constexpr absl::string_view kPass = "fold-constants";

// Constants whose elements are known.
bool IsKnown(const Module& module, InstructionId id) {
  return module.opcode(id) == Opcode::kConstant && module.instruction(id).literal.has_value() &&
         !module.literal(id).IsElided();
}

// A constant of the result has to be no larger than the limit or than what goes.
bool IsWorthFolding(PassContext& context, InstructionId id) {
  const Module& module = context.module;
  const Shape& shape = module.shape(id);
  if (!shape.IsArray() || shape.IsDynamic() || !IsFunctionOfOperands(module.opcode(id))) return false;
  // A broadcast or an iota says the same in fewer words.
  if (module.opcode(id) == Opcode::kBroadcast || module.opcode(id) == Opcode::kIota ||
      module.opcode(id) == Opcode::kConstant || module.operands(id).empty()) {
    return false;
  }
  // Called computations would have to come along.
  bool calls = false;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId) { calls = true; });
  if (calls) return false;
  int64_t operands = 0;
  InstructionId elided;
  for (InstructionId operand : module.operands(id)) {
    if (module.opcode(operand) != Opcode::kConstant) return false;
    if (!IsKnown(module, operand)) elided = operand;
    operands += module.shape(operand).ByteSize();
  }
  if (elided.has_value()) {
    context.Refuse(kPass, id, absl::StrCat("the value of ", module.InstructionName(elided), " is not in the text"));
    return false;
  }
  if (shape.ByteSize() <= context.options.fold_limit_bytes || shape.ByteSize() <= operands) return true;
  context.Refuse(kPass, id,
                 absl::StrCat("the result takes ", shape.ByteSize(), " bytes, more than its operands (", operands,
                              ") and than may be folded (", context.options.fold_limit_bytes, ")"));
  return false;
}

bool Fold(PassContext& context, InstructionId id) {
  const Module& module = context.module;
  std::vector<const Literal*> operands;
  for (InstructionId operand : module.operands(id)) operands.push_back(&module.literal(operand));
  absl::StatusOr<Literal> value = context.options.fold(module, id, operands);
  if (!value.ok()) {
    context.Refuse(kPass, id, absl::StrCat("it cannot be computed: ", value.status().message()));
    return false;
  }
  if (value->shape().WithoutLayout() != module.shape(id).WithoutLayout()) return false;
  const InstructionId constant = context.editor.Add(id, Opcode::kConstant, "constant", Shape(module.shape(id)), {});
  context.editor.mutable_module().SetLiteral(constant, *std::move(value));
  context.editor.CopyCommonAttributes(id, constant, /*sharding=*/true, /*origin=*/true);
  context.editor.Replace(id, constant);
  context.editor.EraseIfUnused(id);
  return true;
}

}  // namespace

void FoldConstants(PassContext& context) {
  if (!context.options.fold) return;
  for (uint32_t c = 0; c < context.module.computations().size(); ++c) {
    if (!context.editor.IsRewritable(ComputationId(c))) continue;
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value();) {
      const InstructionId next = context.editor.next(id);
      if (context.IsWanted(id) && !context.editor.HasSideEffect(id) && IsWorthFolding(context, id)) {
        context.AttemptAlways(kPass, id, [&](Application* application) {
          application->pattern = absl::StrCat(OpcodeName(context.module.opcode(id)), " of constants");
          return Fold(context, id);
        });
      }
      id = next;
    }
  }
}

}  // namespace hloscope
