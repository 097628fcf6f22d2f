// A run of a module that can be stepped: the only way to evaluate anything (`hloscope run` is a session that never
// stops).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/kernels/interface/custom_call_provider.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

struct RunProgress;
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
  // Asked for custom calls that the evaluator does not know; null: there are none. Outlives the session.
  CustomCallProvider* custom_calls = nullptr;
  RunProgress* progress = nullptr;  // counts what is executed, for other threads; null: nobody asks
  // What the sessions of one run have in common: the limits count for all of them, constants are made once. Null: the
  // session is alone.
  std::shared_ptr<SharedRunState> shared;
};

// kApplied: a computation that map, reduce, scatter, sort ... apply to scalars, entered at one element of the result.
enum class FrameKind : uint8_t { kEntry, kCall, kFusion, kCondition, kBody, kBranch, kAsync, kApplied };

// One active computation. The innermost frame is the last.
struct Frame {
  ComputationId computation;
  InstructionId caller;    // none for the entry computation
  InstructionId current;   // executed next in this frame; none when the frame is finished
  int64_t iteration = -1;  // of a while body or condition or an applied computation, counted from 0; -1 elsewhere
  int64_t depth = 0;       // 0 for the entry computation
  FrameKind kind = FrameKind::kEntry;
  int64_t branch = -1;  // number of the branch of a conditional; -1 elsewhere
  int64_t serial = 0;   // number among all frames that the run opened, from 0; the same whenever the run is repeated
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
  kObserved,    // the observer asked for it
  kPaused,      // RequestPause
  kBlocked,     // `current` waits for another device (SessionOptions::link); to be continued when that has gone on
  kFinished,    // results are there
  kFailed,      // status() says why; `current` is the instruction that failed
};

// Is told what a session executes. The arguments live until the call returns.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // A frame was opened: the last one.
  virtual void OnOpen(absl::Span<const Frame> frames, absl::Span<const Value> arguments) = 0;
  // The innermost frame executed `id`. True to stop before the next step (kObserved).
  virtual bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) = 0;
  // Whether it is told of operands too. Kernels cannot reuse their memory then.
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
    std::vector<Value> arguments;  // behind the accumulators
    bool accumulates = true;       // false: it is not given the accumulators, and its result is for looking at only
  };
  std::vector<Application> applications;
  std::vector<Value> initial;  // accumulators of the first; those of the others are the results of the one before
};

// Where RunUntil stops; the first condition that holds.
struct StopWhen {
  int64_t position = std::numeric_limits<int64_t>::max();  // at this position
  size_t frames = 0;                                       // with at most this many frames open
  InstructionId instruction;                               // when it is the next step of any frame
};

// All of a session that later steps depend on. Shares its values with the session: cheap to make and to keep, but for
// the memory of values that the session drops.
class SessionSnapshot {
 public:
  virtual ~SessionSnapshot() = default;
  virtual int64_t position() const = 0;
  virtual int64_t opened_count() const = 0;  // frames opened so far: the serial of the next one
  virtual absl::Span<const Frame> frames() const = 0;
  // True if the frame's step `instruction` comes before the next one. Requires a frame of the instruction's
  // computation.
  virtual bool Executed(size_t frame, InstructionId instruction) const = 0;
  // As Session::ValueOf.
  virtual const Value* ValueOf(size_t frame, InstructionId instruction) const = 0;
  virtual void ForEachValue(absl::FunctionRef<void(const Value&)> visit) const = 0;
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
  virtual StopReason RunUntil(const StopWhen& when) = 0;
  virtual StopReason Begin() = 0;  // opens the first frame and executes nothing
  virtual void Restart() = 0;      // back to the start; arguments and breakpoints stay

  virtual StopReason stop_reason() const = 0;
  // Why the session failed. Codes: Cancelled, ResourceExhausted (a limit), Unimplemented, InvalidArgument,
  // FailedPrecondition (an elided constant, or a non-finite value to stop at), Internal. The message names the
  // instruction and where the execution was.
  virtual const absl::Status& status() const = 0;
  // The instruction that failed; none if the session did not fail at one.
  virtual InstructionId failed_instruction() const = 0;
  virtual bool finished() const = 0;
  // True if the run cannot go on because its steps or its time are used up or it was cancelled.
  virtual bool AtLimit() const = 0;

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
  // Drops the values that no later step needs.
  virtual void DropUnneeded() = 0;

  // --- Time travel. A position counts what was executed or entered: repeating a run leads to the same positions, with
  // the same values, as long as what the devices and the host exchange is the same. ---
  virtual int64_t position() const = 0;
  // Requires that no command is running. Also after a failure: then of the place before the instruction that failed.
  virtual std::shared_ptr<const SessionSnapshot> Save() = 0;
  // Requires a snapshot of this session. The observer, breakpoints and arguments stay.
  virtual void Restore(const SessionSnapshot& snapshot) = 0;

  // --- Intervention ---
  // Replaces the value that `instruction` has in an open frame. Errors: InvalidArgument if the value does not fit its
  // shape; FailedPrecondition if it has not been executed yet.
  virtual absl::Status SetValue(size_t frame, InstructionId instruction, Value value) = 0;
  // Goes past `current` as if executing it had given `value`. Errors: InvalidArgument if the value does not fit;
  // FailedPrecondition if there is no next step; what leaving the frame gives.
  virtual absl::Status Skip(Value value) = 0;
  // Enters the computation that `current` applies, at one element; `current` itself is executed when the plan is done.
  // Errors: FailedPrecondition if there is no next step or the plan is empty; what opening the frame gives.
  virtual absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan) = 0;
  // Null: none. It must outlive the session or be taken away.
  virtual void set_observer(ExecutionObserver* observer) = 0;

  // --- Breakpoints. One on a parameter or a constant stops at the next step of its computation. ---
  virtual void AddBreakpoint(InstructionId instruction) = 0;
  virtual void RemoveBreakpoint(InstructionId instruction) = 0;
  virtual bool HasBreakpoint(InstructionId instruction) const = 0;
  virtual std::vector<InstructionId> breakpoints() const = 0;
  // Replaces all of them.
  virtual void SetBreakpoints(std::vector<InstructionId> instructions) = 0;
  // The step at which a breakpoint on `instruction` stops: itself, or what follows a parameter, a constant or an
  // instruction that is not executed. None if nothing follows.
  virtual InstructionId StepAtOrAfter(InstructionId instruction) = 0;

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
