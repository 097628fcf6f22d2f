// SPDX-License-Identifier: Apache-2.0
#include "cli/last_file.h"

#include <string>

#include "cli/cancel_on_signal.h"
#include "core/source/output_file.h"

namespace hloscope::cli {

absl::Status WriteLastFile(const std::string& path, absl::string_view content) {
  OutputFilesTogether files;
  if (absl::Status status = WriteFileAtomically(path, content); !status.ok()) return status;
  IgnoreSignals();
  return files.Finish();
}

}  // namespace hloscope::cli
