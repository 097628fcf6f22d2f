// SPDX-License-Identifier: Apache-2.0
// Requests that move the run.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/step_targets.h"
#include "nlohmann/json.hpp"
#include "reports/text_places.h"

namespace hloscope::dap {

using nlohmann::json;

absl::StatusOr<int64_t> DebugSession::Device(const json& arguments) const {
  const absl::StatusOr<int64_t> thread = RequiredInteger(arguments, "threadId");
  if (!thread.ok()) return thread.status();
  if (*thread < 1 || *thread > timeline().device_count()) {
    return absl::NotFoundError(
        absl::StrCat("there is no thread ", *thread, ": the devices are threads 1 to ", timeline().device_count()));
  }
  if (HasEnded(*thread - 1)) {
    return absl::FailedPreconditionError(absl::StrCat(timeline().run().DeviceName(*thread - 1), " was terminated"));
  }
  return *thread - 1;
}

absl::Status DebugSession::CheckNotFinished(int64_t device) const {
  if (!timeline().execution(device).finished()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(timeline().device_count() > 1 ? timeline().run().DeviceName(device) : std::string("the run"),
                   " has finished; step back, or restart"));
}

absl::StatusOr<json> DebugSession::Continue(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  const bool alone = BoolOr(arguments, "singleThread", false);
  bool finished = true;
  for (int64_t f = 0; f < timeline().device_count(); ++f) {
    finished &= HasEnded(f) || timeline().execution(f).finished() || (alone && f != *device);
  }
  if (finished) {
    // After the end there is nothing but the end of the session.
    after_response_.push_back([this] { Terminated(0); });
    return json{{"allThreadsContinued", true}};
  }
  timeline().set_together(!alone);
  Move move;
  move.reason = "continue";
  move.title = "Running";
  move.run = [this, alone, device = *device]() -> absl::StatusOr<evaluator::Stop> {
    if (alone) return debugger().RunDevice(device, evaluator::StopWhen());
    return ended_.empty() ? debugger().Continue() : RunOthers();
  };
  move_ = std::move(move);
  return json{{"allThreadsContinued", !alone}};
}

namespace {

// Of a program that HLO was made from, steps are operations unless the client wants instructions.
bool IsByInstruction(const json& arguments) { return StringOr(arguments, "granularity", "") == "instruction"; }

}  // namespace

absl::StatusOr<json> DebugSession::StepUntil(const json& arguments, absl::string_view title,
                                             const std::function<evaluator::StopWhen(int64_t)>& end) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  if (absl::Status status = CheckNotFinished(*device); !status.ok()) return status;
  const bool together = ended_.empty() && !BoolOr(arguments, "singleThread", false);
  timeline().set_together(together);
  Move move;
  move.reason = "step";
  move.title = std::string(title);
  move.moves_all_threads = together;
  const bool by_operation = !IsByInstruction(arguments);
  move.run = [this, by_operation, device = *device, when = end(*device)]() -> absl::StatusOr<evaluator::Stop> {
    evaluator::Stop stop = debugger().RunDevice(device, when);
    while (by_operation && stop.reason == evaluator::StopReason::kStep && IsWithinOperation(device)) {
      stop = debugger().StepInto(device);
    }
    return stop;
  };
  move_ = std::move(move);
  return json();
}

bool DebugSession::IsWithinOperation(int64_t device) const {
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(device).frames();
  if (timeline().execution(device).finished() || frames.empty()) return false;
  return !reports::IsWholeOperation(*document_, frames.back().current);
}

absl::StatusOr<json> DebugSession::Next(const json& arguments) {
  return StepUntil(arguments, "Stepping", [this](int64_t f) { return timeline().EndOfStepOver(f); });
}

absl::StatusOr<json> DebugSession::StepOut(const json& arguments) {
  return StepUntil(arguments, "Stepping out", [this](int64_t f) { return timeline().EndOfStepOut(f); });
}

absl::StatusOr<json> DebugSession::StepIn(const json& arguments) {
  const absl::StatusOr<std::optional<int64_t>> target = OptionalInteger(arguments, "targetId");
  if (!target.ok()) return target.status();
  if (!target->has_value()) {
    return StepUntil(arguments, "Stepping in", [this](int64_t f) { return timeline().EndOfStepInto(f); });
  }
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  if (absl::Status status = CheckNotFinished(*device); !status.ok()) return status;
  const InstructionId current = timeline().inspection(*device).frames().back().current;
  const std::vector<StepTarget> targets = StepTargetsOf(module(), current);
  if (**target < 1 || **target > static_cast<int64_t>(targets.size())) {
    return absl::NotFoundError(absl::StrCat(module().InstructionName(current), " has no step-in target ", **target));
  }
  const StepTarget& chosen = targets[static_cast<size_t>(**target) - 1];
  if (chosen.element.has_value()) {
    Move move;
    move.reason = "step";
    move.title = "Stepping in";
    move.interruptible = false;
    move.run = [this, device = *device, index = *chosen.element]() -> absl::StatusOr<evaluator::Stop> {
      if (absl::Status status = timeline().EnterElement(device, index); !status.ok()) return status;
      evaluator::Stop stop;
      stop.reason = evaluator::StopReason::kStep;
      stop.device = device;
      return stop;
    };
    move_ = std::move(move);
    return json();
  }
  return StepUntil(arguments, "Stepping in", [&](int64_t f) {
    // If the computation is not entered (another branch is taken), the step ends after the instruction.
    evaluator::StopWhen when = timeline().EndOfStepOver(f);
    when.instruction =
        timeline().breakpoints(f).StepAtOrAfter(module().computation(chosen.computation).instructions[0]);
    return when.instruction.has_value() ? when : timeline().EndOfStepInto(f);
  });
}

absl::StatusOr<json> DebugSession::StepInTargets(const json& arguments) {
  const absl::StatusOr<FrameReference> frame = FrameFrom(arguments, "frameId");
  if (!frame.ok()) return frame.status();
  json list = json::array();
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(frame->device).frames();
  // Only the innermost computation has a next instruction to step into.
  if (frame->frame + 1 == frames.size() && frames.back().current.has_value()) {
    const InstructionId current = frames.back().current;
    for (const StepTarget& target : StepTargetsOf(module(), current)) {
      json one = {{"id", static_cast<int64_t>(list.size()) + 1}, {"label", target.label}};
      json place;
      DescribePlace(current, &place);
      for (const char* name : {"line", "column", "endLine", "endColumn"}) {
        if (place.contains(name)) one[name] = place[name];
      }
      list.push_back(std::move(one));
    }
  }
  return json{{"targets", std::move(list)}};
}

Move DebugSession::BackMove(absl::string_view title, absl::string_view reason,
                            std::function<absl::StatusOr<bool>()> go) {
  Move move;
  move.reason = std::string(reason);
  move.title = std::string(title);
  move.interruptible = false;
  move.moves_all_threads = true;
  move.run = [this, go = std::move(go)]() -> absl::StatusOr<evaluator::Stop> {
    const absl::StatusOr<bool> moved = go();
    if (!moved.ok()) return moved.status();
    if (!*moved) return absl::OutOfRangeError("this is the beginning of the run");
    evaluator::Stop stop;
    stop.reason = evaluator::StopReason::kStep;
    stop.device = timeline().stopped_device();
    return stop;
  };
  return move;
}

absl::StatusOr<json> DebugSession::StepBack(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  const bool by_operation = !IsByInstruction(arguments);
  move_ = BackMove("Stepping back", "step", [this, by_operation, device = *device]() -> absl::StatusOr<bool> {
    absl::StatusOr<bool> moved = timeline().StepBack(device, true);
    while (moved.ok() && *moved && by_operation && IsWithinOperation(device)) {
      absl::StatusOr<bool> further = timeline().StepBack(device, true);
      if (!further.ok()) return further;
      if (!*further) break;
    }
    return moved;
  });
  return json();
}

absl::StatusOr<json> DebugSession::ReverseContinue(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  Move move;
  move.reason = "entry";
  move.title = "Running backwards";
  move.interruptible = false;
  move.moves_all_threads = true;
  move.run = [this]() -> absl::StatusOr<evaluator::Stop> {
    absl::StatusOr<std::optional<evaluator::Stop>> found = debugger().ReverseContinue();
    if (!found.ok()) return found.status();
    if (found->has_value()) return **std::move(found);
    // No breakpoint before this place: the beginning.
    if (absl::Status status = timeline().GoTo(0); !status.ok()) return status;
    evaluator::Stop stop;
    stop.reason = evaluator::StopReason::kStep;
    return stop;
  };
  move_ = std::move(move);
  return json();
}

absl::StatusOr<json> DebugSession::RestartFrame(const json& arguments) {
  const absl::StatusOr<FrameReference> reference = FrameFrom(arguments, "frameId");
  if (!reference.ok()) return reference.status();
  const int64_t device = reference->device;
  const size_t depth = reference->frame + 1;
  const evaluator::Frame frame = timeline().inspection(device).frames()[reference->frame];
  const InstructionId first =
      timeline().breakpoints(device).StepAtOrAfter(module().computation(frame.computation).instructions[0]);
  const auto at_first_step = [this, device, depth, serial = frame.serial, first]() {
    const absl::Span<const evaluator::Frame> frames = timeline().inspection(device).frames();
    return frames.size() == depth && frames.back().serial == serial && frames.back().current == first;
  };
  move_ = BackMove("Restarting the frame", "restart frame", [this, device, at_first_step]() -> absl::StatusOr<bool> {
    if (at_first_step()) return true;
    absl::StatusOr<bool> moved = timeline().GoBack(true, [&](int64_t f, evaluator::StopReason reason) {
      return (f == device || reason == evaluator::StopReason::kNotStarted) && at_first_step();
    });
    return moved;
  });
  return json();
}

absl::StatusOr<json> DebugSession::GotoTargets(const json& arguments) {
  const json* const source = Member(arguments, "source");
  const absl::StatusOr<int64_t> line = RequiredInteger(arguments, "line");
  if (!line.ok()) return line.status();
  json list = json::array();
  if (source == nullptr || !IsProgram(PathFrom(*source))) return json{{"targets", std::move(list)}};
  const int64_t column = IntegerOr(arguments, "column", -1);
  const InstructionId id =
      reports::InstructionAtLine(*document_, LineFromClient(*line), column < 0 ? -1 : ColumnFromClient(column));
  if (id.has_value()) {
    json target = {{"id", static_cast<int64_t>(id.index()) + 1},
                   {"label", absl::StrCat(module().ComputationName(module().instruction(id).computation),
                                          "::", module().InstructionName(id))},
                   {"instructionPointerReference", InstructionReference(id)}};
    json place;
    DescribePlace(id, &place);
    for (const char* name : {"line", "column", "endLine", "endColumn"}) target[name] = place[name];
    list.push_back(std::move(target));
  }
  return json{{"targets", std::move(list)}};
}

absl::StatusOr<json> DebugSession::Goto(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  const absl::StatusOr<int64_t> target = RequiredInteger(arguments, "targetId");
  if (!target.ok()) return target.status();
  if (*target < 1 || *target > static_cast<int64_t>(module().instruction_count())) {
    return absl::NotFoundError(absl::StrCat("there is no goto target ", *target));
  }
  const InstructionId wanted = InstructionId(static_cast<size_t>(*target) - 1);
  const InstructionId id = timeline().breakpoints(*device).StepAtOrAfter(wanted);
  if (!id.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(module().InstructionName(wanted), " is never executed, and no step follows"));
  }
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(*device).frames();
  size_t depth = frames.size();
  while (depth > 0 && frames[depth - 1].computation != module().instruction(id).computation) --depth;
  const bool innermost = depth == frames.size();
  const bool here = innermost && depth > 0 && frames[depth - 1].current == id;
  const bool before = depth > 0 && (here || timeline().WasExecuted(*device, depth - 1, id) ||
                                    (!innermost && frames[depth].caller == id));
  if (before) {
    // HLO has no state to jump with: the run itself goes back.
    const int64_t serial = frames[depth - 1].serial;
    move_ = BackMove("Going back", "goto", [this, device = *device, depth, serial, id]() -> absl::StatusOr<bool> {
      const auto arrived = [&]() {
        const absl::Span<const evaluator::Frame> open = timeline().inspection(device).frames();
        return open.size() == depth && open.back().serial == serial && open.back().current == id;
      };
      if (arrived()) return true;
      return timeline().GoBack(true, [&](int64_t f, evaluator::StopReason reason) {
        return (f == device || reason == evaluator::StopReason::kNotStarted) && arrived();
      });
    });
    return json();
  }
  absl::StatusOr<json> body = StepUntil(arguments, "Going on", [id](int64_t) {
    evaluator::StopWhen when;
    when.instruction = id;
    return when;
  });
  if (move_.has_value()) move_->reason = "goto";
  return body;
}

}  // namespace hloscope::dap
