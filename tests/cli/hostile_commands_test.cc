// SPDX-License-Identifier: Apache-2.0
// Every command on files that ask for more than there is, are nested without end, or are damaged: it ends by itself,
// soon after its limits, says what is wrong, and leaves no part of a file.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/command.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "interop/files/gzip.h"
#include "interop/files/write_file.h"
#include "tests/support/command_line.h"
#include "tests/support/hostile_files.h"
#include "tests/support/measured_command.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMemory = int64_t{100} << 20, kMoreMemory = int64_t{64} << 20;
constexpr double kSeconds = 0.5, kMoreSeconds = 0.2, kStartSeconds = 0.3;
// Of commands that have no limits: what the largest of the files may take.
constexpr double kMostSeconds = 8;
constexpr int64_t kMostMemory = int64_t{1200} << 20;

// FILE, DUMPS (a folder with two stages) and OUT (a folder that is there) are filled in; the limits that a command has,
// --fill, --threads, and --batch with a script are added.
constexpr const char* kRows[] = {
    "check FILE",
    "check --json FILE",
    "fmt FILE",
    "fmt --style=canonical FILE",
    "convert FILE -o OUT/module.pb",
    "convert FILE -o OUT/module.hlo_snapshot.pb",
    "convert FILE -o OUT/module.hlo.gz",
    "open --cost DUMPS",
    "passes DUMPS",
    "passes DUMPS --follow=r",
    "passes DUMPS --html=OUT/passes.html",
    "blame DUMPS",
    "blame DUMPS --reproduce=OUT/blame --html=OUT/blame.html",
    "run FILE --out=OUT/results",
    "run FILE --stats --trace=OUT/trace.html",
    "run FILE --trace=OUT/trace.folded --out=OUT/results.npz",
    "debug FILE",
    "value FILE",
    "value FILE r --html=OUT/value.html",
    "graph FILE",
    "graph FILE --format=json",
    "graph FILE --format=mermaid",
    "graph FILE --html=OUT/graph.html --around=r",
    "layout f32[1000000000000,1000000]{0,1:T(8,128)(1000000,1)}",
    "layout --json f32[1000000000000] f32[1000000,1000000]",
    "broadcast f32[1000000000000] f32[1,1] --dims=0",
    "broadcast --svg f32[4000000000,4000000000,4000000000] f32[1,1,1]",
    "broadcast --call=broadcast f32[] --sizes=1000000000,1000000000,1000000000",
    "layout --svg f32[1000000000,1000000000,8]",
    "cost FILE",
    "cost --json FILE --topology=ring:8",
    "cost FILE --html=OUT/cost.html",
    "memory FILE",
    "memory FILE --html=OUT/memory.html",
    "memory DUMPS --json",
    "profile FILE",
    "profile FILE --html=OUT/profile.html",
    "transform FILE",
    "transform FILE --passes=cse,dce,algebraic,fold-constants,inline-calls,unfuse --output=OUT/module.hlo",
    "transform FILE --passes=cse,dce,algebraic,fold-constants,inline-calls,unfuse --explain",
    "transform FILE --passes=canonicalize",
    "transform FILE --report=json",
    "shard FILE",
    "shard FILE --partitions=1000 --output=OUT/module.hlo",
    "shard FILE --partitions=8 --alternatives=ring:8",
    "unshard FILE --output=OUT/module.hlo",
    "compile FILE --build=off -o OUT/program",
    "extract FILE --instruction=r --depth=3",
    "compare FILE FILE",
    "compare FILE FILE --html=OUT/compare.html",
    "isolate FILE --out=OUT/parts",
    "reduce-test-case FILE --nan --timeout=0.5 --max-candidates=3 --output=OUT/module.hlo",
    "diff FILE PLAIN",
    "diff FILE FILE --html=OUT/diff.html",
    "fingerprint FILE",
    "serve --stdio",
    "explain FILE",
    "completion FILE",
    "bug-report --with-module FILE -o OUT/report.md",
};

constexpr char kPlain[] = "HloModule m\nENTRY e { p = f32[4] parameter(0) ROOT r = f32[4] sine(p) }\n";
constexpr char kScript[] = "next 3\nstep 10\nback 2\nprint r\ncontinue\nback 3\nprint r\n";

bool IsLong() { return std::getenv("HLOSCOPE_LONG_TESTS") != nullptr; }

std::vector<HostileFile> BinaryFiles() {
  const auto encoded = [](const std::string& text, interop::OutputForm form) {
    const auto document = Document::Parse(SourceText::FromString("module", text));
    return interop::EncodeModule(document->module(), form).value_or("");
  };
  std::string chain = "ENTRY e {\nx0 = f32[4] parameter(0)\n";
  for (int i = 0; i < 20000; ++i) absl::StrAppend(&chain, "x", i + 1, " = f32[4] negate(x", i, ")\n");
  const std::string proto = encoded(chain + "ROOT r = f32[4] negate(x20000)\n}\n", interop::OutputForm::kProto);
  const std::string snapshot = encoded(kPlain, interop::OutputForm::kSnapshot);
  std::string damaged = proto;
  for (size_t at = 50; at < damaged.size(); at += 997) damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
  // Of many parts, so that nothing here is as large as what they expand to.
  const auto expanding = [](const std::string& begin, char fill, const std::string& end) {
    std::string bytes = interop::Gzip(begin).value_or("");
    const std::string part = interop::Gzip(std::string(size_t{1} << 20, fill)).value_or("");
    for (int k = 0; k < 300; ++k) bytes += part;
    return bytes + interop::Gzip(end).value_or("");
  };
  return {{"whole.hlo.pb", proto, false},
          {"cut.hlo.pb", proto.substr(0, proto.size() / 2), true},
          {"damaged.hlo.pb", damaged, false},
          {"cut.hlo_snapshot.pb", snapshot.substr(0, snapshot.size() - 7), false},
          {"bomb.txt.gz", expanding("HloModule m\nENTRY e {\n", ' ', "ROOT r = f32[4] parameter(0) }\n"), false},
          {"nothing.hlo.pb.gz", expanding("", '\0', ""), true},
          {"text.mlirbc", absl::StrCat("ML\xefR", std::string(1000, '\x7f')), false}};
}

std::vector<HostileFile> MakeFiles() {
  std::vector<HostileFile> files = HostileTexts();
  for (HostileFile& file : HostilePrograms()) files.push_back(std::move(file));
  for (HostileFile& file : BinaryFiles()) files.push_back(std::move(file));
  if (!IsLong()) std::erase_if(files, [](const HostileFile& file) { return !file.is_quick; });
  return files;
}

const std::vector<HostileFile>& FilesOfTest() {
  static const auto* const files = new std::vector<HostileFile>(MakeFiles());
  return *files;
}

// What reading a file takes is the same for all commands.
const Usage& Reading(const std::string& path, const std::string& name) {
  static auto* const known = new std::map<std::string, Usage>;
  const auto [it, inserted] = known->try_emplace(name);
  if (inserted) it->second = MeasureCommand({"check", path});
  return it->second;
}

class HostileCommandsTest : public CommandLineTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    CommandLineTest::SetUp();
    files_ = {folder_ / "stdin", folder_ / "stdout", folder_ / "stderr"};
    std::ofstream(folder_ / "plain.hlo") << kPlain;
    std::ofstream(folder_ / "script") << kScript;
  }

  void Write(const HostileFile& file) const {
    std::ofstream(folder_ / file.name, std::ios::binary) << file.bytes;
    fs::remove_all(folder_ / "dumps");
    fs::create_directory(folder_ / "dumps");
    const std::string suffix = file.name.substr(file.name.find('.'));
    for (const char* stage : {"before_optimizations", "0001.p.after_algebraic.before_cse"}) {
      fs::copy(folder_ / file.name, folder_ / absl::StrCat("dumps/module_0001.m.", stage, suffix));
    }
    fs::remove_all(folder_ / "out");
    fs::create_directory(folder_ / "out");
  }

  std::vector<std::string> Words(const Command& command, const std::string& row, const std::string& name) const {
    std::vector<std::string> words = absl::StrSplit(absl::StrReplaceAll(row, {{"FILE", folder_ / name},
                                                                              {"DUMPS", folder_ / "dumps"},
                                                                              {"OUT", folder_ / "out"},
                                                                              {"PLAIN", folder_ / "plain.hlo"}}),
                                                    ' ');
    for (const OptionSpec& option : command.options) {
      if (option.name == "memory-limit") words.push_back(absl::StrCat("--memory-limit=", kMemory));
      if (option.name == "time-limit") words.push_back(absl::StrCat("--time-limit=", kSeconds));
      if (option.name == "threads") words.push_back("--threads=1");
      if (option.name == "fill") words.push_back("--fill=random");
      if (option.name == "batch") words.insert(words.end(), {"--batch", "-x", folder_ / "script"});
    }
    return words;
  }

  void WriteRequests(const std::string& path) const {
    std::ofstream requests(files_.input);
    requests << R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":")" << path << "\"}}\n";
    int id = 1;
    for (const char* method : {"check", "cost", "text"}) {
      requests << R"({"jsonrpc":"2.0","id":)" << ++id << R"(,"method":")" << method << R"(","params":{"handle":1}})"
               << "\n";
    }
    for (const char* method : {"run", "nan_origin"}) {
      requests << R"({"jsonrpc":"2.0","id":)" << ++id << R"(,"method":")" << method
               << R"(","params":{"handle":1,"fill":"random","threads":1,"memory_limit":")" << kMemory
               << R"(","time_limit":)" << kSeconds << "}}\n";
    }
  }

  // What is there of files that are not whole, and of results that came to nothing.
  std::vector<std::string> Left(bool is_limited) const {
    std::vector<std::string> left;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const std::string path = entry.path().string();
      if (absl::StrContains(path, "/.hloscope.") || (is_limited && absl::StartsWith(path, folder_ / "out/"))) {
        left.push_back(path);
      }
    }
    return left;
  }

  TestFolder folder_;
  CommandFiles files_;
};

std::string NameOfRow(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = absl::StrCat(info.index, "_", std::string(absl::string_view(info.param).substr(0, 40)));
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Commands, HostileCommandsTest, ::testing::ValuesIn(kRows), NameOfRow);

TEST(HostileCommands, EveryCommandHasARow) {
  for (const Command* command : AllCommands()) {
    EXPECT_TRUE(std::any_of(std::begin(kRows), std::end(kRows),
                            [&](const char* row) { return absl::StartsWith(row, absl::StrCat(command->name, " ")); }))
        << "no row in kRows for hloscope " << command->name;
  }
}

TEST_P(HostileCommandsTest, EndsByItself) {
  const std::string row = GetParam();
  const Command* const command = FindCommand(row.substr(0, row.find(' ')));
  ASSERT_NE(command, nullptr) << row;
  const bool reads = absl::StrContains(row, "FILE") || absl::StrContains(row, "DUMPS") || command->name == "serve";
  const auto has = [&](absl::string_view name) {
    return std::any_of(command->options.begin(), command->options.end(),
                       [&](const OptionSpec& option) { return option.name == name; });
  };
  for (const HostileFile& file : FilesOfTest()) {
    SCOPED_TRACE(absl::StrCat("hloscope ", row, ", FILE is ", file.name));
    Write(file);
    if (command->name == "serve") WriteRequests(folder_ / file.name);
    const Usage& reading = Reading(folder_ / file.name, file.name);
    const Usage usage = MeasureCommand(Words(*command, row, file.name), files_);
    const std::string errors = ReadFileOrDie(files_.errors), output = ReadFileOrDie(files_.output);
    EXPECT_GE(usage.exit_status, 0) << "ended by a signal after " << usage.processor_seconds << " s\n" << errors;
    EXPECT_LE(usage.exit_status, 3);
    // Two modules, or a module twice, are read by some.
    // Of others than runs the limit is one of what they start.
    const double limit = has("step-limit") ? kSeconds + kMoreSeconds + 2 * reading.processor_seconds : kMostSeconds;
    EXPECT_LE(usage.processor_seconds, limit + kStartSeconds);
    const int64_t most = has("memory-limit") ? kMemory + kMoreMemory + 2 * reading.peak_bytes : kMostMemory;
    EXPECT_LE(usage.peak_bytes, most);
    EXPECT_TRUE(usage.exit_status == 0 || !errors.empty() || !output.empty()) << "it does not say why";
    if (usage.exit_status == 3) {
      EXPECT_THAT(errors, ::testing::ContainsRegex("limit|took longer|memory|cancelled"));
    }
    EXPECT_FALSE(absl::StrContains(errors, '\x1b'));
    EXPECT_THAT(Left(usage.exit_status == 3), ::testing::IsEmpty());
    fs::remove(folder_ / file.name);
    if (!reads) break;
  }
}

// Names that are no words, links that lead nowhere or to themselves, and what is no file at all.
TEST_F(HostileCommandsTest, FoldersWithOddNames) {
  const std::string dumps = folder_ / "odd\n\x1b[31m";
  fs::create_directory(dumps);
  for (const char* name :
       {"module_0001.m\n\x1b[2J.before_optimizations.txt", "module_0002.\xff\xfe.before_optimizations.txt",
        "module_0003.'; rm x;'.before_optimizations.txt", "-.txt", "module_0004.$(id).0001.p.after_a.txt",
        "module_99999999999999999999.m.before_optimizations.txt"}) {
    std::ofstream(absl::StrCat(dumps, "/", name)) << kPlain;
  }
  fs::create_directory(dumps + "/module_0005.m.before_optimizations.txt");
  fs::create_symlink(dumps + "/module_0006.m.before_optimizations.txt",
                     dumps + "/module_0006.m.before_optimizations.txt");
  fs::create_symlink("nowhere", dumps + "/module_0007.m.before_optimizations.txt");
  ASSERT_EQ(mkfifo((dumps + "/module_0008.m.before_optimizations.txt").c_str(), 0600), 0);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"open", "--cost", dumps},
                                             {"open", dumps, "--json"},
                                             {"passes", dumps},
                                             {"passes", dumps, "--module=1"},
                                             {"blame", dumps, "--fill=zeros"},
                                             {"blame", dumps, "--fill=zeros", "--module=2"},
                                             {"memory", dumps},
                                             {"memory", dumps, "--module=2"}}) {
    SCOPED_TRACE(absl::StrCat(command[0], " ", command.back()));
    const Usage usage = MeasureCommand(command, files_);
    EXPECT_GE(usage.exit_status, 0);
    EXPECT_LE(usage.exit_status, 2);
    EXPECT_LE(usage.processor_seconds, kStartSeconds);
    const std::string all = ReadFileOrDie(files_.errors) + ReadFileOrDie(files_.output);
    EXPECT_FALSE(all.empty());
    EXPECT_FALSE(absl::StrContains(all, '\x1b')) << all;
  }
}

}  // namespace
}  // namespace hloscope::cli
