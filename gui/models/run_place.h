// SPDX-License-Identifier: Apache-2.0
// A place in a run by names, so that the run of another version of the module can be taken there.
#ifndef HLOSCOPE_GUI_MODELS_RUN_PLACE_H_
#define HLOSCOPE_GUI_MODELS_RUN_PLACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/engine/frame.h"

namespace hloscope::gui {

// What is next in one frame, from the outermost inwards.
struct PlaceStep {
  InstructionId next;
  int64_t iteration = -1;  // of the loop whose body or condition the frame is; -1: none
  bool in_condition = false;
};

struct RunPlace {
  struct Step {
    std::string computation, instruction;
    int64_t iteration = -1;
    bool in_condition = false;
  };
  std::vector<Step> steps;  // empty: nothing was next

  // Of what is applied to elements, the place before it: an edit may have changed which elements there are.
  static RunPlace Of(const Module& module, absl::Span<const evaluator::Frame> frames);
  // The same place in another version of the module; nothing if it has one of the instructions no more.
  std::optional<std::vector<PlaceStep>> In(const Module& module) const;
  // The name of what was next in the innermost frame; empty if nothing was.
  std::string name() const { return steps.empty() ? std::string() : steps.back().instruction; }
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_RUN_PLACE_H_
