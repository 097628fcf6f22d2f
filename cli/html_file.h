// SPDX-License-Identifier: Apache-2.0
// The option --html=FILE: a report as one file beside what a command prints.
#ifndef HLOSCOPE_CLI_HTML_FILE_H_
#define HLOSCOPE_CLI_HTML_FILE_H_

#include "cli/arguments.h"
#include "cli/command.h"
#include "insight/html/html_report.h"

namespace hloscope::cli {

// The row of the option, for a command's array of OptionSpec.
#define HLOSCOPE_HTML_OPTION \
  { "html", OptionKind::kValue, "FILE", "write a report that any browser shows, without network" }

// Writes the report, which ends with the command that makes it again, whole or not at all, to the file of --html.
// kExitGood, or kExitBadInput after a message. Requires the option.
int WriteHtml(const Arguments& arguments, insight::HtmlReport report);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_HTML_FILE_H_
