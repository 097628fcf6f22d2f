// SPDX-License-Identifier: Apache-2.0
// The option --format=svg|png|pdf|markdown of commands that draw.
#ifndef HLOSCOPE_CLI_COMMANDS_DRAWING_FORMAT_H_
#define HLOSCOPE_CLI_COMMANDS_DRAWING_FORMAT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cli/arguments.h"
#include "cli/command.h"

namespace hloscope::cli {

// The row of the option, for a command's array of OptionSpec.
#define HLOSCOPE_DRAWING_FORMAT_OPTION                                                 \
  {                                                                                    \
    "format", OptionKind::kValue, "text|svg|png|pdf|markdown",                         \
        "print text (default), a drawing, or Markdown; png and pdf run `rsvg-convert`" \
  }

// Of commands whose drawing has no Markdown beside it.
#define HLOSCOPE_PICTURE_FORMAT_OPTION                        \
  {                                                           \
    "format", OptionKind::kValue, "text|svg|png|pdf",         \
        "print text (default) or a picture; png and pdf run " \
        "`rsvg-convert`"                                      \
  }

// "text", "svg", "png" or "pdf". Errors, also where --json is given besides, are for UsageError.
absl::StatusOr<std::string> PictureFormat(const Arguments& arguments);

// What --format or --svg asks for: "text", "svg", "png", "pdf" or "markdown". Errors are for UsageError.
absl::StatusOr<std::string> DrawingFormat(const Arguments& arguments);

// Prints Markdown with the command that makes it again.
void WriteMarkdown(const Arguments& arguments, absl::string_view markdown);

// The drawing as "png" or "pdf". Errors: NotFound, for the user, without rsvg-convert; those of reports::RunFilter.
absl::StatusOr<std::string> DrawingAs(const std::string& format, absl::string_view svg);

// Prints an SVG drawing in the format, one of "svg", "png", "pdf". Returns the exit status, after a message if it is
// not kExitGood.
int WriteDrawing(const Arguments& arguments, const std::string& format, absl::string_view svg);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_DRAWING_FORMAT_H_
