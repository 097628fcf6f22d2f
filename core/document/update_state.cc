// SPDX-License-Identifier: Apache-2.0
#include "core/document/update_state.h"

#include "core/verify/instruction_traits.h"

namespace hloscope {

std::vector<std::pair<AttributeKind, ComputationId>> CallsOf(const Module& module, InstructionId id) {
  std::vector<std::pair<AttributeKind, ComputationId>> calls;
  module.ForEachCalledComputation(id,
                                  [&](AttributeKind kind, ComputationId callee) { calls.emplace_back(kind, callee); });
  return calls;
}

bool IsRegular(const TokenBuffer& tokens, const SyntaxTree& tree) {
  if (tree.kind == SyntaxTree::TextKind::kSingleInstruction || tree.looked_far ||
      tokens.has_open_frontend_attributes()) {
    return false;
  }
  for (const ComputationSyntax& computation : tree.computations) {
    // Where an open body ends depends on what looks like a computation after it.
    if (computation.open_brace == kNoToken || computation.close_brace == kNoToken) return false;
  }
  return true;
}

UpdateState InitialUpdateState(const Module& module, bool is_regular) {
  UpdateState state;
  state.possible = is_regular && !module.computations().empty();
  state.traits = TraitsOf(module);
  const bool may_have_threads = module.MayHave(AttributeKind::kAsyncExecutionThread);
  uint32_t i = 0;
  for (const Instruction& instruction : module.instructions()) {
    const InstructionId id(i++);
    // Any instruction may lie between an update or done that names a thread and its start.
    if (may_have_threads && instruction.opcode != Opcode::kAsyncStart) {
      state.possible = state.possible && !module.HasAttribute(id, AttributeKind::kAsyncExecutionThread);
    }
    if (!instruction.is_named && !instruction.synthesized) ++state.anonymous;
  }
  return state;
}

}  // namespace hloscope
