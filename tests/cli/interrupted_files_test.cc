// SPDX-License-Identifier: Apache-2.0
// What a signal or a limit stops while it reads or writes ends with status 3, soon, and leaves no part of what it would
// have written.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/measured_command.h"
#include "tests/support/shared_files.h"

extern char** environ;

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class InterruptedFilesTest : public CommandLineTest {
 protected:
  void TearDown() override {
    if (!directory_.empty()) fs::remove_all(directory_);
  }

  static constexpr int kEndedBefore = -2;

  // Runs `hloscope ARGUMENTS...` with an empty pipe as standard input; SIGINT when `is_time`. Returns the exit status,
  // or kEndedBefore if that time never came.
  int Interrupted(std::vector<std::string> arguments, const std::function<bool()>& is_time) const {
    int input[2];
    if (pipe2(input, O_CLOEXEC) != 0) return -1;
    arguments.insert(arguments.begin(), HLOSCOPE_BINARY_DIR "/bin/hloscope");
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, Errors().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    const int error = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return -1;
    int status = 0;
    bool is_sent = false;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (!is_sent && is_time()) {
        kill(child, SIGINT);
        is_sent = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (int end : input) close(end);
    if (!is_sent) return kEndedBefore;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string Errors() const { return directory_ + "/errors"; }

  // Files below `folder` that are being written.
  static int Unfinished(const std::string& folder) {
    int count = 0;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
      count += absl::StrContains(entry.path().string(), "/.hloscope.");
    }
    return count;
  }
};

TEST_F(InterruptedFilesTest, NoResultOfSeveralIsLeft) {
  const std::string module = Module(R"(HloModule m
ENTRY e {
  p = f32[] parameter(0)
  ROOT r = f32[] sine(p)
})");
  EXPECT_EQ(Interrupted({"run", module, "--fill=random", "--threads=1", "--replicas=3000", "--out=" + Out()},
                        [&] { return Unfinished(Out()) > 100; }),
            3);
  EXPECT_FALSE(fs::exists(Out()));
  // What was there before stays as it was.
  fs::create_directory(Out());
  std::ofstream(Out() + "/result0.r0.npy") << "old";
  EXPECT_EQ(Interrupted({"run", module, "--fill=random", "--threads=1", "--replicas=3000", "--out=" + Out()},
                        [&] { return Unfinished(Out()) > 100; }),
            3);
  EXPECT_THAT(Files(Out()), ::testing::ElementsAre("result0.r0.npy"));
  EXPECT_EQ(Unfinished(Out()), 0);
  EXPECT_EQ(ReadFileOrDie(Out() + "/result0.r0.npy"), "old");
}

TEST_F(InterruptedFilesTest, NoPartThatRanAloneIsLeft) {
  std::string text = "HloModule m\n", entry = "ENTRY e {\n  x0 = f32[4] parameter(0)\n";
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "d", i, " { p = f32[4] parameter(0) ROOT r = f32[4] sine(p) }\n");
    absl::StrAppend(&entry, "  x", i + 1, " = f32[4] fusion(x", i, "), kind=kLoop, calls=d", i, "\n");
  }
  const std::string module = Module(absl::StrCat(text, entry, "  ROOT r = f32[4] negate(x", kCount, ")\n}\n"));
  EXPECT_EQ(Interrupted({"isolate", module, "--fill=random", "--threads=1", "--out=" + Out()},
                        [&] { return Unfinished(Out()) > 100; }),
            3);
  EXPECT_FALSE(fs::exists(Out()));
}

// Printing takes its time too: the files wait for it.
TEST_F(InterruptedFilesTest, NoFileIsLeftOfARunThatPrintsForTooLong) {
  const std::string module = Module(R"(HloModule m
ENTRY e {
  p = f32[] parameter(0)
  b = f32[4000000] broadcast(p), dimensions={}
  ROOT r = f32[4000000] sine(b)
})");
  const Usage usage = MeasureCommand({"run", module, "--fill=random", "--threads=1", "--print", "--time-limit=0.3",
                                      "--out=" + Out(), "--trace=" + directory_ + "/trace.json"});
  EXPECT_EQ(usage.exit_status, 3);
  EXPECT_FALSE(fs::exists(Out()));
  EXPECT_FALSE(fs::exists(directory_ + "/trace.json"));
}

// Who sees the files has what was asked for: from then on, the command cannot be interrupted.
TEST_F(InterruptedFilesTest, FilesInTheirPlacesAreASuccess) {
  std::string text =
      "HloModule m\nd { p = f32[4] parameter(0) ROOT r = f32[4] sine(p) }\nENTRY e {\nx0 = f32[4] parameter(0)\n";
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) absl::StrAppend(&text, "x", i + 1, " = f32[4] negate(x", i, ")\n");
  const std::string module =
      Module(absl::StrCat(text, "ROOT r = f32[4] fusion(x", kCount, "), kind=kLoop, calls=d\n}\n"));
  struct Row {
    std::vector<std::string> arguments;
    std::string last;  // of its files
  };
  const Row rows[] = {
      {{"run", module, "--fill=random", "--out=" + Out()}, "/result0.npy"},
      {{"run", module, "--fill=random", "--out=" + Out() + "/all.npz", "--stats"}, "/all.npz"},
      {{"isolate", module, "--fill=random", "--out=" + Out()}, "/r/module.hlo"},
      {{"compile", module, "--build=off", "-o", Out()}, "/Makefile"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.arguments[0]);
    int status = kEndedBefore;
    for (int attempt = 0; attempt < 50 && status == kEndedBefore; ++attempt) {
      fs::remove_all(Out());
      fs::create_directory(Out());
      status = Interrupted(row.arguments, [&] { return fs::exists(Out() + row.last); });
    }
    EXPECT_EQ(status, 0);
    EXPECT_EQ(Unfinished(Out()), 0);
  }
}

TEST_F(InterruptedFilesTest, ReadingIsInterrupted) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* command : {"check", "run", "cost", "transform"}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(Interrupted({command, "-"},
                          [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300); }),
              3)
        << command;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(InterruptedFilesTest, ReadingCountsTowardTheTimeLimit) {
  // A line that is all comments, and one instruction after the other.
  std::string chain = "ENTRY e {\n  x0 = f32[4] parameter(0)\n";
  for (int i = 0; i < 1000000; ++i) absl::StrAppend(&chain, "  x", i + 1, " = f32[4] negate(x", i, ")\n");
  for (const std::string& text : {chain, absl::StrCat("HloModule m ", std::string(200000000, ' '), "\n", chain)}) {
    const std::string module = Module(text);
    const Usage usage =
        MeasureCommand({"run", module, "--fill=zeros", "--threads=1", "--time-limit=0.2"}, {"", "", Errors()});
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.processor_seconds, 0.2 + 0.2 + 0.3);
    EXPECT_THAT(ReadFileOrDie(Errors()),
                HasSubstr("module.hlo: the time limit of 0.2 seconds is over while the module is read"));
  }
  // Nobody writes.
  ASSERT_EQ(mkfifo((directory_ + "/pipe").c_str(), 0600), 0);
  const int end = open((directory_ + "/pipe").c_str(), O_RDWR | O_CLOEXEC);
  for (const char* command : {"run", "value", "isolate"}) {
    const Usage usage = MeasureCommand({command, "-", "--time-limit=0.3"}, {directory_ + "/pipe", "", Errors()});
    EXPECT_EQ(usage.exit_status, 3) << command;
    EXPECT_THAT(ReadFileOrDie(Errors()), HasSubstr("the time limit of 0.3 seconds is over while the module is read"));
  }
  close(end);
}

}  // namespace
}  // namespace hloscope::cli
