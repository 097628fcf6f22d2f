// SPDX-License-Identifier: Apache-2.0
// The way data takes from one instruction to another of the same computation.
#ifndef HLOSCOPE_GUI_MODELS_GRAPH_PATH_H_
#define HLOSCOPE_GUI_MODELS_GRAPH_PATH_H_

#include <vector>

#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope::gui {

// A shortest path along operands from `from` to `to`, or if there is none from `to` to `from`, both included; empty if
// neither depends on the other. O(instructions + operands of the computation).
std::vector<InstructionId> FindPath(const Module& module, const UserIndex& users, InstructionId from, InstructionId to);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_GRAPH_PATH_H_
