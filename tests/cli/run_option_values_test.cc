// SPDX-License-Identifier: Apache-2.0
// The options of commands that evaluate modules with every kind of wrong value, files that are not what they should be,
// and outputs that cannot be written: what is said, the exit status, and that nothing half-written is left.
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kSum = "ENTRY e { p = f32[2,3] parameter(0) ROOT r = f32[2,3] add(p, p) }\n";

// An .npy file of version 1 with this dictionary and these bytes after it.
std::string Npy(absl::string_view dictionary, absl::string_view elements) {
  std::string header(dictionary);
  header.append(117 - header.size(), ' ');
  header += '\n';
  return absl::StrCat(absl::string_view("\x93NUMPY\x01\x00\x76\x00", 10), header, elements);
}
std::string Dictionary(absl::string_view descr, absl::string_view shape = "(2, 3)", bool fortran = false) {
  return absl::StrCat("{'descr': ", descr, ", 'fortran_order': ", fortran ? "True" : "False", ", 'shape': ", shape,
                      ", }");
}
// 0, 1, ... 5 as f32.
std::string Floats(bool big_endian) {
  std::string bytes;
  for (int i = 0; i < 6; ++i) {
    const float value = static_cast<float>(i);
    const char* const at = reinterpret_cast<const char*>(&value);
    std::string element(at, sizeof(value));
    if (big_endian) element.assign(element.rbegin(), element.rend());
    bytes += element;
  }
  return bytes;
}

class RunOptionValuesTest : public CommandLineTest {
 protected:
  std::string WriteFile(const std::string& name, absl::string_view content) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

TEST_F(RunOptionValuesTest, WrongValuesAreWrongUsage) {
  const std::string module = Module(kSum);
  struct Option {
    const char* name;
    std::vector<const char*> values;
  };
  const std::vector<const char*> not_counts = {"", "-1", "x", "1e3", "1.5", "nan", "99999999999999999999", "0x10"};
  const std::vector<Option> options = {
      {"threads", not_counts},
      {"step-limit", not_counts},
      {"replicas", not_counts},
      {"replicas", {"0", "5000"}},
      {"partitions", not_counts},
      {"partitions", {"0"}},
      {"seed", {"", "-1", "x", "1.5", "18446744073709551616"}},
      {"memory-limit", {"", "-1", "x", "-5K", "1.5G", "99999999999999999999", "K"}},
      {"time-limit", {"", "-1", "x", "nan", "inf", "1s"}},
      {"fill", {"", "one", "RANDOM"}},
      {"arg", {"", "0", "0=", "=x.npy", "x=x.npy", "-1=x.npy", "0.=x.npy", "99999999999999999999=x.npy"}},
      {"args-dir", {""}},
      {"infeed", {""}},
      {"custom-call", {"", "x", "=zeros"}},
      {"color", {"", "maybe"}},
  };
  for (const char* command : {"run", "debug", "compare"}) {
    for (const Option& option : options) {
      for (const char* value : option.values) {
        std::vector<std::string> arguments = {command, module, absl::StrCat("--", option.name, "=", value)};
        if (absl::string_view(command) == "compare") arguments.insert(arguments.begin() + 1, module);
        const Outcome outcome = RunHloscope(arguments);
        EXPECT_EQ(outcome.exit_status, 2) << absl::StrJoin(arguments, " ") << "\n" << outcome.errors;
        EXPECT_THAT(outcome.errors, HasSubstr(absl::StrCat("hloscope ", command, ": "))) << outcome.errors;
        if (absl::string_view(command) != "run") break;  // all commands read them with the same code
      }
    }
  }
}

TEST_F(RunOptionValuesTest, OptionsThatDoNotGoTogether) {
  const std::string module = Module(kSum);
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--json"},
           {"--reproducer", Out()},
           {"--reproducer", Out(), "--check-nan=off"},
           {"--out="},
           {"--check-nan=yes"},
           {"--stats=maybe"},
           {"--arg=0=a.npy", "--arg=0=b.npy"},
           {"--custom-call=t=zeros", "--custom-call=t=zeros"},
           {"--wait-for-debugger"},
           {"--history-limit=1M"},
           {"--history-limit=x", "--listen=0"},
       }) {
    std::vector<std::string> arguments = {"run", module, "--fill=ones"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(RunHloscope(arguments).exit_status, 2) << absl::StrJoin(options, " ");
  }
}

TEST_F(RunOptionValuesTest, DeadCodeIsRunIfWanted) {
  const std::string module =
      Module("ENTRY e { p = f32[2] parameter(0) d = f32[2] tan(p) ROOT r = f32[2] add(p, p) }\n");
  const std::vector<std::string> arguments = {"run", module, "--fill=ones", "--stats", "--json"};
  EXPECT_EQ(RunHloscope(arguments).output.find("\"tan\""), std::string::npos);
  std::vector<std::string> all = arguments;
  all.push_back("--run-dead-code");
  EXPECT_THAT(RunHloscope(all).output, HasSubstr("\"tan\""));
}

TEST_F(RunOptionValuesTest, FilesOfEveryKind) {
  const std::string good = Npy(Dictionary("'<f4'"), Floats(false));
  struct Case {
    const char* name;
    std::string content;
    const char* message;  // null: the file is good
  };
  const std::vector<Case> cases = {
      {"good", good, nullptr},
      {"big_endian", Npy(Dictionary("'>f4'"), Floats(true)), nullptr},
      {"fortran", Npy(Dictionary("'<f4'", "(2, 3)", /*fortran=*/true), Floats(false)), nullptr},
      {"short", good.substr(0, good.size() - 4), "is truncated: its header announces 24 bytes"},
      {"long", good + "x", "is too long"},
      {"cut_header", good.substr(0, 30), "is truncated"},
      {"empty", "", "is not an .npy file"},
      {"junk", "this is text, not numbers", "is not an .npy file"},
      {"version", absl::StrReplaceAll(good, {{"NUMPY\x01", "NUMPY\x09"}}), "has version 9"},
      {"wide", Npy(Dictionary("'<f8'"), Floats(false) + Floats(false)),
       "holds elements of type '<f8', f32 needs '<f4'"},
      {"integers", Npy(Dictionary("'<i4'"), Floats(false)), "f32 needs '<f4'"},
      {"structured", Npy(Dictionary("[('x', '<f4')]"), Floats(false)), "header that is not understood"},
      {"objects", Npy(Dictionary("'|O'"), Floats(false)), "header that is not understood"},
      {"text", Npy(Dictionary("'<U1'"), Floats(false)), "which no HLO element type corresponds to"},
      {"transposed", Npy(Dictionary("'<f4'", "(3, 2)"), Floats(false)), "dimensions [3,2], f32[2,3] is needed"},
      {"flat", Npy(Dictionary("'<f4'", "(6,)"), Floats(false)), "f32[2,3] is needed"},
      {"negative", Npy(Dictionary("'<f4'", "(-2, 3)"), Floats(false)), "header that is not understood"},
      {"huge", Npy(Dictionary("'<f4'", "(99999999999, 9999)"), Floats(false)), "is truncated"},
      {"overflow", Npy(Dictionary("'<f4'", "(9999999999999, 9999999999999)"), Floats(false)), ""},
  };
  const std::string module = Module(kSum);
  for (const Case& c : cases) {
    const std::string path = WriteFile(absl::StrCat(c.name, ".npy"), c.content);
    const Outcome outcome = RunHloscope({"run", module, "--arg", "0=" + path, "--print"});
    EXPECT_EQ(outcome.exit_status, c.message == nullptr ? 0 : 1) << c.name << ": " << outcome.errors;
    if (c.message == nullptr) continue;
    EXPECT_THAT(outcome.errors, HasSubstr(absl::StrCat("parameter 0: ", path, ": "))) << c.name;
    EXPECT_THAT(outcome.errors, HasSubstr(c.message)) << c.name;
    EXPECT_EQ(outcome.output, "") << c.name;
  }
  const Outcome fortran =
      RunHloscope({"run", module, "--arg", absl::StrCat("0=", directory_, "/fortran.npy"), "--print"});
  EXPECT_THAT(fortran.output, HasSubstr("{ { 0, 4, 8 }, { 2, 6, 10 } }"));
}

TEST_F(RunOptionValuesTest, PlacesThatAreNotThere) {
  const std::string module = Module(kSum), file = WriteFile("file", "x"), cut = WriteFile("cut.npz", "PK\3\4");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--args-dir=" + directory_ + "/missing", "there is no such directory"},
      {"--infeed=" + directory_ + "/missing", "there is no such directory"},
      {"--args-dir=" + file, "is neither a directory nor an .npz archive"},
      {"--args-dir=" + cut, "cut.npz"},
      {"--args-dir=" + directory_ + "/missing.npz", "missing.npz"},
      {"--arg=0=" + directory_ + "/missing.npy", "cannot be opened"},
      {"--arg=0=" + directory_, "is not an .npy file"},
      {"--custom-calls=" + file, "cannot be loaded"},
      {"--out=" + directory_ + "/missing/out", "cannot be created"},
      {"--out=" + file, "cannot be written"},
      {"--out=" + directory_ + "/missing/out.npz", "cannot be written"},
      {"--out=/dev/full", "cannot be written"},
  };
  for (const auto& [option, message] : cases) {
    const Outcome outcome = RunHloscope({"run", module, "--fill=ones", option});
    EXPECT_EQ(outcome.exit_status, 1) << option << ": " << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(message)) << option;
  }
  const Outcome compiled = RunHloscope({"compile", module, "--build=off", "-o", "/dev/full"});
  EXPECT_EQ(compiled.exit_status, 1);
  EXPECT_THAT(compiled.errors, HasSubstr("/dev/full: cannot be created: Not a directory"));
  const Outcome script = RunHloscope({"debug", module, "--fill=ones", "--batch", "-x", directory_});
  EXPECT_EQ(script.exit_status, 1);
  EXPECT_THAT(script.errors, HasSubstr("is a directory"));
}

TEST_F(RunOptionValuesTest, AFullDiskIsReported) {
  const std::string module = Module(kSum);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"run", module, "--fill=ones"},
           {"run", module, "--fill=ones", "--print"},
           {"run", module, "--fill=ones", "--stats"},
           {"run", module, "--fill=ones", "--stats", "--json"},
           {"compare", module, module, "--fill=ones"},
           {"debug", module, "--fill=ones", "--batch"},
           {"debug", module, "--fill=ones"},
       }) {
    const std::string errors = directory_ + "/stderr";
    const int status = std::system(absl::StrCat("'" HLOSCOPE_BINARY_DIR "/bin/hloscope' ",
                                                absl::StrJoin(arguments, " "), " </dev/null >/dev/full 2>", errors)
                                       .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << absl::StrJoin(arguments, " ");
    EXPECT_THAT(ReadFileOrDie(errors), HasSubstr("cannot write the output: No space left"))
        << absl::StrJoin(arguments, " ");
  }
}

TEST_F(RunOptionValuesTest, CommandsThatCannotBeRecordedAreSaid) {
  const std::string script = WriteFile("script", "record commands /dev/full\nnext\nnext\nquit\n");
  const Outcome outcome = RunHloscope({"debug", Module(kSum), "--fill=ones", "--batch", "-x", script});
  EXPECT_THAT(outcome.errors, HasSubstr("commands are not recorded any more: No space left on device"));
}

TEST_F(RunOptionValuesTest, LinksStayAndTheirTargetsAreWritten) {
  const std::string module = Module(kSum), link = directory_ + "/link", folder = directory_ + "/folder";
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink("folder/next", link);
  std::filesystem::create_symlink("target", folder + "/next");
  // First there is no target, then the old one.
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = RunHloscope({"transform", module, "--output=" + link});
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_symlink(folder + "/next"));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder + "/target"));
  }
}

// The second result does not fit: the first one goes, too.
TEST_F(RunOptionValuesTest, NoPartOfTheResultsStaysBehind) {
  const std::string module = Module(
      "ENTRY e { a = f32[8] iota(), iota_dimension=0 b = f32[100000] iota(), iota_dimension=0 "
      "ROOT t = (f32[8], f32[100000]) tuple(a, b) }\n");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100000;
  for (const std::string& place : {Out(), directory_ + "/out.npz"}) {
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Outcome outcome = RunHloscope({"run", module, "--out", place});
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(outcome.exit_status, 1) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr("cannot be written"));
    EXPECT_THAT(Files(Out()), ::testing::IsEmpty());
    for (const std::string& file : Files(directory_)) EXPECT_FALSE(absl::StrContains(file, "npz")) << file;
  }
}

}  // namespace
}  // namespace hloscope::cli
