// SPDX-License-Identifier: Apache-2.0
// What a subcommand of `hloscope` is. Adding one: a file in commands/ that defines `const Command& NameCommand()`, and
// one line in commands.def.
#ifndef HLOSCOPE_CLI_COMMAND_H_
#define HLOSCOPE_CLI_COMMAND_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope::cli {

class Arguments;

// Exit status of the process (design: the command line contract).
enum ExitStatus : int {
  kExitGood = 0,
  kExitBadInput = 1,  // the input is bad, diagnostics were printed; or a comparison differs
  kExitUsage = 2,     // wrong usage
  kExitLimit = 3,     // a limit was hit (memory, steps, time) or the run was cancelled
};

enum class OptionKind : unsigned char {
  kSwitch,  // --name, or --name=on|off
  kValue,   // --name VALUE or --name=VALUE; may be repeated
  kChoice,  // --name or --name=VALUE: alone it means the first choice of the placeholder
};

struct OptionSpec {
  absl::string_view name;  // without the dashes
  OptionKind kind;
  absl::string_view placeholder;  // of the value, in help texts: "N", "DIR", "off|warn|break"
  absl::string_view help;
};

struct Command {
  absl::string_view name;
  absl::string_view operands;            // in help texts: "FILE..."
  absl::string_view summary;             // one line
  absl::string_view description;         // paragraphs below the options of `hloscope help NAME`
  absl::Span<const OptionSpec> options;  // besides the ones every command takes (arguments.h)
  int min_operands;
  int max_operands;  // -1: any number
  // Runs the command and returns an ExitStatus. Results go to standard output through output.h, diagnostics and
  // messages to standard error.
  int (*run)(const Arguments& arguments);
};

// In the order of commands.def.
absl::Span<const Command* const> AllCommands();
// Null if there is none of that name.
const Command* FindCommand(absl::string_view name);

#define HLOSCOPE_COMMAND(Name) const Command& Name##Command();
#include "cli/commands.def"

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMAND_H_
