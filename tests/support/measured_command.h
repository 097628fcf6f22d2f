// SPDX-License-Identifier: Apache-2.0
// What `hloscope` takes as a process, for tests of limits.
#ifndef HLOSCOPE_TESTS_SUPPORT_MEASURED_COMMAND_H_
#define HLOSCOPE_TESTS_SUPPORT_MEASURED_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

struct Usage {
  int exit_status = -1;  // -1: ended by a signal
  double processor_seconds = 0;
  int64_t peak_bytes = 0;
};

// Where standard input comes from and the others go; empty: nowhere.
struct CommandFiles {
  std::string input, output, errors;
};

// Runs `hloscope ARGUMENTS...`, which a signal ends after 30 s of the processor's time.
Usage MeasureCommand(std::vector<std::string> arguments, const CommandFiles& files = {});

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MEASURED_COMMAND_H_
