// SPDX-License-Identifier: Apache-2.0
// Each source file names its licence.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

bool IsSource(const std::string& file) {
  static const auto& extensions = *new std::set<std::string>{".c",  ".cc",  ".css", ".cmake", ".def", ".el", ".h",
                                                             ".js", ".lua", ".mjs", ".py",    ".sh",  ".ts"};
  const fs::path path(file);
  return extensions.contains(path.extension().string()) || path.filename() == "CMakeLists.txt" || file == "dev" ||
         file == ".ci/run";
}

TEST(Licence, EachSourceFileBeginsWithItsIdentifier) {
  const fs::path root = HLOSCOPE_SOURCE_DIR;
  int sources = 0;
  for (const std::string& file : TextFiles(root)) {
    if (!IsSource(file)) continue;
    ++sources;
    const std::string text = FileContents(root / file);
    // The first lines may say how a file is executed, or what an editor is to do with it.
    size_t end = 0;
    for (int line = 0; line < 3 && end != std::string::npos; ++line) end = text.find('\n', end + 1);
    EXPECT_TRUE(absl::StrContains(text.substr(0, end), "SPDX-License-Identifier: Apache-2.0"))
        << file << ": begin it with a comment SPDX-License-Identifier: Apache-2.0";
  }
  EXPECT_GE(sources, 2000);
}

}  // namespace
}  // namespace hloscope
