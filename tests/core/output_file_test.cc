// SPDX-License-Identifier: Apache-2.0
// Files that take their places together or not at all.
#include "core/source/output_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"

namespace hloscope {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
 protected:
  std::vector<std::string> Entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      names.push_back(entry.path().lexically_relative(folder_.path()).string());
    }
    return names;
  }

  TestFolder folder_;
};

TEST_F(OutputFileTest, TogetherTakeTheirPlacesAtTheEnd) {
  std::ofstream(folder_ / "old") << "before";
  chmod((folder_ / "old").c_str(), 0640);
  {
    OutputFilesTogether files;
    ASSERT_TRUE(MakeFolders(folder_ / "a/b").ok());
    for (const char* name : {"old", "a/b/new", "a/other"}) ASSERT_TRUE(WriteFileAtomically(folder_ / name, name).ok());
    EXPECT_EQ(ReadFileOrDie(folder_ / "old"), "before");
    EXPECT_FALSE(fs::exists(folder_ / "a/b/new"));
    ASSERT_TRUE(files.Finish().ok());
  }
  EXPECT_EQ(ReadFileOrDie(folder_ / "old"), "old");
  struct stat status;
  ASSERT_EQ(stat((folder_ / "old").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_THAT(Entries(), ::testing::UnorderedElementsAre("old", "a", "a/b", "a/b/new", "a/other"));
}

TEST_F(OutputFileTest, TogetherWithoutAnEndLeaveNothing) {
  fs::create_directory(folder_ / "there");
  {
    const OutputFilesTogether files;
    ASSERT_TRUE(MakeFolders(folder_ / "a/b").ok());
    ASSERT_TRUE(MakeFolder(folder_ / "there").ok());
    for (const char* name : {"a/b/new", "there/new"}) ASSERT_TRUE(WriteFileAtomically(folder_ / name, name).ok());
  }
  EXPECT_THAT(Entries(), ::testing::ElementsAre("there"));
  // The next files are none of theirs.
  ASSERT_TRUE(WriteFileAtomically(folder_ / "alone", "alone").ok());
  EXPECT_EQ(ReadFileOrDie(folder_ / "alone"), "alone");
}

TEST_F(OutputFileTest, TheOuterOnesDecide) {
  {
    OutputFilesTogether outer;
    {
      OutputFilesTogether inner;
      ASSERT_TRUE(MakeFolder(folder_ / "kept").ok());
      ASSERT_TRUE(WriteFileAtomically(folder_ / "kept/file", "1").ok());
      ASSERT_TRUE(inner.Finish().ok());
    }
    {
      const OutputFilesTogether inner;
      ASSERT_TRUE(WriteFileAtomically(folder_ / "dropped", "2").ok());
    }
    EXPECT_FALSE(fs::exists(folder_ / "kept/file"));
    ASSERT_TRUE(outer.Finish().ok());
  }
  EXPECT_THAT(Entries(), ::testing::UnorderedElementsAre("kept", "kept/file"));
}

// However many there are.
TEST_F(OutputFileTest, ASignalRemovesWhatIsUnfinished) {
  const pid_t child = fork();
  if (child == 0) {
    OutputFilesTogether files;
    bool good = MakeFolders(folder_ / "a/b").ok();
    for (int i = 0; i < 100; ++i) good &= WriteFileAtomically(folder_ / absl::StrCat("a/b/", i), "x").ok();
    OutputFile::RemoveUnfinished();
    _exit(good ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_THAT(Entries(), ::testing::IsEmpty());
}

TEST_F(OutputFileTest, FoldersThatCannotBeSayWhy) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THAT(std::string(MakeFolders(folder_ / "file").message()), ::testing::HasSubstr("Not a directory"));
  EXPECT_THAT(std::string(MakeFolders(folder_ / "file/below").message()), ::testing::HasSubstr("Not a directory"));
  EXPECT_THAT(std::string(MakeFolder(folder_ / "missing/below").message()), ::testing::HasSubstr("No such file"));
}

}  // namespace
}  // namespace hloscope
