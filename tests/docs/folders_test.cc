// SPDX-License-Identifier: Apache-2.0
// Each top folder says what it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

TEST(Folders, EachTopFolderHasAReadmeOfTwentyToSixtyLines) {
  const std::filesystem::path root = HLOSCOPE_SOURCE_DIR;
  std::set<std::string> folders;
  for (const std::string& file : TextFiles(root)) {
    const size_t slash = file.find('/');
    if (slash != std::string::npos && file[0] != '.') folders.insert(file.substr(0, slash));
  }
  EXPECT_GE(folders.size(), 15u);
  for (const std::string& folder : folders) {
    const std::string text = FileContents(root / folder / "README.md");
    const auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_GE(lines, 20) << folder << "/README.md: say what the folder is for, where to begin, and its rules";
    EXPECT_LE(lines, 60) << folder << "/README.md: what is longer belongs in docs";
  }
}

}  // namespace
}  // namespace hloscope
