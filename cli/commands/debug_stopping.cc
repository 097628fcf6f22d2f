// SPDX-License-Identifier: Apache-2.0
// Commands of the terminal debugger about breakpoints, log points and watchpoints.
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/commands/debug_shell.h"
#include "cli/output.h"
#include "reports/text_places.h"

namespace hloscope::cli {
namespace {

// Splits off the first word.
absl::string_view TakeWord(absl::string_view* text) {
  *text = absl::StripLeadingAsciiWhitespace(*text);
  const size_t end = std::min(text->find_first_of(" \t"), text->size());
  const absl::string_view word = text->substr(0, end);
  *text = absl::StripLeadingAsciiWhitespace(text->substr(end));
  return word;
}

}  // namespace

bool DebugShell::AddBreak(absl::string_view text, bool temporary, std::string log) {
  if (inspection().frames().empty()) return Fail("the run has not begun");
  evaluator::Breakpoint breakpoint;
  breakpoint.temporary = temporary;
  breakpoint.log = std::move(log);
  const evaluator::Frame& frame = inspection().frames().back();
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  const auto number = [&](absl::string_view what) -> std::optional<int64_t> {
    const absl::string_view word = TakeWord(&rest);
    if (word.empty()) {
      Fail(absl::StrCat("`", what, "` needs a number after it"));
      return std::nullopt;
    }
    return Number(word, 0, 0);
  };
  bool first = true;
  while (!rest.empty()) {
    const absl::string_view word = TakeWord(&rest);
    if (word == "if") {
      if (rest.empty()) return Fail("`if` needs a condition after it");
      breakpoint.condition = Parse(rest);
      if (!breakpoint.condition.has_value()) return false;
      break;
    }
    if (word == "iteration" || word == "device" || word == "ignore") {
      const std::optional<int64_t> value = number(word);
      if (!value.has_value()) return false;
      if (word == "ignore") breakpoint.ignore_count = *value;
      if (word == "device") {
        if (*value >= debugger_.timeline().device_count()) return Fail(absl::StrCat("there is no device ", *value));
        breakpoint.device = value;
      }
      if (word == "iteration") {
        breakpoint.iteration = value;
        if (first) breakpoint.place = "iteration";
      }
    } else if (first) {
      breakpoint.place = std::string(word);
    } else {
      return Fail(absl::StrCat("expected `iteration N`, `device N`, `ignore N` or `if EXPRESSION`, not `", word, "`"));
    }
    first = false;
  }
  if (breakpoint.place.empty()) {
    if (execution().finished()) return Fail("the run has finished; say where to stop");
    breakpoint.place = std::string(debugger_.module().InstructionName(frame.current));
    breakpoint.locations = {frame.current};
  } else {
    const absl::StatusOr<std::optional<InstructionId>> line =
        debugger_.names().IsInstruction(breakpoint.place) ? std::optional<InstructionId>()
                                                          : reports::InstructionOfPlace(*document_, breakpoint.place);
    if (!line.ok()) return Fail(line.status());
    absl::StatusOr<std::vector<InstructionId>> locations =
        line->has_value()
            ? std::vector<InstructionId>{**line}
            : evaluator::LocationsOf(debugger_.module(), debugger_.names(), breakpoint.place, frame.computation);
    if (!locations.ok()) return Fail(locations.status());
    breakpoint.locations = *std::move(locations);
  }
  const size_t count = breakpoint.locations.size();
  const std::string place = breakpoint.place;
  const bool speaks = !breakpoint.log.empty();
  const InstructionId location = breakpoint.locations[0];
  const int made = debugger_.Add(std::move(breakpoint));
  WriteOutput(absl::StrCat(speaks ? "log point " : "breakpoint ", made, ": ",
                           count == 1 ? absl::StrCat(debugger_.module().ComputationName(
                                                         debugger_.module().instruction(location).computation),
                                                     "::", debugger_.module().InstructionName(location))
                                      : absl::StrCat(place, ", ", count, " places"),
                           "\n"));
  return true;
}

bool DebugShell::Break(absl::string_view arguments) { return AddBreak(arguments, false, ""); }
bool DebugShell::TemporaryBreak(absl::string_view arguments) { return AddBreak(arguments, true, ""); }

bool DebugShell::LogPoint(absl::string_view arguments) {
  const size_t close = arguments.rfind('"');
  const size_t open = arguments.find('"');
  if (open == absl::string_view::npos || close == open) {
    return Fail("`log PLACE \"MESSAGE {EXPRESSION}\"` needs its message in quotation marks");
  }
  const std::string message(arguments.substr(open + 1, close - open - 1));
  if (message.empty()) return Fail("the message is empty");
  return AddBreak(absl::StrCat(arguments.substr(0, open), arguments.substr(close + 1)), false, message);
}

bool DebugShell::Watch(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`watch` needs what to watch for: nan, inf, nonfinite, a condition, a value");
  evaluator::Watchpoint watch;
  watch.text = std::string(arguments);
  absl::string_view rest = arguments;
  const absl::string_view word = TakeWord(&rest);
  if (word == "differs") {
    if (rest.empty()) return Fail("`watch differs FILE` needs a file that `record values FILE` made");
    absl::StatusOr<evaluator::ValueRecord> record = evaluator::ValueRecord::Read(std::string(rest));
    if (!record.ok()) return Fail(record.status());
    watch.kind = evaluator::Watchpoint::Kind::kDiffers;
    watch.record = std::make_shared<evaluator::ValueRecord>(*std::move(record));
  } else if ((word == "overflow" || word == "bounds") && (rest.empty() || debugger_.names().IsInstruction(rest))) {
    watch.kind = evaluator::Watchpoint::Kind::kEvent;
    watch.event =
        word == "overflow" ? evaluator::NumericEvent::kConvertOverflow : evaluator::NumericEvent::kIndexOutOfBounds;
    const absl::Span<const InstructionId> ids = debugger_.names().Instructions(rest);
    watch.what.assign(ids.begin(), ids.end());
  } else if ((word == "nan" || word == "inf" || word == "nonfinite") &&
             (rest.empty() || debugger_.names().IsInstruction(rest))) {
    watch.kind = word == "nan"   ? evaluator::Watchpoint::Kind::kNan
                 : word == "inf" ? evaluator::Watchpoint::Kind::kInfinity
                                 : evaluator::Watchpoint::Kind::kNonFinite;
    const absl::Span<const InstructionId> ids = debugger_.names().Instructions(rest);
    watch.what.assign(ids.begin(), ids.end());
  } else {
    watch.condition = Parse(arguments);
    if (!watch.condition.has_value()) return false;
    for (const std::string& name : watch.condition->ValueNames()) {
      const absl::Span<const InstructionId> ids = debugger_.names().Instructions(name);
      watch.what.insert(watch.what.end(), ids.begin(), ids.end());
    }
    if (watch.what.empty()) return Fail("a watched expression names at least one instruction");
    const bool plain = watch.condition->root().kind == evaluator::ExpressionNode::Kind::kValue;
    watch.kind = plain ? evaluator::Watchpoint::Kind::kComputed : evaluator::Watchpoint::Kind::kCondition;
  }
  const std::string text = watch.text;
  WriteOutput(absl::StrCat("watchpoint ", debugger_.Add(std::move(watch)), ": ", text, "\n"));
  return true;
}

bool DebugShell::Delete(absl::string_view arguments) {
  if (arguments.empty()) {
    for (int number = 1; number < debugger_.next_number(); ++number) debugger_.Delete(number);
    return true;
  }
  for (absl::string_view word : absl::StrSplit(arguments, ' ', absl::SkipEmpty())) {
    const std::optional<int64_t> number = Number(word, 0, 1);
    if (!number.has_value()) return false;
    if (!debugger_.Delete(static_cast<int>(*number))) {
      return Fail(absl::StrCat("there is no breakpoint or watchpoint ", *number, "; `info breakpoints` lists them"));
    }
  }
  return true;
}

bool DebugShell::EnableAll(absl::string_view text, bool enabled) {
  if (text.empty()) return Fail("which ones? `info breakpoints` shows their numbers");
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::optional<int64_t> number = Number(word, 0, 1);
    if (!number.has_value()) return false;
    if (!debugger_.Enable(static_cast<int>(*number), enabled)) {
      return Fail(absl::StrCat("there is no breakpoint or watchpoint ", *number, "; `info breakpoints` lists them"));
    }
  }
  return true;
}

bool DebugShell::Enable(absl::string_view arguments) { return EnableAll(arguments, true); }
bool DebugShell::Disable(absl::string_view arguments) { return EnableAll(arguments, false); }

bool DebugShell::Ignore(absl::string_view arguments) {
  absl::string_view rest = arguments;
  const std::optional<int64_t> number = Number(TakeWord(&rest), 0, 1);
  if (!number.has_value()) return false;
  const std::optional<int64_t> count = Number(rest, 0, 0);
  if (!count.has_value()) return false;
  for (evaluator::Breakpoint& breakpoint : debugger_.breakpoints()) {
    if (breakpoint.number != *number) continue;
    breakpoint.ignore_count = *count;
    return true;
  }
  return Fail(absl::StrCat("there is no breakpoint ", *number, "; `info breakpoints` lists them"));
}

}  // namespace hloscope::cli
