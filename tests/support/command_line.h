// SPDX-License-Identifier: Apache-2.0
// Tests that run the `hloscope` binary as a process, in a folder of their own.
#ifndef HLOSCOPE_TESTS_SUPPORT_COMMAND_LINE_H_
#define HLOSCOPE_TESTS_SUPPORT_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace hloscope {

struct Outcome {
  int exit_status = -1;  // -1: ended by a signal
  std::string output, errors;
};

// Skips if the binary is not built. The folder and what is in it are removed at the end.
class CommandLineTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Runs `hloscope ARGUMENTS...` with `input` on standard input.
  Outcome RunHloscope(std::vector<std::string> arguments, absl::string_view input = "") const;
  // Path of a new file `module.hlo` with this text.
  std::string Module(absl::string_view text) const;
  // The folder `out` inside the test's folder; not created here.
  std::string Out() const { return directory_ + "/out"; }
  // Names of the files in a folder, but for hidden ones.
  static std::vector<std::string> Files(const std::string& directory);
  // Removes the files of a folder.
  static void Clear(const std::string& directory);

  std::string directory_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_COMMAND_LINE_H_
