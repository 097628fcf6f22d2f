// SPDX-License-Identifier: Apache-2.0
// What commands start ends with them, whatever ends them, and cannot keep them waiting.
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

extern char** environ;

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

constexpr char kNegation[] = "ENTRY e { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n";

class ChildProcessesTest : public CommandLineTest {
 protected:
  static pid_t Start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HLOSCOPE_BINARY_DIR "/bin/hloscope");
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, words[0], nullptr, nullptr, words.data(), environ) != 0) return -1;
    return child;
  }
  // The number in a file, as soon as there is one.
  static pid_t NumberIn(const std::string& path) {
    pid_t number = 0;
    EXPECT_TRUE(Becomes([&] { return static_cast<bool>(std::ifstream(path) >> number); })) << path;
    return number;
  }
  template <typename Condition>
  static bool Becomes(const Condition& condition) {
    for (int i = 0; i < 1000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  // Of a process that is no child of ours: what is left of it is for somebody else to collect.
  static bool IsGone(pid_t process) {
    std::ifstream status(absl::StrCat("/proc/", process, "/stat"));
    std::string line;
    return !std::getline(status, line) || line.find(") Z ") != std::string::npos;
  }
};

TEST_F(ChildProcessesTest, EndWhenTheirParentIsKilled) {
  const std::string program = directory_ + "/program", helper = directory_ + "/helper";
  const std::string script = absl::StrCat("sleep 1000 & echo $! > '", helper, "'; echo $$ > '", program, "'; wait");
  const pid_t parent =
      Start({"reduce-test-case", Module(kNegation), "--timeout=1000", "--", "sh", "-c", script, "sh", "{}"});
  ASSERT_GT(parent, 0);
  const pid_t child = NumberIn(program), grandchild = NumberIn(helper);
  ASSERT_GT(child, 0);
  ASSERT_GT(grandchild, 0);
  EXPECT_FALSE(IsGone(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(Becomes([&] { return IsGone(child); }));
  EXPECT_TRUE(Becomes([&] { return IsGone(grandchild); }));
}

TEST_F(ChildProcessesTest, ThatCloseTheirOutputAreNotWaitedForBeyondTheTimeLimit) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome =
      RunHloscope({"reduce-test-case", Module(kNegation), "--timeout=0.5", "--", "sh", "-c", "exec >&-; sleep 60"});
  EXPECT_EQ(outcome.exit_status, 3) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("took longer than 0.5 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(ChildProcessesTest, ThatWriteWithoutEndAreEnded) {
  const Outcome outcome =
      RunHloscope({"reduce-test-case", Module(kNegation), "--timeout=1000", "--", "sh", "-c", "cat /dev/zero; exit 1"});
  EXPECT_EQ(outcome.exit_status, 3) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("wrote more than"));
}

// Nobody else watches for the end of a program that has ended by itself.
TEST_F(ChildProcessesTest, WhatAProgramLeavesRunningIsLeftAlone) {
  const std::string left = directory_ + "/left";
  RunHloscope(
      {"reduce-test-case", Module(kNegation), "--max-candidates=1", "--", "sh", "-c",
       absl::StrCat("if [ ! -e '", left, "' ]; then sleep 1000 >&- 2>&- & echo $! > '", left, "'; fi; exit 1")});
  const pid_t process = NumberIn(left);
  ASSERT_GT(process, 0);
  EXPECT_FALSE(IsGone(process));
  kill(process, SIGKILL);
}

TEST_F(ChildProcessesTest, LayoutsOfVeryManyNodesSayWhatTheyDo) {
  std::string text = "ENTRY e { x0 = f32[4] parameter(0)\n";
  constexpr int kCount = 6000;
  for (int i = 1; i < kCount; ++i) absl::StrAppend(&text, "x", i, " = f32[4] add(x", i - 1, ", x", i / 2, ")\n");
  const std::string module = Module(absl::StrCat(text, "ROOT r = f32[4] negate(x", kCount - 1, ") }\n"));
  const Outcome outcome = RunHloscope({"graph", "--format=svg", "--time-limit=0.2", module});
  EXPECT_THAT(outcome.errors, HasSubstr("Graphviz lays out 6001 nodes, for at most 0.2 s (--time-limit); --around, "
                                        "--computation and --group-by draw less"));
  if (absl::StrContains(outcome.errors, "was not found")) GTEST_SKIP() << "no Graphviz";
  EXPECT_EQ(outcome.exit_status, 3) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("took longer than 0.2 s to lay out 6001 nodes; --time-limit allows more"));
}

}  // namespace
}  // namespace hloscope::cli
