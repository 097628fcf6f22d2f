// SPDX-License-Identifier: Apache-2.0
// Running another program.
#ifndef HLOSCOPE_REPORTS_SUBPROCESS_H_
#define HLOSCOPE_REPORTS_SUBPROCESS_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::reports {

struct ProgramResult {
  int exit_status = 0;  // 128 + the number of the signal that ended it, as shells have it
  std::string output;   // what it wrote to standard output
};

// All of it is optional. The functions are called by the thread that waits.
struct ProgramWatch {
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void()> while_waiting;
  std::function<bool()> is_cancelled;                      // the same as `interrupted`
  std::function<void(absl::string_view chunk)> on_output;  // each part of the output as it comes
  int milliseconds_between_looks = 100;
  size_t max_output_bytes = size_t{1} << 28;
};

// Runs `command` (found on PATH, no shell) with `input` as its standard input; its standard error goes to ours, or
// nowhere if `silent`. Errors: NotFound if there is no such program; DeadlineExceeded if it takes longer than
// `timeout_seconds`, Cancelled if `interrupted` or `is_cancelled` says so, ResourceExhausted if it writes too much; it
// is killed then, with what it started, and so it is when this process ends before it, whatever ends this process.
// `while_waiting`, if there is one, is called some times each second until it ends.
absl::StatusOr<ProgramResult> RunProgram(const std::vector<std::string>& command, absl::string_view input,
                                         double timeout_seconds, bool silent, const ProgramWatch& watch = {});

// Runs `command` (found on PATH, no shell) with `input` as its standard input and returns what it writes to standard
// output; its standard error goes to ours. Errors: NotFound if there is no such program; DeadlineExceeded if it takes
// longer than `timeout_seconds`, after which it is killed; Internal if it fails.
absl::StatusOr<std::string> RunFilter(const std::vector<std::string>& command, absl::string_view input,
                                      double timeout_seconds, const ProgramWatch& watch = {});

// A word as a shell reads it: as it is, in single quotes, or, with control characters, as $'\n'. For commands that
// people learn of it.
std::string ShellQuoted(absl::string_view word);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_SUBPROCESS_H_
