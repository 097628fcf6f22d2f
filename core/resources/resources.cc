// SPDX-License-Identifier: Apache-2.0
#include "core/resources/resources.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "core/resources/own_program.h"

namespace hloscope {
namespace fs = std::filesystem;

std::string FindResourceDirectory() {
  if (const char* configured = std::getenv("HLOSCOPE_RESOURCES"); configured != nullptr && *configured != '\0') {
    return configured;
  }
  const std::string program = OwnProgram();
  return program.empty() ? "" : FindResourceDirectoryFrom(fs::path(program).parent_path().string());
}

std::string FindResourceDirectoryFrom(const std::string& executable_directory) {
  const fs::path start(executable_directory);
  // build/bin/hloscope in a source tree, and the same one level deeper for tests.
  for (const char* candidate :
       {"resources", "../resources", "../../resources", "../../../resources", "../share/hloscope/resources"}) {
    std::error_code error;
    const fs::path path = (start / candidate).lexically_normal();
    if (fs::is_directory(path / "ops", error)) return path.string();
  }
  return "";
}

namespace {

std::optional<std::string> ReadPage(const std::string& resource_directory, absl::string_view folder,
                                    absl::string_view name) {
  if (resource_directory.empty() || name.empty()) return std::nullopt;
  std::ifstream in(fs::path(resource_directory) / std::string(folder) / absl::StrCat(name, ".md"), std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace

std::optional<std::string> ReadOpPage(const std::string& resource_directory, Opcode opcode) {
  if (opcode == Opcode::kInvalid) return std::nullopt;
  return ReadPage(resource_directory, "ops", OpcodeName(opcode));
}

std::optional<std::string> ReadDiagnosticPage(const std::string& resource_directory, absl::string_view code) {
  return ReadPage(resource_directory, "diagnostics", code);
}

}  // namespace hloscope
