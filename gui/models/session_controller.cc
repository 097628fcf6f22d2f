// SPDX-License-Identifier: Apache-2.0
#include "gui/models/session_controller.h"

#include <QMetaObject>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/source/memory_hooks.h"
#include "evaluator/debugger/timeline.h"
#include "evaluator/tensor/arena.h"
#include "gui/models/health_scan.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Values that are too large to be searched for NaNs at a stop follow in tiles of this size.
constexpr int64_t kTileBytes = int64_t{4} << 20;

// After a run was dropped, in ms: until nothing shows a value of it.
constexpr int kFreeDelay = 500;

}  // namespace

SessionController::SessionController(QObject* parent)
    : QObject(parent), large_task_(new BackgroundTask(this)), worker_(new QObject) {
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

void SessionController::SetModule(std::shared_ptr<const Module> module, bool is_edit) {
  const bool ends = is_edit && run_ != nullptr;
  if (ends) ended_run_ = {state_, state_ == State::kStopped ? RunPlace::Of(*module_, frames_) : RunPlace()};
  if (!is_edit) ended_run_.reset();
  DropRun();
  const std::shared_ptr<const Module> old = std::exchange(module_, std::move(module));
  names_ = nullptr;
  device_ = 0;
  // Files name parameters by number, which mean something else in another module.
  const bool same = old != nullptr && module_ != nullptr && old->name() == module_->name();
  if (!same) {
    arguments_.files.clear();
    arguments_.fills.clear();
    arguments_.recorded = nullptr;
  }
  std::map<InstructionId, BreakpointSettings> kept;
  for (const auto& [id, settings] : breakpoints_) {
    if (!same) break;
    const ComputationId computation = module_->FindComputation(old->ComputationName(old->instruction(id).computation));
    if (!computation.has_value()) continue;
    const InstructionId found = module_->FindInstruction(computation, old->InstructionName(id));
    if (found.has_value()) kept.emplace(found, settings);
  }
  breakpoints_ = std::move(kept);
  Q_EMIT BreakpointsChanged();
  SetState(State::kIdle);
  Q_EMIT Stopped();
  if (ends || !is_edit) Q_EMIT EndedRunChanged();
}

void SessionController::ForgetEndedRun() {
  if (!ended_run_.has_value()) return;
  ended_run_.reset();
  Q_EMIT EndedRunChanged();
}

void SessionController::GoToEndedPlace() {
  if (!ended_run_.has_value() || module_ == nullptr) return;
  std::optional<std::vector<PlaceStep>> place = ended_run_->place.In(*module_);
  if (place.has_value()) Start(Command::kGoToPlace, {.place = *std::move(place)});
}

void SessionController::SetArguments(ArgumentSource source) {
  Stop();
  arguments_ = std::move(source);
}

void SessionController::SetLimits(int64_t memory_bytes, int threads) {
  // Of the process, because arguments are made before the session that takes them.
  evaluator::Buffer::SetLimit(memory_bytes);
  threads_ = threads;
}

void SessionController::SetState(State state) {
  if (std::exchange(state_, state) != state) Q_EMIT StateChanged();
}

void SessionController::ClearSnapshot() {
  large_task_->Cancel();
  frames_.clear();
  watch_results_.clear();
  statistics_.clear();
  last_executed_ = InstructionId();
  executed_count_ = 0;
  position_ = 0;
  filled_constants_ = 0;
  stop_text_.clear();
  health_of_run_.clear();
  value_states_.clear();
  recalled_.clear();
}

void SessionController::DropRun() {
  ClearSnapshot();
  large_health_.clear();
  failure_.clear();
  resume_ = false;
  asking_ = false;
  wanted_ = recalling_ = InstructionId();
  std::shared_ptr<DebuggedRun> run = std::move(run_);
  run_ = nullptr;
  if (run == nullptr) return;
  run->cancelled = true;
  if (evaluator::Timeline* timeline = run->stoppable.load()) {
    // The past is repeated by runs of its own, which only the timeline can stop.
    timeline->RequestPause();
    timeline->run().Cancel();
  }
  Free(std::move(run));
}

void SessionController::Free(std::shared_ptr<DebuggedRun> run) {
  // Giving back gigabytes takes a while: let the worker do it.
  QMetaObject::invokeMethod(worker_, [run = std::move(run)]() mutable { run.reset(); });
  // Views let go of the values that they show when they hear that the run is gone.
  QTimer::singleShot(kFreeDelay, this, [this] {
    QMetaObject::invokeMethod(worker_, [] {
      // What values leave is kept for the next ones, until somebody says that there are none.
      evaluator::Arena::Global().Trim();
      ReleaseFreeMemory();
    });
  });
}

void SessionController::Post(std::function<void(DebuggedRun&)> work) {
  timer_.start();
  large_task_->Cancel();
  recalled_.clear();
  // A restart counts frames again.
  if (command_ == Command::kStart) large_health_.clear();
  run_->pausing = false;
  // A pause that came when the last command was just done is not for this one.
  if (evaluator::Timeline* timeline = run_->stoppable.load()) timeline->ClearPause();
  SetState(State::kBusy);
  std::shared_ptr<DebuggedRun> run = run_;
  QMetaObject::invokeMethod(worker_, [this, run, work = std::move(work)] {
    if (!run->cancelled) work(*run);
    QMetaObject::invokeMethod(this, [this, run] { FinishCommand(run); });
  });
}

void SessionController::Execute(Command command, InstructionId target, int64_t iteration) {
  Start(command, {.target = target, .iteration = iteration});
}

void SessionController::GoToMoment(RunMoment moment) {
  if (moment.positions.empty()) return;
  Start(Command::kGoToMoment, {.moment = std::move(moment)});
}

RunMoment SessionController::moment() const {
  return busy() || run_ == nullptr || run_->debugger == nullptr ? RunMoment() : run_->Moment();
}

void SessionController::EnterElement(std::vector<int64_t> index) {
  if (AppliesToElements()) {
    Start(Command::kEnterElement, {.element = std::move(index)});
  }
}

bool SessionController::AppliesToElements() const {
  if (state_ != State::kStopped || !current().has_value()) return false;
  switch (module_->opcode(current())) {
    case Opcode::kMap:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kSort:
      return true;
    default:
      return false;
  }
}

void SessionController::Start(Command command, CommandDetails details) {
  if (module_ == nullptr || busy()) return;
  const bool starting = run_ == nullptr;
  const bool ended = state_ == State::kFinished || state_ == State::kFailed;
  if (starting && !IsForward(command)) return;
  // A run that has ended is run again from its start, but it is not stepped.
  const bool steps = command == Command::kStepOver || command == Command::kStepInto || command == Command::kStepOut;
  if (!starting && ended && steps) return;
  failure_.clear();
  command_ = command;
  if (starting) {
    run_ = std::make_shared<DebuggedRun>();
    run_->module = module_;
    ForgetEndedRun();
    if (steps) command_ = command = Command::kStart;
  }
  Post([command, details = std::move(details), arguments = arguments_, breakpoints = breakpoints_, watches = watches_,
        device = device_, threads = threads_](DebuggedRun& run) {
    if (run.debugger == nullptr) {
      run.start_status = run.Start(arguments, threads);
      if (!run.start_status.ok()) return;
    }
    run.SetBreakpoints(breakpoints);
    run.Perform(command, device, details);
    run.LookAround(command == Command::kGoToMoment ? run.stop.device : device, watches);
  });
}

void SessionController::Restart() {
  if (run_ == nullptr) {
    Execute(Command::kStart);
    return;
  }
  if (busy() || run_->debugger == nullptr) {
    DropRun();
    SetState(State::kIdle);
  }
  Execute(Command::kStart);
}

void SessionController::Pause() {
  if (!busy() || run_ == nullptr) return;
  resume_ = false;
  if (evaluator::Timeline* timeline = run_->stoppable.load()) {
    timeline->RequestPause();
  } else {
    run_->pausing = true;
  }
}

void SessionController::Stop() {
  DropRun();
  SetState(State::kIdle);
  Q_EMIT Stopped();
}

bool SessionController::Ask(std::function<Answer(evaluator::Debugger&)> question) {
  if (busy() || run_ == nullptr || run_->debugger == nullptr) return false;
  const State before = state_;
  command_ = Command::kStart;  // nothing that a change of breakpoints would interrupt
  asking_ = true;
  timer_.start();
  if (evaluator::Timeline* timeline = run_->stoppable.load()) timeline->ClearPause();
  SetState(State::kBusy);
  QMetaObject::invokeMethod(worker_, [this, run = run_, before, question = std::move(question)] {
    run->phase = RunPhase::kAsking;
    const Answer answer = run->cancelled ? Answer() : question(*run->debugger);
    QMetaObject::invokeMethod(this, [this, run, before, answer] {
      if (run != run_) return Free(run);
      asking_ = false;
      SetState(before);
      if (answer) answer();
    });
  });
  return true;
}

void SessionController::FinishCommand(const std::shared_ptr<DebuggedRun>& run) {
  if (run != run_) {
    Free(run);  // it was dropped meanwhile
    return;
  }
  ClearSnapshot();
  if (run->debugger == nullptr || !run->start_status.ok()) {
    const QString failure = ToQString(run->start_status.message());
    DropRun();
    failure_ = failure;
    SetState(State::kFailed);
    Q_EMIT Stopped();
    Q_EMIT Failed(failure);
    return;
  }
  const bool resume = std::exchange(resume_, false) && run->stop.reason == evaluator::StopReason::kPaused;
  if (resume) {
    state_ = State::kStopped;  // unseen: the next command follows at once
    Execute(command_);
    return;
  }
  if (run->stop.device >= 0 && run->stop.device < device_count()) device_ = static_cast<int>(run->stop.device);
  ReadSnapshot();
  if (!run->stop.watches.empty()) last_executed_ = run->stop.watches.front().instruction;
  const bool failed = run->stop.reason == evaluator::StopReason::kFailed;
  if (failed) {
    const absl::Status& status = run->debugger->timeline().status();
    failure_ = ToQString(status.message());
    if (failure_.isEmpty()) failure_ = ToQString(execution()->status().message());
    if (failure_.isEmpty()) failure_ = tr("the run failed");
  }
  SetState(failed ? State::kFailed : execution()->finished() ? State::kFinished : State::kStopped);
  Q_EMIT Stopped();
  if (run == run_ && !busy()) ScanLargeValues();
  if (failed) Q_EMIT Failed(failure_);
}

void SessionController::ScanLargeValues() {
  std::map<std::pair<int64_t, InstructionId>, evaluator::Value> values = std::exchange(run_->large, {});
  for (const auto& [key, found] : large_health_) values.erase(key);
  if (values.empty()) return;
  large_task_->Start([this, values = std::move(values)](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    std::map<std::pair<int64_t, InstructionId>, evaluator::NonFinite> found;
    for (const auto& [key, value] : values) {
      found[key] = FindNonFiniteInTiles(value, kTileBytes, cancelled);
      if (cancelled) return {};
    }
    return [this, found = std::move(found)] {
      large_health_.insert(found.begin(), found.end());
      Q_EMIT HealthChanged();
    };
  });
}

void SessionController::ReadSnapshot() {
  const evaluator::Inspection& inspection = *this->inspection();
  const absl::Span<const evaluator::Frame> frames = inspection.frames();
  frames_.assign(frames.begin(), frames.end());
  executed_count_ = inspection.executed_count();
  last_executed_ = inspection.last_executed();
  position_ = run_->debugger->timeline().position();
  watch_results_ = run_->watches;
  filled_constants_ = run_->filled;
  value_states_ = run_->value_states;
  stop_text_ = run_->DescribeStop();
  const absl::Span<const evaluator::InstructionStatistics> statistics = inspection.statistics();
  statistics_.assign(statistics.begin(), statistics.end());
}

void SessionController::ToggleBreakpoint(InstructionId instruction) {
  if (module_ == nullptr || !instruction.has_value()) return;
  if (breakpoints_.erase(instruction) == 0) breakpoints_.emplace(instruction, BreakpointSettings());
  if (busy() && command_ == Command::kRun) {
    Pause();
    resume_ = true;
  }
  Q_EMIT BreakpointsChanged();
}

const evaluator::NameIndex& SessionController::names() {
  if (names_ == nullptr) names_ = std::make_unique<evaluator::NameIndex>(*module_);
  return *names_;
}

QString SessionController::SetBreakpoint(InstructionId instruction, const BreakpointSettings& settings) {
  if (module_ == nullptr || !instruction.has_value()) return tr("There is no such instruction.");
  evaluator::ExpressionError error;
  if (!settings.condition.isEmpty() &&
      !evaluator::Expression::Parse(settings.condition.toStdString(), names(), &error).has_value()) {
    return ToQString(error.message);
  }
  breakpoints_[instruction] = settings;
  Q_EMIT BreakpointsChanged();
  return QString();
}

QString SessionController::AddWatch(const QString& expression) {
  if (module_ == nullptr) return tr("No module is open.");
  evaluator::ExpressionError error;
  if (!evaluator::Expression::Parse(expression.toStdString(), names(), &error).has_value())
    return ToQString(error.message);
  watches_.push_back(expression);
  watch_results_.push_back({expression, QString(), false});
  Q_EMIT WatchesChanged();
  if (state_ == State::kStopped || state_ == State::kFinished) SetDevice(device_);  // works it out
  return QString();
}

void SessionController::RemoveWatch(int number) {
  if (number < 0 || number >= watches_.size()) return;
  watches_.removeAt(number);
  if (static_cast<size_t>(number) < watch_results_.size()) watch_results_.erase(watch_results_.begin() + number);
  Q_EMIT WatchesChanged();
}

void SessionController::SetDevice(int device) {
  if (device < 0 || device >= device_count() || busy()) return;
  device_ = device;
  if (run_ == nullptr || run_->debugger == nullptr) return;
  large_health_.clear();
  Post([device, watches = watches_](DebuggedRun& run) {
    run.stop.device = device;
    run.health.clear();
    run.LookAround(device, watches);
  });
}

QString SessionController::phase_text() const {
  if (!busy() || run_ == nullptr) return QString();
  const auto name = [this](InstructionId id) { return ToQString(module_->InstructionName(id)); };
  switch (run_->phase.load()) {
    case RunPhase::kPreparing:
      return tr("Preparing the run");
    case RunPhase::kReturning:
      return tr("Going to step %1 of the run").arg(FormatCount(run_->returning.load()));
    case RunPhase::kGoingBack:
      return tr("Going back");
    case RunPhase::kAsking:
      if (recalling_.has_value()) return tr("Computing %1 again").arg(name(recalling_));
      return tr("Looking at the past");
    case RunPhase::kLooking:
      return tr("Looking for NaNs");
    case RunPhase::kRunning:
      break;
  }
  // The worker makes the progress before what can be stopped.
  if (run_->stoppable.load() == nullptr || run_->progress == nullptr) return tr("Preparing the run");
  const auto& parameters = module_->computation(module_->entry()).parameters;
  const int64_t making = run_->progress->making.load();
  if (making >= 0 && static_cast<size_t>(making) < parameters.size()) {
    return tr("Making argument %1, %2").arg(making).arg(name(parameters[static_cast<size_t>(making)]));
  }
  const uint32_t kernel = run_->progress->kernel.load();
  return kernel < module_->instruction_count() ? tr("Running %1").arg(name(InstructionId(kernel))) : tr("Running");
}

double SessionController::progress() const {
  // The worker makes the progress before what can be stopped.
  if (run_ == nullptr || run_->stoppable.load() == nullptr || run_->progress == nullptr) return -1;
  if (run_->phase.load() == RunPhase::kReturning) {
    return static_cast<double>(run_->returned.load()) /
           static_cast<double>(std::max<int64_t>(1, run_->returning.load()));
  }
  double total = 0;
  for (InstructionId id : module_->computation(module_->entry()).instructions) {
    total += static_cast<double>(run_->progress->step_flops[id.index()]);
  }
  if (total <= 0) return -1;
  return std::min(1.0, static_cast<double>(run_->progress->flops.load()) / (total * device_count()));
}

const evaluator::Inspection* SessionController::inspection() const {
  return run_ != nullptr && run_->debugger != nullptr ? &run_->debugger->timeline().inspection(device_) : nullptr;
}

const evaluator::Execution* SessionController::execution() const {
  return run_ != nullptr && run_->debugger != nullptr ? &run_->debugger->timeline().execution(device_) : nullptr;
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

}  // namespace hloscope::gui
