// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shared_files.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hloscope {
namespace fs = std::filesystem;
namespace {

// Null if none is named.
const char* ConfiguredFolder() {
  const char* configured = std::getenv("HLOSCOPE_SHARED");
  return configured != nullptr && *configured != '\0' ? configured : nullptr;
}

}  // namespace

std::string SharedDirectory() {
  std::vector<fs::path> candidates;
  if (const char* configured = ConfiguredFolder()) {
    candidates.emplace_back(configured);
  } else {
    const fs::path source(HLOSCOPE_SOURCE_DIR);
    candidates.push_back(source / ".." / "shared");
    candidates.push_back(source / ".." / ".." / "shared");  // a worktree one level below the checkout's parent
  }
  std::error_code ignored;
  for (const fs::path& candidate : candidates) {
    if (fs::is_directory(candidate / "corpus", ignored) && fs::is_directory(candidate / "vectors", ignored)) {
      return fs::weakly_canonical(candidate, ignored).string();
    }
  }
  return "";
}

bool SharedFilesAreExpected() {
  const char* expected = std::getenv("HLOSCOPE_EXPECT_SHARED");
  return ConfiguredFolder() != nullptr || (expected != nullptr && std::string(expected) != "0");
}

std::vector<std::string> CorpusFiles() {
  std::vector<std::string> files;
  const std::string shared = SharedDirectory();
  if (shared.empty()) return files;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(shared) / "corpus", ignored)) {
    if (entry.path().extension() == ".hlo") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string CorpusFile(const std::string& name) {
  const std::string shared = SharedDirectory();
  return shared.empty() ? "" : (fs::path(shared) / "corpus" / name).string();
}

std::vector<std::string> VectorCases() {
  std::vector<std::string> cases;
  const std::string shared = SharedDirectory();
  if (shared.empty()) return cases;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(shared) / "vectors", ignored)) {
    if (fs::exists(entry.path() / "case.json", ignored)) cases.push_back(entry.path().string());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

std::string ReadFileOrDie(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace hloscope
