// SPDX-License-Identifier: Apache-2.0
#include "evaluator/compare/loop_state.h"

#include <cstdint>

namespace hloscope::evaluator {

absl::Span<const InstructionId> StateAfter(const ValueFlow& flow, InstructionId id) {
  const Module& module = flow.module();
  if (module.opcode(id) != Opcode::kGetTupleElement || module.operands(id).empty()) return {};
  const InstructionId state = module.operand(id, 0);
  const bool is_after = module.opcode(state) == Opcode::kWhile;
  if (!is_after && flow.initial_values(id).empty()) return {};
  const ComputationId body =
      is_after ? module.ComputationAttribute(state, AttributeKind::kBody) : module.instruction(id).computation;
  if (!body.has_value() || !module.computation(body).root.has_value()) return {};
  const InstructionId root = module.computation(body).root;
  const absl::Span<const InstructionId> all = flow.carriers(root);
  const int64_t index = module.IntAttribute(id, AttributeKind::kIndex);
  // The condition of a loop has the state, too, but does not make it.
  if (module.shape(root) != module.shape(state) ||
      static_cast<int64_t>(all.size()) != module.shape(root).tuple_size() || index < 0 ||
      index >= static_cast<int64_t>(all.size())) {
    return {};
  }
  return all.subspan(static_cast<size_t>(index), 1);
}

}  // namespace hloscope::evaluator
