// SPDX-License-Identifier: Apache-2.0
#include "core/transform/simplify.h"

#include "core/ir/default_layout.h"
#include "core/transform/tree_rebuilder.h"

namespace hloscope {

bool ReplaceByExisting(PassContext& context, InstructionId id, InstructionId other) {
  const Module& module = context.module;
  if (!other.has_value() || id == other || context.editor.HasControlEdges(id) || context.editor.HasSideEffect(id)) {
    return false;
  }
  const Sharding *mine = module.ShardingAttribute(id), *theirs = module.ShardingAttribute(other);
  if (mine != nullptr && (theirs == nullptr || !(*mine == *theirs))) return false;
  if (WithDefaultLayouts(module.shape(id)) != WithDefaultLayouts(module.shape(other))) return false;
  // Computations that only hand on a parameter are legal, but some callers expect more of them.
  if (context.editor.IsRoot(id) && module.opcode(other) == Opcode::kParameter) return false;
  context.editor.Replace(id, other);
  context.editor.EraseIfUnused(id);
  return true;
}

namespace {

// The one operand if both are instructions of this opcode on plain arrays; none otherwise.
InstructionId OperandOfSameKind(PassContext& context, InstructionId id, Opcode opcode) {
  const Module& module = context.module;
  if (module.opcode(id) != opcode || !IsPlainArray(module.shape(id))) return InstructionId::None();
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != opcode || !IsPlainArray(module.shape(inner)) ||
      !IsPlainArray(module.shape(module.operand(inner, 0))) || !HasUniformSharding(module, inner) ||
      !KeepsElementType(module, inner)) {
    return InstructionId::None();
  }
  return inner;
}

bool ReshapeOfReshape(PassContext& context, InstructionId id, std::string* pattern) {
  const InstructionId inner = OperandOfSameKind(context, id, Opcode::kReshape);
  if (!inner.has_value()) return false;
  // The inner one may have been the one that moved the data, for other users too.
  TransformCost before = context.cost.Of(id);
  if (context.editor.use_count(inner) == 1) before += context.cost.Of(inner);
  const ModuleEditor::Mark mark = context.editor.mark();
  context.editor.SetOperand(id, 0, context.module.operand(inner, 0));
  if (before.moved_bytes() < context.cost.Of(id).moved_bytes()) {
    context.editor.UndoTo(mark);
    return false;
  }
  context.editor.EraseIfUnused(inner);
  *pattern = "reshape of a reshape";
  return true;
}

bool IdentityReshape(PassContext& context, InstructionId id, std::string* pattern) {
  if (context.module.opcode(id) != Opcode::kReshape) return false;
  *pattern = "reshape to the same shape";
  return ReplaceByExisting(context, id, context.module.operand(id, 0));
}

bool BroadcastOfBroadcast(PassContext& context, InstructionId id, std::string* pattern) {
  const Module& module = context.module;
  const InstructionId inner = OperandOfSameKind(context, id, Opcode::kBroadcast);
  if (!inner.has_value()) return false;
  const absl::Span<const int64_t> outer_list = module.IntsAttribute(id, AttributeKind::kDimensions);
  std::vector<int64_t> dimensions;
  for (int64_t d : module.IntsAttribute(inner, AttributeKind::kDimensions)) {
    dimensions.push_back(outer_list[static_cast<size_t>(d)]);
  }
  const InstructionId source = module.operand(inner, 0);
  const InstructionId copy = context.editor.AddCopy(
      id, id, module.shape(id), {source}, [](AttributeKind kind) { return kind != AttributeKind::kDimensions; });
  context.editor.mutable_module().AddInts(copy, AttributeKind::kDimensions, dimensions);
  context.editor.SetName(copy, module.instruction(id).name);
  context.editor.Replace(id, copy);
  context.editor.EraseIfUnused(id);
  *pattern = "broadcast of a broadcast";
  return true;
}

}  // namespace

absl::Span<const SimplifyRule> ReshapeRules() {
  static constexpr SimplifyRule kRules[] = {IdentityReshape, ReshapeOfReshape, BroadcastOfBroadcast};
  return kRules;
}

}  // namespace hloscope
