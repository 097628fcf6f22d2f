// SPDX-License-Identifier: Apache-2.0
// What questions about a whole module are answered from: its users, its calls, its side effects.
#ifndef HLOSCOPE_CORE_ANALYSIS_MODULE_INDEX_H_
#define HLOSCOPE_CORE_ANALYSIS_MODULE_INDEX_H_

#include <memory>
#include <vector>

#include "core/analysis/call_graph.h"
#include "core/analysis/side_effects.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

// Versions of a module share the parts in which they do not differ. All parts are set.
struct ModuleIndex {
  ModuleIndex() = default;
  // O(size of the module).
  explicit ModuleIndex(const Module& module)
      : users(std::make_shared<const UserIndex>(module)),
        calls(std::make_shared<const CallGraph>(module)),
        first_effects(
            std::make_shared<const std::vector<InstructionId>>(SideEffects(module, *calls).first_by_computation())) {}

  std::shared_ptr<const UserIndex> users;
  std::shared_ptr<const CallGraph> calls;
  // By computation: see SideEffects::First.
  std::shared_ptr<const std::vector<InstructionId>> first_effects;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MODULE_INDEX_H_
