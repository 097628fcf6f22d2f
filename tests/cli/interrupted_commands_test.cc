// SPDX-License-Identifier: Apache-2.0
// SIGINT in the middle of what a command does: it ends soon, with status 3, and nothing is left of it.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/running_processes.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"
#include "tests/support/time_limit.h"

extern char** environ;

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

// LONG and OTHER are modules of many instructions, ENDLESS one that does not end, LARGE one with large arrays; DUMPS
// and ENDLESS_DUMPS are folders with stages of these, OUT is a folder that is there, COPY a copy of LONG there, SCRIPT
// has commands of the debugger.
constexpr const char* kInterruptedRows[] = {
    "check LONG",
    "check --json LONG",
    "fmt LONG",
    "fmt --in-place COPY",
    "convert LONG -o OUT/module.pb",
    "convert LONG -o OUT/module.hlo.gz",
    "convert LARGE -o OUT/module.hlo_snapshot.pb --fill=random --threads=1",
    "open --cost DUMPS",
    "passes DUMPS",
    "passes DUMPS --html=OUT/passes.html",
    "passes DUMPS --follow=r",
    "passes DUMPS --to=1",
    "blame DUMPS --fill=random --threads=1",
    "blame ENDLESS_DUMPS --fill=random --reproduce=OUT/blame --html=OUT/blame.html",
    "run LONG --fill=random --threads=1 --out=OUT/results",
    "run ENDLESS --fill=random --out=OUT/results --trace=OUT/trace.json",
    "run LARGE --fill=random --threads=1 --out=OUT/results.npz --stats",
    "debug ENDLESS --batch -x SCRIPT --fill=random",
    "debug LONG --batch -x SCRIPT --fill=random",
    "value ENDLESS --fill=random",
    "value LARGE r --fill=random --threads=1 --html=OUT/value.html",
    "graph LONG",
    "graph LONG --format=json",
    "graph LONG --html=OUT/graph.html",
    "cost LONG",
    "cost LONG --html=OUT/cost.html",
    "memory LONG",
    "memory LONG --schedule=list --html=OUT/memory.html",
    "transform LONG --output=OUT/module.hlo",
    "transform LONG --passes=cse,dce,algebraic,fold-constants,inline-calls,unfuse --report=json",
    "shard LONG --partitions=8 --output=OUT/module.hlo",
    "unshard LONG --output=OUT/module.hlo",
    "compile LONG --build=off -o OUT/program",
    "extract LONG --instruction=r --depth=1000000",
    "compare LONG OTHER --fill=random --threads=1 --html=OUT/compare.html",
    "compare ENDLESS ENDLESS --fill=random",
    "isolate LONG --fill=random --threads=1 --out=OUT/parts",
    "diff LONG OTHER",
    "diff LONG OTHER --html=OUT/diff.html",
    "fingerprint LONG",
    "bug-report --with-module LONG -o OUT/report.md",
};

std::string LongModule(int other) {
  constexpr int kCount = 100000;
  std::string text = "HloModule m\nENTRY e {\nx0 = f32[4] parameter(0)\n";
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "x", i + 1, " = f32[4] ", i == other ? "sine" : "negate", "(x", i, ")\n");
  }
  return absl::StrCat(text, "ROOT r = f32[4] negate(x", kCount, ")\n}\n");
}

constexpr char kEndless[] = R"(HloModule m
c { p = f32[] parameter(0) n = f32[] constant(2) ROOT t = pred[] compare(p, n), direction=LT }
b { p = f32[] parameter(0) ROOT a = f32[] sine(p) }
ENTRY e { p = f32[] parameter(0) ROOT r = f32[] while(p), condition=c, body=b }
)";
constexpr char kLarge[] = R"(HloModule m
ENTRY e { p = f32[50000000] parameter(0) s = f32[50000000] sine(p) ROOT r = f32[50000000] cosine(s) }
)";

class InterruptedCommandsTest : public CommandLineTest, public ::testing::WithParamInterface<const char*> {
 protected:
  struct Ended {
    bool by_itself = true;
    int exit_status = -1;                                       // -1: by a signal
    double processor_seconds = 0, seconds_after_interrupt = 0;  // of the processor; on the clock
  };

  void SetUp() override {
    CommandLineTest::SetUp();
    const std::string module = LongModule(-1), other = LongModule(5000);
    std::ofstream(folder_ / "long.hlo") << module;
    std::ofstream(folder_ / "other.hlo") << other;
    std::ofstream(folder_ / "endless.hlo") << kEndless;
    std::ofstream(folder_ / "large.hlo") << kLarge;
    std::ofstream(folder_ / "script") << "continue\nback 1000000\ncontinue\nback 1000000\n";
    fs::create_directory(folder_ / "dumps");
    fs::create_directory(folder_ / "endless_dumps");
    for (const auto& [stage, text] : {std::pair("before_optimizations", &module), std::pair("0001.p.after_a.b", &other),
                                      std::pair("0002.p.after_b.c", &module)}) {
      std::ofstream(absl::StrCat(folder_ / "dumps", "/module_0001.m.", stage, ".txt")) << *text;
      std::ofstream(absl::StrCat(folder_ / "endless_dumps", "/module_0001.m.", stage, ".txt")) << kEndless;
    }
  }

  // Runs the command of the row; SIGINT once it has taken so much of the processor's time, unless it is 0.
  Ended Run(double processor_seconds) const {
    fs::remove_all(folder_ / "out");
    fs::create_directory(folder_ / "out");
    fs::copy_file(folder_ / "long.hlo", folder_ / "out/copy.hlo");
    std::vector<std::string> words =
        absl::StrSplit(absl::StrReplaceAll(GetParam(), {{"ENDLESS_DUMPS", folder_ / "endless_dumps"},
                                                        {"DUMPS", folder_ / "dumps"},
                                                        {"LONG", folder_ / "long.hlo"},
                                                        {"OTHER", folder_ / "other.hlo"},
                                                        {"ENDLESS", folder_ / "endless.hlo"},
                                                        {"LARGE", folder_ / "large.hlo"},
                                                        {"COPY", folder_ / "out/copy.hlo"},
                                                        {"SCRIPT", folder_ / "script"},
                                                        {"OUT", folder_ / "out"}}),
                       ' ');
    words.insert(words.begin(), HLOSCOPE_BINARY_DIR "/bin/hloscope");
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, (folder_ / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    // A shell makes what it starts in the background deaf to it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t heeded;
    sigemptyset(&heeded);
    sigaddset(&heeded, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &heeded);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int error = posix_spawn(&child, pointers[0], &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    Ended ended;
    if (error != 0) return ended;
    std::chrono::steady_clock::time_point sent;
    double before = 0;
    std::map<pid_t, std::string> children;
    int status = 0;
    rusage usage = {};
    while (wait4(child, &status, WNOHANG, &usage) == 0) {
      if (before == 0 && processor_seconds > 0 && (before = ProcessorSeconds(child)) < processor_seconds) before = 0;
      if (before > 0 && sent == std::chrono::steady_clock::time_point()) {
        children = Descendants(child);
        sent = std::chrono::steady_clock::now();
        kill(child, SIGINT);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ended.by_itself = before == 0;
    ended.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    ended.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime) - before;
    ended.seconds_after_interrupt = std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
    EXPECT_TRUE(AllEnd(children));
    return ended;
  }

  // What there is of results, and of files that are not whole.
  std::vector<std::string> Left() const {
    std::vector<std::string> left;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const std::string path = entry.path().string();
      const bool is_result = absl::StartsWith(path, folder_ / "out/") && path != folder_ / "out/copy.hlo";
      if (is_result || absl::StrContains(path, "/.hloscope.")) left.push_back(path);
    }
    return left;
  }

  TestFolder folder_;

 private:
  static double ProcessorSeconds(pid_t process) {
    std::ifstream file(absl::StrCat("/proc/", process, "/stat"));
    std::string line;
    std::getline(file, line);
    const size_t name_end = line.rfind(") ");
    if (name_end == std::string::npos) return 0;
    const std::vector<std::string> fields = absl::StrSplit(line.substr(name_end + 2), ' ');
    return (std::atof(fields[11].c_str()) + std::atof(fields[12].c_str())) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
};

std::string NameOfInterruptedRow(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = absl::StrCat(info.index, "_", std::string(absl::string_view(info.param).substr(0, 40)));
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Commands, InterruptedCommandsTest, ::testing::ValuesIn(kInterruptedRows),
                         NameOfInterruptedRow);

TEST_P(InterruptedCommandsTest, EndSoonAndLeaveNothing) {
  const std::string row = GetParam();
  const bool is_endless = absl::StrContains(row, "ENDLESS");
  Ended whole;
  whole.exit_status = 3;  // all that an endless one ends with
  if (!is_endless) whole = Run(0);
  // Early, while it reads, and in the middle of its own work.
  for (const double share : {0.25, 0.7}) {
    Ended ended;
    // It may be quicker than the first time, or has just done its work: the clock of a process has coarse ticks.
    for (int attempt = 0; attempt < 5 && (ended.by_itself || ended.exit_status != 3); ++attempt) {
      const double after = share * (is_endless ? 0.5 : whole.processor_seconds);
      SCOPED_TRACE(absl::StrCat("after ", after, " s of hloscope ", row));
      ended = Run(after);
      if (ended.by_itself) {
        if (!is_endless) whole.processor_seconds = std::min(whole.processor_seconds, ended.processor_seconds);
        continue;
      }
      const std::string errors = ReadFileOrDie(folder_ / "errors");
      EXPECT_THAT(ended.exit_status, ::testing::AnyOf(whole.exit_status, 3)) << errors;
      // A quarter of it where nothing else runs: values are given back.
      EXPECT_LE(ended.processor_seconds, TimeLimit(1)) << errors;
      EXPECT_LE(ended.seconds_after_interrupt, TimeLimit(20));
      if (ended.exit_status != 3) continue;
      EXPECT_THAT(Left(), ::testing::IsEmpty());
      EXPECT_EQ(fs::file_size(folder_ / "out/copy.hlo"), fs::file_size(folder_ / "long.hlo"));
    }
    if (share < 0.5) {
      EXPECT_EQ(ended.exit_status, 3) << "never interrupted";
    }
  }
}

}  // namespace
}  // namespace hloscope::cli
