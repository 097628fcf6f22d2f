// The commands of `hloscope debug`, one line at a time. Results go to standard output, problems to standard error.
#ifndef HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_
#define HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cli/commands/debug_view.h"
#include "core/document/document.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/debugger/provenance.h"

namespace hloscope {

class DebugShell {
 public:
  DebugShell(std::shared_ptr<const Document> document, std::unique_ptr<Debugger> debugger, const DebugLook& look);

  // Opens the run and says where it is. False if it cannot begin.
  bool Begin();
  // What became of a line.
  enum class Outcome : uint8_t { kDone, kFailed, kQuit };
  Outcome Execute(absl::string_view line);
  // Everything that may stand for the word that ends the line.
  std::vector<std::string> Complete(absl::string_view line);
  // The process's exit status if it ended now (design: the command line contract).
  int ExitStatusNow() const;
  // From a signal handler: the command that runs stops soon.
  void Interrupt() { debugger_->timeline().run().RequestPause(); }

 private:
  using Method = bool (DebugShell::*)(absl::string_view arguments);
  enum class Group : uint8_t { Forwards, Backwards, Stopping, Looking, Changing, Devices, Sessions };
  struct Row {
    Method method;
    absl::string_view names, arguments;
    Group group;
    absl::string_view summary;
    absl::string_view name() const { return names.substr(0, names.find(' ')); }
  };
  static absl::Span<const Row> Rows();
  static absl::string_view GroupTitle(Group group);
  // By name, short form or unique beginning. Null after a message.
  const Row* FindRow(absl::string_view name);

  // One for each row of debug_commands.def; false after a message.
#define DEBUG_COMMAND(Method, names, synopsis, group, summary) bool Method(absl::string_view arguments);
#include "cli/commands/debug_commands.def"

  // --- Messages ---
  bool Fail(absl::string_view message);
  bool Fail(const absl::Status& status) { return Fail(status.message()); }
  bool FailExpression(absl::string_view text, const ExpressionError& error);

  // --- Arguments ---
  // A whole number of at least `least`; `missing` if the text is empty. Nothing after a message.
  std::optional<int64_t> Number(absl::string_view text, int64_t missing, int64_t least);
  bool NoArguments(absl::string_view text);
  std::optional<Expression> Parse(absl::string_view text);
  std::optional<Value> Evaluate(absl::string_view text);
  // What `set` and `skip` take: a file, a literal or an expression, for a value of `shape`.
  absl::StatusOr<Value> ReadValue(absl::string_view text, const Shape& shape, ExpressionError* error);
  RunScope Scope() { return RunScope(debugger_->timeline(), debugger_->names(), device_, frame_); }

  // --- Moving ---
  bool Show(const Stop& stop);
  bool ShowPlace();
  void ShowFinished(int64_t device);
  // Executes `move` up to `count` times, until something else than the end of a step stops the run.
  template <typename Move>
  bool Repeat(int64_t count, Move&& move);
  bool AddBreak(absl::string_view text, bool temporary, std::string log);
  // The element that "x[0,3]" or "t{1}[2]" names; the index may be left out. Nothing after a message.
  std::optional<ValuePlace> ReadPlace(absl::string_view text, bool* has_index);
  bool SetElements(absl::string_view target, absl::string_view value);
  bool EnableAll(absl::string_view text, bool enabled);
  std::string DeviceLine(int64_t device) const;

  Session& session() { return debugger_->timeline().device(device_); }

  const std::shared_ptr<const Document> document_;
  const std::unique_ptr<Debugger> debugger_;
  const DebugLook look_;
  int64_t device_ = 0;                 // that commands are about
  size_t frame_ = 0;                   // that names are looked up from
  InstructionId latest_;               // executed by the last step
  std::optional<ValuePlace> culprit_;  // that the last `origin` found
  Stop stop_;
  bool differed_ = false;  // a `diff` found a difference
  std::string last_line_;  // an empty line repeats it
  std::ofstream recorded_;
  int replay_depth_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_COMMANDS_DEBUG_SHELL_H_
