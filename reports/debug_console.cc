// SPDX-License-Identifier: Apache-2.0
#include "reports/debug_console.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/diagnostics/render.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope::reports {
namespace {

constexpr size_t kNamedDevices = 16;
constexpr size_t kMaxCompletions = 500;

}  // namespace

absl::StatusOr<size_t> FindDebugCommand(absl::Span<const DebugCommandText> commands, absl::string_view name) {
  size_t beginning = 0;
  std::vector<absl::string_view> ambiguous, names;
  for (size_t i = 0; i < commands.size(); ++i) {
    for (absl::string_view one : absl::StrSplit(commands[i].names, ' ')) {
      if (one == name) return i;
    }
    names.push_back(commands[i].name());
    if (!absl::StartsWith(commands[i].name(), name)) continue;
    beginning = i;
    ambiguous.push_back(commands[i].name());
  }
  if (ambiguous.size() == 1) return beginning;
  if (ambiguous.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no command `", name, "`", DidYouMean(name, names), "; `help` lists them all"));
  }
  return absl::InvalidArgumentError(absl::StrCat("`", name, "` may be ", absl::StrJoin(ambiguous, " or ")));
}

DebugConsole::DebugConsole(std::shared_ptr<const Document> document, evaluator::Debugger& debugger,
                           const DebugLook& look)
    : document_(std::move(document)), debugger_(debugger), look_(look) {}

absl::Span<const DebugCommandText> DebugConsole::ConsoleCommands() {
  static constexpr DebugCommandText kCommands[] = {
#define DEBUG_COMMAND(Method, names, arguments, group, summary) {names, arguments, DebugCommandGroup::group, summary},
#include "reports/debug_console_commands.def"
  };
  return kCommands;
}

void DebugConsole::Select(int64_t device, size_t frame) {
  device_ = device;
  frame_ = frame;
}

namespace {

// Messages repeat what was typed and names; their own line feeds stay.
std::string WithoutControls(absl::string_view message) {
  std::vector<std::string> lines;
  for (absl::string_view line : absl::StrSplit(message, '\n')) lines.push_back(OneLine(line));
  return absl::StrJoin(lines, "\n");
}

}  // namespace

std::optional<bool> DebugConsole::ExecuteLine(absl::string_view line) {
  using Method = bool (DebugConsole::*)(absl::string_view);
  static constexpr Method kMethods[] = {
#define DEBUG_COMMAND(Method, names, arguments, group, summary) &DebugConsole::Method,
#include "reports/debug_console_commands.def"
  };
  const absl::string_view text = absl::StripAsciiWhitespace(line);
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const absl::StatusOr<size_t> row = FindDebugCommand(ConsoleCommands(), text.substr(0, end));
  if (text.empty() || !row.ok()) return std::nullopt;
  return (this->*kMethods[*row])(absl::StripAsciiWhitespace(text.substr(end)));
}

bool DebugConsole::Fail(const absl::Status& status) {
  Fail(status.message());
  failed_at_limit_ = absl::IsResourceExhausted(status) || absl::IsDeadlineExceeded(status) || absl::IsCancelled(status);
  return false;
}

bool DebugConsole::Fail(absl::string_view message) {
  failed_at_limit_ = false;
  SayProblem(absl::StrCat(WithoutControls(message), "\n"));
  return false;
}

bool DebugConsole::FailExpression(absl::string_view text, const evaluator::ExpressionError& error) {
  failed_at_limit_ = error.is_limit;
  SayProblem(WithoutControls(evaluator::RenderExpressionError(text, error)));
  return false;
}

std::optional<int64_t> DebugConsole::Number(absl::string_view text, int64_t missing, int64_t least) {
  if (text.empty()) return missing;
  int64_t number;
  if (!absl::SimpleAtoi(text, &number) || number < least) {
    Fail(absl::StrCat("expected a whole number of at least ", least, ", not `", text, "`"));
    return std::nullopt;
  }
  return number;
}

bool DebugConsole::NoArguments(absl::string_view text) {
  return text.empty() || Fail(absl::StrCat("this command takes no argument, not `", text, "`"));
}

std::optional<evaluator::Expression> DebugConsole::Parse(absl::string_view text) {
  evaluator::ExpressionError error;
  std::optional<evaluator::Expression> expression = evaluator::Expression::Parse(text, debugger_.names(), &error);
  if (!expression.has_value()) FailExpression(text, error);
  return expression;
}

std::optional<evaluator::Value> DebugConsole::Evaluate(absl::string_view text) {
  const std::optional<evaluator::Expression> expression = Parse(text);
  if (!expression.has_value()) return std::nullopt;
  evaluator::ExpressionError error;
  evaluator::RunScope scope = Scope();
  std::optional<evaluator::Value> value = expression->Evaluate(scope, &error);
  if (!value.has_value()) FailExpression(text, error);
  return value;
}

size_t DebugConsole::WordBegin(absl::string_view line) { return line.find_last_of(" \t()[]{},+*/<>=!&|\"'") + 1; }

std::vector<std::string> DebugConsole::CompleteWord(absl::string_view word) const {
  std::vector<std::string> words;
  for (absl::string_view choice : {"opcode:", "op_name:", "iteration", "device", "if", "nan", "inf", "nonfinite",
                                   "differs", "breakpoints", "devices", "history", "results"}) {
    if (!word.empty() && absl::StartsWith(choice, word)) words.emplace_back(choice);
  }
  for (absl::string_view function : evaluator::ExpressionFunctions()) {
    if (!word.empty() && absl::StartsWith(function, word)) words.emplace_back(function);
  }
  for (std::string& name : debugger_.names().Complete(word, kMaxCompletions)) words.push_back(std::move(name));
  return words;
}

std::string DebugConsole::DeviceLine(int64_t device) const {
  const evaluator::Timeline& timeline = debugger_.timeline();
  if (timeline.execution(device).finished()) return "finished";
  const std::optional<evaluator::DeviceLink::Waiting>& waiting = timeline.run().waiting(device);
  std::string text =
      absl::StrCat("at ", evaluator::ExecutionPath(debugger_.module(), timeline.inspection(device).frames()));
  if (waiting.has_value()) {
    const absl::Span<const int64_t> missing = waiting->missing;
    const absl::Span<const int64_t> named = missing.subspan(0, kNamedDevices);
    absl::StrAppend(&text, ", waits for device", missing.size() == 1 ? " " : "s ", absl::StrJoin(named, ", "),
                    named.size() < missing.size() ? absl::StrCat(" and ", missing.size() - named.size(), " more") : "",
                    " in ", OpcodeName(debugger_.module().opcode(waiting->instruction)), " ",
                    debugger_.module().InstructionName(waiting->instruction));
  }
  return text;
}

}  // namespace hloscope::reports
