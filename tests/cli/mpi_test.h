// SPDX-License-Identifier: Apache-2.0
// Commands under mpirun, and modules for several devices to run there.
#ifndef HLOSCOPE_TESTS_CLI_MPI_TEST_H_
#define HLOSCOPE_TESTS_CLI_MPI_TEST_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tests/support/command_line.h"

namespace hloscope {

// Every collective, grouping and kind of group, on eight devices (two replicas of four partitions).
std::string EveryCollective();
// Device 0 waits where device 1 does not come.
extern const absl::string_view kParting;
// A sum over four partitions.
extern const absl::string_view kSum;

// What a file contains; nothing if it cannot be read.
std::string Contents(const std::string& path);

// Skipped without MPI.
class MpiTest : public CommandLineTest {
 protected:
  void SetUp() override;
  // `arguments` for each group of processes: "-n 2 hloscope run FILE".
  Outcome RunMpi(const std::string& arguments) const;
  static std::string Program();
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_CLI_MPI_TEST_H_
