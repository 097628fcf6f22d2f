// SPDX-License-Identifier: Apache-2.0
// The breakpoints of a session, and the steps that they stop at.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_BREAKPOINTS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_BREAKPOINTS_H_

#include <vector>

#include "core/ir/module.h"
#include "evaluator/engine/breakpoint_set.h"
#include "evaluator/engine/schedule.h"

namespace hloscope::evaluator {

class SessionBreakpoints final : public BreakpointSet {
 public:
  // Both must outlive it.
  SessionBreakpoints(const Module& module, Schedules& schedules)
      : module_(module), schedules_(schedules), stops_at_(module.instruction_count(), false) {}

  void Add(InstructionId instruction) override;
  void Remove(InstructionId instruction) override;
  bool Contains(InstructionId instruction) const override;
  const std::vector<InstructionId>& all() const override { return breakpoints_; }
  void Set(std::vector<InstructionId> instructions) override;
  InstructionId StepAtOrAfter(InstructionId instruction) const override;

  // Whether the run stops before this step.
  bool StopsAt(InstructionId step) const { return stops_at_[step.index()]; }

 private:
  void UpdateStops();

  const Module& module_;
  Schedules& schedules_;
  std::vector<InstructionId> breakpoints_;  // sorted
  std::vector<bool> stops_at_;              // by instruction: the steps that breakpoints stop at
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_BREAKPOINTS_H_
