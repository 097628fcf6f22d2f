// SPDX-License-Identifier: Apache-2.0
// Commands of the terminal debugger that move: forwards, backwards, between devices.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/commands/debug_shell.h"
#include "cli/output.h"
#include "core/diagnostics/count_text.h"
#include "reports/text_places.h"

namespace hloscope::cli {

bool DebugShell::Begin() {
  const Module& module = debugger_.module();
  WriteOutput(absl::StrCat(document_->source().name(), ": ", CountOf(module.instruction_count(), "instruction"), " in ",
                           CountOf(module.computations().size(), "computation"),
                           debugger_.timeline().device_count() > 1
                               ? absl::StrCat(", on ", debugger_.timeline().device_count(), " devices")
                               : "",
                           look_.interactive ? "; `help` lists the commands\n" : "\n"));
  return Show(debugger_.Start()) && stop_.reason != evaluator::StopReason::kFailed;
}

void DebugShell::ShowFinished(int64_t device) {
  const evaluator::Timeline& timeline = debugger_.timeline();
  const bool several = timeline.device_count() > 1;
  WriteOutput(absl::StrCat(several ? absl::StrCat(timeline.run().DeviceName(device), " has finished") : "finished",
                           " at position ", timeline.position(), "\n"));
  const evaluator::Value& result = timeline.execution(device).result();
  if (!result.IsTuple()) {
    WriteOutput(absl::StrCat("  result = ", evaluator::BriefValue(result), "\n"));
    return;
  }
  constexpr size_t kShown = 8;
  for (size_t i = 0; i < std::min(kShown, result.elements().size()); ++i) {
    WriteOutput(absl::StrCat("  result{", i, "} = ", evaluator::BriefValue(result.elements()[i]), "\n"));
  }
  if (result.elements().size() > kShown) {
    WriteOutput(absl::StrCat("  and ", result.elements().size() - kShown, " more; `info results` shows all\n"));
  }
}

bool DebugShell::ShowPlace() {
  evaluator::Timeline& timeline = debugger_.timeline();
  const absl::Span<const evaluator::Frame> frames = inspection().frames();
  if (execution().finished()) {
    ShowFinished(device_);
    return true;
  }
  if (frames.empty()) {
    WriteOutput("the run has not begun\n");
    return true;
  }
  const std::string path = evaluator::ExecutionPath(debugger_.module(), frames);
  WriteOutput(absl::StrCat(
      reports::Painted(look_, reports::Paint::kDim, absl::StrCat("#", timeline.position())), "  ",
      look_.interactive ? reports::ShortName(path, static_cast<size_t>(std::max(40, look_.width - 20))) : path,
      timeline.device_count() > 1 ? absl::StrCat("  on ", timeline.run().DeviceName(device_)) : "", "\n"));
  const std::string operation = reports::OperationLine(look_, *document_, frames.back().current);
  if (!operation.empty()) WriteOutput(absl::StrCat("   ", operation, "\n"));
  WriteOutput(absl::StrCat(reports::Painted(look_, reports::Paint::kGood, "=> "),
                           reports::InstructionLine(look_, debugger_.module(), frames.back().current), "\n"));
  return true;
}

// Whether the next instruction only prepares what an operation of the program gives, and is passed by steps.
bool DebugShell::IsWithinOperation() {
  if (by_instruction_ || execution().finished() || inspection().frames().empty()) return false;
  return !reports::IsWholeOperation(*document_, inspection().frames().back().current);
}

bool DebugShell::Show(const evaluator::Stop& stop) {
  stop_ = stop;
  device_ = stop.device;
  evaluator::Timeline& timeline = debugger_.timeline();
  frame_ = inspection().frames().empty() ? 0 : inspection().frames().size() - 1;
  for (const std::string& problem : stop.problems) Fail(problem);
  switch (stop.reason) {
    case evaluator::StopReason::kBreakpoint:
      if (!stop.breakpoints.empty()) {
        WriteOutput(absl::StrCat(reports::Painted(look_, reports::Paint::kBold,
                                                  absl::StrCat("breakpoint ", absl::StrJoin(stop.breakpoints, ", "))),
                                 "\n"));
      }
      break;
    case evaluator::StopReason::kObserved:
    case evaluator::StopReason::kFinished:
      for (const evaluator::WatchHit& hit : stop.watches) {
        WriteOutput(
            absl::StrCat(reports::Painted(look_, reports::Paint::kBold, absl::StrCat("watchpoint ", hit.number)), ": ",
                         debugger_.module().InstructionName(hit.instruction), " = ", evaluator::BriefValue(hit.value),
                         "\n  made at ", hit.path, "\n", hit.what.empty() ? "" : absl::StrCat("  ", hit.what, "\n")));
      }
      break;
    case evaluator::StopReason::kPaused:
      WriteOutput("paused\n");
      break;
    case evaluator::StopReason::kBlocked:
      WriteOutput(absl::StrCat(timeline.run().DeviceName(device_), " ", DeviceLine(device_),
                               "; step the others, `continue`, or `together on`\n"));
      break;
    case evaluator::StopReason::kFailed:
      FlushOutput();
      WriteError(absl::StrCat(reports::Painted(look_, reports::Paint::kBad, "the run failed"), ": ",
                              timeline.status().message(), "\n"));
      break;
    case evaluator::StopReason::kNotStarted:
    case evaluator::StopReason::kStep:
      break;
  }
  return ShowPlace();
}

template <typename Move>
bool DebugShell::Repeat(int64_t count, Move&& move) {
  if (execution().finished()) return Fail("the run has finished; `back` or `goto` goes back, `start` begins again");
  for (; count > 0; --count) {
    const bool last = count == 1;
    const InstructionId before = inspection().frames().empty() ? InstructionId() : inspection().frames().back().current;
    const size_t depth = inspection().frames().size();
    const int64_t serial = depth == 0 ? -1 : inspection().frames().back().serial;
    evaluator::Stop stop = move();
    while (stop.reason == evaluator::StopReason::kStep && IsWithinOperation()) stop = debugger_.StepInto(device_);
    const bool goes_on = stop.reason == evaluator::StopReason::kStep && !last;
    if (goes_on) continue;
    // What the step gave, if its frame still shows it.
    const absl::Span<const evaluator::Frame> frames = inspection().frames();
    if (before.has_value() && depth > 0 && frames.size() >= depth && frames[depth - 1].serial == serial &&
        frames[depth - 1].current != before) {
      if (const evaluator::Value* value = inspection().ValueOf(depth - 1, before)) {
        WriteOutput(
            absl::StrCat(reports::Painted(look_, reports::Paint::kName, debugger_.module().InstructionName(before)),
                         " = ", evaluator::BriefValue(*value), "\n"));
        latest_ = before;
      }
    }
    return Show(stop);
  }
  return true;
}

bool DebugShell::Next(absl::string_view arguments) {
  const std::optional<int64_t> count = Number(arguments, 1, 1);
  return count.has_value() && Repeat(*count, [&]() { return debugger_.StepOver(device_); });
}

bool DebugShell::Step(absl::string_view arguments) {
  const std::optional<int64_t> count = Number(arguments, 1, 1);
  return count.has_value() && Repeat(*count, [&]() { return debugger_.StepInto(device_); });
}

bool DebugShell::Finish(absl::string_view arguments) {
  return NoArguments(arguments) && Repeat(1, [&]() { return debugger_.StepOut(device_); });
}

bool DebugShell::ElementStep(absl::string_view arguments) {
  if (inspection().frames().empty() || execution().finished()) return Fail("there is no next instruction");
  const Shape* shape = &debugger_.module().shape(inspection().frames().back().current);
  if (shape->IsTuple() && shape->tuple_size() > 0) shape = &shape->element(0);
  std::vector<int64_t> index;
  absl::ConsumePrefix(&arguments, "[");
  absl::ConsumeSuffix(&arguments, "]");
  for (absl::string_view word : absl::StrSplit(arguments, absl::ByAnyChar(", "), absl::SkipEmpty())) {
    const std::optional<int64_t> number = Number(word, 0, 0);
    if (!number.has_value()) return false;
    index.push_back(*number);
  }
  if (arguments.empty() && shape->IsArray()) index.assign(shape->dimensions().size(), 0);
  if (const absl::Status status = debugger_.timeline().EnterElement(device_, index); !status.ok()) return Fail(status);
  return Show({evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::Until(absl::string_view arguments) {
  if (inspection().frames().empty()) return Fail("the run has not begun");
  const absl::StatusOr<InstructionId> id =
      debugger_.names().RequireInstruction(arguments, inspection().frames().back().computation);
  if (!id.ok()) return Fail(id.status());
  return Repeat(1, [&]() { return debugger_.RunTo(device_, *id); });
}

bool DebugShell::Continue(absl::string_view arguments) {
  const std::optional<int64_t> count = Number(arguments, 1, 1);
  if (!count.has_value()) return false;
  const evaluator::Timeline& timeline = debugger_.timeline();
  bool finished = true;
  for (int64_t f = 0; f < timeline.device_count(); ++f) finished &= timeline.execution(f).finished();
  if (finished) return Fail("the run has finished; `back` or `goto` goes back, `start` begins again");
  evaluator::Stop stop;
  for (int64_t i = 0; i < *count; ++i) {
    stop = debugger_.Continue();
    if (stop.reason != evaluator::StopReason::kBreakpoint && stop.reason != evaluator::StopReason::kObserved) break;
  }
  return Show(stop);
}

bool DebugShell::Iteration(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`iteration N` needs the number of an iteration, from 0");
  const std::optional<int64_t> number = Number(arguments, 0, 0);
  if (!number.has_value()) return false;
  const absl::StatusOr<evaluator::Stop> stop = debugger_.GoToIteration(device_, *number);
  if (!stop.ok()) {
    frame_ = inspection().frames().empty() ? 0 : inspection().frames().size() - 1;
    return Fail(stop.status());
  }
  return Show(*stop);
}

bool DebugShell::Run(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  evaluator::Stop stop = debugger_.Restart();
  if (stop.reason == evaluator::StopReason::kStep) stop = debugger_.Continue();
  return Show(stop);
}

bool DebugShell::Start(absl::string_view arguments) { return NoArguments(arguments) && Show(debugger_.Restart()); }

bool DebugShell::Back(absl::string_view arguments) { return StepBack(arguments, /*over=*/true); }

bool DebugShell::BackStep(absl::string_view arguments) { return StepBack(arguments, /*over=*/false); }

bool DebugShell::StepBack(absl::string_view arguments, bool over) {
  const std::optional<int64_t> count = Number(arguments, 1, 1);
  if (!count.has_value()) return false;
  const bool by_operation = document_->source().origin() != nullptr && !by_instruction_;
  absl::StatusOr<bool> moved = debugger_.timeline().StepBack(device_, over, by_operation ? 1 : *count);
  // Operations are counted by the instructions that give their values.
  for (int64_t left = by_operation ? *count : 1; moved.ok() && *moved;) {
    if (!IsWithinOperation() && --left == 0) break;
    const absl::StatusOr<bool> further = debugger_.timeline().StepBack(device_, over, 1);
    if (!further.ok()) return Fail(further.status());
    if (!*further) break;
  }
  if (!moved.ok()) return Fail(moved.status());
  if (!*moved) return Fail("this is the beginning of the run");
  return Show({evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::BackFinish(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  const absl::StatusOr<bool> moved = debugger_.timeline().StepBackOut(device_);
  if (!moved.ok()) return Fail(moved.status());
  if (!*moved) return Fail("this is the outermost computation: it was entered at the beginning of the run (`start`)");
  return Show({evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::ReverseContinue(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  const absl::StatusOr<std::optional<evaluator::Stop>> stop = debugger_.ReverseContinue();
  if (!stop.ok()) return Fail(stop.status());
  if (stop->has_value()) return Show(**stop);
  if (const absl::Status status = debugger_.timeline().GoTo(0); !status.ok()) return Fail(status);
  WriteOutput("no breakpoint or watchpoint before this place: this is the beginning\n");
  return Show({evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::Goto(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`goto POSITION` needs the number of a position that the run has been at");
  const std::optional<int64_t> position = Number(absl::StripPrefix(arguments, "#"), 0, 0);
  if (!position.has_value()) return false;
  if (const absl::Status status = debugger_.timeline().GoTo(*position); !status.ok()) return Fail(status);
  return Show({evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::Skip(absl::string_view arguments) {
  if (inspection().frames().empty() || execution().finished()) return Fail("there is no next instruction to skip");
  const InstructionId current = inspection().frames().back().current;
  const Shape& shape = debugger_.module().shape(current);
  absl::ConsumePrefix(&arguments, "=");
  absl::StatusOr<evaluator::Value> value = evaluator::ZeroValue(shape);
  if (const absl::string_view text = absl::StripAsciiWhitespace(arguments); !text.empty()) {
    evaluator::ExpressionError error;
    value = ReadValue(text, shape, &error);
    if (!value.ok() && !error.message.empty()) return FailExpression(text, error);
  }
  if (!value.ok()) return Fail(value.status());
  if (const absl::Status status = debugger_.timeline().Skip(device_, *std::move(value)); !status.ok()) {
    return Fail(status);
  }
  WriteOutput(absl::StrCat("skipped ", debugger_.module().InstructionName(current), "\n"));
  return Show(
      {execution().finished() ? evaluator::StopReason::kFinished : evaluator::StopReason::kStep, device_, {}, {}, {}});
}

bool DebugShell::SelectDevice(absl::string_view arguments) {
  const evaluator::Timeline& timeline = debugger_.timeline();
  if (arguments.empty()) return Info("devices");
  const std::optional<int64_t> device = Number(arguments, 0, 0);
  if (!device.has_value()) return false;
  if (*device >= timeline.device_count()) {
    return Fail(timeline.device_count() == 1
                    ? std::string("the run has one device, device 0; `--replicas` and `--partitions` make more")
                    : absl::StrCat("the devices are 0 to ", timeline.device_count() - 1));
  }
  device_ = *device;
  frame_ = inspection().frames().empty() ? 0 : inspection().frames().size() - 1;
  return ShowPlace();
}

bool DebugShell::Granularity(absl::string_view arguments) {
  if (arguments != "operation" && arguments != "instruction") {
    return Fail("`granularity operation` or `granularity instruction`");
  }
  by_instruction_ = arguments == "instruction";
  return true;
}

bool DebugShell::Together(absl::string_view arguments) {
  if (arguments != "on" && arguments != "off") return Fail("`together on` or `together off`");
  debugger_.timeline().set_together(arguments == "on");
  return true;
}

}  // namespace hloscope::cli
