// SPDX-License-Identifier: Apache-2.0
// hloscope-runtime-sources FOLDER ARCHITECTURE: writes what the build compiles into the objects that `hloscope compile`
// puts into programs, and FOLDER/fingerprint, which says of which runtime they are. Files that are as they should be
// keep their times.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "codegen/program.h"
#include "core/source/output_file.h"

namespace hloscope::codegen {
namespace {

bool HasContent(const std::string& path, const std::string& content) {
  std::ifstream in(path, std::ios::binary);
  return in && std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()) == content;
}

int WriteRuntime(const std::string& folder, const std::string& architecture) {
  Program runtime = GenerateRuntime(architecture);
  runtime.files.push_back({"fingerprint", RuntimeFingerprint()});
  for (const ProgramFile& file : runtime.files) {
    const std::string path = absl::StrCat(folder, "/", file.path);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (HasContent(path, file.content)) continue;
    if (const absl::Status status = WriteFileAtomically(path, file.content); !status.ok()) {
      std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace hloscope::codegen

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: hloscope-runtime-sources FOLDER ARCHITECTURE\n");
    return 2;
  }
  return hloscope::codegen::WriteRuntime(argv[1], argv[2]);
}
