// SPDX-License-Identifier: Apache-2.0
// The commands of the debugger that look at values and change them: what its terminal and the console of an editor have
// in common.
#ifndef HLOSCOPE_REPORTS_DEBUG_CONSOLE_H_
#define HLOSCOPE_REPORTS_DEBUG_CONSOLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/debugger/provenance.h"
#include "reports/debug_view.h"

namespace hloscope::reports {

enum class DebugCommandGroup : uint8_t { Forwards, Backwards, Stopping, Looking, Changing, Devices, Sessions };

// What is said about a command: the rows of the tables debug_..._commands.def.
struct DebugCommandText {
  absl::string_view names, arguments;  // the full name, then short forms
  DebugCommandGroup group;
  absl::string_view summary;
  absl::string_view name() const { return names.substr(0, names.find(' ')); }
};
// The number of the command that `name` means: by name, short form or unique beginning. Errors: NotFound with a
// suggestion; InvalidArgument if it is the beginning of several.
absl::StatusOr<size_t> FindDebugCommand(absl::Span<const DebugCommandText> commands, absl::string_view name);

// Names are looked up from one frame of one device. Not thread-safe.
class DebugConsole {
 public:
  // `debugger` outlives the console.
  DebugConsole(std::shared_ptr<const Document> document, evaluator::Debugger& debugger, const DebugLook& look);
  virtual ~DebugConsole() = default;
  DebugConsole(const DebugConsole&) = delete;
  DebugConsole& operator=(const DebugConsole&) = delete;

  // Where names are looked up from now on.
  void Select(int64_t device, size_t frame);
  // Executes a line if it begins with one of these commands, and says whether that went well.
  std::optional<bool> ExecuteLine(absl::string_view line);
  static absl::Span<const DebugCommandText> ConsoleCommands();

  // Replaces a value, or elements of one: `x`, `x[0, :]`, `t{1}[3]`. False after a message.
  bool SetElements(absl::string_view target, absl::string_view value);
  // The same with a value that `make` makes, of a shape; it says why if it gives none.
  bool SetElements(absl::string_view target, absl::FunctionRef<std::optional<evaluator::Value>(const Shape&)> make);

  // Words of expressions and commands that begin with `word`: choices, functions, names.
  std::vector<std::string> CompleteWord(absl::string_view word) const;
  // Where a word that ends a line begins.
  static size_t WordBegin(absl::string_view line);

  // "at PATH, waits for devices 0, 2 in all-reduce ar", "finished".
  std::string DeviceLine(int64_t device) const;

 protected:
  // What a command answers, and why one failed.
  virtual void Say(absl::string_view text) = 0;
  virtual void SayProblem(absl::string_view text) = 0;

  // One for each row of the table; false after a message.
#define DEBUG_COMMAND(Method, names, synopsis, group, summary) bool Method(absl::string_view arguments);
#include "reports/debug_console_commands.def"

  // --- Messages ---
  bool Fail(absl::string_view message);
  bool Fail(const absl::Status& status);
  bool FailExpression(absl::string_view text, const evaluator::ExpressionError& error);

  // --- Arguments ---
  // A whole number of at least `least`; `missing` if the text is empty. Nothing after a message.
  std::optional<int64_t> Number(absl::string_view text, int64_t missing, int64_t least);
  bool NoArguments(absl::string_view text);
  std::optional<evaluator::Expression> Parse(absl::string_view text);
  std::optional<evaluator::Value> Evaluate(absl::string_view text);
  // What `set` and `skip` take: a file, a literal or an expression, for a value of `shape`.
  absl::StatusOr<evaluator::Value> ReadValue(absl::string_view text, const Shape& shape,
                                             evaluator::ExpressionError* error);
  evaluator::RunScope Scope() { return evaluator::RunScope(debugger_.timeline(), debugger_.names(), device_, frame_); }
  // The element that "x[0,3]" or "t{1}[2]" names; the index may be left out. Nothing after a message.
  std::optional<evaluator::ValuePlace> ReadPlace(absl::string_view text, bool* has_index);

  const evaluator::Inspection& inspection() { return debugger_.timeline().inspection(device_); }
  const evaluator::Execution& execution() { return debugger_.timeline().execution(device_); }

  const std::shared_ptr<const Document> document_;
  evaluator::Debugger& debugger_;
  const DebugLook look_;
  int64_t device_ = 0;                            // that commands are about
  size_t frame_ = 0;                              // that names are looked up from
  InstructionId latest_;                          // executed by the last step
  std::optional<evaluator::ValuePlace> culprit_;  // that the last `origin` found
  bool differed_ = false;                         // a `diff` found a difference
  bool failed_at_limit_ = false;                  // the last failure was a limit of the run, or an interruption
};

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_DEBUG_CONSOLE_H_
