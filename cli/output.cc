// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/command.h"

namespace hloscope::cli {
namespace {

// errno of the first write to standard output that failed; 0 if none did.
int output_error = 0;

// See KeepOutput.
bool is_kept = false;
constexpr size_t kMostKept = 1 << 16;
std::string& KeptErrors() {
  static auto* errors = new std::string;
  return *errors;
}

}  // namespace

void WriteOutput(absl::string_view text) {
  if (is_kept || output_error != 0 || text.empty()) return;
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error = errno != 0 ? errno : EIO;
}

void FlushOutput() {
  if (fflush(stdout) != 0 && output_error == 0) output_error = errno;
}

void WriteError(absl::string_view text) {
  if (is_kept) {
    std::string& errors = KeptErrors();
    errors.append(text.data(), std::min(text.size(), kMostKept - errors.size()));
    return;
  }
  // Nothing useful can be done if standard error cannot be written.
  (void)!fwrite(text.data(), 1, text.size(), stderr);
}

void KeepOutput() { is_kept = true; }

std::string TakeKeptErrors() { return std::exchange(KeptErrors(), std::string()); }

int FinishOutput(int status) {
  if (fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (output_error == 0 || output_error == EPIPE) return status;
  WriteError(absl::StrCat("hloscope: cannot write the output: ", strerror(output_error), "\n"));
  return status == kExitGood ? kExitBadInput : status;
}

bool IsTerminal(int file_descriptor) { return isatty(file_descriptor) != 0; }

int TerminalWidth(int file_descriptor) {
  constexpr int kDefault = 100;
  struct winsize size;
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return kDefault;
  return size.ws_col;
}

}  // namespace hloscope::cli
