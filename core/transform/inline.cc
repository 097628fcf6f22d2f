// SPDX-License-Identifier: Apache-2.0
// The passes `inline-calls` and `unfuse`: the instructions of a called computation in the place of the call.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/ops/frontend_attributes.h"
#include "core/transform/pass.h"

namespace hloscope {
namespace {

// Copies of calls of calls double with every level; a module grows to at most so many times its instructions.
constexpr size_t kMaxGrowth = 16, kAlwaysAllowed = 100000;

bool IsInlinable(const PassContext& context, InstructionId id, ComputationId callee) {
  const Module& module = context.module;
  if (!callee.has_value() || context.editor.HasControlEdges(id) || module.HasAttribute(id, AttributeKind::kSharding)) {
    return false;
  }
  const Computation& computation = module.computation(callee);
  if (computation.execution_thread != module.computation(module.instruction(id).computation).execution_thread) {
    return false;
  }
  return computation.root.has_value() && computation.parameters.size() == module.operands(id).size();
}

// The copies are in front of the call and take its place; names are theirs, with another number.
bool Inline(PassContext& context, InstructionId id, ComputationId callee) {
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
  if (WithDefaultLayouts(module.shape(result)) != WithDefaultLayouts(module.shape(id)) ||
      (editor.IsRoot(id) && module.opcode(result) == Opcode::kParameter)) {
    return false;
  }
  editor.Replace(id, result);
  // Its effects are those of the copies now.
  editor.Erase(id);
  return true;
}

void InlineEach(PassContext& context, absl::string_view pass, Opcode opcode, AttributeKind attribute,
                absl::FunctionRef<bool(InstructionId)> is_wanted) {
  const Module& module = context.module;
  const size_t limit = kAlwaysAllowed + kMaxGrowth * context.original_size;
  // Callees first, so that nothing is copied that would be inlined later; ids of the module as it was.
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    if (!context.editor.IsRewritable(ComputationId(c))) continue;
    for (InstructionId id = context.editor.first(ComputationId(c)); id.has_value();) {
      const InstructionId next = context.editor.next(id);
      if (module.opcode(id) == opcode && context.IsWanted(id) && is_wanted(id)) {
        const ComputationId callee = module.ComputationAttribute(id, attribute);
        if (IsInlinable(context, id, callee)) {
          if (module.instruction_count() > limit) {
            context.work_left = 0;
            return;
          }
          context.AttemptAlways(pass, id, [&](Application* application) {
            application->pattern = absl::StrCat("the instructions of ", module.ComputationName(callee),
                                                " in the place of the ", OpcodeName(opcode));
            return Inline(context, id, callee);
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
  InlineEach(context, "inline-calls", Opcode::kCall, AttributeKind::kToApply, [&](InstructionId id) {
    // A composite stands for one operation of its frontend.
    if (module.BoolAttribute(id, AttributeKind::kIsComposite)) return false;
    const std::string* const inlineable = FindFrontendAttribute(module, id, "inlineable");
    return inlineable == nullptr || *inlineable != "false";
  });
}

void UnfuseFusions(PassContext& context) {
  const Module& module = context.module;
  InlineEach(context, "unfuse", Opcode::kFusion, AttributeKind::kCalls, [&](InstructionId id) {
    return module.WordAttribute(id, AttributeKind::kKind, FusionKind::kLoop) != FusionKind::kCustom &&
           !module.HasAttribute(id, AttributeKind::kOutputToOperandAliasing);
  });
}

}  // namespace hloscope
