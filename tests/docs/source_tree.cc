// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/source_tree.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "absl/strings/match.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

bool IsForeignFolder(const fs::path& path) {
  const std::string name = path.filename().string();
  return (name[0] == '.' && name != ".ci") || name == "node_modules" || name == "shared" ||
         absl::StartsWith(name, "build") || fs::exists(path / "CMakeCache.txt");
}

bool IsText(const fs::path& path) {
  static const auto& extensions = *new std::set<std::string>{
      "",    ".c",    ".cc", ".h",   ".def", ".txt", ".md",    ".hlo", ".vectors", ".modules", ".ts",  ".mjs",
      ".js", ".json", ".sh", ".lua", ".el",  ".py",  ".cmake", ".in",  ".1",       ".xml",     ".css", ".desktop"};
  return extensions.contains(path.extension().string());
}

}  // namespace

std::vector<std::string> TextFiles(const fs::path& root) {
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory()) {
      if (IsForeignFolder(entry->path())) entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && IsText(entry->path())) {
      files.push_back(fs::relative(entry->path(), root).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string FileContents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream contents;
  contents << stream.rdbuf();
  return contents.str();
}

}  // namespace hloscope
