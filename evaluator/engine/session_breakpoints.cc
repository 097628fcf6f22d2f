// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/session_breakpoints.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"

namespace hloscope::evaluator {

bool SessionBreakpoints::Contains(InstructionId instruction) const {
  return std::binary_search(breakpoints_.begin(), breakpoints_.end(), instruction);
}

InstructionId SessionBreakpoints::StepAtOrAfter(InstructionId instruction) const {
  if (instruction.index() >= module_.instruction_count()) return InstructionId();
  const absl::StatusOr<const ComputationSchedule*> schedule =
      schedules_.Of(module_.instruction(instruction).computation);
  if (!schedule.ok()) return InstructionId();
  const std::vector<InstructionId>& steps = (*schedule)->steps;
  const uint32_t position = schedules_.LocalIndex(instruction);
  if ((*schedule)->step_of[position] != ComputationSchedule::kNoStep) return instruction;
  const auto next = std::find_if(steps.begin(), steps.end(),
                                 [&](InstructionId step) { return schedules_.LocalIndex(step) > position; });
  return next == steps.end() ? InstructionId() : *next;
}

void SessionBreakpoints::Add(InstructionId instruction) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), instruction);
  if (place != breakpoints_.end() && *place == instruction) return;
  breakpoints_.insert(place, instruction);
  UpdateStops();
}

void SessionBreakpoints::Remove(InstructionId instruction) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), instruction);
  if (place == breakpoints_.end() || *place != instruction) return;
  breakpoints_.erase(place);
  UpdateStops();
}

void SessionBreakpoints::Set(std::vector<InstructionId> instructions) {
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
  breakpoints_ = std::move(instructions);
  UpdateStops();
}

void SessionBreakpoints::UpdateStops() {
  std::fill(stops_at_.begin(), stops_at_.end(), false);
  for (InstructionId breakpoint : breakpoints_) {
    const InstructionId step = StepAtOrAfter(breakpoint);
    if (step.has_value()) stops_at_[step.index()] = true;
  }
  UpdateStopsInside();
}

void SessionBreakpoints::set_target(InstructionId step) {
  if (step == target_) return;
  target_ = step;
  UpdateStopsInside();
}

void SessionBreakpoints::UpdateStopsInside() {
  stops_inside_.clear();
  if (breakpoints_.empty() && !target_.has_value()) return;
  stops_inside_.resize(module_.computations().size(), false);
  const auto add = [&](InstructionId id) { stops_inside_[module_.instruction(id).computation.index()] = true; };
  for (InstructionId breakpoint : breakpoints_) {
    if (breakpoint.index() < module_.instruction_count()) add(breakpoint);
  }
  if (target_.has_value()) add(target_);
  const CallGraph& calls = schedules_.calls();
  for (ComputationId caller : calls.callees_first()) {
    for (const CallGraph::Call& call : calls.calls(caller)) {
      if (stops_inside_[call.callee.index()]) stops_inside_[caller.index()] = true;
    }
  }
}

}  // namespace hloscope::evaluator
