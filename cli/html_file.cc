// SPDX-License-Identifier: Apache-2.0
#include "cli/html_file.h"

#include "absl/strings/str_cat.h"
#include "cli/output.h"
#include "core/source/output_file.h"

namespace hloscope::cli {

int WriteHtml(const std::string& path, const std::string& page) {
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
