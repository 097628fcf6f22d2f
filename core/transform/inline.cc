// SPDX-License-Identifier: Apache-2.0
// The passes `inline-calls` and `unfuse`: the instructions of a called computation in the place of the call.
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/ops/frontend_attributes.h"
#include "core/transform/pass.h"
#include "core/transform/simplify.h"

namespace hloscope {
namespace {

// Copies of calls of calls double with every level; a module grows to at most so many times its instructions.
constexpr size_t kMaxGrowth = 16, kAlwaysAllowed = 100000;

// What keeps the instructions of the computation out of the place of the call; empty if nothing does.
std::string WhyNotInlined(PassContext& context, InstructionId id, ComputationId callee) {
  const Module& module = context.module;
  if (context.editor.HasControlEdges(id)) return "it has control dependencies";
  if (module.HasAttribute(id, AttributeKind::kSharding)) return "it has a sharding";
  const Computation& computation = module.computation(callee);
  if (computation.execution_thread != module.computation(module.instruction(id).computation).execution_thread) {
    return absl::StrCat(module.ComputationName(callee), " runs on another thread");
  }
  if (!computation.root.has_value() || computation.parameters.size() != module.operands(id).size()) {
    return absl::StrCat(module.ComputationName(callee), " does not take its operands");
  }
  return std::string();
}

// The copies are in front of the call and take its place; names are theirs, with another number.
bool Inline(PassContext& context, absl::string_view pass, InstructionId id, ComputationId callee) {
  const Module& module = context.module;
  ModuleEditor& editor = context.editor;
  absl::flat_hash_map<InstructionId, InstructionId> copies;
  const Computation& computation = module.computation(callee);
  for (size_t k = 0; k < computation.parameters.size(); ++k) {
    if (!computation.parameters[k].has_value()) return false;
    copies[computation.parameters[k]] = module.operand(id, k);
  }
  for (InstructionId inner = editor.first(callee); inner.has_value(); inner = editor.next(inner)) {
    if (module.opcode(inner) == Opcode::kParameter) continue;
    absl::InlinedVector<InstructionId, 4> operands;
    for (InstructionId operand : module.operands(inner)) operands.push_back(copies.at(operand));
    const InstructionId copy = editor.AddInlined(id, inner, operands, [&](InstructionId before) {
      const auto it = copies.find(before);
      return it == copies.end() ? InstructionId::None() : it->second;
    });
    copies[inner] = copy;
  }
  const InstructionId result = copies.at(computation.root);
  // A computation may return another layout than its call has, or a parameter as it is.
  std::string reason;
  if (WithDefaultLayouts(module.shape(result)) != WithDefaultLayouts(module.shape(id))) {
    reason = absl::StrCat(module.ComputationName(callee), " returns ", ShapeForPeople(module.shape(result)),
                          ", and not ", ShapeForPeople(module.shape(id)));
  } else if (editor.IsRoot(id) && module.opcode(result) == Opcode::kParameter) {
    reason = absl::StrCat("its computation would return the parameter ", module.InstructionName(result), " as it is");
  }
  if (!reason.empty()) {
    context.Refuse(pass, id, std::move(reason));
    return false;
  }
  editor.Replace(id, result);
  // Its effects are those of the copies now.
  editor.Erase(id);
  return true;
}

// `why_not` says what about the instruction itself forbids it; empty if nothing does.
void InlineEach(PassContext& context, absl::string_view pass, Opcode opcode, AttributeKind attribute,
                absl::FunctionRef<std::string(InstructionId)> why_not) {
  const Module& module = context.module;
  const size_t limit = kAlwaysAllowed + kMaxGrowth * context.original_size;
  // Callees first, so that nothing is copied that would be inlined later; ids of the module as it was.
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    if (!context.editor.IsRewritable(ComputationId(c))) continue;
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value();) {
      const InstructionId next = context.editor.next(id);
      const ComputationId callee = module.opcode(id) == opcode && context.IsWanted(id)
                                       ? module.ComputationAttribute(id, attribute)
                                       : ComputationId::None();
      if (callee.has_value()) {
        std::string reason = why_not(id);
        if (reason.empty()) reason = WhyNotInlined(context, id, callee);
        if (reason.empty() && module.instruction_count() > limit) {
          context.work_left = 0;
          reason = absl::StrCat("the module has grown to ", module.instruction_count(), " instructions already");
        }
        if (!reason.empty()) {
          context.Refuse(pass, id, std::move(reason));
        } else {
          context.AttemptAlways(pass, id, [&](Application* application) {
            application->pattern = absl::StrCat("the instructions of ", module.ComputationName(callee),
                                                " in the place of the ", OpcodeName(opcode));
            return Inline(context, pass, id, callee);
          });
        }
      }
      id = next;
    }
  }
}

}  // namespace

void InlineCalls(PassContext& context) {
  const Module& module = context.module;
  InlineEach(context, "inline-calls", Opcode::kCall, AttributeKind::kToApply, [&](InstructionId id) -> std::string {
    // A composite stands for one operation of its frontend.
    if (module.BoolAttribute(id, AttributeKind::kIsComposite))
      return "it is a composite: one operation of its frontend";
    const std::string* const inlineable = FindFrontendAttribute(module, id, "inlineable");
    return inlineable != nullptr && *inlineable == "false" ? "its frontend attribute `inlineable` is false" : "";
  });
}

void UnfuseFusions(PassContext& context) {
  const Module& module = context.module;
  InlineEach(context, "unfuse", Opcode::kFusion, AttributeKind::kCalls, [&](InstructionId id) -> std::string {
    if (module.WordAttribute(id, AttributeKind::kKind, FusionKind::kLoop) == FusionKind::kCustom) {
      return "the form of a custom fusion matters to who runs it";
    }
    return module.HasAttribute(id, AttributeKind::kOutputToOperandAliasing) ? "its results share memory with operands"
                                                                            : "";
  });
}

}  // namespace hloscope
