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

  // The step that a command runs to; none: it has no such step.
  void set_target(InstructionId step);
  // By computation, whether a run may have to stop in it or in what it calls: at a breakpoint or at the target. Empty:
  // nowhere. Stays where it is.
  const std::vector<bool>& stops_inside() const { return stops_inside_; }

 private:
  void UpdateStops();
  void UpdateStopsInside();

  const Module& module_;
  Schedules& schedules_;
  std::vector<InstructionId> breakpoints_;  // sorted
  std::vector<bool> stops_at_;              // by instruction: the steps that breakpoints stop at
  InstructionId target_;
  std::vector<bool> stops_inside_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_BREAKPOINTS_H_
