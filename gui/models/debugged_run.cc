// SPDX-License-Identifier: Apache-2.0
#include "gui/models/debugged_run.h"

#include <QFile>
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/timeline.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/npy.h"
#include "gui/models/text.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {
namespace {

// Values up to this size are searched for NaNs at a stop, and no more than so many bytes at each. The others follow
// while the user looks at the result.
constexpr int64_t kLargestSearched = int64_t{32} << 20;
constexpr int64_t kMostSearched = int64_t{512} << 20;
// Parts of the way to a place in a run, so that its progress is seen.
constexpr int64_t kPartsOfWay = 200;

}  // namespace

bool IsForward(RunCommand command) {
  return command != RunCommand::kStepBack && command != RunCommand::kStepBackOut && command != RunCommand::kReverse;
}

absl::Status DebuggedRun::Start(const ArgumentSource& arguments, int threads) {
  const evaluator::ElidedConstantFill fill = evaluator::FillOfConstants(*module, arguments.fill, arguments.seed);
  const absl::StatusOr<evaluator::LazilyFilledModule> complete = evaluator::FillElidedConstantsLazily(module, fill);
  if (!complete.ok()) return complete.status();
  filled = static_cast<int64_t>(complete->filled.size());
  progress = std::make_unique<evaluator::RunProgress>(*module);
  evaluator::SessionOptions options;
  options.threads = threads;
  options.random_seed = arguments.seed;
  options.collect_statistics = true;
  options.progress = progress.get();
  options.trace = &trace;
  options.elided_constants = complete->make;
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> created =
      evaluator::Timeline::Create(complete->module, {arguments.replicas, arguments.partitions}, options);
  if (!created.ok()) return created.status();
  timeline = *std::move(created);
  evaluator::DeviceRun& devices = timeline->run();
  stoppable = timeline.get();
  const std::vector<InstructionId>& parameters = module->computation(module->entry()).parameters;
  for (size_t number = 0; number < parameters.size(); ++number) {
    if (cancelled) return absl::CancelledError("cancelled");
    if (!parameters[number].has_value()) continue;
    const Shape& shape = module->shape(parameters[number]);
    const auto file = arguments.files.find(static_cast<int>(number));
    const std::string path = file != arguments.files.end() ? QFile::encodeName(*file).toStdString() : std::string();
    absl::Status status = path.empty() ? absl::OkStatus() : evaluator::CheckNpy(path, shape);
    const bool is_recorded = path.empty() && arguments.recorded != nullptr && number < arguments.recorded->size() &&
                             (*arguments.recorded)[number].has_value();
    for (int64_t f = 0; is_recorded && status.ok() && f < devices.device_count(); ++f) {
      status = devices.device(f).SetArgument(static_cast<int64_t>(number), (*arguments.recorded)[number]);
    }
    if (is_recorded && status.ok()) continue;
    const auto own = arguments.fills.find(static_cast<int>(number));
    const auto plausible = fill.rules.find(parameters[number]);
    const evaluator::FillRule rule = own != arguments.fills.end()    ? evaluator::FillRule(*own)
                                     : plausible != fill.rules.end() ? plausible->second
                                                                     : evaluator::FillRule(arguments.fill);
    // All devices share the value, which is made when something first reads it.
    const auto make = [shape, path, rule, seed = arguments.seed, number, made = std::make_shared<evaluator::Value>()](
                          numerics::Executor* executor) -> absl::StatusOr<evaluator::Value> {
      if (made->has_value()) return *made;
      absl::StatusOr<evaluator::Value> value;
      if (path.empty()) {
        value = evaluator::FillValue(shape, rule, seed, static_cast<int64_t>(number), executor);
      } else {
        absl::StatusOr<evaluator::Tensor> read = evaluator::ReadNpy(path, shape);
        value = read.ok() ? absl::StatusOr<evaluator::Value>(*std::move(read)) : read.status();
      }
      if (value.ok()) *made = *value;
      return value;
    };
    for (int64_t f = 0; status.ok() && f < devices.device_count(); ++f) {
      status = devices.device(f).SetArgumentMaker(static_cast<int64_t>(number), make);
    }
    if (!status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat("parameter ", number, " (", module->InstructionName(parameters[number]),
                                       "): ", status.message()));
    }
  }
  // Values stay as long as their frame is open, so that they can be looked at without repeating anything; once memory
  // is short, as long as the run needs them.
  timeline->set_keep_values(true);
  debugger = std::make_unique<evaluator::Debugger>(std::move(timeline));
  return absl::OkStatus();
}

void DebuggedRun::SetBreakpoints(const std::map<InstructionId, BreakpointSettings>& wanted) {
  if (breakpoints == wanted) return;
  breakpoints = wanted;
  while (!debugger->breakpoints().empty()) debugger->Delete(debugger->breakpoints().front().number);
  for (const auto& [id, settings] : wanted) {
    evaluator::Breakpoint breakpoint;
    breakpoint.place = std::string(module->InstructionName(id));
    breakpoint.locations = {id};
    breakpoint.enabled = settings.enabled;
    if (settings.iteration >= 0) breakpoint.iteration = settings.iteration;
    if (!settings.condition.isEmpty()) {
      evaluator::ExpressionError error;
      breakpoint.condition = evaluator::Expression::Parse(settings.condition.toStdString(), debugger->names(), &error);
    }
    debugger->Add(std::move(breakpoint));
  }
}

bool DebuggedRun::BeginFor(RunCommand command) {
  const bool ended = stop.reason == evaluator::StopReason::kFinished || stop.reason == evaluator::StopReason::kFailed;
  if (!std::exchange(began, true)) {
    stop = debugger->Start();
    if (!IsForward(command)) return true;
  } else if (command == RunCommand::kStart || command == RunCommand::kGoToMoment || command == RunCommand::kGoToPlace ||
             (ended && IsForward(command) && command != RunCommand::kGoToIteration)) {
    // Running again means running from the start.
    health.clear();
    trace.Clear();
    entered_.clear();
    stop = debugger->Restart();
  } else {
    return false;
  }
  if (command == RunCommand::kStart || stop.reason == evaluator::StopReason::kFailed) return true;
  // A breakpoint at the very first instruction is where the run begins.
  return command == RunCommand::kRun && stop.reason == evaluator::StopReason::kBreakpoint;
}

void DebuggedRun::Conclude(int64_t device, const absl::StatusOr<bool>& moved) {
  stop = evaluator::Stop();
  stop.device = device;
  stop.reason = evaluator::StopReason::kStep;
  if (!moved.ok()) {
    message = ToQString(moved.status().message());
  } else if (!*moved) {
    message = tr("This is where the run begins.");
  }
}

void DebuggedRun::RunToNonFinite() {
  evaluator::Watchpoint watch;
  watch.kind = evaluator::Watchpoint::Kind::kNonFinite;
  watch.text = "NaN or infinity";
  const int number = debugger->Add(std::move(watch));
  // What the text gives is meant, and goes on through broadcasts: those are passed.
  const auto is_meant = [&](const evaluator::WatchHit& hit) {
    return hit.number == number && IsConstantLike(*module, hit.instruction);
  };
  do {
    stop = debugger->Continue();
  } while (stop.reason == evaluator::StopReason::kObserved && !stop.watches.empty() &&
           std::all_of(stop.watches.begin(), stop.watches.end(), is_meant));
  debugger->Delete(number);
}

void DebuggedRun::EnableBreakpoints(bool enabled) {
  for (evaluator::Breakpoint& breakpoint : debugger->breakpoints()) {
    const auto found = breakpoints.find(breakpoint.locations.front());
    debugger->Enable(breakpoint.number, enabled && (found == breakpoints.end() || found->second.enabled));
  }
}

RunMoment DebuggedRun::Moment() const {
  RunMoment moment;
  const evaluator::Timeline& timeline = debugger->timeline();
  for (int64_t f = 0; f < timeline.device_count(); ++f) moment.positions.push_back(timeline.execution(f).position());
  moment.device = static_cast<int>(std::max<int64_t>(0, stop.device));
  for (const RunMoment::Entered& entered : entered_) {
    if (entered.position < moment.positions[static_cast<size_t>(entered.device)]) moment.entered.push_back(entered);
  }
  return moment;
}

void DebuggedRun::EnterElement(int64_t device, const std::vector<int64_t>& index) {
  const int64_t position = debugger->timeline().execution(device).position();
  const absl::Status status = debugger->timeline().EnterElement(device, index);
  Conclude(device, status.ok() ? absl::StatusOr<bool>(true) : status);
  if (!status.ok()) return;
  // What was entered later, before the run was taken back, is forgotten.
  std::erase_if(entered_,
                [&](const RunMoment::Entered& other) { return other.device == device && other.position >= position; });
  entered_.push_back({static_cast<int>(device), position, index});
}

void DebuggedRun::GoToMoment(const RunMoment& moment) {
  phase = RunPhase::kReturning;
  evaluator::Timeline& timeline = debugger->timeline();
  const int64_t devices = std::min<int64_t>(timeline.device_count(), static_cast<int64_t>(moment.positions.size()));
  const int64_t part = std::max<int64_t>(1, moment.steps() / kPartsOfWay);
  returned = 0;
  returning = moment.steps();
  EnableBreakpoints(false);
  // Each device goes exactly as far as it was, in whatever turns: what one gets from another does not depend on them.
  const bool together = timeline.together();
  timeline.set_together(false);
  bool progress = true;
  bool goes_on = true;
  while (goes_on && std::exchange(progress, false)) {
    for (int64_t f = 0; goes_on && f < devices; ++f) {
      const evaluator::Execution& execution = timeline.execution(f);
      const int64_t end = moment.positions[static_cast<size_t>(f)];
      bool waits = false;
      while (goes_on && !waits && !execution.finished() && execution.position() < end) {
        int64_t next = std::min(end, execution.position() + part);
        const RunMoment::Entered* enter = nullptr;
        for (const RunMoment::Entered& entered : moment.entered) {
          if (entered.device != f || entered.position < execution.position()) continue;
          if (entered.position == execution.position()) enter = &entered;
          if (entered.position > execution.position()) next = std::min(next, entered.position);
          break;
        }
        const int64_t before = execution.position();
        if (enter != nullptr && (entered_.empty() || entered_.back() != *enter)) {
          EnterElement(f, enter->index);
          goes_on = message.isEmpty();
          progress = true;
          continue;
        }
        evaluator::StopWhen when;
        when.position = enter != nullptr ? std::min(end, before + 1) : next;
        stop = debugger->RunDevice(f, when);
        waits = stop.reason == evaluator::StopReason::kBlocked;
        goes_on =
            stop.reason == evaluator::StopReason::kStep || stop.reason == evaluator::StopReason::kFinished || waits;
        progress = progress || execution.position() > before;
        returned = returned + execution.position() - before;
      }
    }
  }
  timeline.set_together(together);
  EnableBreakpoints(true);
  stop.device = std::clamp<int64_t>(moment.device, 0, timeline.device_count() - 1);
  if (stop.reason == evaluator::StopReason::kBlocked) stop.reason = evaluator::StopReason::kStep;
  if (goes_on && message.isEmpty() && Moment().positions != moment.positions) {
    message = tr("The run cannot be taken to where it was: it is another one now.");
  }
}

bool DebuggedRun::ReachStep(int64_t device, const PlaceStep& step) {
  const auto frames = [&] { return debugger->timeline().inspection(device).frames(); };
  const auto is_next = [&] { return !frames().empty() && frames().back().current == step.next; };
  if (!is_next()) stop = debugger->RunTo(device, step.next);
  if (!is_next()) return false;
  if (step.iteration < 0 || frames().back().iteration == step.iteration) return true;
  // Iterations begin with their bodies; what leads to a condition is the one before.
  const absl::StatusOr<evaluator::Stop> begin =
      debugger->GoToIteration(device, step.iteration - (step.in_condition ? 1 : 0));
  if (!begin.ok()) return false;
  stop = *begin;
  if (!is_next()) stop = debugger->RunTo(device, step.next);
  return is_next() && frames().back().iteration == step.iteration;
}

void DebuggedRun::GoToPlace(int64_t device, const std::vector<PlaceStep>& place) {
  EnableBreakpoints(false);
  for (const PlaceStep& step : place) {
    if (ReachStep(device, step)) continue;
    // A failure and a pause speak for themselves.
    if (stop.reason == evaluator::StopReason::kStep || stop.reason == evaluator::StopReason::kFinished) {
      message = tr("The run does not come to %1 as it did before.").arg(ToQString(module->InstructionName(step.next)));
    }
    break;
  }
  EnableBreakpoints(true);
}

void DebuggedRun::GoToIteration(int64_t device, int64_t number) {
  // Breakpoints on the way are not what was asked for.
  EnableBreakpoints(false);
  const absl::StatusOr<evaluator::Stop> reached = debugger->GoToIteration(device, number);
  EnableBreakpoints(true);
  if (reached.ok()) {
    stop = *reached;
  } else {
    message = ToQString(reached.status().message());
  }
}

void DebuggedRun::RunBackwards() {
  const absl::StatusOr<std::optional<evaluator::Stop>> reached = debugger->ReverseContinue();
  if (!reached.ok()) {
    message = ToQString(reached.status().message());
    return;
  }
  if (reached->has_value()) {
    stop = **reached;
    return;
  }
  // No breakpoint before: to the beginning.
  const absl::Status status = debugger->timeline().GoTo(0);
  stop = evaluator::Stop();
  stop.reason = evaluator::StopReason::kStep;
  if (!status.ok()) message = ToQString(status.message());
}

void DebuggedRun::Perform(RunCommand command, int64_t device, const CommandDetails& details) {
  message.clear();
  phase = IsForward(command) ? RunPhase::kRunning : RunPhase::kGoingBack;
  // A pause that was asked for before the run began.
  if (pausing.exchange(false)) command = RunCommand::kStart;
  if (BeginFor(command)) return;
  switch (command) {
    case RunCommand::kStart:
      break;
    case RunCommand::kRun:
      stop = debugger->Continue();
      break;
    case RunCommand::kStepOver:
      stop = debugger->StepOver(device);
      break;
    case RunCommand::kStepInto:
      stop = debugger->StepInto(device);
      break;
    case RunCommand::kStepOut:
      stop = debugger->StepOut(device);
      break;
    case RunCommand::kRunTo:
      stop = debugger->RunTo(device, details.target);
      break;
    case RunCommand::kRunToNonFinite:
      RunToNonFinite();
      break;
    case RunCommand::kGoToIteration:
      GoToIteration(device, details.iteration);
      break;
    case RunCommand::kGoToMoment:
      GoToMoment(details.moment);
      break;
    case RunCommand::kGoToPlace:
      GoToPlace(device, details.place);
      break;
    case RunCommand::kEnterElement:
      EnterElement(device, details.element);
      break;
    case RunCommand::kStepBack:
      Conclude(device, debugger->timeline().StepBack(device, /*over=*/true));
      break;
    case RunCommand::kStepBackOut:
      Conclude(device, debugger->timeline().StepBackOut(device));
      break;
    case RunCommand::kReverse:
      RunBackwards();
      break;
  }
}

void DebuggedRun::LookAround(int64_t device, const QStringList& expressions) {
  phase = RunPhase::kLooking;
  // What is shown next is the device that stopped.
  const bool stopped = stop.device >= 0 && stop.device < debugger->timeline().device_count();
  LookForDropped(stopped ? stop.device : device);
  const evaluator::Inspection& inspection = debugger->timeline().inspection(device);
  const absl::Span<const evaluator::Frame> frames = inspection.frames();
  watches.clear();
  for (const QString& text : expressions) {
    WatchResult result;
    result.expression = text;
    evaluator::ExpressionError error;
    const std::optional<evaluator::Expression> expression =
        evaluator::Expression::Parse(text.toStdString(), debugger->names(), &error);
    std::optional<evaluator::Value> value;
    if (expression.has_value() && !frames.empty()) {
      evaluator::RunScope scope(debugger->timeline(), debugger->names(), device, frames.size() - 1);
      value = expression->Evaluate(scope, &error);
    }
    result.failed = !value.has_value();
    result.value = value.has_value() ? ToQString(evaluator::BriefValue(*value)) : ToQString(error.message);
    watches.push_back(std::move(result));
  }
  int64_t budget = kMostSearched;
  large.clear();
  for (size_t i = 0; i < frames.size(); ++i) {
    for (InstructionId id : module->computation(frames[i].computation).instructions) {
      if (cancelled) return;
      const evaluator::Value* value = inspection.ValueOf(i, id);
      if (value == nullptr) continue;
      const int64_t bytes = module->shape(id).ByteSize();
      if (bytes > kLargestSearched || bytes > budget) {
        if (health.count({frames[i].serial, id}) == 0) large.emplace(std::pair(frames[i].serial, id), *value);
        continue;
      }
      const auto [it, inserted] = health.try_emplace({frames[i].serial, id});
      if (!inserted) continue;
      it->second = evaluator::FindNonFinite(*value);
      budget -= bytes;
    }
  }
}

void DebuggedRun::LookForDropped(int64_t device) {
  value_states.clear();
  const evaluator::Timeline& timeline = debugger->timeline();
  if (timeline.keeps_values()) return;
  value_states.resize(module->instruction_count(), ValueState::kNone);
  const evaluator::Inspection& inspection = timeline.inspection(device);
  const absl::Span<const evaluator::Frame> frames = inspection.frames();
  for (size_t i = 0; i < frames.size(); ++i) {
    for (InstructionId id : module->computation(frames[i].computation).instructions) {
      ValueState& state = value_states[id.index()];
      // The text has the values of constants.
      const bool is_written = module->opcode(id) == Opcode::kConstant && module->instruction(id).literal.has_value();
      if (is_written || inspection.ValueOf(i, id) != nullptr) {
        state = ValueState::kHeld;
      } else {
        const bool was_executed = !inspection.IsUnread(i, id) && timeline.WasExecuted(device, i, id);
        state = was_executed ? ValueState::kDropped : ValueState::kNone;
      }
    }
  }
}

QString DebuggedRun::DescribeStop() const {
  if (!message.isEmpty()) return message;
  QStringList parts;
  for (const std::string& problem : stop.problems) parts.push_back(ToQString(problem));
  for (const evaluator::WatchHit& hit : stop.watches) {
    const evaluator::NonFinite found = evaluator::FindNonFinite(hit.value);
    const QString name = ToQString(module->InstructionName(hit.instruction));
    parts.push_back(found.nan ? tr("NaN in %1").arg(name) : found.infinity ? tr("Infinity in %1").arg(name) : name);
  }
  if (stop.reason == evaluator::StopReason::kBreakpoint) parts.push_back(tr("Breakpoint"));
  if (stop.reason == evaluator::StopReason::kPaused) parts.push_back(tr("Paused"));
  if (stop.reason == evaluator::StopReason::kBlocked) parts.push_back(tr("Waits for another device"));
  return parts.join(QStringLiteral("; "));
}

}  // namespace hloscope::gui
