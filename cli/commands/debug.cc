// SPDX-License-Identifier: Apache-2.0
// `hloscope debug`: stepping through a module in a terminal, forwards and backwards.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/debug_shell.h"
#include "cli/input.h"
#include "cli/joined_processes.h"
#include "cli/launched_processes.h"
#include "cli/line_editor.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/replay.h"
#include "cli/run_options.h"
#include "core/diagnostics/render.h"
#include "core/source/file_reader.h"
#include "evaluator/debugger/debug_launch.h"
#include "evaluator/remote/rank_steering.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kDebugOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    HLOSCOPE_RANK_OPTIONS,
    {"x", OptionKind::kValue, "SCRIPT", "execute the commands in a file first; repeatable"},
    {"batch", OptionKind::kSwitch, "",
     "end after the scripts (or standard input); fail with the first failing command"},
    {"history-limit", OptionKind::kValue, "BYTES",
     "of values kept for going back (a quarter of the memory, half of --memory-limit at most); K, M, G, T"},
    {"run-dead-code", OptionKind::kSwitch, "", "execute also what no result needs"},
};

DebugShell* shell_to_interrupt = nullptr;
volatile std::sig_atomic_t is_batch = 0, is_waiting = 0, interruptions = 0;

// RequestPause only stores to atomics, which a signal handler may do. A batch ends: at once where it waits for a
// command, or when it is asked again.
void Interrupt(int) {
  interruptions = interruptions + 1;
  if (is_batch != 0 && (is_waiting != 0 || interruptions > 1)) _exit(kExitLimit);
  if (shell_to_interrupt != nullptr) shell_to_interrupt->Interrupt();
}

// Ctrl-C ends the command that runs, not the session; but with --batch this too.
class InterruptOnSignal {
 public:
  InterruptOnSignal(DebugShell& shell, bool batch) {
    is_batch = batch ? 1 : 0;
    shell_to_interrupt = &shell;
    before_ = std::signal(SIGINT, Interrupt);
  }
  ~InterruptOnSignal() {
    std::signal(SIGINT, before_);
    shell_to_interrupt = nullptr;
  }
  InterruptOnSignal(const InterruptOnSignal&) = delete;
  InterruptOnSignal& operator=(const InterruptOnSignal&) = delete;

 private:
  void (*before_)(int) = SIG_DFL;
};

std::string HistoryPath() {
  const char* const home = std::getenv("HOME");
  return home == nullptr ? "" : absl::StrCat(home, "/.hloscope_debug_history");
}

enum class ScriptEnd : uint8_t { kEnd, kFailed, kQuit, kInterrupted };

ScriptEnd ExecuteScript(DebugShell& shell, std::istream& script, const std::string& name, bool stop_at_failure) {
  std::string line;
  // What was written so far is seen before the script waits, and a failure of it is noticed here.
  const auto next_line = [&] {
    FlushOutput();
    is_waiting = 1;
    const bool is_read = static_cast<bool>(std::getline(script, line));
    is_waiting = 0;
    return is_read;
  };
  for (int number = 1; next_line(); ++number) {
    const DebugShell::Outcome outcome = shell.Execute(line);
    if (is_batch != 0 && interruptions > 0) return ScriptEnd::kInterrupted;
    if (outcome == DebugShell::Outcome::kQuit) return ScriptEnd::kQuit;
    if (outcome == DebugShell::Outcome::kDone || !stop_at_failure) continue;
    FlushOutput();
    WriteError(absl::StrCat(name, ":", number, ": this command failed: ", line, "\n"));
    return ScriptEnd::kFailed;
  }
  return ScriptEnd::kEnd;
}

int Converse(const Arguments& arguments, DebugShell& shell) {
  const bool batch = arguments.Switch("batch");
  const InterruptOnSignal interrupt(shell, batch);
  if (!shell.Begin()) return shell.ExitStatusNow() == kExitGood ? kExitBadInput : shell.ExitStatusNow();
  for (const std::string& path : arguments.Values("x")) {
    if (const absl::Status status = CheckReadable(path); !status.ok()) return ReportStatus(status);
    std::ifstream script(path);
    if (!script.is_open()) return ReportStatus(absl::NotFoundError(absl::StrCat(path, ": cannot be read")));
    const ScriptEnd end = ExecuteScript(shell, script, path, true);
    if (end == ScriptEnd::kQuit) return shell.ExitStatusNow();
    if (end == ScriptEnd::kInterrupted) return kExitLimit;
    if (end == ScriptEnd::kFailed && batch) return shell.ExitStatusOfFailure();
  }
  if (batch) {
    if (arguments.Has("x")) return shell.ExitStatusNow();
    const ScriptEnd end = ExecuteScript(shell, std::cin, "<stdin>", true);
    if (end == ScriptEnd::kInterrupted) return kExitLimit;
    return end == ScriptEnd::kFailed ? shell.ExitStatusOfFailure() : shell.ExitStatusNow();
  }
  if (!IsTerminal(0)) {
    ExecuteScript(shell, std::cin, "<stdin>", false);
    return shell.ExitStatusNow();
  }
  LineEditor editor(HistoryPath(), [&shell](absl::string_view line) { return shell.Complete(line); });
  for (;;) {
    FlushOutput();
    const std::optional<std::string> line = editor.Read("(hlo) ");
    if (!line.has_value()) WriteOutput("\n");
    if (!line.has_value() || shell.Execute(*line) == DebugShell::Outcome::kQuit) return shell.ExitStatusNow();
  }
}

// One of the other processes: has its devices for the first one.
int ServeFirst(LaunchedProcesses& processes, const std::shared_ptr<const Document>& document,
               evaluator::RunOptions options) {
  evaluator::Buffer::SetLimit(options.session.memory_limit_bytes);
  PreparedRun prepared(document, std::move(options), RenderOptions());
  prepared.SetProcesses(&processes.group());
  if (const int status = prepared.Prepare(); status != kExitGood) return status;
  return ServeDevices(processes, prepared);
}

int DebugWith(const Arguments& arguments, LaunchedProcesses* processes) {
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<int64_t> history = arguments.Bytes("history-limit", 0);
  if (!history.ok()) return UsageError(arguments.command(), history.status().message());
  const absl::StatusOr<bool> color = UseColor(arguments, 1);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  options->session.run_dead_instructions = arguments.Switch("run-dead-code");

  const std::shared_ptr<const Document> document = OpenToRun(arguments, arguments.operands()[0], &*options);
  if (document == nullptr) return StatusOfReading();
  std::optional<evaluator::RankSteering> steering;
  if (processes != nullptr) {
    const int status = JoinProcesses(arguments, *document, evaluator::GridOf(document->module(), *options), *processes);
    if (status != kExitGood) return status;
    if (!processes->IsFirst()) return ServeFirst(*processes, document, *std::move(options));
    steering.emplace(processes->group());
  }
  NoteInferredGrid(*document, *options);
  evaluator::TimelineOptions timeline_options;
  timeline_options.history_bytes = *history;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch = evaluator::DebugLaunch::Create(
      document->shared_module(), *std::move(options), timeline_options,
      [](const std::string& message) { WriteError(absl::StrCat("hloscope: warning: ", message, "\n")); },
      steering ? &*steering : nullptr);
  if (!launch.ok()) return ReportStatus(launch.status());
  const std::vector<InstructionId>& filled = (*launch)->filled();
  if (!filled.empty()) {
    WriteError(absl::StrCat("hloscope debug: ", filled.size(),
                            " constants whose values the text leaves out were filled, first ",
                            document->module().InstructionName(filled[0]), "\n"));
  }
  reports::DebugLook look;
  look.color = *color;
  look.width = TerminalWidth(1);
  look.interactive = IsTerminal(0) && IsTerminal(1) && !arguments.Switch("batch");
  DebugShell shell(document, (*launch)->debugger(), look);
  const int status = Converse(arguments, shell);
  FlushOutput();
  if (processes != nullptr) processes->group().Dismiss();
  return status;
}

int RunDebug(const Arguments& arguments) {
  const absl::StatusOr<std::unique_ptr<LaunchedProcesses>> processes = LaunchedProcesses::Find();
  if (!processes.ok()) return ReportStatus(processes.status());
  const int status = DebugWith(arguments, processes->get());
  return *processes == nullptr ? status : (*processes)->Finish(status);
}

}  // namespace

const Command& DebugCommand() {
  static constexpr Command kCommand = {
      "debug",
      "FILE",
      "step through the entry computation, forwards and backwards",
      "Commands are read from the terminal or standard input, after the scripts of -x; `help` lists them. A run can "
      "be\n"
      "taken back to any earlier place, into finished iterations of loops too. With --batch the exit status is 1 after "
      "a\n"
      "command that failed, a run that failed or a `diff` that differs, 3 if the run hit a limit or was interrupted.\n"
      "Under `mpirun -n N hloscope debug ...` the devices are spread over the processes, and the first one is the\n"
      "debugger of all: everything is as if it had them itself.",
      kDebugOptions,
      1,
      1,
      RunDebug};
  return kCommand;
}

}  // namespace hloscope::cli
