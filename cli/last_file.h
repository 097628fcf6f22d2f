// SPDX-License-Identifier: Apache-2.0
// The file that a command writes last.
#ifndef HLOSCOPE_CLI_LAST_FILE_H_
#define HLOSCOPE_CLI_LAST_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace hloscope::cli {

// Writes `content` to an OutputFile at `path`, after which nothing is left that takes long. A signal ends the process
// before the file takes its place, with kExitLimit and no file, or no longer: who reads the exit status knows which.
absl::Status WriteLastFile(const std::string& path, absl::string_view content);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_LAST_FILE_H_
