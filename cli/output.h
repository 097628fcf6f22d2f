// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error of the command.
#ifndef HLOSCOPE_CLI_OUTPUT_H_
#define HLOSCOPE_CLI_OUTPUT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::cli {

// Appends to standard output (buffered). Failures are remembered and reported by FinishOutput.
void WriteOutput(absl::string_view text);
// Shows what was written so far, before somebody waits or standard error speaks.
void FlushOutput();
// Appends to standard error, unbuffered.
void WriteError(absl::string_view text);

// From now on nothing is written: another process speaks for this one. TakeKeptErrors returns what standard error
// would have got since, at most some kilobytes of it.
void KeepOutput();
std::string TakeKeptErrors();

// Writes what is buffered. A reader that went away (`| head`) is no error: `status` is returned as it is. Any other
// failure (disk full) is reported on standard error and turns a good status into kExitBadInput.
int FinishOutput(int status);

// Whether standard error (2) or standard output (1) is a terminal, and how wide it is (100 columns if unknown).
bool IsTerminal(int file_descriptor);
int TerminalWidth(int file_descriptor);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_OUTPUT_H_
