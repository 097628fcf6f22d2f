// SPDX-License-Identifier: Apache-2.0
// The command that is being executed, for reports that say how they are made again.
#ifndef HLOSCOPE_CLI_COMMAND_LINE_H_
#define HLOSCOPE_CLI_COMMAND_LINE_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "reports/subprocess.h"

namespace hloscope::cli {

// "hloscope graph --around=x m.hlo", as a shell reads it.
inline std::string CommandLine(const Arguments& arguments) {
  std::string line = "hloscope";
  for (const std::string& word : arguments.Words()) absl::StrAppend(&line, " ", reports::ShellQuoted(word));
  return line;
}

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMAND_LINE_H_
