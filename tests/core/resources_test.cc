// SPDX-License-Identifier: Apache-2.0
#include "core/resources/resources.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "core/resources/own_program.h"
#include "gtest/gtest.h"
#include "tests/support/test_folder.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

class ResourcesTest : public testing::Test {
 protected:
  // Makes DIRECTORY/ops with the page of `add` and returns DIRECTORY.
  std::string MakeResources(const fs::path& directory) {
    fs::create_directories(directory / "ops");
    std::ofstream(directory / "ops" / "add.md") << "# add\n";
    return directory.string();
  }

  const TestFolder folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(ResourcesTest, BesideTheBuildFolder) {
  const std::string expected = MakeResources(root_ / "resources");
  EXPECT_EQ(FindResourceDirectoryFrom((root_ / "build" / "bin").string()), expected);
}

TEST_F(ResourcesTest, InAnInstallPrefix) {
  const std::string expected = MakeResources(root_ / "share" / "hloscope" / "resources");
  EXPECT_EQ(FindResourceDirectoryFrom((root_ / "bin").string()), expected);
}

// Through a loader of its own, a program is the launcher that called the loader; what inherits the variable is itself.
TEST(OwnProgramTest, LaunchersCountForProgramsThatALoaderRuns) {
  EXPECT_EQ(OwnProgramFrom("/opt/h/lib/ld-linux-x86-64.so.2", "/opt/h/bin/hloscope"), "/opt/h/bin/hloscope");
  EXPECT_EQ(OwnProgramFrom("/usr/bin/hloscope", "/opt/h/bin/hloscope"), "/usr/bin/hloscope");
  EXPECT_EQ(OwnProgramFrom("/usr/bin/hloscope", ""), "/usr/bin/hloscope");
  EXPECT_EQ(OwnProgramFrom("", "/opt/h/bin/hloscope"), "/opt/h/bin/hloscope");
  EXPECT_EQ(OwnProgram(), fs::read_symlink("/proc/self/exe").string());
}

TEST_F(ResourcesTest, Nowhere) { EXPECT_EQ(FindResourceDirectoryFrom((root_ / "no" / "such").string()), ""); }

TEST_F(ResourcesTest, Pages) {
  const std::string directory = MakeResources(root_ / "resources");
  EXPECT_EQ(ReadOpPage(directory, Opcode::kAdd), "# add\n");
  EXPECT_FALSE(ReadOpPage(directory, Opcode::kSubtract).has_value());
  EXPECT_FALSE(ReadOpPage(directory, Opcode::kInvalid).has_value());
  EXPECT_FALSE(ReadOpPage("", Opcode::kAdd).has_value());
  fs::create_directories(root_ / "resources" / "diagnostics");
  std::ofstream(root_ / "resources" / "diagnostics" / "bad-token.md") << "# bad-token\n";
  EXPECT_EQ(ReadDiagnosticPage(directory, "bad-token"), "# bad-token\n");
  EXPECT_FALSE(ReadDiagnosticPage(directory, "stray-byte").has_value());
  EXPECT_FALSE(ReadDiagnosticPage("", "bad-token").has_value());
}

}  // namespace
}  // namespace hloscope
