#include "gui/models/session_controller.h"

#include <unistd.h>

#include <QFile>
#include <QMetaObject>
#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "gui/models/text.h"

namespace hloscope {
namespace {

// Literals up to this size are turned into a value when they are looked at.
constexpr int64_t kMaxConstantBytes = int64_t{64} << 20;

// Three quarters of the machine's memory: a run that needs more should fail with a message, not take the desktop down.
int64_t MemoryLimit() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages / 4 * 3 * page_bytes : 0;
}

// Opens the entry computation's frame without executing anything.
StopReason StopBeforeFirstStep(Session& session) {
  const Module& module = session.module();
  const std::vector<InstructionId>& instructions = module.computation(module.entry()).instructions;
  return session.RunTo(instructions.empty() ? InstructionId() : instructions.front());
}

void SetBreakpoints(Session& session, const std::set<InstructionId>& wanted) {
  for (InstructionId id : session.breakpoints()) {
    if (wanted.count(id) == 0) session.RemoveBreakpoint(id);
  }
  for (InstructionId id : wanted) {
    if (!session.HasBreakpoint(id)) session.AddBreakpoint(id);
  }
}

}  // namespace

SessionController::SessionController(QObject* parent) : QObject(parent), worker_(new QObject) {
  // Of the process, because arguments are made before the session that takes them.
  Buffer::SetLimit(MemoryLimit());
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  thread_.setObjectName(QStringLiteral("session"));
  thread_.start();
}

SessionController::~SessionController() {
  DropRun();
  thread_.quit();
  thread_.wait();
}

void SessionController::SetModule(std::shared_ptr<const Module> module) {
  DropRun();
  module_ = std::move(module);
  // Files name parameters by number, which mean something else in another module.
  arguments_.files.clear();
  breakpoints_.clear();
  Q_EMIT BreakpointsChanged();
  SetState(State::kIdle);
  Q_EMIT Stopped();
}

void SessionController::SetArguments(ArgumentSource source) {
  Stop();
  arguments_ = std::move(source);
}

void SessionController::SetState(State state) {
  if (std::exchange(state_, state) != state) Q_EMIT StateChanged();
}

void SessionController::ClearSnapshot() {
  frames_.clear();
  last_executed_ = InstructionId();
  executed_count_ = 0;
}

void SessionController::DropRun() {
  ClearSnapshot();
  failure_.clear();
  resume_ = false;
  std::shared_ptr<Run> run = std::move(run_);
  run_ = nullptr;
  if (run == nullptr) return;
  run->cancelled = true;
  if (Session* session = run->stoppable.load()) session->Cancel();
  // Giving back gigabytes takes a while: let the worker do it.
  QMetaObject::invokeMethod(worker_, [run = std::move(run)] {});
}

absl::Status SessionController::Start(Run& run, const ArgumentSource& arguments) {
  SessionOptions options;
  options.random_seed = arguments.seed;
  absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(run.module, options);
  if (!session.ok()) return session.status();
  run.session = *std::move(session);
  run.stoppable = run.session.get();
  const Module& module = *run.module;
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (size_t number = 0; number < parameters.size(); ++number) {
    if (run.cancelled) return absl::CancelledError("cancelled");
    if (!parameters[number].has_value()) continue;
    const Shape& shape = module.shape(parameters[number]);
    absl::StatusOr<Value> value;
    const auto file = arguments.files.find(static_cast<int>(number));
    if (file != arguments.files.end()) {
      value = ReadNpy(QFile::encodeName(*file).toStdString(), shape);
    } else {
      value = FillValue(shape, arguments.fill, arguments.seed, static_cast<int64_t>(number));
    }
    absl::Status status = value.status();
    if (status.ok()) status = run.session->SetArgument(static_cast<int64_t>(number), *std::move(value));
    if (!status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat("parameter ", number, " (", module.InstructionName(parameters[number]),
                                       "): ", status.message()));
    }
  }
  return absl::OkStatus();
}

void SessionController::Post(std::function<void(Run&)> work) {
  timer_.start();
  SetState(State::kBusy);
  std::shared_ptr<Run> run = run_;
  QMetaObject::invokeMethod(worker_, [this, run, work = std::move(work)] {
    if (!run->cancelled) work(*run);
    QMetaObject::invokeMethod(this, [this, run] { FinishCommand(run); });
  });
}

void SessionController::Execute(Command command, InstructionId target) {
  if (module_ == nullptr || busy()) return;
  failure_.clear();
  command_ = command;
  executing_ = current();
  executing_depth_ = frames_.empty() ? 0 : frames_.back().depth;
  const bool starting = run_ == nullptr;
  if (starting) {
    run_ = std::make_shared<Run>();
    run_->module = module_;
    if (command == Command::kStepOver || command == Command::kStepInto || command == Command::kStepOut) {
      command_ = command = Command::kStart;
    }
  } else if (state_ == State::kFinished || state_ == State::kFailed) {
    // Running again means running from the start.
    if (command != Command::kRun && command != Command::kRunTo) return;
    Post([breakpoints = breakpoints_, command, target](Run& run) {
      SetBreakpoints(*run.session, breakpoints);
      run.session->Restart();
      run.reason = command == Command::kRun ? run.session->Run() : run.session->RunTo(target);
    });
    return;
  }
  Post([starting, command, target, arguments = arguments_, breakpoints = breakpoints_](Run& run) {
    if (starting) {
      run.start_status = Start(run, arguments);
      if (!run.start_status.ok()) return;
    }
    Session& session = *run.session;
    SetBreakpoints(session, breakpoints);
    switch (command) {
      case Command::kStart:
        run.reason = StopBeforeFirstStep(session);
        break;
      case Command::kRun:
        run.reason = session.Run();
        break;
      case Command::kStepOver:
        run.reason = session.StepOver();
        break;
      case Command::kStepInto:
        run.reason = session.StepInto();
        break;
      case Command::kStepOut:
        run.reason = session.StepOut();
        break;
      case Command::kRunTo:
        run.reason = session.RunTo(target);
        break;
    }
  });
}

void SessionController::Restart() {
  if (run_ == nullptr) {
    Execute(Command::kStart);
    return;
  }
  if (busy() || run_->session == nullptr || !run_->start_status.ok()) {
    DropRun();
    SetState(State::kIdle);
    Execute(Command::kStart);
    return;
  }
  executing_ = InstructionId();
  command_ = Command::kStart;
  failure_.clear();
  Post([](Run& run) {
    run.session->Restart();
    run.reason = StopBeforeFirstStep(*run.session);
  });
}

void SessionController::Pause() {
  if (!busy() || run_ == nullptr) return;
  resume_ = false;
  if (Session* session = run_->stoppable.load()) session->RequestPause();
}

void SessionController::Stop() {
  DropRun();
  SetState(State::kIdle);
  Q_EMIT Stopped();
}

void SessionController::FinishCommand(const std::shared_ptr<Run>& run) {
  if (run != run_) {
    // The run was dropped meanwhile; its last reference goes where freeing does not disturb.
    QMetaObject::invokeMethod(worker_, [run] {});
    return;
  }
  ClearSnapshot();
  if (run->session == nullptr || !run->start_status.ok()) {
    const QString failure = ToQString(run->start_status.message());
    DropRun();
    failure_ = failure;
    SetState(State::kFailed);
    Q_EMIT Stopped();
    Q_EMIT Failed(failure);
    return;
  }
  const Session& session = *run->session;
  const absl::Span<const Frame> frames = session.frames();
  frames_.assign(frames.begin(), frames.end());
  executed_count_ = session.executed_count();
  const bool resume = std::exchange(resume_, false) && run->reason == StopReason::kPaused;
  if (resume) {
    state_ = State::kStopped;  // unseen: the next command follows at once
    Execute(command_);
    return;
  }
  // The instruction that stood in front of a step is done if the frame it stood in is still the same one.
  if (executing_.has_value() && command_ != Command::kStart && !frames_.empty() &&
      frames_.back().depth == executing_depth_ && Computed(executing_) != nullptr) {
    last_executed_ = executing_;
  }
  if (run->reason == StopReason::kFailed) {
    failure_ = ToQString(session.status().message());
    if (failure_.isEmpty()) failure_ = tr("the run failed");
  }
  SetState(run->reason == StopReason::kFailed ? State::kFailed
           : session.finished()               ? State::kFinished
                                              : State::kStopped);
  Q_EMIT Stopped();
  if (run->reason == StopReason::kFailed) Q_EMIT Failed(failure_);
}

void SessionController::ToggleBreakpoint(InstructionId instruction) {
  if (module_ == nullptr || !instruction.has_value()) return;
  if (breakpoints_.erase(instruction) == 0) breakpoints_.insert(instruction);
  if (busy() && command_ == Command::kRun) {
    Pause();
    resume_ = true;
  }
  Q_EMIT BreakpointsChanged();
}

InstructionId SessionController::current() const {
  return busy() || frames_.empty() ? InstructionId() : frames_.back().current;
}

int SessionController::FrameOf(ComputationId computation) const {
  for (size_t i = frames_.size(); i > 0; --i) {
    if (frames_[i - 1].computation == computation) return static_cast<int>(i - 1);
  }
  return -1;
}

Value SessionController::ValueOf(InstructionId instruction) const {
  if (module_ == nullptr || !instruction.has_value()) return Value();
  if (!busy() && run_ != nullptr && run_->session != nullptr) {
    if (const Value* value = Computed(instruction)) return *value;
    const bool is_result = instruction == module_->computation(module_->entry()).root;
    if (is_result && run_->session->finished()) return run_->session->result();
  }
  const bool readable = module_->opcode(instruction) == Opcode::kConstant &&
                        module_->instruction(instruction).literal.has_value() &&
                        module_->shape(instruction).ByteSize() <= kMaxConstantBytes;
  if (!readable) return Value();
  absl::StatusOr<Value> value = Value::FromLiteral(module_->literal(instruction));
  return value.ok() ? *std::move(value) : Value();
}

bool SessionController::IsExecuted(InstructionId instruction) const {
  return !busy() && Computed(instruction) != nullptr;
}

NonFinite SessionController::HealthOf(InstructionId instruction) const {
  (void)instruction;
  return NonFinite();
}

const Value* SessionController::Computed(InstructionId instruction) const {
  if (run_ == nullptr || run_->session == nullptr || !instruction.has_value()) return nullptr;
  const int frame = FrameOf(module_->instruction(instruction).computation);
  return frame >= 0 ? run_->session->ValueOf(static_cast<size_t>(frame), instruction) : nullptr;
}

}  // namespace hloscope
