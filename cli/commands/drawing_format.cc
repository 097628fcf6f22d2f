// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/drawing_format.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/cancel_on_signal.h"
#include "cli/output.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

// Drawings are of bounded size, so that this is much.
constexpr double kSeconds = 60;

}  // namespace

absl::StatusOr<std::string> DrawingFormat(const Arguments& arguments) {
  absl::StatusOr<std::string> format = arguments.Choice("format", {"text", "svg", "png", "pdf"});
  if (!format.ok() || !arguments.Switch("svg")) return format;
  if (arguments.Has("format") && *format != "svg") {
    return absl::InvalidArgumentError("--svg and --format exclude each other");
  }
  return std::string("svg");
}

int WriteDrawing(const Arguments& arguments, const std::string& format, absl::string_view svg) {
  if (format == "svg") {
    WriteOutput(svg);
    return kExitGood;
  }
  const NoticeSignal notice;
  std::vector<std::string> command = {"rsvg-convert", "--format=" + format};
  if (format == "png") command.push_back("--zoom=2");  // drawings are small, screens are sharp
  const absl::StatusOr<std::string> picture =
      reports::RunFilter(command, svg, kSeconds, {&NoticeSignal::noticed(), nullptr});
  if (picture.ok()) {
    WriteOutput(*picture);
    return kExitGood;
  }
  const std::string message =
      absl::IsNotFound(picture.status())
          ? absl::StrCat("--format=", format,
                         " needs librsvg: the program `rsvg-convert` was not found. Install librsvg2-bin, or use "
                         "--format=svg")
          : std::string(picture.status().message());
  WriteError(absl::StrCat("hloscope ", arguments.command().name, ": ", message, "\n"));
  const bool is_limit = absl::IsCancelled(picture.status()) || absl::IsDeadlineExceeded(picture.status()) ||
                        absl::IsResourceExhausted(picture.status());
  return is_limit ? kExitLimit : kExitBadInput;
}

}  // namespace hloscope::cli
