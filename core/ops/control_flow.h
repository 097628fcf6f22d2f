// SPDX-License-Identifier: Apache-2.0
// Operations that run a computation as a whole: call, while, conditional, fusion
// (docs/ops/control.md 1.5-1.7, 1.10).
#ifndef HLOSCOPE_CORE_OPS_CONTROL_FLOW_H_
#define HLOSCOPE_CORE_OPS_CONTROL_FLOW_H_

#include <vector>

#include "core/ir/module.h"

namespace hloscope {

// The branches of a conditional by branch number: the true computation first, or the list of `branch_computations`.
// Unreadable ones are none.
std::vector<ComputationId> BranchesOf(const Module& module, InstructionId conditional);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_CONTROL_FLOW_H_
