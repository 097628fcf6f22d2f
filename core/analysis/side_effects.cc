// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/side_effects.h"

namespace hloscope {
namespace {

// Without regard to called computations.
bool HasOwnSideEffect(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  switch (opcode) {
    case Opcode::kAllToAll:
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kReduceScatter:
      if (module.BoolAttribute(id, AttributeKind::kConstrainLayout)) return true;
      [[fallthrough]];
    case Opcode::kCollectivePermute:
      // Several partitions in the header mean that the module is partitioned.
      return module.header().num_partitions <= 1 && module.HasAttribute(id, AttributeKind::kChannelId);
    case Opcode::kCustomCall:
      return module.BoolAttribute(id, AttributeKind::kCustomCallHasSideEffect);
    case Opcode::kInvalid:
      return true;  // nobody knows
    default:
      return HasSideEffect(opcode);
  }
}

}  // namespace

SideEffects::SideEffects(const Module& module, const CallGraph& calls) : module_(module) {
  first_.resize(module.computations().size());
  for (ComputationId computation : calls.callees_first()) {
    for (InstructionId id : module.computation(computation).instructions) {
      if (!Has(id)) continue;
      first_[computation.index()] = id;
      break;
    }
  }
}

bool SideEffects::Has(InstructionId id) const {
  if (HasOwnSideEffect(module_, id)) return true;
  if (module_.instruction(id).attribute_count == 0) return false;
  bool found = false;
  module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
    found = found || (callee.has_value() && first_[callee.index()].has_value());
  });
  return found;
}

}  // namespace hloscope
