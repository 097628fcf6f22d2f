// SPDX-License-Identifier: Apache-2.0
// Moving a run forwards.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_EXECUTION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "absl/status/status.h"
#include "core/ir/module.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

enum class StopReason : uint8_t {
  kNotStarted,
  kStep,        // a step command is done
  kBreakpoint,  // `current` carries a breakpoint and has not been executed
  kObserved,    // the observer asked for it
  kPaused,      // RequestPause
  kBlocked,     // `current` waits for another device (SessionOptions::link); to be continued when that has gone on
  kFinished,    // results are there
  kFailed,      // status() says why; `current` is the instruction that failed
};

// Where RunUntil stops; the first condition that holds.
struct StopWhen {
  int64_t position = std::numeric_limits<int64_t>::max();  // at this position
  size_t frames = 0;                                       // with at most this many frames open
  InstructionId instruction;                               // when it is the next step of any frame
  std::function<bool()> enough;                            // after a step for which it says so; null: never
};

// The part of a session that moves it forwards and says how it ended.
//
// Not thread-safe, but for RequestPause and Cancel, which may be called from any thread while another runs a command.
//
// A step is one execution of one instruction (docs/ops/control.md 7.3). Parameters and constants have
// their values when a frame opens and are not steps. Instructions that nobody needs are not executed unless
// SessionOptions::run_dead_instructions. A frame is left as soon as its last step is done, so `current` of the
// innermost frame is always the next step; the entry frame stays when the run has finished.
class Execution {
 public:
  virtual ~Execution() = default;

  // --- Commands. Each returns why it stopped; kFailed with status(). ---
  virtual StopReason Run() = 0;       // continue: until a breakpoint or the end
  virtual StopReason StepOver() = 0;  // execute `current` whole, with everything it calls
  virtual StopReason StepInto() = 0;  // enter the computation `current` calls; as StepOver if it calls none
  virtual StopReason StepOut() = 0;   // until the caller of the innermost frame is done: a while with all iterations
  // Continue until `instruction` is `current` in any frame, or as Run.
  virtual StopReason RunTo(InstructionId instruction) = 0;
  virtual StopReason RunUntil(const StopWhen& when) = 0;
  virtual StopReason Begin() = 0;  // opens the first frame and executes nothing
  virtual void Restart() = 0;      // back to the start; arguments and breakpoints stay

  // --- From any thread. The command that runs stops soon: with kPaused, to be continued, or for good. ---
  virtual void RequestPause() = 0;
  virtual void Cancel() = 0;

  // --- How it ended ---
  virtual StopReason stop_reason() const = 0;
  // Why the session failed. Codes: Cancelled, ResourceExhausted (a limit), Unimplemented, InvalidArgument,
  // FailedPrecondition (an elided constant, or a non-finite value to stop at), Internal. The message names the
  // instruction and where the execution was.
  virtual const absl::Status& status() const = 0;
  // The instruction that failed; none if the session did not fail at one.
  virtual InstructionId failed_instruction() const = 0;
  virtual bool finished() const = 0;
  // The entry computation's result. Requires finished().
  virtual const Value& result() const = 0;
  // True if the run cannot go on because its steps or its time are used up or it was cancelled.
  virtual bool AtLimit() const = 0;

  // Counts what was executed or entered: repeating a run leads to the same positions, with the same values, as long as
  // what the devices and the host exchange is the same.
  virtual int64_t position() const = 0;

  // --- Which values stay ---
  // Values are kept for inspection until their frame ends (the default), or dropped after their last use (`run`).
  virtual void set_keep_values(bool keep) = 0;
  // Drops the values that no later step needs.
  virtual void DropUnneeded() = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_EXECUTION_H_
