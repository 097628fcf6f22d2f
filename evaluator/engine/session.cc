#include "evaluator/engine/session.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/engine_runtime.h"
#include "evaluator/engine/frame_stack.h"

namespace hloscope {
namespace {

absl::string_view KindWord(FrameKind kind) {
  switch (kind) {
    case FrameKind::kEntry:
      return "entry";
    case FrameKind::kCall:
      return "call";
    case FrameKind::kFusion:
      return "fusion";
    case FrameKind::kCondition:
      return "cond";
    case FrameKind::kBody:
      return "body";
    case FrameKind::kBranch:
      return "branch";
    case FrameKind::kAsync:
      return "async";
    case FrameKind::kApplied:
      return "apply";
  }
  return "";
}

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
      : started_(started), stack_(stack.Save()), runtime_(runtime.Save()), schedules_(runtime.schedules()) {}

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
  void ForEachValue(absl::FunctionRef<void(const Value&)> visit) const override {
    for (const FrameStack::StateSnapshot& state : stack_.states) {
      for (const auto& [index, value] : state.values) visit(value);
      visit(state.loop_state);
    }
  }

 private:
  const bool started_;
  const FrameStack::Snapshot stack_;
  const EngineRuntime::Snapshot runtime_;
  const Schedules& schedules_;
};

class SessionImplementation final : public Session {
 public:
  SessionImplementation(std::shared_ptr<const Module> module, const SessionOptions& options)
      : module_(std::move(module)),
        memory_limit_(options.memory_limit_bytes),
        runtime_(*module_, options),
        stack_(runtime_),
        arguments_(module_->computation(module_->entry()).parameters.size()),
        stops_at_(module_->instruction_count(), false) {}

  const Module& module() const override { return *module_; }

  absl::Status SetArgument(int64_t number, Value value) override;

  StopReason Run() override {
    return Command([this](bool) {
      return ContinueQuietly(std::numeric_limits<int64_t>::max(), [](InstructionId) { return false; });
    });
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
      return Continue([this, depth](InstructionId) { return stack_.frames().size() < depth; });
    });
  }
  StopReason RunTo(InstructionId instruction) override {
    return Command([this, instruction](bool just_started) {
      const InstructionId target = StepAtOrAfter(instruction);
      if (just_started && stack_.current() == target) return StopReason::kStep;
      return Continue([target](InstructionId current) { return current == target; });
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

  absl::Span<const Frame> frames() const override { return stack_.frames(); }
  const Value* ValueOf(size_t frame, InstructionId instruction) const override {
    return stack_.ValueOf(frame, instruction);
  }
  const Value& result() const override { return stack_.result(); }
  int64_t executed_count() const override { return runtime_.executed_count(); }
  void set_keep_values(bool keep) override { stack_.set_keep_values(keep); }
  void DropUnneeded() override { stack_.DropUnneeded(); }

  int64_t position() const override { return stack_.position(); }
  std::shared_ptr<const SessionSnapshot> Save() override {
    return std::make_shared<Snapshot>(stack_, runtime_, stop_reason_ != StopReason::kNotStarted);
  }
  void Restore(const SessionSnapshot& snapshot) override;
  absl::Status SetValue(size_t frame, InstructionId instruction, Value value) override;
  absl::Status Skip(Value value) override;
  absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan) override;
  void set_observer(ExecutionObserver* observer) override { stack_.set_observer(observer); }

  void AddBreakpoint(InstructionId instruction) override;
  void RemoveBreakpoint(InstructionId instruction) override;
  bool HasBreakpoint(InstructionId instruction) const override {
    return std::binary_search(breakpoints_.begin(), breakpoints_.end(), instruction);
  }
  std::vector<InstructionId> breakpoints() const override { return breakpoints_; }
  void SetBreakpoints(std::vector<InstructionId> instructions) override;
  InstructionId StepAtOrAfter(InstructionId instruction) override;

  void RequestPause() override { runtime_.RequestPause(); }
  void Cancel() override { runtime_.Cancel(); }

  absl::Span<const InstructionStatistics> statistics() const override { return runtime_.statistics(); }
  const std::optional<NonFiniteReport>& non_finite() const override { return runtime_.non_finite(); }

 private:
  // Runs `body`, which returns why it stopped, with clock and limits in place. It is told whether the run starts with
  // it.
  template <typename Body>
  StopReason Command(Body&& body);
  // Steps until `arrived` says so of the next instruction, or a breakpoint, a pause or the end.
  template <typename Arrived>
  StopReason Continue(Arrived&& arrived);
  // The same for a run whose single steps nobody looks at, up to a position.
  template <typename Arrived>
  StopReason ContinueQuietly(int64_t limit, Arrived&& arrived);
  // Makes the frames fit to be looked at, even if a pause is asked for.
  absl::Status EndQuietness();
  StopReason StepOverCurrent();
  // How much of a run to the end nobody can see.
  FrameStack::Quietness QuietnessOfRun() const;
  // What a status of the stack means for a command that would otherwise stop for `otherwise`.
  StopReason Finish(absl::Status status, StopReason otherwise);
  StopReason Fail(const absl::Status& status);
  void UpdateStops();

  const std::shared_ptr<const Module> module_;
  const int64_t memory_limit_;
  EngineRuntime runtime_;
  FrameStack stack_;
  std::vector<Value> arguments_;
  std::vector<InstructionId> breakpoints_;  // sorted
  std::vector<bool> stops_at_;              // by instruction: the steps that breakpoints stop at
  StopReason stop_reason_ = StopReason::kNotStarted;
  absl::Status status_;
  InstructionId failed_instruction_;
};

absl::Status SessionImplementation::SetArgument(int64_t number, Value value) {
  if (number < 0 || static_cast<size_t>(number) >= arguments_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the entry computation has ", arguments_.size(), " parameters; there is no parameter ", number));
  }
  const InstructionId parameter = module_->computation(module_->entry()).parameters[static_cast<size_t>(number)];
  if (!parameter.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("parameter ", number, " is missing in the text"));
  }
  if (!ValueFits(value, module_->shape(parameter))) {
    return absl::InvalidArgumentError(absl::StrCat("parameter ", number, " has shape ",
                                                   module_->shape(parameter).ToString(false), ", the value has shape ",
                                                   ShapeOf(value).ToString(false)));
  }
  arguments_[static_cast<size_t>(number)] = std::move(value);
  return absl::OkStatus();
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
    const InstructionId target = when.instruction.has_value() ? StepAtOrAfter(when.instruction) : InstructionId();
    if (stack_.position() >= when.position) return StopReason::kStep;
    if (just_started && target.has_value() && stack_.current() == target) return StopReason::kStep;
    const auto arrived = [this, &when, target](InstructionId current) {
      if (stops_at_[current.index()]) return false;  // the reason that the caller wants to hear
      return stack_.position() >= when.position || stack_.frames().size() <= when.frames ||
             (target.has_value() && current == target);
    };
    const bool by_position = when.frames == 0 && !target.has_value();
    return by_position ? ContinueQuietly(when.position, arrived) : Continue(arrived);
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
  runtime_.StartClock();
  const bool just_started = stop_reason_ == StopReason::kNotStarted;
  bool stopped = false;
  if (just_started) {
    stopped = true;
    for (size_t k = 0; k < arguments_.size() && status_.ok(); ++k) {
      if (arguments_[k].has_value()) continue;
      status_ = absl::InvalidArgumentError(absl::StrCat("parameter ", k, " of the entry computation has no value"));
    }
    if (status_.ok()) status_ = stack_.Start(module_->entry(), arguments_);
    if (!status_.ok()) {
      stop_reason_ = Fail(status_);
    } else if (stack_.finished()) {
      stop_reason_ = StopReason::kFinished;
    } else if (stops_at_[stack_.current().index()]) {
      stop_reason_ = StopReason::kBreakpoint;
    } else {
      stopped = false;
    }
  }
  if (!stopped) {
    // What a quiet run left open when it failed.
    const absl::Status status = EndQuietness();
    stop_reason_ = status.ok() ? body(just_started) : Finish(status, StopReason::kStep);
  }
  runtime_.StopClock();
  runtime_.ClearPause();
  return stop_reason_;
}

FrameStack::Quietness SessionImplementation::QuietnessOfRun() const {
  const SessionOptions& options = runtime_.options();
  const bool watched = stack_.keep_values() || stack_.has_observer() || !breakpoints_.empty() ||
                       options.find_non_finite || options.stop_at_non_finite || options.step_limit > 0 ||
                       options.run_dead_instructions;
  if (watched) return FrameStack::Quietness::kNone;
  return options.collect_statistics ? FrameStack::Quietness::kSingle : FrameStack::Quietness::kFull;
}

template <typename Arrived>
StopReason SessionImplementation::Continue(Arrived&& arrived) {
  for (;;) {
    if (absl::Status status = stack_.Advance(); !status.ok() || stack_.finished()) {
      return Finish(std::move(status), StopReason::kFinished);
    }
    const InstructionId current = stack_.current();
    if (stack_.TakeStopRequest()) return StopReason::kObserved;
    if (arrived(current)) return StopReason::kStep;
    if (stops_at_[current.index()]) return StopReason::kBreakpoint;
    if (runtime_.pause_requested()) return StopReason::kPaused;
  }
}

template <typename Arrived>
StopReason SessionImplementation::ContinueQuietly(int64_t limit, Arrived&& arrived) {
  stack_.set_quietness(QuietnessOfRun(), limit);
  const StopReason reason = Continue(arrived);
  if (reason == StopReason::kFinished) {
    stack_.set_quietness(FrameStack::Quietness::kNone);
    return reason;
  }
  absl::Status status = EndQuietness();
  // What stays open after a failure is computed when there is memory for it.
  return status.ok() || reason == StopReason::kFailed ? reason : Finish(std::move(status), reason);
}

absl::Status SessionImplementation::EndQuietness() {
  absl::Status status = stack_.EndQuietness();
  while (absl::IsCancelled(status) && runtime_.pause_requested() && !runtime_.cancel_requested()) {
    runtime_.ClearPause();
    status = stack_.EndQuietness();
  }
  return status;
}

StopReason SessionImplementation::StepOverCurrent() {
  const size_t depth = stack_.frames().size();
  absl::Status status = stack_.Advance();
  if (!status.ok() || stack_.finished() || stack_.frames().size() <= depth) {
    return Finish(std::move(status), StopReason::kStep);
  }
  if (stops_at_[stack_.current().index()]) return StopReason::kBreakpoint;
  return Continue([this, depth](InstructionId) { return stack_.frames().size() <= depth; });
}

StopReason SessionImplementation::Finish(absl::Status status, StopReason otherwise) {
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

InstructionId SessionImplementation::StepAtOrAfter(InstructionId instruction) {
  if (instruction.index() >= module_->instruction_count()) return InstructionId();
  const absl::StatusOr<const ComputationSchedule*> schedule =
      runtime_.schedules().Of(module_->instruction(instruction).computation);
  if (!schedule.ok()) return InstructionId();
  const std::vector<InstructionId>& steps = (*schedule)->steps;
  const uint32_t position = runtime_.schedules().LocalIndex(instruction);
  if ((*schedule)->step_of[position] != ComputationSchedule::kNoStep) return instruction;
  const auto next = std::find_if(steps.begin(), steps.end(),
                                 [&](InstructionId step) { return runtime_.schedules().LocalIndex(step) > position; });
  return next == steps.end() ? InstructionId() : *next;
}

void SessionImplementation::AddBreakpoint(InstructionId instruction) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), instruction);
  if (place != breakpoints_.end() && *place == instruction) return;
  breakpoints_.insert(place, instruction);
  UpdateStops();
}

void SessionImplementation::RemoveBreakpoint(InstructionId instruction) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), instruction);
  if (place == breakpoints_.end() || *place != instruction) return;
  breakpoints_.erase(place);
  UpdateStops();
}

void SessionImplementation::SetBreakpoints(std::vector<InstructionId> instructions) {
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
  breakpoints_ = std::move(instructions);
  UpdateStops();
}

void SessionImplementation::UpdateStops() {
  std::fill(stops_at_.begin(), stops_at_.end(), false);
  for (InstructionId breakpoint : breakpoints_) {
    const InstructionId step = StepAtOrAfter(breakpoint);
    if (step.has_value()) stops_at_[step.index()] = true;
  }
}

}  // namespace

std::string ExecutionPath(const Module& module, absl::Span<const Frame> frames) {
  std::string path;
  for (size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    if (i > 0) {
      absl::StrAppend(&path, "[", KindWord(frame.kind));
      if (frame.iteration >= 0) absl::StrAppend(&path, " ", frame.iteration);
      if (frame.branch >= 0) absl::StrAppend(&path, " ", frame.branch);
      absl::StrAppend(&path, "]/");
    }
    absl::StrAppend(&path, module.ComputationName(frame.computation));
    const InstructionId at = i + 1 < frames.size() ? frames[i + 1].caller : frame.current;
    if (at.has_value()) absl::StrAppend(&path, "::", module.InstructionName(at));
  }
  return path;
}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(std::shared_ptr<const Module> module, SessionOptions options) {
  if (module == nullptr || !module->entry().has_value()) {
    return absl::InvalidArgumentError("the module has no entry computation");
  }
  if (!module->computation(module->entry()).root.has_value()) {
    return absl::InvalidArgumentError("the entry computation has no root");
  }
  return std::unique_ptr<Session>(new SessionImplementation(std::move(module), options));
}

}  // namespace hloscope
