// A run of a module that can be stepped: the only way to evaluate anything (`hloscope run` is a session that never
// stops).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

struct SessionOptions {
  int threads = 0;                 // 0: one per core
  int64_t memory_limit_bytes = 0;  // 0: none
  int64_t step_limit = 0;          // instructions executed; 0: none
  double time_limit_seconds = 0;   // 0: none
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  bool collect_statistics = false;  // seconds, bytes and runs per instruction
};

// One active computation. The innermost frame is the last.
struct Frame {
  ComputationId computation;
  InstructionId caller;    // none for the entry computation
  InstructionId current;   // executed next in this frame; none when the frame is finished
  int64_t iteration = -1;  // of a while body or condition, counted from 0; -1 elsewhere
  int64_t depth = 0;       // 0 for the entry computation
};

enum class StopReason : uint8_t {
  kNotStarted,
  kStep,        // a step command is done
  kBreakpoint,  // `current` carries a breakpoint and has not been executed
  kPaused,      // RequestPause
  kFinished,    // results are there
  kFailed,      // status() says why; `current` is the instruction that failed
};

// Not thread-safe, but for RequestPause and Cancel, which may be called from any thread while another runs.
class Session {
 public:
  // Errors: InvalidArgument if the module has no readable entry computation.
  static absl::StatusOr<std::unique_ptr<Session>> Create(std::shared_ptr<const Module> module, SessionOptions options);
  virtual ~Session() = default;

  virtual const Module& module() const = 0;

  // Value of entry parameter `number`. Error InvalidArgument, with both shapes, if it does not fit the parameter.
  virtual absl::Status SetArgument(int64_t number, Value value) = 0;

  // --- Execution. Each returns why it stopped; kFailed with status(). ---
  virtual StopReason Run() = 0;       // continue: until a breakpoint or the end
  virtual StopReason StepOver() = 0;  // execute `current` whole, with everything it calls
  virtual StopReason StepInto() = 0;  // enter the computation `current` calls; as StepOver if it calls none
  virtual StopReason StepOut() = 0;   // until the innermost frame returns
  virtual StopReason RunTo(InstructionId instruction) = 0;
  virtual void Restart() = 0;  // back to the start; arguments and breakpoints stay

  virtual StopReason stop_reason() const = 0;
  // Why the session failed. Codes: Cancelled, ResourceExhausted (a limit), Unimplemented, InvalidArgument.
  virtual const absl::Status& status() const = 0;
  virtual bool finished() const = 0;

  // --- State ---
  virtual absl::Span<const Frame> frames() const = 0;
  // The value of an instruction in a frame; nothing if it was not executed yet (or was dropped).
  virtual const Value* ValueOf(size_t frame, InstructionId instruction) const = 0;
  // The entry computation's result. Requires finished().
  virtual const Value& result() const = 0;
  // Instructions executed so far.
  virtual int64_t executed_count() const = 0;
  // Values are kept for inspection until their frame ends (the default), or dropped after their last use (`run`).
  virtual void set_keep_values(bool keep) = 0;

  // --- Breakpoints ---
  virtual void AddBreakpoint(InstructionId instruction) = 0;
  virtual void RemoveBreakpoint(InstructionId instruction) = 0;
  virtual bool HasBreakpoint(InstructionId instruction) const = 0;
  virtual std::vector<InstructionId> breakpoints() const = 0;

  // --- From any thread ---
  virtual void RequestPause() = 0;
  virtual void Cancel() = 0;

  struct InstructionStatistics {
    int64_t runs = 0;
    double seconds = 0;
    int64_t output_bytes = 0;
  };
  // By instruction id; empty unless collect_statistics.
  virtual absl::Span<const InstructionStatistics> statistics() const = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
