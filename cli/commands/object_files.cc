// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/object_files.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>

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

}  // namespace hloscope::cli
