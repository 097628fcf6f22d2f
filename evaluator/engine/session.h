// A run of a module that can be stepped: the only way to evaluate anything (`hloscope run` is a session that never
// stops).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

struct SharedRunState;

struct SessionOptions {
  int threads = 0;                 // 0: one per core
  int64_t memory_limit_bytes = 0;  // 0: none
  int64_t step_limit = 0;          // instructions executed; 0: none
  double time_limit_seconds = 0;   // 0: none
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  int64_t replica_id = 0;  // the device that this session simulates
  int64_t partition_id = 0;
  bool collect_statistics = false;     // seconds, bytes and runs per instruction
  bool run_dead_instructions = false;  // also what neither the root nor a side effect needs
  bool find_non_finite = false;        // look for the first instruction that makes a NaN or an infinity
  bool stop_at_non_finite = false;     // and fail there
  uint64_t random_seed = 0;            // of `rng` (spec/ops-a-elementwise.md 11.2)
  // The ways to the other devices and to the host; null: there are none. They outlive the session.
  DeviceLink* link = nullptr;
  HostChannel* host = nullptr;
  // What the sessions of one run have in common: the limits count for all of them, constants are made once. Null: the
  // session is alone.
  std::shared_ptr<SharedRunState> shared;
};

enum class FrameKind : uint8_t { kEntry, kCall, kFusion, kCondition, kBody, kBranch, kAsync };

// One active computation. The innermost frame is the last.
struct Frame {
  ComputationId computation;
  InstructionId caller;    // none for the entry computation
  InstructionId current;   // executed next in this frame; none when the frame is finished
  int64_t iteration = -1;  // of a while body or condition, counted from 0; -1 elsewhere
  int64_t depth = 0;       // 0 for the entry computation
  FrameKind kind = FrameKind::kEntry;
  int64_t branch = -1;  // number of the branch of a conditional; -1 elsewhere
};

// Where an execution is: "e::w[body 3]/body::c[branch 1]/talk::y" (spec/ops-c-control-collectives.md 7.4).
std::string ExecutionPath(const Module& module, absl::Span<const Frame> frames);

// The first instruction whose result holds a NaN although no operand does, or an infinity although no operand does.
// Constants and parameters are given, not made, and never reported.
struct NonFiniteReport {
  InstructionId instruction;
  bool is_nan = false;  // else an infinity
  std::string path;
  std::vector<Value> operands;
  Value result;
};

enum class StopReason : uint8_t {
  kNotStarted,
  kStep,        // a step command is done
  kBreakpoint,  // `current` carries a breakpoint and has not been executed
  kPaused,      // RequestPause
  kBlocked,     // `current` waits for another device (SessionOptions::link); to be continued when that has gone on
  kFinished,    // results are there
  kFailed,      // status() says why; `current` is the instruction that failed
};

// Not thread-safe, but for RequestPause and Cancel, which may be called from any thread while another runs.
//
// A step is one execution of one instruction (spec/ops-c-control-collectives.md 7.3). Parameters and constants have
// their values when a frame opens and are not steps. Instructions that nobody needs are not executed unless
// run_dead_instructions. A frame is left as soon as its last step is done, so `current` of the innermost frame is
// always the next step; the entry frame stays when the run has finished.
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
  virtual StopReason StepOut() = 0;   // until the caller of the innermost frame is done: a while with all iterations
  // Continue until `instruction` is `current` in any frame, or as Run.
  virtual StopReason RunTo(InstructionId instruction) = 0;
  virtual void Restart() = 0;  // back to the start; arguments and breakpoints stay

  virtual StopReason stop_reason() const = 0;
  // Why the session failed. Codes: Cancelled, ResourceExhausted (a limit), Unimplemented, InvalidArgument,
  // FailedPrecondition (an elided constant, or a non-finite value to stop at), Internal. The message names the
  // instruction and where the execution was.
  virtual const absl::Status& status() const = 0;
  // The instruction that failed; none if the session did not fail at one.
  virtual InstructionId failed_instruction() const = 0;
  virtual bool finished() const = 0;

  // --- State ---
  // Empty before the first command.
  virtual absl::Span<const Frame> frames() const = 0;
  // The value of an instruction in a frame; nothing if it was not executed yet (or was dropped).
  virtual const Value* ValueOf(size_t frame, InstructionId instruction) const = 0;
  // The entry computation's result. Requires finished().
  virtual const Value& result() const = 0;
  // Instructions executed so far.
  virtual int64_t executed_count() const = 0;
  // Values are kept for inspection until their frame ends (the default), or dropped after their last use (`run`).
  virtual void set_keep_values(bool keep) = 0;

  // --- Breakpoints. One on a parameter or a constant stops at the next step of its computation. ---
  virtual void AddBreakpoint(InstructionId instruction) = 0;
  virtual void RemoveBreakpoint(InstructionId instruction) = 0;
  virtual bool HasBreakpoint(InstructionId instruction) const = 0;
  virtual std::vector<InstructionId> breakpoints() const = 0;

  // --- From any thread ---
  virtual void RequestPause() = 0;
  virtual void Cancel() = 0;

  struct InstructionStatistics {
    int64_t runs = 0;
    double seconds = 0;        // without the instructions of called frames
    int64_t output_bytes = 0;  // of all runs
  };
  // By instruction id; empty unless collect_statistics.
  virtual absl::Span<const InstructionStatistics> statistics() const = 0;

  // Requires find_non_finite or stop_at_non_finite; nothing if there was none so far.
  virtual const std::optional<NonFiniteReport>& non_finite() const = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
