// SPDX-License-Identifier: Apache-2.0
#include "cli/html_file.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/command_line.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/output.h"
#include "cli/prepared_run.h"

namespace hloscope::cli {

int WriteHtml(const Arguments& arguments, insight::HtmlReport report) {
  report.AddParagraph(insight::HtmlText("Made by ").Code(CommandLine(arguments)));
  const std::string path = *arguments.Value("html"), page = std::move(report).Finish();
  if (path == "-") {
    WriteOutput(page);
    return kExitGood;
  }
  if (const absl::Status status = CheckIsNotRead(arguments, path); !status.ok()) return ReportStatus(status);
  const absl::Status status = WriteLastFile(path, page);
  return status.ok() ? kExitGood : ReportStatus(status);
}

}  // namespace hloscope::cli
