// SPDX-License-Identifier: Apache-2.0
// The frames of one execution and what one step does to them. Frames are data: depth of calls costs no C++ stack.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_FRAME_STACK_H_
#define HLOSCOPE_EVALUATOR_ENGINE_FRAME_STACK_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/engine/elementwise_groups.h"
#include "evaluator/engine/engine_runtime.h"
#include "evaluator/engine/intervention.h"
#include "evaluator/engine/scalar_loop.h"
#include "evaluator/tensor/memory_charge.h"

namespace hloscope::evaluator {

class FrameStack {
 public:
  // How far a frame has come.
  struct Progress {
    const ComputationSchedule* schedule = nullptr;
    size_t next = 0;   // in schedule->steps
    Value loop_state;  // of the while that is `current`, between its frames
    // Of an unobserved run: members of groups whose root was not reached.
    std::vector<InstructionId> deferred;
    // Of the instruction that is `current` and was entered at an element.
    std::shared_ptr<const AppliedPlan> plan;
    size_t application = 0;
    std::vector<Value> accumulators;
  };
  // What belongs to a frame besides what its user sees.
  struct StateSnapshot : Progress {
    std::vector<std::pair<uint32_t, Value>> values;  // those that are there, by local index
  };
  struct Snapshot {
    std::vector<Frame> frames;
    std::vector<StateSnapshot> states;
    Value result;
    bool finished = false;
    int64_t position = 0;
    int64_t opened_count = 0;
  };

  explicit FrameStack(EngineRuntime& runtime) : runtime_(runtime) {}

  // Opens the first frame. Errors: those of the schedule; FailedPrecondition for an elided constant.
  // `make_argument` makes those arguments that are empty when something reads them; null: there are none.
  using ArgumentMaker = std::function<absl::StatusOr<Value>(size_t number)>;
  absl::Status Start(ComputationId computation, std::vector<Value> arguments, ArgumentMaker make_argument = nullptr);
  void Clear();

  // True when the first frame has executed all its steps.
  bool finished() const { return finished_; }
  const Value& result() const { return result_; }
  absl::Span<const Frame> frames() const { return frames_; }
  // None if finished.
  InstructionId current() const { return frames_.empty() ? InstructionId() : frames_.back().current; }
  InstructionId last_executed() const;
  const Value* ValueOf(size_t frame, InstructionId instruction) const;
  bool IsUnread(size_t frame, InstructionId instruction) const;
  absl::Status MakeUnread(size_t frame, InstructionId instruction);

  // Executes `current`, or enters the computation that it calls. Leaves every frame that has no steps left. Requires
  // !finished() and a frame. After an error the frames are as they were before, but for frames that were left or
  // entered, so that a paused kernel can be started again.
  absl::Status Advance();

  // How many times Advance or Skip succeeded.
  int64_t position() const { return position_; }
  Snapshot Save() const;
  void Restore(const Snapshot& snapshot);

  // See Execution and Intervention.
  absl::Status SetValue(size_t frame, InstructionId instruction, Value value);
  absl::Status Skip(Value value);
  absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan);
  void DropUnneeded();
  void set_observer(ExecutionObserver* observer) { observer_ = observer; }
  bool has_observer() const { return observer_ != nullptr; }
  // Whether the observer asked to stop since the last call.
  bool TakeStopRequest() { return std::exchange(stop_requested_, false); }

  // Values are kept until their frame ends, or dropped after their last use.
  void set_keep_values(bool keep) { keep_values_ = keep; }
  bool keep_values() const { return keep_values_; }

  // What may be fused in an unobserved run, where nobody looks at single instructions: elementwise instructions may be
  // executed together and loops over scalars as a whole (kFull), or each instruction alone (kSingle, for statistics).
  // Positions, counts and results are those of an observed run. Requires that values are not kept.
  enum class Fusing : uint8_t { kOff, kSingle, kFull };
  // Nothing that is executed as a whole goes beyond `position_limit`; the state at it is that of an observed run. Nor
  // is a computation of `stops_inside` (by computation; empty: none; it outlives this): the run may stop at its steps.
  void set_fusing(Fusing fusing, int64_t position_limit, const std::vector<bool>& stops_inside);
  // Computes what instructions that were put together left open, so that the frames can be looked at and stepped. After
  // an error it can be called again.
  absl::Status EndFusing();

  // The instruction that Start or Advance failed at, if it is not `current`: a constant.
  InstructionId failed_instruction() const { return failed_instruction_; }

 private:
  // What belongs to a frame besides what its user sees.
  struct State : Progress {
    std::vector<Value> values;                  // by local index
    bool has_unread = false;                    // values that are made when something reads them may be missing
    std::vector<uint32_t> remaining_uses;       // by local index
    const ElementwiseGroups* groups = nullptr;  // of the computation, once an unobserved run asked for them
  };

  // Bytes. Frames are charged in parts of about this size: a few of them cost nothing. What is little for one device is
  // much for thousands of them.
  int64_t ChargedAtOnce() const;
  absl::Status Open(FrameKind kind, InstructionId caller, ComputationId computation, std::vector<Value> arguments,
                    int64_t iteration, int64_t branch);
  // Makes the operands of `current` that are unread.
  absl::Status MakeOperands();
  // Leaves frames without steps and hands their results to their callers.
  absl::Status Settle();
  // The innermost frame returned `result` to the instruction that is now `current`.
  absl::Status Return(const Frame& callee, bool callee_has_side_effects, Value result);
  absl::Status ReturnFromBody(const Frame& callee, bool callee_has_side_effects, Value result);
  // Verification does not compare what a body returns with what it takes: error InvalidArgument if `next`, which the
  // body returned, cannot go into a second iteration.
  absl::Status CheckLoopState(ComputationId body, ComputationId condition, const Value& next) const;
  // Nor the operand of a loop with its shape: error InvalidArgument if the loop ends with a state, the current one,
  // that is not of its shape and that something reads.
  absl::Status CheckLoopResult(InstructionId loop);
  absl::Status Execute(InstructionId id);
  absl::Status Enter(InstructionId id);
  absl::Status OpenApplication();
  absl::Status ReturnFromApplication(Value result);
  absl::Status EnterConditional(InstructionId id);
  absl::Status ExecuteAsync(InstructionId id);
  absl::Status StartWrappedCollective(InstructionId id, ComputationId wrapped, const std::vector<Value>& operands);
  absl::Status ExecuteKernel(InstructionId id);
  // Executes `id` as part of a group or a loop; false if it is to be executed as usual.
  absl::StatusOr<bool> ExecuteFused(InstructionId id);
  absl::Status ExecuteGroup(const ElementwiseGroup& group);
  // A group of rows whose operands, `operands_`, do not fit.
  absl::StatusOr<Tensor> ExecuteParts(const ElementwiseGroup& group, KernelRuntime& unpaused);
  absl::StatusOr<bool> ExecuteLoop(InstructionId id);
  // Iterations of `loop` that take no more than so many steps.
  ScalarLoop::Outcome RunLoop(const ScalarLoop& loop, InstructionId id, absl::Span<const Frame> callers,
                              const Value& state, int64_t steps);
  // The same for the iterations after the condition that is about to be evaluated.
  absl::StatusOr<bool> ContinueLoop();
  const ScalarLoop* LoopOf(InstructionId id);
  bool MayStopIn(ComputationId computation) const {
    return !stops_inside_->empty() && (*stops_inside_)[computation.index()];
  }
  // Opens the condition after the iterations of a loop that were executed as a whole.
  absl::Status OpenCondition(InstructionId loop, const ScalarLoop& program, int64_t before,
                             ScalarLoop::Outcome outcome);
  // What a step would have done in frames of its own.
  void CountInlined(const ElementwiseGroups::Inlined& inlined);
  const ElementwiseGroups& GroupsOf(State& state);
  absl::Status ComputeDeferred(State& state);
  // Drops what no later step of the state needs. Requires remaining_uses.
  static void DropUnneeded(State& state);
  // Stores the value of `current` and goes on to the next step.
  absl::Status Complete(Value value);

  // Counts what one more frame of a computation takes toward the memory limit. Errors: ResourceExhausted.
  absl::Status ChargeFrame(const Computation& computation, const ComputationSchedule& schedule);
  // What a state has room for, with its frame.
  static int64_t BytesOf(size_t values, size_t uses) {
    return static_cast<int64_t>(kBytesOfFrame + values * sizeof(Value) + uses * sizeof(uint32_t));
  }

  State& state() { return states_[frames_.size() - 1]; }
  std::vector<Value> OperandValues(InstructionId id);
  // Counts one use of each operand of `id` as done.
  void ReleaseOperands(State& releasing, InstructionId id);

  // The vectors of frames and states grow by half of what they hold or more.
  static constexpr size_t kBytesOfFrame = 2 * (sizeof(Frame) + sizeof(State));

  EngineRuntime& runtime_;
  ArgumentMaker make_argument_;
  std::vector<Frame> frames_;
  std::vector<State> states_;    // at least as many as frames; the rest wait for reuse
  std::vector<Value> operands_;  // of the kernel being executed
  Value result_;
  int64_t frame_bytes_ = 0;  // of states_ and frames_
  MemoryCharge charge_;      // for about that; little is not counted
  bool finished_ = false;
  bool keep_values_ = true;
  size_t settled_frames_ = 0;  // the first ones, in which nothing is deferred
  Fusing fusing_ = Fusing::kOff, groups_are_for_ = Fusing::kOff;
  // Made when first asked for; they stay for the next run.
  absl::flat_hash_map<InstructionId, std::unique_ptr<ScalarLoop>> loops_;  // null: not a loop over scalars
  int64_t position_limit_ = 0;                                             // of an unobserved run
  const std::vector<bool>* stops_inside_ = nullptr;                        // while something is fused
  int64_t position_ = 0;
  int64_t opened_count_ = 0;  // frames
  ExecutionObserver* observer_ = nullptr;
  bool stop_requested_ = false;
  InstructionId failed_instruction_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_FRAME_STACK_H_
