// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/object_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"

namespace hloscope::cli {

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

int64_t TimeOf(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return -1;
  return int64_t{file.st_mtim.tv_sec} * 1000000000 + file.st_mtim.tv_nsec;
}

int64_t TimeOfSources(const codegen::Program& program, const std::string& folder, const codegen::ProgramFile& source) {
  int64_t newest = TimeOf(absl::StrCat(folder, "/", source.path));
  for (const codegen::ProgramFile& file : program.files) {
    if (!file.is_runtime() || !file.object.empty()) continue;
    newest = std::max(newest, TimeOf(absl::StrCat(folder, "/", file.path)));
  }
  return newest;
}

}  // namespace hloscope::cli
