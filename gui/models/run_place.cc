// SPDX-License-Identifier: Apache-2.0
#include "gui/models/run_place.h"

namespace hloscope::gui {

RunPlace RunPlace::Of(const Module& module, absl::Span<const evaluator::Frame> frames) {
  RunPlace place;
  for (const evaluator::Frame& frame : frames) {
    if (frame.kind == evaluator::FrameKind::kApplied || !frame.current.has_value()) break;
    place.steps.push_back({std::string(module.ComputationName(frame.computation)),
                           std::string(module.InstructionName(frame.current)), frame.iteration,
                           frame.kind == evaluator::FrameKind::kCondition});
  }
  return place;
}

std::optional<std::vector<PlaceStep>> RunPlace::In(const Module& module) const {
  std::vector<PlaceStep> found;
  for (const Step& step : steps) {
    const ComputationId computation = module.FindComputation(step.computation);
    if (!computation.has_value()) return std::nullopt;
    const InstructionId next = module.FindInstruction(computation, step.instruction);
    if (!next.has_value()) return std::nullopt;
    found.push_back({next, step.iteration, step.in_condition});
  }
  return found;
}

}  // namespace hloscope::gui
