#include "core/document/update_state.h"

#include "core/verify/instruction_traits.h"

namespace hloscope {

std::vector<std::pair<AttributeKind, ComputationId>> CallsOf(const Module& module, InstructionId id) {
  std::vector<std::pair<AttributeKind, ComputationId>> calls;
  module.ForEachCalledComputation(id,
                                  [&](AttributeKind kind, ComputationId callee) { calls.emplace_back(kind, callee); });
  return calls;
}

UpdateState InitialUpdateState(const Module& module, const TokenBuffer& tokens, const SyntaxTree& tree,
                               bool diagnostics_are_local) {
  UpdateState state;
  state.possible = diagnostics_are_local && tree.kind != SyntaxTree::TextKind::kSingleInstruction && !tree.looked_far &&
                   !tokens.has_open_frontend_attributes() && !tree.computations.empty();
  for (const ComputationSyntax& computation : tree.computations) {
    // Where an open body ends depends on what looks like a computation after it.
    state.possible = state.possible && computation.open_brace != kNoToken && computation.close_brace != kNoToken;
  }
  state.traits = TraitsOf(module);
  for (const Instruction& instruction : module.instructions()) {
    if (!instruction.is_named && !instruction.synthesized) ++state.anonymous;
  }
  return state;
}

}  // namespace hloscope
