// SPDX-License-Identifier: Apache-2.0
#include "core/transform/simplify.h"

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/transform/tree_rebuilder.h"

namespace hloscope {

namespace {

// What would be lost if `other` took the place of `id`; empty if nothing would.
std::string WhyNotReplaced(PassContext& context, InstructionId id, InstructionId other) {
  const Module& module = context.module;
  if (context.editor.HasControlEdges(id)) return "it has control dependencies";
  if (context.editor.HasSideEffect(id)) return "it has an effect";
  const absl::string_view name = module.InstructionName(other);
  const Sharding *mine = module.ShardingAttribute(id), *theirs = module.ShardingAttribute(other);
  if (mine != nullptr && (theirs == nullptr || !(*mine == *theirs))) {
    return absl::StrCat("its sharding is not that of ", name);
  }
  if (WithDefaultLayouts(module.shape(id)) != WithDefaultLayouts(module.shape(other))) {
    return absl::StrCat(ShapeForPeople(module.shape(id)), " is not ", ShapeForPeople(module.shape(other)), " of ",
                        name);
  }
  // Computations that only hand on a parameter are legal, but some callers expect more of them.
  if (context.editor.IsRoot(id) && module.opcode(other) == Opcode::kParameter) {
    return absl::StrCat("its computation would return the parameter ", name, " as it is");
  }
  return std::string();
}

}  // namespace

bool ReplaceByExisting(PassContext& context, InstructionId id, InstructionId other, absl::string_view matched,
                       std::string* pattern) {
  if (!other.has_value() || id == other) return false;
  if (const std::string reason = WhyNotReplaced(context, id, other); !reason.empty()) {
    context.Refuse(kAlgebraicPass, id, absl::StrCat(matched, ", but ", reason));
    return false;
  }
  context.editor.Replace(id, other);
  context.editor.EraseIfUnused(id);
  *pattern = std::string(matched);
  return true;
}

std::string ShapeForPeople(const Shape& shape) {
  return shape.IsArray() ? absl::StrCat("the shape ", shape.ToString()) : "the tuple";
}

std::string WhyNotPassed(const Module& module, InstructionId outer, InstructionId inner) {
  const absl::string_view name = module.InstructionName(inner);
  if (!IsPlainArray(module.shape(outer))) return "its shape is dynamic, empty or in a layout of its own";
  if (!IsPlainArray(module.shape(inner))) {
    return absl::StrCat("the shape of ", name, " is dynamic, empty or in a layout of its own");
  }
  if (!HasUniformSharding(module, inner)) return absl::StrCat("the sharding of ", name, " would be lost");
  if (!KeepsElementType(module, inner)) return absl::StrCat(name, " also converts its operand");
  return std::string();
}

namespace {

// The one operand if both are instructions of this opcode on plain arrays; none otherwise.
InstructionId OperandOfSameKind(PassContext& context, InstructionId id, Opcode opcode) {
  const Module& module = context.module;
  if (module.opcode(id) != opcode) return InstructionId::None();
  const InstructionId inner = module.operand(id, 0);
  if (module.opcode(inner) != opcode) return InstructionId::None();
  std::string reason = WhyNotPassed(module, id, inner);
  if (reason.empty() && !IsPlainArray(module.shape(module.operand(inner, 0)))) {
    reason = absl::StrCat("the shape of ", module.InstructionName(module.operand(inner, 0)),
                          " is dynamic, empty or in a layout of its own");
  }
  if (reason.empty()) return inner;
  context.Refuse(kAlgebraicPass, id, absl::StrCat(OpcodeName(opcode), " of a ", OpcodeName(opcode), ", but ", reason));
  return InstructionId::None();
}

bool ReshapeOfReshape(PassContext& context, InstructionId id, std::string* pattern) {
  const InstructionId inner = OperandOfSameKind(context, id, Opcode::kReshape);
  if (!inner.has_value()) return false;
  // The inner one may have been the one that moved the data, for other users too.
  TransformCost before = context.cost.Of(id);
  if (context.editor.use_count(inner) == 1) before += context.cost.Of(inner);
  const ModuleEditor::Mark mark = context.editor.mark();
  context.editor.SetOperand(id, 0, context.module.operand(inner, 0));
  if (const int64_t after = context.cost.Of(id).moved_bytes(); before.moved_bytes() < after) {
    context.editor.UndoTo(mark);
    context.Refuse(kAlgebraicPass, id,
                   absl::StrCat("reshape of a reshape, but it does not pay: ", before.moved_bytes(),
                                " bytes moved now, ", after, " after it"));
    return false;
  }
  context.editor.EraseIfUnused(inner);
  *pattern = "reshape of a reshape";
  return true;
}

bool IdentityReshape(PassContext& context, InstructionId id, std::string* pattern) {
  if (context.module.opcode(id) != Opcode::kReshape) return false;
  const InstructionId operand = context.module.operand(id, 0);
  const Shape &shape = context.module.shape(id), &from = context.module.shape(operand);
  if (!from.IsArray() || shape.dimensions() != from.dimensions()) return false;
  return ReplaceByExisting(context, id, operand, "reshape to the same shape", pattern);
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
