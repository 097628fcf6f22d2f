// SPDX-License-Identifier: Apache-2.0
#include "cli/html_file.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/command_line.h"
#include "cli/output.h"
#include "core/source/output_file.h"

namespace hloscope::cli {

int WriteHtml(const Arguments& arguments, insight::HtmlReport report) {
  report.AddParagraph(insight::HtmlText("Made by ").Code(CommandLine(arguments)));
  const std::string path = *arguments.Value("html"), page = std::move(report).Finish();
  if (path == "-") {
    WriteOutput(page);
    return kExitGood;
  }
  const absl::Status status = WriteFileAtomically(path, page);
  if (status.ok()) return kExitGood;
  WriteError(absl::StrCat("hloscope: ", status.message(), "\n"));
  return kExitBadInput;
}

}  // namespace hloscope::cli
