// SPDX-License-Identifier: Apache-2.0
// The commands of `hloscope debug`, one line at a time. Results go to standard output, problems to standard error.
#ifndef HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_
#define HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_

#include <atomic>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/debug_console.h"

namespace hloscope::cli {

class DebugShell final : public reports::DebugConsole {
 public:
  // `debugger` outlives the shell.
  DebugShell(std::shared_ptr<const Document> document, evaluator::Debugger& debugger, const reports::DebugLook& look);

  // Opens the run and says where it is. False if it cannot begin.
  bool Begin();
  // What became of a line.
  enum class Outcome : uint8_t { kDone, kFailed, kQuit };
  Outcome Execute(absl::string_view line);
  // Everything that the word may become that ends the line.
  std::vector<std::string> Complete(absl::string_view line);
  // The process's exit status if it ended now (design: the command line contract).
  int ExitStatusNow() const;
  // The same after a command that failed.
  int ExitStatusOfFailure() const;
  // From a signal handler: the command that runs stops soon.
  void Interrupt() {
    interrupted_.store(true, std::memory_order_relaxed);
    debugger_.timeline().RequestPause();
  }

 private:
  using Method = bool (DebugShell::*)(absl::string_view arguments);
  static absl::Span<const reports::DebugCommandText> Commands();
  static absl::Span<const Method> Methods();

  void Say(absl::string_view text) override;
  void SayProblem(absl::string_view text) override;

  // One for each row of the tables that the console does not have; false after a message.
#define DEBUG_COMMAND(Method, names, synopsis, group, summary) bool Method(absl::string_view arguments);
#include "cli/commands/debug_moving_commands.def"
#define DEBUG_COMMAND(Method, names, synopsis, group, summary) bool Method(absl::string_view arguments);
#include "cli/commands/debug_session_commands.def"

  // --- Moving ---
  bool Show(const evaluator::Stop& stop);
  bool ShowPlace();
  bool IsWithinOperation();
  void ShowFinished(int64_t device);
  bool StepBack(absl::string_view arguments, bool over);
  // Executes `move` up to `count` times, until something else than the end of a step stops the run.
  template <typename Move>
  bool Repeat(int64_t count, Move&& move);
  bool AddBreak(absl::string_view text, bool temporary, std::string log);
  bool EnableAll(absl::string_view text, bool enabled);

  evaluator::Stop stop_;
  std::string last_line_;  // an empty line repeats it
  std::ofstream recorded_;
  std::string recorded_path_;
  int replay_depth_ = 0;
  std::atomic<bool> interrupted_{false};  // since the last line that is not of a replayed file began
  bool by_instruction_ = false;           // steps of a program stop at each instruction
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_
