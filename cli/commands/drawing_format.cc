// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/drawing_format.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/command_line.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

// Drawings are of bounded size, so that this is much.
constexpr double kSeconds = 60;

}  // namespace

absl::StatusOr<std::string> DrawingFormat(const Arguments& arguments) {
  absl::StatusOr<std::string> format = arguments.Choice("format", {"text", "svg", "png", "pdf", "markdown"});
  if (!format.ok() || !arguments.Switch("svg")) return format;
  if (arguments.Has("format") && *format != "svg") {
    return absl::InvalidArgumentError("--svg and --format exclude each other");
  }
  return std::string("svg");
}

absl::StatusOr<std::string> PictureFormat(const Arguments& arguments) {
  absl::StatusOr<std::string> format = arguments.Choice("format", {"text", "svg", "png", "pdf"});
  if (format.ok() && *format != "text" && arguments.Switch("json")) {
    return absl::InvalidArgumentError("--json and --format exclude each other");
  }
  return format;
}

void WriteMarkdown(const Arguments& arguments, absl::string_view markdown) {
  WriteOutput(absl::StrCat(markdown, "\n    ", CommandLine(arguments), "\n"));
}

absl::StatusOr<std::string> DrawingAs(const std::string& format, absl::string_view svg) {
  std::vector<std::string> command = {"rsvg-convert", "--format=" + format};
  if (format == "png") command.push_back("--zoom=2");  // drawings are small, screens are sharp
  absl::StatusOr<std::string> picture = reports::RunFilter(command, svg, kSeconds);
  if (!absl::IsNotFound(picture.status())) return picture;
  return absl::NotFoundError(absl::StrCat(
      format, " needs librsvg: the program `rsvg-convert` was not found. Install librsvg2-bin, or choose svg"));
}

int WriteDrawing(const Arguments& arguments, const std::string& format, absl::string_view svg) {
  if (format == "svg") {
    WriteOutput(svg);
    return kExitGood;
  }
  const absl::StatusOr<std::string> picture = DrawingAs(format, svg);
  if (picture.ok()) {
    WriteOutput(*picture);
    return kExitGood;
  }
  WriteError(absl::StrCat("hloscope ", arguments.command().name, ": ", OneLine(picture.status().message()), "\n"));
  return ExitStatusOf(picture.status());
}

}  // namespace hloscope::cli
