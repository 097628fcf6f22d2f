// SPDX-License-Identifier: Apache-2.0
// Instructions whose removal changes nothing, in groups that fall together.
#ifndef HLOSCOPE_CORE_ANALYSIS_DEAD_CODE_H_
#define HLOSCOPE_CORE_ANALYSIS_DEAD_CODE_H_

#include <vector>

#include "core/analysis/side_effects.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

struct DeadGroup {
  // Dead instructions of one computation that feed one another, in text order: removing the last ones makes the others
  // unused.
  std::vector<InstructionId> instructions;
  // Those among them that nothing uses: what the diagnostic dead-code points at.
  std::vector<InstructionId> tops;
};

// An instruction is alive if it is a root, has a side effect, is a parameter, must run before (control-predecessors) or
// feeds an instruction that is alive. Groups are in text order of their first instruction.
// O((instructions + operands) * inverse Ackermann).
std::vector<DeadGroup> FindDeadCode(const Module& module, const UserIndex& users, const SideEffects& effects);

// Computations that no chain of calls leads to from the entry computation, in text order.
std::vector<ComputationId> FindUnreachableComputations(const Module& module, const CallGraph& calls);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_DEAD_CODE_H_
