// SPDX-License-Identifier: Apache-2.0
// Taking part in a run: observing each step, and changing what it does.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_INTERVENTION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_INTERVENTION_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/engine/frame.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// Notified of what a session executes, in the thread that runs its command. The arguments live until the call returns.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // A frame was opened: the last one.
  virtual void OnOpen(absl::Span<const Frame> frames, absl::Span<const Value> arguments) = 0;
  // The innermost frame executed `id`. True to stop before the next step (kObserved).
  virtual bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) = 0;
  // What it looks at: of the rest, nothing comes from devices of other processes. Asked when it is set.
  virtual bool WantsFrames() const { return true; }
  virtual bool WantsResultsOf(InstructionId) const { return true; }
  // Whether it is notified of operands too. Kernels cannot reuse their memory then.
  virtual bool WantsOperands() const { return false; }
  // Before OnComplete, of instructions that a kernel computed. True to stop.
  virtual bool OnKernel(absl::Span<const Frame>, InstructionId, absl::Span<const Value> /*operands*/, const Value&) {
    return false;
  }
};

// How a computation that an instruction applies to scalars (map, reduce, scatter ...) makes one element of the result,
// application after application.
struct AppliedPlan {
  struct Application {
    ComputationId computation;
    std::vector<Value> arguments;  // after the accumulators
    bool accumulates = true;       // false: it is not given the accumulators, and its result is for looking at only
  };
  std::vector<Application> applications;
  std::vector<Value> initial;  // accumulators of the first; those of the others are the results of the one before
};

// The part of a session through which others take part in it.
//
// Not thread-safe: to be used between the commands of the session.
class Intervention {
 public:
  virtual ~Intervention() = default;

  // Null: none. It must outlive the session or be taken away.
  virtual void set_observer(ExecutionObserver* observer) = 0;
  // Replaces the value that `instruction` has in an open frame. Errors: InvalidArgument if the value does not fit its
  // shape; FailedPrecondition if it has not been executed yet.
  virtual absl::Status SetValue(size_t frame, InstructionId instruction, Value value) = 0;
  // The value that the run gives to a parameter of the entry computation or to a constant; made if nothing has read it.
  // Obeys the limits. Errors: InvalidArgument for another instruction; those of the value's maker, Cancelled,
  // ResourceExhausted.
  virtual absl::StatusOr<Value> GivenValue(InstructionId instruction) = 0;
  // Goes past `current` as if executing it had given `value`. Errors: InvalidArgument if the value does not fit;
  // FailedPrecondition if there is no next step; what leaving the frame gives.
  virtual absl::Status Skip(Value value) = 0;
  // Enters the computation that `current` applies, at one element; `current` itself is executed when the plan is done.
  // Errors: FailedPrecondition if there is no next step or the plan is empty; what opening the frame gives.
  virtual absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan) = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_INTERVENTION_H_
