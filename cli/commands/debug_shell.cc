#include "cli/commands/debug_shell.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/command.h"
#include "cli/output.h"
#include "core/semantics/suggestions.h"

namespace hloscope {
namespace {

constexpr int kMaxReplayDepth = 16;
constexpr size_t kMaxCompletions = 500;

}  // namespace

DebugShell::DebugShell(std::shared_ptr<const Document> document, std::unique_ptr<Debugger> debugger,
                       const DebugLook& look)
    : document_(std::move(document)), debugger_(std::move(debugger)), look_(look) {
  debugger_->set_log([](const std::string& message) { WriteOutput(absl::StrCat(message, "\n")); });
}

absl::Span<const DebugShell::Row> DebugShell::Rows() {
  static constexpr Row kRows[] = {
#define DEBUG_COMMAND(Method, names, arguments, group, summary) \
  {&DebugShell::Method, names, arguments, Group::group, summary},
#include "cli/commands/debug_commands.def"
  };
  return kRows;
}

absl::string_view DebugShell::GroupTitle(Group group) {
  switch (group) {
    case Group::Forwards:
      return "forwards";
    case Group::Backwards:
      return "backwards";
    case Group::Stopping:
      return "where and why to stop";
    case Group::Looking:
      return "looking at values";
    case Group::Changing:
      return "changing values";
    case Group::Devices:
      return "several devices";
    case Group::Sessions:
      return "the session";
  }
  return "";
}

const DebugShell::Row* DebugShell::FindRow(absl::string_view name) {
  const Row* beginning = nullptr;
  std::vector<absl::string_view> ambiguous, names;
  for (const Row& row : Rows()) {
    for (absl::string_view one : absl::StrSplit(row.names, ' ')) {
      if (one == name) return &row;
    }
    names.push_back(row.name());
    if (!absl::StartsWith(row.name(), name)) continue;
    beginning = &row;
    ambiguous.push_back(row.name());
  }
  if (ambiguous.size() == 1) return beginning;
  if (ambiguous.empty()) {
    Fail(absl::StrCat("there is no command `", name, "`", DidYouMean(name, names), "; `help` lists them all"));
  } else {
    Fail(absl::StrCat("`", name, "` may be ", absl::StrJoin(ambiguous, " or ")));
  }
  return nullptr;
}

DebugShell::Outcome DebugShell::Execute(absl::string_view line) {
  const absl::string_view text = absl::StripAsciiWhitespace(line);
  if (absl::StartsWith(text, "#")) return Outcome::kDone;
  // At a terminal an empty line repeats the last command.
  const std::string command = text.empty() && look_.interactive ? last_line_ : std::string(text);
  if (command.empty()) return Outcome::kDone;
  last_line_ = command;
  size_t end = 0;
  while (end < command.size() &&
         (absl::ascii_isalpha(static_cast<unsigned char>(command[end])) || command[end] == '?')) {
    ++end;
  }
  const absl::string_view name = absl::string_view(command).substr(0, end);
  if (name.empty()) {
    Fail("a line begins with a command; `help` lists them");
    return Outcome::kFailed;
  }
  const Row* const row = FindRow(name);
  if (row == nullptr) return Outcome::kFailed;
  if (row->name() == "quit") return Outcome::kQuit;
  if (recorded_.is_open() && row->name() != "record" && row->name() != "replay") {
    recorded_ << command << "\n" << std::flush;
  }
  return (this->*row->method)(absl::StripAsciiWhitespace(absl::string_view(command).substr(end))) ? Outcome::kDone
                                                                                                  : Outcome::kFailed;
}

int DebugShell::ExitStatusNow() const {
  if (stop_.reason == StopReason::kFailed) {
    const absl::Status& status = debugger_->timeline().status();
    return absl::IsResourceExhausted(status) || absl::IsCancelled(status) ? kExitLimit : kExitBadInput;
  }
  return differed_ ? kExitBadInput : kExitGood;
}

// --- Messages and arguments ---

bool DebugShell::Fail(absl::string_view message) {
  FlushOutput();
  WriteError(absl::StrCat(message, "\n"));
  return false;
}

bool DebugShell::FailExpression(absl::string_view text, const ExpressionError& error) {
  FlushOutput();
  WriteError(RenderExpressionError(text, error));
  return false;
}

std::optional<int64_t> DebugShell::Number(absl::string_view text, int64_t missing, int64_t least) {
  if (text.empty()) return missing;
  int64_t number;
  if (!absl::SimpleAtoi(text, &number) || number < least) {
    Fail(absl::StrCat("expected a whole number of at least ", least, ", not `", text, "`"));
    return std::nullopt;
  }
  return number;
}

bool DebugShell::NoArguments(absl::string_view text) {
  return text.empty() || Fail(absl::StrCat("this command takes nothing behind it, not `", text, "`"));
}

std::optional<Expression> DebugShell::Parse(absl::string_view text) {
  ExpressionError error;
  std::optional<Expression> expression = Expression::Parse(text, debugger_->names(), &error);
  if (!expression.has_value()) FailExpression(text, error);
  return expression;
}

std::optional<Value> DebugShell::Evaluate(absl::string_view text) {
  const std::optional<Expression> expression = Parse(text);
  if (!expression.has_value()) return std::nullopt;
  ExpressionError error;
  RunScope scope = Scope();
  std::optional<Value> value = expression->Evaluate(scope, &error);
  if (!value.has_value()) FailExpression(text, error);
  return value;
}

// --- The session ---

bool DebugShell::Help(absl::string_view arguments) {
  if (!arguments.empty()) {
    const Row* const row = FindRow(arguments);
    if (row == nullptr) return false;
    std::vector<absl::string_view> names = absl::StrSplit(row->names, ' ');
    WriteOutput(absl::StrCat(Painted(look_, Paint::kBold, absl::StrCat(row->name(), " ", row->arguments)), "\n  ",
                             row->summary, "\n"));
    names.erase(names.begin());
    if (!names.empty()) WriteOutput(absl::StrCat("  short: ", absl::StrJoin(names, ", "), "\n"));
    if (row->group == Group::Looking || row->group == Group::Stopping || row->group == Group::Changing) {
      WriteOutput(absl::StrCat(
          "  expressions: names of instructions, numbers, + - * / % == != < <= > >= && || !, x[1, 2:4, :], t{0},\n"
          "  variables ",
          absl::StrJoin(ExpressionVariables(), " "), ",\n  functions ",
          absl::StrJoin(ExpressionFunctions().subspan(0, ExpressionFunctions().size() / 2), " "), "\n  ",
          absl::StrJoin(ExpressionFunctions().subspan(ExpressionFunctions().size() / 2), " "), "\n"));
    }
    return true;
  }
  Group group = Group::Sessions;
  std::vector<std::vector<std::string>> rows;
  const auto flush = [&]() {
    if (rows.empty()) return;
    WriteOutput(absl::StrCat(Painted(look_, Paint::kBold, GroupTitle(group)), "\n", AlignedTable(look_, rows)));
    rows.clear();
  };
  for (const Row& row : Rows()) {
    if (row.group != group) flush();
    group = row.group;
    std::vector<absl::string_view> names = absl::StrSplit(row.names, ' ');
    const size_t width = static_cast<size_t>(std::max(60, look_.width)) - 24;
    std::string name(names[0]), shorter(names.size() > 1 ? names[1] : ""), line;
    for (absl::string_view word : absl::StrSplit(row.summary, ' ')) {
      if (!line.empty() && line.size() + 1 + word.size() > width) {
        rows.push_back({std::exchange(name, ""), std::exchange(shorter, ""), std::exchange(line, "")});
      }
      absl::StrAppend(&line, line.empty() ? "" : " ", word);
    }
    rows.push_back({name, shorter, line});
  }
  flush();
  WriteOutput(
      "`help COMMAND` says more. Any unambiguous beginning of a command will do; an empty line repeats the last.\n");
  return true;
}

bool DebugShell::Quit(absl::string_view) { return true; }  // Execute ends the session

bool DebugShell::Record(absl::string_view arguments) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(arguments, absl::MaxSplits(' ', 1));
  const std::string path(absl::StripAsciiWhitespace(parts.second));
  if (parts.first == "commands" && !path.empty()) {
    recorded_.close();
    recorded_.clear();
    recorded_.open(path, std::ios::trunc);
    if (!recorded_) return Fail(absl::StrCat(path, ": cannot be written"));
    WriteOutput(absl::StrCat("commands go to ", path, " from now on; `replay ", path, "` executes them again\n"));
    return true;
  }
  if (parts.first == "values" && !path.empty()) {
    const absl::StatusOr<ValueRecord> record = debugger_->RecordValues();
    if (!record.ok()) return Fail(record.status());
    if (const absl::Status status = record->Write(path); !status.ok()) return Fail(status);
    WriteOutput(absl::StrCat("the checksums of ", record->size(), " values are in ", path, "; `watch differs ", path,
                             "` compares another run with them\n"));
    return true;
  }
  return Fail("`record commands FILE` or `record values FILE`");
}

bool DebugShell::Replay(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`replay FILE` needs a file of commands");
  if (replay_depth_ >= kMaxReplayDepth) return Fail("files of commands replay each other without end");
  std::ifstream file{std::string(arguments)};
  if (!file) return Fail(absl::StrCat(arguments, ": cannot be read"));
  ++replay_depth_;
  bool good = true;
  std::string line;
  for (int number = 1; good && std::getline(file, line); ++number) {
    const Outcome outcome = Execute(line);
    if (outcome == Outcome::kQuit) break;
    good = outcome == Outcome::kDone;
    if (!good) Fail(absl::StrCat(arguments, ":", number, ": this command failed; the rest was not executed"));
  }
  --replay_depth_;
  return good;
}

std::vector<std::string> DebugShell::Complete(absl::string_view line) {
  const size_t space = line.find_first_of(" \t");
  std::vector<std::string> words;
  const auto add_commands = [&](absl::string_view prefix) {
    for (const Row& row : Rows()) {
      if (absl::StartsWith(row.name(), prefix)) words.emplace_back(row.name());
    }
  };
  if (space == absl::string_view::npos) {
    add_commands(line);
    return words;
  }
  const absl::string_view command = line.substr(0, space);
  const size_t word_begin = line.find_last_of(" \t()[]{},+*/<>=!&|\"'") + 1;
  const absl::string_view word = line.substr(word_begin);
  if (absl::StartsWith("help", command)) {
    add_commands(word);
    return words;
  }
  for (absl::string_view choice : {"opcode:", "op_name:", "iteration", "device", "if", "nan", "inf", "nonfinite",
                                   "differs", "breakpoints", "devices", "history", "results"}) {
    if (!word.empty() && absl::StartsWith(choice, word)) words.emplace_back(choice);
  }
  for (absl::string_view function : ExpressionFunctions()) {
    if (!word.empty() && absl::StartsWith(function, word)) words.emplace_back(function);
  }
  for (std::string& name : debugger_->names().Complete(word, kMaxCompletions)) words.push_back(std::move(name));
  return words;
}

}  // namespace hloscope
