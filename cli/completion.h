// SPDX-License-Identifier: Apache-2.0
// Scripts that complete `hloscope` command lines in a shell, made from the tables of commands and options.
#ifndef HLOSCOPE_CLI_COMPLETION_H_
#define HLOSCOPE_CLI_COMPLETION_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cli/command.h"

namespace hloscope::cli {

// What fits a placeholder of the help texts: "auto|always" the words, "DIR" files, "N" nothing that a shell knows.
struct Completion {
  std::vector<absl::string_view> words;
  bool files = false;
};
Completion CompletionOf(absl::string_view placeholder);

// The options of a command with those that every command takes.
std::vector<OptionSpec> AllOptionsOf(const Command& command);

std::string BashCompletion();
std::string ZshCompletion();
std::string FishCompletion();

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMPLETION_H_
