// SPDX-License-Identifier: Apache-2.0
// Pages of commands that draw: what they print, the drawing, and the command that makes it again.
#ifndef HLOSCOPE_CLI_COMMANDS_DRAWING_PAGE_H_
#define HLOSCOPE_CLI_COMMANDS_DRAWING_PAGE_H_

#include "absl/strings/string_view.h"
#include "cli/arguments.h"
#include "insight/html/html_report.h"

namespace hloscope::cli {

// The lines of a text in the fixed-width font.
void AddText(absl::string_view text, insight::HtmlReport* page);
void AddDrawing(absl::string_view svg, absl::string_view description, const Arguments& arguments,
                insight::HtmlReport* page);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_DRAWING_PAGE_H_
