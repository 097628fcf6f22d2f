// SPDX-License-Identifier: Apache-2.0
// `hloscope diff`: what changed between two versions of a module.
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/diff_report.h"
#include "cli/html_file.h"
#include "cli/ignored_differences.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/analysis/module_diff.h"
#include "insight/diff/diff_page.h"
#include "nlohmann/json.hpp"
#include "reports/text_drawing.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kDiffOptions[] = {
    {"ignore", OptionKind::kValue, "WHAT",
     "what does not count: shapes, layouts, backend-config, with commas between them (names and metadata never do)"},
    {"all", OptionKind::kSwitch, "", "list every change, also those that are like others"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    HLOSCOPE_PICTURE_FORMAT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

int RunDiff(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<IgnoredDifferences> ignored = ReadIgnoredDifferences(arguments);
  if (!ignored.ok()) return UsageError(arguments.command(), ignored.status().message());
  const absl::StatusOr<std::string> format = PictureFormat(arguments);
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  const std::shared_ptr<const Document> a = OpenDocument(arguments, arguments.operands()[0]);
  const std::shared_ptr<const Document> b = OpenDocument(arguments, arguments.operands()[1]);
  if (a == nullptr || b == nullptr) return StatusOfReading();
  const ModuleDiff diff =
      DiffModules(a->module(), b->module(), {ignored->shapes, ignored->layouts, ignored->backend_config});
  if (arguments.Has("html")) {
    insight::HtmlReport report("Difference of two modules",
                               absl::StrCat(arguments.operands()[0], " -> ", arguments.operands()[1]));
    insight::DiffPageOptions options;
    options.left = arguments.operands()[0];
    options.right = arguments.operands()[1];
    insight::AddDiff(a->module(), b->module(), diff, options, &report);
    if (const int status = WriteHtml(arguments, std::move(report)); status != kExitGood) return status;
  }
  if (*format != "text") {
    const std::string title = absl::StrCat(arguments.operands()[0], " -> ", arguments.operands()[1]);
    const std::string text = DiffText(a->module(), b->module(), diff, {false, arguments.Switch("all")});
    const int status = WriteDrawing(arguments, *format, reports::DiffTextSvg(title, text));
    if (status != kExitGood) return status;
  } else if (arguments.Value("html") != "-") {
    WriteOutput(arguments.Switch("json") ? DumpJson(DiffJson(a->module(), b->module(), diff))
                                         : DiffText(a->module(), b->module(), diff, {*color, arguments.Switch("all")}));
  }
  return diff.IsEmpty() ? kExitGood : kExitBadInput;
}

}  // namespace

const Command& DiffCommand() {
  static constexpr Command kCommand = {
      "diff",
      "A B",
      "what changed between two versions of a module",
      "Matches instructions by what they compute and where they are, so that new names alone are no difference; "
      "neither\n"
      "are metadata and the order of independent instructions. Three or more changes of one pattern, as in the layers\n"
      "of a model, are listed once with their number. Exit status 0 if the modules are equal, 1 if they differ.",
      kDiffOptions,
      2,
      2,
      RunDiff};
  return kCommand;
}

}  // namespace hloscope::cli
