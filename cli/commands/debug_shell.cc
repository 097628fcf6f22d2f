// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/debug_shell.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
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
#include "cli/prepared_run.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/render.h"
#include "core/diagnostics/suggestions.h"
#include "core/source/file_reader.h"
#include "reports/debug_help.h"

namespace hloscope::cli {
namespace {

constexpr int kMaxReplayDepth = 16;

}  // namespace

DebugShell::DebugShell(std::shared_ptr<const Document> document, evaluator::Debugger& debugger,
                       const reports::DebugLook& look)
    : reports::DebugConsole(std::move(document), debugger, look) {
  debugger_.set_log([this](const std::string& message) { Say(absl::StrCat(message, "\n")); });
}

void DebugShell::Say(absl::string_view text) { WriteOutput(text); }

void DebugShell::SayProblem(absl::string_view text) {
  FlushOutput();
  WriteError(text);
}

absl::Span<const reports::DebugCommandText> DebugShell::Commands() {
#define DEBUG_COMMAND(Method, names, arguments, group, summary) \
  {names, arguments, reports::DebugCommandGroup::group, summary},
  static constexpr reports::DebugCommandText kCommands[] = {
#include "cli/commands/debug_moving_commands.def"
#define DEBUG_COMMAND(Method, names, arguments, group, summary) \
  {names, arguments, reports::DebugCommandGroup::group, summary},
#include "reports/debug_console_commands.def"
#define DEBUG_COMMAND(Method, names, arguments, group, summary) \
  {names, arguments, reports::DebugCommandGroup::group, summary},
#include "cli/commands/debug_session_commands.def"
  };
  return kCommands;
}

absl::Span<const DebugShell::Method> DebugShell::Methods() {
#define DEBUG_COMMAND(Method, names, arguments, group, summary) &DebugShell::Method,
  static constexpr Method kMethods[] = {
#include "cli/commands/debug_moving_commands.def"
#define DEBUG_COMMAND(Method, names, arguments, group, summary) &DebugShell::Method,
#include "reports/debug_console_commands.def"
#define DEBUG_COMMAND(Method, names, arguments, group, summary) &DebugShell::Method,
#include "cli/commands/debug_session_commands.def"
  };
  return kMethods;
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
  const absl::StatusOr<size_t> row = reports::FindDebugCommand(Commands(), name);
  if (!row.ok()) {
    Fail(row.status());
    return Outcome::kFailed;
  }
  const absl::string_view full_name = Commands()[*row].name();
  if (full_name == "quit") return Outcome::kQuit;
  // A pause is for the command that runs, not for the next.
  debugger_.timeline().ClearPause();
  if (replay_depth_ == 0) interrupted_.store(false, std::memory_order_relaxed);
  if (recorded_.is_open() && full_name != "record" && full_name != "replay") {
    errno = 0;
    recorded_ << command << "\n" << std::flush;
    if (!recorded_) {
      SayProblem(absl::StrCat("commands are not recorded any more: ", std::strerror(errno != 0 ? errno : EIO), "\n"));
      recorded_.close();
    }
  }
  return (this->*Methods()[*row])(absl::StripAsciiWhitespace(absl::string_view(command).substr(end)))
             ? Outcome::kDone
             : Outcome::kFailed;
}

int DebugShell::ExitStatusNow() const {
  if (stop_.reason == evaluator::StopReason::kFailed) {
    return ExitStatusOf(debugger_.timeline().status());
  }
  return differed_ ? kExitBadInput : kExitGood;
}

int DebugShell::ExitStatusOfFailure() const {
  const bool is_limit =
      failed_at_limit_ || ExitStatusNow() == kExitLimit || debugger_.timeline().execution(device_).AtLimit();
  return is_limit ? static_cast<int>(kExitLimit) : static_cast<int>(kExitBadInput);
}

// --- The session ---

bool DebugShell::Help(absl::string_view arguments) {
  if (!arguments.empty()) {
    const absl::StatusOr<size_t> found = reports::FindDebugCommand(Commands(), arguments);
    if (!found.ok()) return Fail(found.status());
    WriteOutput(reports::DebugCommandHelp(look_, Commands()[*found]));
    return true;
  }
  WriteOutput(reports::DebugCommandsHelp(look_, Commands()));
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
    errno = 0;
    recorded_.open(path, std::ios::trunc);
    if (!recorded_) return Fail(absl::StrCat(path, ": cannot be written: ", std::strerror(errno != 0 ? errno : EIO)));
    recorded_path_ = path;
    WriteOutput(absl::StrCat("commands go to ", OneLine(path), " from now on; `replay ", OneLine(path),
                             "` executes them again\n"));
    return true;
  }
  if (parts.first == "values" && !path.empty()) {
    const absl::StatusOr<evaluator::ValueRecord> record = debugger_.RecordValues();
    if (!record.ok()) return Fail(record.status());
    if (const absl::Status status = record->Write(path); !status.ok()) return Fail(status);
    WriteOutput(absl::StrCat("the checksums of ", CountOf(record->size(), "value"), " are in ", path,
                             "; `watch differs ", path, "` compares another run with them\n"));
    return true;
  }
  return Fail("`record commands FILE` or `record values FILE`");
}

bool DebugShell::Replay(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`replay FILE` needs a file of commands");
  if (replay_depth_ >= kMaxReplayDepth) return Fail("files of commands replay each other without end");
  if (const absl::Status status = CheckReadable(std::string(arguments)); !status.ok()) return Fail(status);
  // What is executed would be added to what is still to be executed.
  std::error_code error;
  if (recorded_.is_open() && std::filesystem::equivalent(std::string(arguments), recorded_path_, error)) {
    return Fail(absl::StrCat(arguments, ": commands are recorded there; `record commands` to another file ends that"));
  }
  std::ifstream file{std::string(arguments)};
  if (!file) return Fail(absl::StrCat(arguments, ": cannot be read"));
  ++replay_depth_;
  bool good = true;
  std::string line;
  for (int number = 1; good && std::getline(file, line); ++number) {
    const Outcome outcome = Execute(line);
    if (outcome == Outcome::kQuit) break;
    const bool was_interrupted = interrupted_.load(std::memory_order_relaxed);
    good = outcome == Outcome::kDone && !was_interrupted;
    if (good) continue;
    const bool is_limit = failed_at_limit_;
    Fail(absl::StrCat(arguments, ":", number, ": this command ", was_interrupted ? "was interrupted" : "failed",
                      "; the rest was not executed"));
    failed_at_limit_ = is_limit;
  }
  --replay_depth_;
  return good;
}

std::vector<std::string> DebugShell::Complete(absl::string_view line) {
  const size_t space = line.find_first_of(" \t");
  std::vector<std::string> words;
  const auto add_commands = [&](absl::string_view prefix) {
    for (const reports::DebugCommandText& row : Commands()) {
      if (absl::StartsWith(row.name(), prefix)) words.emplace_back(row.name());
    }
  };
  if (space == absl::string_view::npos) {
    add_commands(line);
    return words;
  }
  const absl::string_view command = line.substr(0, space);
  const absl::string_view word = line.substr(WordBegin(line));
  if (absl::StartsWith("help", command)) {
    add_commands(word);
    return words;
  }
  return CompleteWord(word);
}

}  // namespace hloscope::cli
