// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/session.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/engine_runtime.h"
#include "evaluator/engine/frame_stack.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/engine/session_breakpoints.h"
#include "evaluator/tensor/memory_charge.h"

namespace hloscope::evaluator {
namespace {

// Values up to this size are made as soon as somebody looks at a frame.
constexpr int64_t kSmallBytes = 64 << 10;
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();  // of positions

// The memory limit of a session holds while one of its commands runs.
class MemoryLimit {
 public:
  explicit MemoryLimit(int64_t bytes) : before_(Buffer::Limit()), active_(bytes > 0) {
    if (active_) Buffer::SetLimit(bytes);
  }
  ~MemoryLimit() {
    if (active_) Buffer::SetLimit(before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  const int64_t before_;
  const bool active_;
};

class Snapshot final : public SessionSnapshot {
 public:
  Snapshot(const FrameStack& stack, EngineRuntime& runtime, bool started)
      : started_(started), stack_(stack.Save()), runtime_(runtime.Save()), schedules_(runtime.schedules()) {
    charge_.Force(Snapshot::state_bytes());
  }

  bool started() const { return started_; }
  const FrameStack::Snapshot& stack() const { return stack_; }
  const EngineRuntime::Snapshot& runtime() const { return runtime_; }

  int64_t position() const override { return stack_.position; }
  int64_t opened_count() const override { return stack_.opened_count; }
  absl::Span<const Frame> frames() const override { return stack_.frames; }
  bool Executed(size_t frame, InstructionId instruction) const override {
    const FrameStack::StateSnapshot& state = stack_.states[frame];
    return state.schedule->step_of[schedules_.LocalIndex(instruction)] < state.next;
  }
  const Value* ValueOf(size_t frame, InstructionId instruction) const override {
    if (frame >= stack_.frames.size()) return nullptr;
    const auto& values = stack_.states[frame].values;
    const uint32_t index = schedules_.LocalIndex(instruction);
    const auto place = std::lower_bound(values.begin(), values.end(), index,
                                        [](const auto& entry, uint32_t wanted) { return entry.first < wanted; });
    return place != values.end() && place->first == index ? &place->second : nullptr;
  }
  void ForEachBuffer(absl::FunctionRef<void(const BufferKey&, int64_t)> visit) const override {
    const auto visit_value = [&](const Value& value) {
      value.ForEachTensor([&](const Tensor& tensor) {
        if (!tensor.has_buffer()) return;
        visit({0, reinterpret_cast<uintptr_t>(tensor.buffer().get())}, tensor.buffer()->size());
      });
    };
    for (const FrameStack::StateSnapshot& state : stack_.states) {
      for (const auto& [index, value] : state.values) visit_value(value);
      visit_value(state.loop_state);
    }
  }
  int64_t state_bytes() const override {
    size_t bytes = stack_.frames.size() * (sizeof(Frame) + sizeof(FrameStack::StateSnapshot));
    for (const FrameStack::StateSnapshot& state : stack_.states) {
      bytes += state.values.size() * sizeof(state.values[0]) + state.accumulators.size() * sizeof(Value) +
               state.deferred.size() * sizeof(InstructionId);
    }
    return static_cast<int64_t>(bytes);
  }

 private:
  const bool started_;
  const FrameStack::Snapshot stack_;
  const EngineRuntime::Snapshot runtime_;
  const Schedules& schedules_;
  MemoryCharge charge_;
};

class SessionImplementation final : public Session, Inspection, TimeTravel, Intervention {
 public:
  SessionImplementation(std::shared_ptr<const Module> module, const SessionOptions& options)
      : module_(std::move(module)),
        memory_limit_(options.memory_limit_bytes),
        runtime_(*module_, options),
        stack_(runtime_),
        arguments_(module_->computation(module_->entry()).parameters.size()),
        argument_makers_(arguments_.size()),
        breakpoints_(*module_, runtime_.schedules()) {}

  const Module& module() const override { return *module_; }

  absl::Status SetArgument(int64_t number, Value value) override;
  absl::Status SetArgumentMaker(int64_t number, ValueMaker make) override;

  const Inspection& inspection() const override { return *this; }
  BreakpointSet& breakpoints() override { return breakpoints_; }
  TimeTravel& time_travel() override { return *this; }
  Intervention& intervention() override { return *this; }

  // --- Execution ---
  StopReason Run() override {
    return Command(
        [this](bool) { return ContinueUnobserved(kNoLimit, InstructionId(), [](InstructionId) { return false; }); });
  }
  StopReason StepOver() override {
    return Command([this](bool) { return StepOverCurrent(); });
  }
  StopReason StepInto() override {
    return Command([this](bool) { return Finish(stack_.Advance(), StopReason::kStep); });
  }
  StopReason StepOut() override {
    return Command([this](bool) {
      const size_t depth = stack_.frames().size();
      return ContinueUnobserved(kNoLimit, InstructionId(),
                                [this, depth](InstructionId) { return stack_.frames().size() < depth; });
    });
  }
  StopReason RunTo(InstructionId instruction) override {
    return Command([this, instruction](bool just_started) {
      const InstructionId target = breakpoints_.StepAtOrAfter(instruction);
      if (just_started && stack_.current() == target) return StopReason::kStep;
      return ContinueUnobserved(kNoLimit, target, [target](InstructionId current) { return current == target; });
    });
  }
  StopReason RunUntil(const StopWhen& when) override;
  StopReason Begin() override {
    if (stop_reason_ != StopReason::kNotStarted) return stop_reason_;
    return Command([](bool) { return StopReason::kStep; });
  }
  void Restart() override;

  StopReason stop_reason() const override { return stop_reason_; }
  const absl::Status& status() const override { return status_; }
  InstructionId failed_instruction() const override { return failed_instruction_; }
  bool finished() const override { return stop_reason_ == StopReason::kFinished; }
  bool AtLimit() const override { return !runtime_.CheckLimits().ok(); }

  const Value& result() const override { return stack_.result(); }
  int64_t position() const override { return stack_.position(); }
  void set_keep_values(bool keep) override { stack_.set_keep_values(keep); }
  void DropUnneeded() override { stack_.DropUnneeded(); }
  void RequestPause() override { runtime_.RequestPause(); }
  void Cancel() override { runtime_.Cancel(); }

  // --- Inspection ---
  absl::Span<const Frame> frames() const override { return stack_.frames(); }
  const Value* ValueOf(size_t frame, InstructionId instruction) const override {
    const Value* const value = stack_.ValueOf(frame, instruction);
    if (value != nullptr || !stack_.IsUnread(frame, instruction) || IsUnread(frame, instruction)) return value;
    // Nothing that an observer of the session could tell from a value that was there before.
    return const_cast<SessionImplementation*>(this)->MakeForInspection(frame, instruction);
  }
  bool IsUnread(size_t frame, InstructionId instruction) const override {
    return stack_.IsUnread(frame, instruction) && !WasMade(instruction) &&
           module_->shape(instruction).ByteSize() > kSmallBytes;
  }
  InstructionId last_executed() const override { return stack_.last_executed(); }
  int64_t executed_count() const override { return runtime_.executed_count(); }
  absl::Span<const InstructionStatistics> statistics() const override { return runtime_.statistics(); }
  const std::optional<NonFiniteReport>& non_finite() const override { return runtime_.non_finite(); }

  // --- TimeTravel ---
  std::shared_ptr<const SessionSnapshot> Save() override {
    return std::make_shared<Snapshot>(stack_, runtime_, stop_reason_ != StopReason::kNotStarted);
  }
  void Restore(const SessionSnapshot& snapshot) override;

  // --- Intervention ---
  void set_observer(ExecutionObserver* observer) override { stack_.set_observer(observer); }
  absl::Status SetValue(size_t frame, InstructionId instruction, Value value) override;
  absl::StatusOr<Value> GivenValue(InstructionId instruction) override;
  absl::Status Skip(Value value) override;
  absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan) override;

 private:
  // Runs `body`, which returns why it stopped, with clock and limits in place. Its argument says whether the run
  // starts with it.
  template <typename Body>
  StopReason Command(Body&& body);
  // Makes a step. Why the run stops after it, if it does: `arrived` says so of the next instruction, or a breakpoint, a
  // pause or the end.
  template <typename Arrived>
  std::optional<StopReason> Step(Arrived&& arrived);
  // Steps until it stops.
  template <typename Arrived>
  StopReason Continue(Arrived&& arrived);
  // The same where nobody looks at the single steps up to a position or a step (none: of any instruction): what lies
  // between stops may be executed together.
  template <typename Arrived>
  StopReason ContinueUnobserved(int64_t limit, InstructionId target, Arrived&& arrived);
  // The parameter of a number that there is. Errors: InvalidArgument.
  absl::StatusOr<InstructionId> ParameterOf(int64_t number) const;
  absl::Status CheckFits(int64_t number, const Value& value) const;
  absl::StatusOr<Value> MakeArgument(size_t number);
  // Of a parameter of the entry computation or a constant.
  bool WasMade(InstructionId instruction) const {
    return module_->opcode(instruction) == Opcode::kParameter
               ? arguments_[static_cast<size_t>(module_->instruction(instruction).parameter_number)].has_value()
               : runtime_.HasConstant(instruction);
  }
  const Value* MakeForInspection(size_t frame, InstructionId instruction);
  // Calls `make` with clock and limits in place.
  template <typename Make>
  auto Limited(Make&& make);
  // Makes the frames ready to be inspected, even if a pause is asked for.
  absl::Status EndFusing();
  StopReason StepOverCurrent();
  // What may be fused in a run to the end: what nobody can observe.
  FrameStack::Fusing FusingOfRun() const;
  // What a status of the stack means for a command that would otherwise stop for `otherwise`.
  StopReason Finish(const absl::Status& status, StopReason otherwise);
  StopReason Fail(const absl::Status& status);

  const std::shared_ptr<const Module> module_;
  const int64_t memory_limit_;
  EngineRuntime runtime_;
  FrameStack stack_;
  std::vector<Value> arguments_;
  std::vector<ValueMaker> argument_makers_;  // of those that have no value yet
  bool in_command_ = false;
  SessionBreakpoints breakpoints_;
  StopReason stop_reason_ = StopReason::kNotStarted;
  absl::Status status_;
  InstructionId failed_instruction_;
};

absl::StatusOr<InstructionId> SessionImplementation::ParameterOf(int64_t number) const {
  if (number < 0 || static_cast<size_t>(number) >= arguments_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the entry computation has ", arguments_.size(), " parameters; there is no parameter ", number));
  }
  const InstructionId parameter = module_->computation(module_->entry()).parameters[static_cast<size_t>(number)];
  if (!parameter.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("parameter ", number, " is missing in the text"));
  }
  return parameter;
}

absl::Status SessionImplementation::CheckFits(int64_t number, const Value& value) const {
  const InstructionId parameter = module_->computation(module_->entry()).parameters[static_cast<size_t>(number)];
  if (!ValueFits(value, module_->shape(parameter))) {
    return absl::InvalidArgumentError(absl::StrCat("parameter ", number, " has shape ",
                                                   module_->shape(parameter).ToString(false), ", the value has shape ",
                                                   ShapeOf(value).ToString(false)));
  }
  return absl::OkStatus();
}

absl::Status SessionImplementation::SetArgument(int64_t number, Value value) {
  absl::Status status = ParameterOf(number).status();
  if (status.ok()) status = CheckFits(number, value);
  if (!status.ok()) return status;
  arguments_[static_cast<size_t>(number)] = std::move(value);
  argument_makers_[static_cast<size_t>(number)] = nullptr;
  return absl::OkStatus();
}

absl::Status SessionImplementation::SetArgumentMaker(int64_t number, ValueMaker make) {
  if (absl::Status status = ParameterOf(number).status(); !status.ok()) return status;
  arguments_[static_cast<size_t>(number)] = Value();
  argument_makers_[static_cast<size_t>(number)] = std::move(make);
  return absl::OkStatus();
}

absl::StatusOr<Value> SessionImplementation::MakeArgument(size_t number) {
  Value& argument = arguments_[number];
  if (argument.has_value()) return argument;
  RunProgress* const progress = runtime_.options().progress;
  if (progress != nullptr) progress->making.store(static_cast<int64_t>(number), std::memory_order_relaxed);
  absl::StatusOr<Value> made = argument_makers_[number](&runtime_);
  if (progress != nullptr) progress->making.store(-1, std::memory_order_relaxed);
  if (absl::IsCancelled(made.status())) {
    // Why the loop was ended: a limit, a pause, or for good.
    if (absl::Status status = runtime_.CheckCancelled(); !status.ok()) return status;
  }
  if (!made.ok()) return made;
  if (absl::Status status = CheckFits(static_cast<int64_t>(number), *made); !status.ok()) return status;
  argument = *std::move(made);
  return argument;
}

template <typename Make>
auto SessionImplementation::Limited(Make&& make) {
  if (in_command_) return make();
  const MemoryLimit limit(memory_limit_);
  runtime_.StartClock();
  auto made = make();
  runtime_.StopClock();
  runtime_.ClearPause();
  return made;
}

absl::StatusOr<Value> SessionImplementation::GivenValue(InstructionId instruction) {
  const bool is_constant = module_->opcode(instruction) == Opcode::kConstant;
  const bool is_parameter = module_->opcode(instruction) == Opcode::kParameter &&
                            module_->instruction(instruction).computation == module_->entry();
  if (!is_constant && !is_parameter) {
    return absl::InvalidArgumentError(
        absl::StrCat(module_->InstructionName(instruction), " is not given to the run, but computed"));
  }
  const size_t number = is_parameter ? static_cast<size_t>(module_->instruction(instruction).parameter_number) : 0;
  if (is_parameter && !arguments_[number].has_value() && argument_makers_[number] == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("parameter ", number, " of the entry computation has no value"));
  }
  return Limited([&] { return is_constant ? runtime_.ConstantValue(instruction) : MakeArgument(number); });
}

const Value* SessionImplementation::MakeForInspection(size_t frame, InstructionId instruction) {
  const absl::Status status = Limited([&] { return stack_.MakeUnread(frame, instruction); });
  return status.ok() ? stack_.ValueOf(frame, instruction) : nullptr;
}

void SessionImplementation::Restart() {
  stack_.Clear();
  runtime_.Reset();
  stop_reason_ = StopReason::kNotStarted;
  status_ = absl::OkStatus();
  failed_instruction_ = InstructionId();
}

StopReason SessionImplementation::RunUntil(const StopWhen& when) {
  return Command([this, &when](bool just_started) {
    const InstructionId target =
        when.instruction.has_value() ? breakpoints_.StepAtOrAfter(when.instruction) : InstructionId();
    if (stack_.position() >= when.position) return StopReason::kStep;
    if (just_started && target.has_value() && stack_.current() == target) return StopReason::kStep;
    const auto arrived = [this, &when, target](InstructionId current) {
      if (breakpoints_.StopsAt(current)) return false;  // the reason that the caller wants to hear
      return stack_.position() >= when.position || stack_.frames().size() <= when.frames ||
             (target.has_value() && current == target) || (when.enough && when.enough());
    };
    // The first step alone: where so few frames are open already, the run stops after it, in the middle of a loop, too.
    if (stack_.frames().size() <= when.frames) {
      if (const std::optional<StopReason> reason = Step(arrived)) return *reason;
    }
    return ContinueUnobserved(when.position, target, arrived);
  });
}

void SessionImplementation::Restore(const SessionSnapshot& snapshot) {
  const Snapshot& saved = static_cast<const Snapshot&>(snapshot);
  stack_.Restore(saved.stack());
  runtime_.Restore(saved.runtime());
  runtime_.ClearPause();
  status_ = absl::OkStatus();
  failed_instruction_ = InstructionId();
  stop_reason_ = !saved.started()    ? StopReason::kNotStarted
                 : stack_.finished() ? StopReason::kFinished
                                     : StopReason::kStep;
}

absl::Status SessionImplementation::SetValue(size_t frame, InstructionId instruction, Value value) {
  return stack_.SetValue(frame, instruction, std::move(value));
}

absl::Status SessionImplementation::Skip(Value value) {
  if (absl::Status status = stack_.Skip(std::move(value)); !status.ok()) return status;
  stop_reason_ = stack_.finished() ? StopReason::kFinished : StopReason::kStep;
  status_ = absl::OkStatus();
  failed_instruction_ = InstructionId();
  return absl::OkStatus();
}

absl::Status SessionImplementation::EnterApplied(std::shared_ptr<const AppliedPlan> plan) {
  if (absl::Status status = stack_.EnterApplied(std::move(plan)); !status.ok()) return status;
  stop_reason_ = stack_.finished() ? StopReason::kFinished : StopReason::kStep;
  return absl::OkStatus();
}

template <typename Body>
StopReason SessionImplementation::Command(Body&& body) {
  if (stop_reason_ == StopReason::kFinished || stop_reason_ == StopReason::kFailed) return stop_reason_;
  const MemoryLimit limit(memory_limit_);
  in_command_ = true;
  runtime_.StartClock();
  const bool just_started = stop_reason_ == StopReason::kNotStarted;
  bool stopped = false;
  if (just_started) {
    stopped = true;
    for (size_t k = 0; k < arguments_.size() && status_.ok(); ++k) {
      if (arguments_[k].has_value() || argument_makers_[k] != nullptr) continue;
      status_ = absl::InvalidArgumentError(absl::StrCat("parameter ", k, " of the entry computation has no value"));
    }
    if (status_.ok())
      status_ = stack_.Start(module_->entry(), arguments_, [this](size_t k) { return MakeArgument(k); });
    if (!status_.ok()) {
      // The value of a root that is an argument can be made later.
      stop_reason_ = stack_.frames().empty() ? Fail(status_) : Finish(status_, StopReason::kStep);
      if (stop_reason_ != StopReason::kFailed) status_ = absl::OkStatus();
    } else if (stack_.finished()) {
      stop_reason_ = StopReason::kFinished;
    } else if (breakpoints_.StopsAt(stack_.current())) {
      stop_reason_ = StopReason::kBreakpoint;
    } else {
      stopped = false;
    }
  }
  if (!stopped) {
    // What an unobserved run left open when it failed.
    const absl::Status status = EndFusing();
    stop_reason_ = status.ok() ? body(just_started) : Finish(status, StopReason::kStep);
  }
  runtime_.StopClock();
  runtime_.ClearPause();
  in_command_ = false;
  return stop_reason_;
}

FrameStack::Fusing SessionImplementation::FusingOfRun() const {
  const SessionOptions& options = runtime_.options();
  const bool observed = stack_.keep_values() || stack_.has_observer() || options.find_non_finite ||
                        options.stop_at_non_finite || options.step_limit > 0 || options.run_dead_instructions;
  if (observed) return FrameStack::Fusing::kOff;
  return options.collect_statistics ? FrameStack::Fusing::kSingle : FrameStack::Fusing::kFull;
}

template <typename Arrived>
std::optional<StopReason> SessionImplementation::Step(Arrived&& arrived) {
  if (absl::Status status = stack_.Advance(); !status.ok() || stack_.finished()) {
    return Finish(status, StopReason::kFinished);
  }
  const InstructionId current = stack_.current();
  if (stack_.TakeStopRequest()) return StopReason::kObserved;
  if (arrived(current)) return StopReason::kStep;
  if (breakpoints_.StopsAt(current)) return StopReason::kBreakpoint;
  if (runtime_.pause_requested()) return StopReason::kPaused;
  return std::nullopt;
}

template <typename Arrived>
StopReason SessionImplementation::Continue(Arrived&& arrived) {
  for (;;) {
    if (const std::optional<StopReason> reason = Step(arrived)) return *reason;
  }
}

template <typename Arrived>
StopReason SessionImplementation::ContinueUnobserved(int64_t limit, InstructionId target, Arrived&& arrived) {
  breakpoints_.set_target(target);
  stack_.set_fusing(FusingOfRun(), limit, breakpoints_.stops_inside());
  const StopReason reason = Continue(arrived);
  if (reason == StopReason::kFinished) {
    stack_.set_fusing(FrameStack::Fusing::kOff, kNoLimit, breakpoints_.stops_inside());
    return reason;
  }
  absl::Status status = EndFusing();
  // What stays open after a failure is computed when there is memory for it.
  return status.ok() || reason == StopReason::kFailed ? reason : Finish(status, reason);
}

absl::Status SessionImplementation::EndFusing() {
  absl::Status status = stack_.EndFusing();
  while (absl::IsCancelled(status) && runtime_.pause_requested() && !runtime_.cancel_requested()) {
    runtime_.ClearPause();
    status = stack_.EndFusing();
  }
  return status;
}

StopReason SessionImplementation::StepOverCurrent() {
  const size_t depth = stack_.frames().size();
  absl::Status status = stack_.Advance();
  if (!status.ok() || stack_.finished() || stack_.frames().size() <= depth) {
    return Finish(status, StopReason::kStep);
  }
  if (breakpoints_.StopsAt(stack_.current())) return StopReason::kBreakpoint;
  return ContinueUnobserved(kNoLimit, InstructionId(),
                            [this, depth](InstructionId) { return stack_.frames().size() <= depth; });
}

StopReason SessionImplementation::Finish(const absl::Status& status, StopReason otherwise) {
  if (status.ok()) return stack_.finished() ? StopReason::kFinished : otherwise;
  // A kernel gave up because of the pause; it starts again with the next command.
  if (absl::IsCancelled(status) && runtime_.pause_requested() && !runtime_.cancel_requested()) {
    return StopReason::kPaused;
  }
  if (absl::IsUnavailable(status)) return StopReason::kBlocked;
  return Fail(status);
}

StopReason SessionImplementation::Fail(const absl::Status& status) {
  const InstructionId at = stack_.failed_instruction().has_value() ? stack_.failed_instruction() : stack_.current();
  failed_instruction_ = at;
  if (!at.has_value()) {
    status_ = status;
  } else {
    status_ = absl::Status(status.code(),
                           absl::StrCat(OpcodeName(module_->opcode(at)), " ", module_->InstructionName(at), " at ",
                                        ExecutionPath(*module_, stack_.frames()), ": ", status.message()));
  }
  return StopReason::kFailed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> Session::Create(std::shared_ptr<const Module> module, SessionOptions options) {
  if (module == nullptr || !module->entry().has_value()) {
    return absl::InvalidArgumentError("the module has no entry computation");
  }
  if (!module->computation(module->entry()).root.has_value()) {
    return absl::InvalidArgumentError("the entry computation has no root");
  }
  return std::unique_ptr<Session>(new SessionImplementation(std::move(module), options));
}

}  // namespace hloscope::evaluator
