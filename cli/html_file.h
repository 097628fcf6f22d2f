// SPDX-License-Identifier: Apache-2.0
// The option --html=FILE: a report as one file beside what a command prints.
#ifndef HLOSCOPE_CLI_HTML_FILE_H_
#define HLOSCOPE_CLI_HTML_FILE_H_

#include <string>

#include "cli/arguments.h"
#include "cli/command.h"

namespace hloscope::cli {

// The row of the option, for a command's array of OptionSpec.
#define HLOSCOPE_HTML_OPTION \
  { "html", OptionKind::kValue, "FILE", "write a report that any browser shows, without network" }

// Writes the page whole or not at all. kExitGood, or kExitBadInput after a message.
int WriteHtml(const std::string& path, const std::string& page);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_HTML_FILE_H_
