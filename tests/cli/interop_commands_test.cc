// SPDX-License-Identifier: Apache-2.0
// Protos, snapshots, texts of several modules and folders of dumps on the command line.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "interop/files/gzip.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

constexpr char kText[] =
    "HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\n\nENTRY %e (p: f32[2]) -> f32[2] {\n"
    "  %p = f32[2]{0} parameter(0)\n  ROOT %s = f32[2]{0} add(%p, %p)\n}\n\n";

class InteropCommandsTest : public CommandLineTest {
 protected:
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
};

TEST_F(InteropCommandsTest, ConvertsThereAndBack) {
  const std::string module = Module(kText);
  for (const char* name : {"a.hlo.pb", "a.hlo.pb.gz", "a.pbtxt"}) {
    ASSERT_EQ(RunHloscope({"convert", module, "-o", Path(name)}).exit_status, 0);
    const Outcome back = RunHloscope({"convert", Path(name), "-o", "-", "--to=text"});
    EXPECT_EQ(back.exit_status, 0) << back.errors;
    EXPECT_EQ(back.output, kText);
    // The name does not matter.
    std::filesystem::rename(Path(name), Path("renamed.txt"));
    EXPECT_EQ(RunHloscope({"check", Path("renamed.txt")}).exit_status, 0);
  }
  const Outcome usage = RunHloscope({"convert", module, "-o", Path("a.xyz")});
  EXPECT_EQ(usage.exit_status, 2);
  EXPECT_TRUE(absl::StrContains(usage.errors, "does not say its form")) << usage.errors;
}

TEST_F(InteropCommandsTest, ConvertKeepsWhatItDoesNotKnow) {
  const std::string module = Module(kText);
  ASSERT_EQ(RunHloscope({"convert", module, "-o", Path("known.hlo.pb")}).exit_status, 0);
  std::ifstream known(Path("known.hlo.pb"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(known)), {});
  bytes += std::string("\xc0\x3e\x07", 3);  // field 1000 of the HloProto: 7
  std::ofstream(Path("newer.hlo.pb"), std::ios::binary) << bytes;
  for (const char* name : {"a.hlo.pb.gz", "b.hlo.pb"}) {
    const std::string from = name[0] == 'a' ? Path("newer.hlo.pb") : Path("a.hlo.pb.gz");
    const Outcome converted = RunHloscope({"convert", from, "-o", Path(name)});
    ASSERT_EQ(converted.exit_status, 0) << converted.errors;
    EXPECT_EQ(converted.errors, "");
  }
  std::ifstream again(Path("b.hlo.pb"), std::ios::binary);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(again)), {}), bytes);
}

// Exit status 3 is that of a limit, whichever command reads the file.
TEST_F(InteropCommandsTest, ExpandingBeyondTheMemoryLimitIsALimit) {
  const absl::StatusOr<std::string> packed = interop::Gzip(absl::StrCat(kText, std::string(size_t{16} << 20, '\n')));
  ASSERT_TRUE(packed.ok());
  std::ofstream(Path("long.txt.gz"), std::ios::binary) << *packed;
  std::ofstream(Path("no_gzip.txt.gz"), std::ios::binary) << packed->substr(0, packed->size() / 2);
  const std::string module = Module(kText);
  const std::vector<std::vector<std::string>> commands = {{"run", "--fill=zeros"},
                                                          {"value", "--fill=zeros"},
                                                          {"debug", "--fill=zeros", "--batch"},
                                                          {"isolate", "--fill=zeros"},
                                                          {"convert", "--to=text"},
                                                          {"convert", "--to=snapshot", "--fill=zeros"},
                                                          {"compare", "--fill=zeros", module}};
  for (std::vector<std::string> command : commands) {
    command.push_back("--memory-limit=10M");
    for (const auto& [file, status] : {std::pair{"long.txt.gz", 3}, std::pair{"no_gzip.txt.gz", 1}}) {
      std::vector<std::string> words = command;
      words.push_back(Path(file));
      const Outcome outcome = RunHloscope(words);
      EXPECT_EQ(outcome.exit_status, status) << absl::StrJoin(words, " ") << outcome.errors;
      EXPECT_TRUE(absl::StrContains(outcome.errors, status == 3 ? "expand to more than" : "truncated"))
          << outcome.errors;
    }
  }
  // The first file counts too, and what is read after it does not hide it.
  EXPECT_EQ(RunHloscope({"compare", "--fill=zeros", "--memory-limit=10M", Path("long.txt.gz"), module}).exit_status, 3);
}

// So is what stages of dumps, profiles and records of buffers expand to, and its message names the file and the limit.
TEST_F(InteropCommandsTest, WhateverIsReadExpandsWithinTheMemoryLimit) {
  const std::string packed = interop::Gzip(absl::StrCat(kText, std::string(size_t{16} << 20, '\n'))).value_or("");
  const std::string module = Module(kText), folder = Path("dumps");
  ASSERT_TRUE(std::filesystem::create_directory(folder));
  const std::string first = "module_0001.m.before_optimizations", second = "module_0001.m.0001.p.after_a.before_b";
  std::ofstream(absl::StrCat(folder, "/", first, ".txt")) << kText;
  std::ofstream(absl::StrCat(folder, "/", second, ".txt"), std::ios::binary) << packed;
  std::ofstream(Path("long.gz"), std::ios::binary) << packed;
  const std::string long_file = Path("long.gz"), stage = absl::StrCat(folder, "/", second, ".txt");
  const std::string page = Path("page.html");
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
      {{"passes", folder}, stage},
      {{"passes", folder, "--html=" + page}, stage},
      {{"passes", folder, "--to=1"}, stage},
      {{"passes", folder, "--follow=s"}, stage},
      {{"open", "--cost", folder}, stage},
      {{"blame", folder, "--fill=zeros"}, stage},
      {{"blame", folder, "--inputs=" + long_file}, long_file},
      {{"memory", folder}, stage},
      {{"memory", module, "--buffer-assignment=" + long_file}, long_file},
      {{"profile", long_file}, long_file},
      {{"profile", long_file, "--html=" + page}, long_file},
      {{"profile", module, "--devices=" + long_file}, long_file}};
  for (const auto& [command, file] : rows) {
    std::vector<std::string> words = command;
    words.push_back("--memory-limit=10M");
    const Outcome outcome = RunHloscope(words);
    EXPECT_EQ(outcome.exit_status, 3) << absl::StrJoin(words, " ") << outcome.errors;
    EXPECT_TRUE(absl::StrContains(outcome.errors, absl::StrCat(file, ": gzip: "))) << outcome.errors;
    EXPECT_TRUE(absl::StrContains(outcome.errors, "expand to more than the limit of 10485760 bytes"));
    EXPECT_FALSE(std::filesystem::exists(page));
    words.back() = "--memory-limit=1G";
    EXPECT_NE(RunHloscope(words).exit_status, 3) << absl::StrJoin(words, " ");
    std::filesystem::remove(page);
    words.back() = "--memory-limit=much";
    EXPECT_EQ(RunHloscope(words).exit_status, 2) << absl::StrJoin(words, " ");
  }
}

TEST_F(InteropCommandsTest, SnapshotsAreReplayedAndCompared) {
  const std::string module = Module(kText);
  const std::string snapshot = Path("a.hlo_snapshot.pb");
  ASSERT_EQ(RunHloscope({"convert", module, "-o", snapshot, "--fill=iota"}).exit_status, 0);
  const Outcome run = RunHloscope({"run", snapshot, "--print"});
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(absl::StrContains(run.output, "{0, 2}")) << run.output;
  EXPECT_TRUE(absl::StrContains(run.errors, "agree with the snapshot's")) << run.errors;

  // The last byte of the file is the sign and exponent of the last element of the result.
  std::string bytes = ReadFileOrDie(snapshot);
  bytes.back() = static_cast<char>(0xC0);
  std::ofstream(snapshot, std::ios::binary) << bytes;
  const Outcome other = RunHloscope({"run", snapshot});
  EXPECT_EQ(other.exit_status, 1);
  EXPECT_TRUE(absl::StrContains(other.errors, "result0 differs from the snapshot's: 1 of 2 elements, first {1}"))
      << other.errors;
}

TEST_F(InteropCommandsTest, ShardsAreAssembled) {
  SKIP_WITHOUT_SHARED_FILES();
  std::string first;
  for (const char* suffix : {"pbtxt", "plain.pb", "delimited.pb"}) {
    const Outcome run =
        RunHloscope({"run", SharedDirectory() + "/interop/sharded_unoptimized_hlo_snapshot." + suffix, "--print"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    if (first.empty()) first = run.output;
    EXPECT_EQ(run.output, first);
  }
  EXPECT_TRUE(absl::StrContains(first, "s64[8,1]")) << first;
}

TEST_F(InteropCommandsTest, OneOfSeveralModules) {
  const std::string module = Module(std::string(kText) + "HloModule other\n\nENTRY e { ROOT c = s32[] constant(7) }\n");
  const Outcome none = RunHloscope({"run", module, "--fill=ones"});
  EXPECT_EQ(none.exit_status, 1);
  EXPECT_TRUE(absl::StrContains(none.errors, "holds 2 modules")) << none.errors;
  EXPECT_TRUE(absl::StrContains(RunHloscope({"run", module, "--module=other", "--print"}).output, "s32[] 7"));
  EXPECT_TRUE(absl::StrContains(RunHloscope({"run", module, "--module=2", "--print"}).output, "s32[] 7"));
  EXPECT_EQ(RunHloscope({"run", module, "--module=3"}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"check", module}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "--module=1", module}).exit_status, 1);
}

TEST_F(InteropCommandsTest, DamagedFilesAreErrors) {
  const std::string module = Module(kText);
  ASSERT_EQ(RunHloscope({"convert", module, "-o", Path("a.hlo.pb")}).exit_status, 0);
  const std::string bytes = ReadFileOrDie(Path("a.hlo.pb"));
  std::ofstream(Path("cut.pb"), std::ios::binary) << bytes.substr(0, bytes.size() - 9);
  const Outcome cut = RunHloscope({"check", Path("cut.pb")});
  EXPECT_EQ(cut.exit_status, 1);
  EXPECT_TRUE(absl::StrContains(cut.errors, "truncated: field ")) << cut.errors;
}

TEST_F(InteropCommandsTest, ListsDumps) {
  std::filesystem::create_directory(Path("d"));
  std::ofstream(Path("d/module_0001.f.before_optimizations.txt")) << kText;
  std::ofstream(Path("d/module_0001.f.0000.p.after_a.before_b.txt")) << kText;
  const Outcome list = RunHloscope({"open", Path("d"), "--json"});
  EXPECT_EQ(list.exit_status, 0) << list.errors;
  EXPECT_TRUE(absl::StrContains(list.output, "\"name\": \"0000.p.after_a.before_b\"")) << list.output;
  EXPECT_EQ(RunHloscope({"open", Path("none")}).exit_status, 1);
}

}  // namespace
}  // namespace hloscope::cli
