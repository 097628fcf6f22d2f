// SPDX-License-Identifier: Apache-2.0
// The steps at which a run stops.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_BREAKPOINT_SET_H_
#define HLOSCOPE_EVALUATOR_ENGINE_BREAKPOINT_SET_H_

#include <vector>

#include "core/ir/module.h"

namespace hloscope::evaluator {

// The part of a session that knows its breakpoints. One on a parameter or a constant stops at the next step of its
// computation.
//
// Not thread-safe: to be used between the commands of the session.
class BreakpointSet {
 public:
  virtual ~BreakpointSet() = default;

  virtual void Add(InstructionId instruction) = 0;
  virtual void Remove(InstructionId instruction) = 0;
  virtual bool Contains(InstructionId instruction) const = 0;
  // Sorted.
  virtual const std::vector<InstructionId>& all() const = 0;
  // Replaces all of them.
  virtual void Set(std::vector<InstructionId> instructions) = 0;
  // The step at which a breakpoint on `instruction` stops: itself, or what follows a parameter, a constant or an
  // instruction that is not executed. None if nothing follows.
  virtual InstructionId StepAtOrAfter(InstructionId instruction) const = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_BREAKPOINT_SET_H_
