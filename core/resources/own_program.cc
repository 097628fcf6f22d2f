// SPDX-License-Identifier: Apache-2.0
#include "core/resources/own_program.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"

namespace hloscope {

std::string OwnProgram() {
  std::error_code error;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  const char* const launcher = std::getenv("HLOSCOPE_PROGRAM");
  return OwnProgramFrom(error ? "" : executable.string(), launcher == nullptr ? "" : launcher);
}

std::string OwnProgramFrom(absl::string_view executable, absl::string_view launcher) {
  // A program that inherits the variable from a launched one is its own executable.
  const absl::string_view name = executable.substr(executable.rfind('/') + 1);
  const bool is_launched = !launcher.empty() && (name.empty() || absl::StartsWith(name, "ld-linux"));
  return std::string(is_launched ? launcher : executable);
}

}  // namespace hloscope
