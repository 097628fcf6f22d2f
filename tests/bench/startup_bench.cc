// SPDX-License-Identifier: Apache-2.0
// How long a process takes that has nothing to do: loading libraries, relocation, static initialisation.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/bench/bench.h"

namespace hloscope::bench {
namespace {

constexpr int kStarts = 41;

// Runs `program --version` with its output discarded; false if it fails. Spawned, as a fork would copy this process's
// tables of pages first.
bool RunVersion(const std::string& program) {
  std::string version = "--version";
  char* const arguments[] = {const_cast<char*>(program.c_str()), version.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return error == 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

void BenchStartup(Report& report) {
  report.Section("start-up: `--version`, medians of " + std::to_string(kStarts));
  bool all_ran = true;
  const auto milliseconds = [&](const std::string& program) {
    return 1e3 * MedianSeconds(kStarts, [&] { all_ran = RunVersion(program) && all_ran; });
  };
  report.Figure("  hloscope", milliseconds(HLOSCOPE_BINARY), "ms", 3, /*at_least=*/false);
  report.Figure("  hloscope-lsp", milliseconds(HLOSCOPE_LSP_BINARY), "ms", 5, /*at_least=*/false);
  report.Figure("  hloscope-dap", milliseconds(HLOSCOPE_DAP_BINARY), "ms", 5, /*at_least=*/false);
  if (!all_ran) report.Figure("  programs that failed", 1, "", 0, /*at_least=*/false);
}

}  // namespace hloscope::bench
