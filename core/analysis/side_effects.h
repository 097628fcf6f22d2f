// SPDX-License-Identifier: Apache-2.0
// Which instructions do more than yield a value (docs/ops/control.md 6.17, 8.1): they must not be
// removed, duplicated or merged.
#ifndef HLOSCOPE_CORE_ANALYSIS_SIDE_EFFECTS_H_
#define HLOSCOPE_CORE_ANALYSIS_SIDE_EFFECTS_H_

#include <utility>
#include <vector>

#include "core/analysis/call_graph.h"
#include "core/ir/module.h"

namespace hloscope {

class SideEffects {
 public:
  // O(instructions + calls). The arguments must outlive the object.
  SideEffects(const Module& module, const CallGraph& calls);
  // Of a module for which the first instructions with an effect, by computation, are known.
  SideEffects(const Module& module, std::vector<InstructionId> first) : module_(module), first_(std::move(first)) {}

  // By itself, or through a computation that it calls.
  bool Has(InstructionId id) const;
  // The first instruction of the computation, in text order, that has one; none if there is none.
  InstructionId First(ComputationId id) const { return first_[id.index()]; }
  const std::vector<InstructionId>& first_by_computation() const { return first_; }

 private:
  const Module& module_;
  std::vector<InstructionId> first_;  // by computation
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SIDE_EFFECTS_H_
