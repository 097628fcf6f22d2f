// SPDX-License-Identifier: Apache-2.0
// What a path may lead to: files, pipes, devices that never end.
#include "core/source/file_reader.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "core/source/source_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

std::string PathOf(const std::string& name) {
  const std::string path = absl::StrCat(testing::TempDir(), "/file_reader_", getpid(), "_", name);
  unlink(path.c_str());
  return path;
}

TEST(FileReaderTest, DevicesAndFoldersAreRefused) {
  for (const char* path : {"/dev/zero", "/dev/random"}) {
    EXPECT_THAT(std::string(ReadWholeFile(path).status().message()), HasSubstr("is a device, not a file")) << path;
    EXPECT_THAT(std::string(CheckReadable(path).message()), HasSubstr("is a device, not a file")) << path;
    EXPECT_FALSE(SourceText::FromFile(path).ok());
  }
  EXPECT_THAT(std::string(ReadWholeFile("/").status().message()), HasSubstr("is a directory"));
  EXPECT_THAT(std::string(CheckReadable("/").message()), HasSubstr("is a directory"));
  EXPECT_TRUE(absl::IsNotFound(ReadWholeFile(PathOf("missing")).status()));
  EXPECT_TRUE(absl::IsNotFound(CheckReadable(PathOf("missing"))));
}

TEST(FileReaderTest, FilesAndWhatTheSystemMakesUpAreReadWhole) {
  const std::string path = PathOf("plain");
  const std::string text(200000, 'x');
  std::ofstream(path) << text;
  // The limit is for what does not say how long it is.
  EXPECT_EQ(*ReadWholeFile(path, 10), text);
  EXPECT_TRUE(CheckReadable(path).ok());
  EXPECT_EQ(*ReadWholeFile("/dev/null"), "");
  EXPECT_THAT(*ReadWholeFile("/proc/self/status"), HasSubstr("VmRSS"));
  unlink(path.c_str());
}

// What node gives to the programs that it starts.
TEST(FileReaderTest, ASocketAsStandardInputIsRead) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ASSERT_EQ(write(ends[0], "HloModule m\n", 12), 12);
  close(ends[0]);
  const int old_input = dup(STDIN_FILENO);
  ASSERT_GE(dup2(ends[1], STDIN_FILENO), 0);
  close(ends[1]);
  const absl::StatusOr<std::string> text = ReadWholeFile("-");
  if (old_input >= 0) dup2(old_input, STDIN_FILENO);
  close(old_input);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, "HloModule m\n");
}

TEST(FileReaderTest, APipeIsReadUpToALimit) {
  const std::string path = PathOf("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(CheckReadable(path).ok());
  for (const bool fits : {true, false}) {
    std::thread writer([&] { std::ofstream(path) << std::string(30000, 'y'); });
    const absl::StatusOr<std::string> text = ReadWholeFile(path, fits ? 30000 : 29999);
    writer.join();
    if (fits) {
      EXPECT_EQ(text->size(), 30000U);
    } else {
      EXPECT_THAT(std::string(text.status().message()), HasSubstr("goes on after 29999 bytes"));
    }
  }
  unlink(path.c_str());
}

}  // namespace
}  // namespace hloscope
