// SPDX-License-Identifier: Apache-2.0
// Names and texts of a module that a terminal would obey never reach the output as they are.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

constexpr char kModule[] =
    R"(HloModule mNAME, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, frontend_attributes={k="TEXT"}

cNAME {
  aNAME = f32[4]{0} parameter(0)
  ROOT nNAME = f32[4]{0} negate(aNAME)
}

ENTRY eNAME {
  pNAME = f32[4]{0} parameter(0), metadata={op_name="TEXT" op_type="TEXT" source_file="TEXT" source_line=3}
  fNAME = f32[4]{0} fusion(pNAME), kind=kLoop, calls=cNAME
  gNAME = f32[4]{0} custom-call(fNAME), custom_call_target="TEXT", backend_config="TEXT"
  ROOT rNAME = f32[4]{0} log(gNAME), frontend_attributes={k="TEXT"}, metadata={op_name="TEXT/bTEXT"}
}
)";

// As in the text form of protos: ESC, CSI, right-to-left override, line separator, BEL, NUL, line feed, a stray byte.
constexpr char kHostile[] = R"(\033[31mX\302\233Y\342\200\256Z\342\200\250\007\000\nW\rV\177\377)";

// The first control or bidirectional character that is no line feed or tab, with what is before it; empty if there is
// none.
std::string FirstControl(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    const unsigned first = byte(i), second = byte(i + 1), third = byte(i + 2);
    const bool is_ascii = first < 0x20 ? first != '\n' && first != '\t' : first == 0x7F;
    const bool is_c1 = first == 0xC2 && second >= 0x80 && second < 0xA0;
    const bool turns = first == 0xE2 && second == 0x80 && third >= 0xA8 && third <= 0xAE;
    if (is_ascii || is_c1 || turns || first == 0xFF) return text.substr(i < 60 ? 0 : i - 60, i < 60 ? i + 3 : 63);
  }
  return "";
}

TEST_F(CommandLineTest, ControlCharactersOfNamesAreNotPrinted) {
  const std::string clean = Module(kModule), proto = directory_ + "/hostile.pbtxt";
  ASSERT_EQ(RunHloscope({"convert", clean, "-o", proto}).exit_status, 0);
  const std::string text = absl::StrReplaceAll(ReadFileOrDie(proto), {{"NAME", kHostile}, {"TEXT", kHostile}});
  ASSERT_GT(text.size(), 200u);
  std::ofstream(proto, std::ios::binary) << text;
  const std::string fill = "--fill=random", zeros = "--custom-call=*=zeros";
  const std::vector<std::vector<std::string>> commands = {
      {"check", proto},
      {"check", "--json", proto},
      {"fmt", proto},
      {"convert", proto, "--to=text", "-o", "-"},
      {"convert", proto, "--to=textproto", "-o", "-"},
      {"open", directory_},
      {"run", proto},
      {"run", proto, fill},
      {"run", proto, fill, zeros, "--stats", "--check-nan=warn"},
      {"run", proto, fill, zeros, "--stats", "--json", "--print"},
      {"graph", proto},
      {"graph", proto, "--format=json"},
      {"graph", proto, "--format=svg"},
      {"cost", proto},
      {"cost", proto, "--json"},
      {"transform", proto, "--explain"},
      {"transform", proto, "--list"},
      {"compile", proto, "-o", directory_ + "/program"},
      {"extract", proto, "--instruction=none"},
      {"extract", proto, "--instruction=\x1b[31mr\xC2\x9B"},
      {"compare", proto, clean, fill, zeros},
      {"compare", proto, proto, fill, zeros},
      {"diff", proto, clean},
      {"diff", clean, proto},
      {"reduce-test-case", proto, "--", "false", "{}"},
      {"explain", "\x1b[31mX\xE2\x80\xAE"},
      {"check", "\x1b[31m\xC2\x9B.hlo"},
      {"layout", "f32[2]{\x1b[31m}"},
      {"broadcast", "f32[2]\x1b[31m", "f32[3]"},
  };
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = RunHloscope(command);
    EXPECT_NE(outcome.exit_status, -1) << command[0];
    EXPECT_EQ(FirstControl(outcome.output), "") << absl::StrCat(command[0], " ", command.back(), ": output");
    EXPECT_EQ(FirstControl(outcome.errors), "") << absl::StrCat(command[0], " ", command.back(), ": errors");
  }
  const Outcome shell =
      RunHloscope({"debug", proto, fill, zeros},
                  "list\nbacktrace\nstep\nstep\nlocals\nprint r\nprint \x1b[31m\nbreak \x1b[31m\n\x1b[31m\nhistory\n"
                  "continue\nlocals\norigin\nwhy\ninfo\nrecord commands /none/\x1b[31m\n");
  EXPECT_EQ(FirstControl(shell.output), "");
  EXPECT_EQ(FirstControl(shell.errors), "");
}

TEST_F(CommandLineTest, ControlCharactersOfPathsAreNotPrinted) {
  const std::string module = Module("HloModule m\nENTRY e { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n");
  const std::string path = directory_ + "/\x1b[31mno\x07/such\xc2\x9b" + "file";
  const std::string fill = "--fill=zeros";
  std::ofstream(directory_ + "/\x1b[31mno\x07") << "no folder";
  const std::vector<std::vector<std::string>> commands = {{"convert", module, "--to=text", "-o", path},
                                                          {"convert", module, "--to=snapshot", fill, "-o", path},
                                                          {"transform", module, "--passes=dce", "--output=" + path},
                                                          {"shard", module, "--partitions=2", "--output=" + path},
                                                          {"unshard", module, "--output=" + path},
                                                          {"run", module, fill, "--out=" + path},
                                                          {"run", module, fill, "--out=" + path + ".npz"},
                                                          {"run", module, fill, "--trace=" + path + ".html"},
                                                          {"run", module, fill, "--save-args=" + path},
                                                          {"run", module, "--args-dir=" + path},
                                                          {"run", module, "--arg=0=" + path},
                                                          {"compile", module, "--build=off", "-o", path},
                                                          {"value", module, fill, "--html=" + path},
                                                          {"graph", module, "--html=" + path},
                                                          {"cost", module, "--html=" + path},
                                                          {"memory", module, "--html=" + path},
                                                          {"compare", module, module, fill, "--html=" + path},
                                                          {"diff", module, module, "--html=" + path},
                                                          {"bug-report", module, "-o", path},
                                                          {"profile", path},
                                                          {"memory", path},
                                                          {"passes", path},
                                                          {"blame", path},
                                                          {"check", path},
                                                          {"value", path + ".npy"}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = RunHloscope(command);
    EXPECT_NE(outcome.exit_status, 0) << absl::StrJoin(command, " ");
    EXPECT_NE(outcome.errors, "") << absl::StrJoin(command, " ");
    EXPECT_EQ(FirstControl(outcome.output + outcome.errors), "") << absl::StrJoin(command, " ");
  }
}

// A report takes no place of what it is about, by whichever name.
TEST_F(CommandLineTest, ReportsDoNotReplaceWhatTheyAreAbout) {
  const std::string text = "HloModule m\nENTRY e { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n";
  const std::string module = Module(text), link = directory_ + "/link", fill = "--fill=zeros";
  std::filesystem::create_symlink(module, link);
  for (const std::string& path : {module, link}) {
    const std::vector<std::vector<std::string>> commands = {{"value", module, fill, "--html=" + path},
                                                            {"graph", module, "--html=" + path},
                                                            {"cost", module, "--html=" + path},
                                                            {"memory", module, "--html=" + path},
                                                            {"compare", module, module, fill, "--html=" + path},
                                                            {"diff", module, module, "--html=" + path},
                                                            {"bug-report", module, "-o", path}};
    for (const std::vector<std::string>& command : commands) {
      const Outcome outcome = RunHloscope(command);
      EXPECT_EQ(outcome.exit_status, 1) << absl::StrJoin(command, " ");
      EXPECT_TRUE(absl::StrContains(outcome.errors, "it is what the report is about")) << outcome.errors;
      EXPECT_EQ(ReadFileOrDie(module), text) << absl::StrJoin(command, " ");
    }
  }
  // A module may take the place of the one that it is made of.
  EXPECT_EQ(RunHloscope({"convert", module, "--to=text", "-o", module}).exit_status, 0);
}

}  // namespace
}  // namespace hloscope::cli
