// SPDX-License-Identifier: Apache-2.0
// check, fmt, graph, explain and the general rules of the command line.
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/generated_module.h"
#include "tests/support/shared_files.h"
#include "tests/support/time_limit.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using CommandsTest = CommandLineTest;

constexpr char kGood[] = "HloModule m\nENTRY e {\n  p = f32[2]{0} parameter(0)\n  ROOT r = f32[2]{0} add(p, p)\n}\n";
constexpr char kBroken[] = "HloModule m\nENTRY e {\n  p = f32[2]{0} parameter(0)\n  ROOT r = f32[3]{0} add(p, p)\n}\n";

TEST_F(CommandsTest, WrongUsageIsStatusTwo) {
  EXPECT_EQ(RunHloscope({}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"chekc"}).exit_status, 2);
  EXPECT_THAT(RunHloscope({"chekc"}).errors, HasSubstr("check"));
  EXPECT_EQ(RunHloscope({"check"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"check", "--nosuch", Module(kGood)}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"fmt", "--style=nosuch", Module(kGood)}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"graph", "--format=gif", Module(kGood)}).exit_status, 2);
}

TEST_F(CommandsTest, HelpAndVersion) {
  EXPECT_THAT(RunHloscope({"--help"}).output, HasSubstr("check"));
  EXPECT_EQ(RunHloscope({"--version"}).exit_status, 0);
  for (const char* command : {"check", "fmt", "run", "graph", "explain"}) {
    const Outcome outcome = RunHloscope({"help", command});
    EXPECT_EQ(outcome.exit_status, 0) << command;
    EXPECT_THAT(outcome.output, HasSubstr(command));
  }
}

TEST_F(CommandsTest, CheckLocatesDiagnostics) {
  EXPECT_EQ(RunHloscope({"check", Module(kGood)}).exit_status, 0);
  const Outcome outcome = RunHloscope({"check", Module(kBroken)});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("module.hlo:4:16: error: "));
  EXPECT_THAT(outcome.errors, HasSubstr("[declared-shape]"));
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(RunHloscope({"check", "--parse-only", Module(kBroken)}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"check", "-"}, kBroken).exit_status, 1);
  const Outcome json = RunHloscope({"check", "--json", Module(kBroken)});
  EXPECT_EQ(json.exit_status, 1);
  EXPECT_THAT(json.output, HasSubstr("declared-shape"));
  EXPECT_THAT(RunHloscope({"check", "--stats", "--json", Module(kGood)}).output, HasSubstr("\"instructions\""));
}

// Both threads that read a large text may be refused memory at once: that is said once, and no crash.
TEST_F(CommandsTest, CheckWithoutMemorySaysSoOnce) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers reserve more memory than any limit";
  const std::string module = Module(GenerateModule(10000000)), errors = directory_ + "/errors";
  int refused = 0;
  for (int kilobytes = 50000; kilobytes <= 110000; kilobytes += 4000) {
    const int status = std::system(absl::StrCat("ulimit -v ", kilobytes, " && ", HLOSCOPE_BINARY_DIR,
                                                "/bin/hloscope check ", module, " > /dev/null 2> ", errors)
                                       .c_str());
    ASSERT_TRUE(WIFEXITED(status)) << kilobytes;
    if (WEXITSTATUS(status) == 0) continue;
    EXPECT_EQ(WEXITSTATUS(status), 3) << kilobytes;
    EXPECT_EQ(ReadFileOrDie(errors), "hloscope: out of memory\n") << kilobytes;
    ++refused;
  }
  EXPECT_GT(refused, 3);
}

TEST_F(CommandsTest, CheckIsStrictOnDemand) {
  const std::string tolerated =
      Module("ENTRY e { c = c64[2] parameter(0) ROOT r = pred[2] compare(c, c), direction=LT }\n");
  const Outcome warned = RunHloscope({"check", tolerated});
  EXPECT_EQ(warned.exit_status, 0);
  EXPECT_THAT(warned.errors, HasSubstr("warning: `compare`: complex numbers have no order"));
  EXPECT_THAT(warned.errors, HasSubstr("(compilers accept this) [complex-order]"));
  const Outcome strict = RunHloscope({"check", "--strict", tolerated});
  EXPECT_EQ(strict.exit_status, 1);
  EXPECT_THAT(strict.errors, HasSubstr("error: `compare`: complex numbers have no order"));
}

TEST_F(CommandsTest, OnlyCheckRefusesMixedPrecision) {
  constexpr absl::string_view kMixed =
      "HloModule m\nENTRY e { p = f32[2] constant({1, 2}) q = bf16[2] constant({3, 4}) ROOT r = f32[2] add(p, q) }\n";
  const Outcome refused = RunHloscope({"check", Module(std::string(kMixed))});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("module.hlo: with --allow-mixed-precision, 1 error goes\n"));
  const Outcome other =
      RunHloscope({"check", Module("ENTRY e { p = f32[2] parameter(0) ROOT r = s32[2] negate(p) }\n")});
  EXPECT_EQ(other.exit_status, 1);
  EXPECT_THAT(other.errors, Not(HasSubstr("mixed")));
  const std::string declared =
      Module("ENTRY e { p = f64[] parameter(0) ROOT b = f32[4] broadcast(p), dimensions={} }\n");
  EXPECT_THAT(RunHloscope({"check", declared}).errors, HasSubstr("with --allow-mixed-precision, 1 error goes\n"));
  const std::string mixed = Module(std::string(kMixed));
  EXPECT_EQ(RunHloscope({"check", "--allow-mixed-precision", mixed}).exit_status, 0);
  for (const char* command : {"fmt", "cost", "transform"}) {
    EXPECT_EQ(RunHloscope({command, mixed}).exit_status, 0) << command;
  }
  EXPECT_EQ(RunHloscope({"run", "--print", mixed}).output, "result0 = f32[2] {4, 6}\n");
}

TEST_F(CommandsTest, BadInputIsStatusOneForEveryCommand) {
  const std::vector<std::string> texts = {
      "",
      "\n\n",
      std::string("\0\1\2\xFF", 4),
      "HloModule",
      "not HLO",
      std::string(20000, '('),
      std::string(20000, '{'),
      "HloModule m\r\nENTRY e {\r\n  p = f32[] parameter(0)\r\n  q = f32[] negat(p)\r\n}\r\n",
      "ENTRY e { p = f32[] parameter(0) p = f32[] negate(p) }",
      "ENTRY e { a = f32[] negate(b) b = f32[] negate(a) }",
      "ENTRY e { p = f32[] parameter(0), nosuch=1 }",
      "HloModule m \xC3\x28\nENTRY e { p = f32[] parameter(0) "};
  for (const std::string& text : texts) {
    for (const char* command : {"check", "fmt", "run", "graph"}) {
      const Outcome outcome = RunHloscope({command, Module(text)});
      EXPECT_EQ(outcome.exit_status, 1) << command << " " << text.substr(0, 60);
      EXPECT_THAT(outcome.errors, HasSubstr("module.hlo:")) << command;
      EXPECT_EQ(outcome.output, "") << command;
    }
  }
  for (const char* command : {"check", "fmt", "run", "graph"}) {
    EXPECT_EQ(RunHloscope({command, directory_ + "/missing.hlo"}).exit_status, 1) << command;
    EXPECT_THAT(RunHloscope({command, directory_ + "/missing.hlo"}).errors, HasSubstr("missing.hlo"));
    EXPECT_EQ(RunHloscope({command, directory_}).exit_status, 1) << command;
  }
}

TEST_F(CommandsTest, FmtPrintsAndRewrites) {
  const std::string file = Module(
      "// first\nHloModule m\nENTRY e { // entry\n p=f32[2]{0} parameter(0)\n  ROOT r = f32[2]{0} add(p, p) }\n");
  EXPECT_EQ(RunHloscope({"fmt", file}).exit_status, 1);  // `p=` reads as an attribute
  Module("// first\nHloModule m\nENTRY e { // entry\n %p=f32[2]{0} parameter(0)\n  ROOT r = f32[2]{0} add(p, p) }\n");
  // Names stay as they are written.
  EXPECT_THAT(RunHloscope({"fmt", file}).output,
              HasSubstr("  %p = f32[2]{0} parameter(0)\n  ROOT r = f32[2]{0} add(p, p)\n}\n"));
  EXPECT_THAT(RunHloscope({"fmt", "--style=short", file}).output, HasSubstr("  ROOT r = f32[2]{0} add(p, p)\n"));
  EXPECT_EQ(RunHloscope({"fmt", "--check", file}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", file}).exit_status, 0);
  const std::string rewritten = ReadFileOrDie(file);
  EXPECT_THAT(rewritten, HasSubstr("// first"));
  EXPECT_THAT(rewritten, HasSubstr("// entry"));
  EXPECT_EQ(RunHloscope({"fmt", "--check", file}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", file}).exit_status, 0);
  EXPECT_EQ(ReadFileOrDie(file), rewritten);
  // A text with errors is left as it is.
  Module(kBroken);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "--style=short", Module("HloModule m\nENTRY e {")}).exit_status, 1);
  EXPECT_EQ(ReadFileOrDie(file), "HloModule m\nENTRY e {");
}

TEST_F(CommandsTest, Graph) {
  const Outcome dot = RunHloscope({"graph", Module(kGood)});
  EXPECT_EQ(dot.exit_status, 0);
  EXPECT_THAT(dot.output, HasSubstr("digraph"));
  EXPECT_THAT(RunHloscope({"graph", "--format=json", Module(kGood)}).output, HasSubstr("\"nodes\""));
  EXPECT_THAT(RunHloscope({"graph", "--format=svg", Module(kGood)}).output, HasSubstr("<svg"));
  EXPECT_EQ(RunHloscope({"graph", "--around=p", "--depth=1", Module(kGood)}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"graph", "--around=nosuch", Module(kGood)}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"graph", "--computation=nosuch", Module(kGood)}).exit_status, 1);
}

TEST_F(CommandsTest, Explain) {
  const Outcome opcode = RunHloscope({"explain", "gather"});
  EXPECT_EQ(opcode.exit_status, 0);
  EXPECT_THAT(opcode.output, HasSubstr("offset_dims"));

  const Outcome code = RunHloscope({"explain", "unknown-opcode"});
  EXPECT_EQ(code.exit_status, 0);
  EXPECT_THAT(code.output, HasSubstr("error: unknown opcode `...` [unknown-opcode]\n"));
  EXPECT_THAT(code.output, HasSubstr("\nWrong\n"));
  EXPECT_THAT(code.output, HasSubstr("\nRight\n"));
  EXPECT_THAT(code.output, Not(HasSubstr("```")));
  EXPECT_EQ(RunHloscope({"explain", "[unknown-opcode]"}).output, code.output);
  EXPECT_THAT(RunHloscope({"explain", "unknown-opcode", "--color=always"}).output, HasSubstr("\x1b[1mWrong\x1b[0m"));
}

TEST_F(CommandsTest, ExplainsCallsOfTheBuilderInterface) {
  const Outcome call = RunHloscope({"explain", "BroadcastInDim"});
  EXPECT_EQ(call.exit_status, 0) << call.errors;
  EXPECT_THAT(call.output, HasSubstr("broadcast = f32[2,5,3] broadcast(reshape), dimensions={0}"));
  EXPECT_EQ(RunHloscope({"explain", "broadcast_in_dim"}).output, call.output);
}

// Hints are no warnings.
TEST_F(CommandsTest, TheSummaryTellsDiagnosticsOfEachKindApart) {
  const std::string text =
      "HloModule m\nunused {\n  ROOT a = f32[] parameter(0)\n}\nENTRY e {\n  x = f32[] parameter(0)\n"
      "  dead = f32[] negate(x)\n  ROOT y = f32[] add(x, x)\n}\n";
  EXPECT_THAT(RunHloscope({"check", "-"}, text).errors, ::testing::EndsWith("<stdin>: 0 errors, 1 warning, 1 hint\n"));
}

// Warnings of one kind are folded into one with a count and the first places; the summary counts them all.
TEST_F(CommandsTest, CheckFoldsManyWarningsOfAKind) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < 9; ++i) text += "c" + std::to_string(i) + " { ROOT a = f32[] parameter(0) }\n";
  text += "ENTRY e { ROOT x = f32[] parameter(0) }\n";
  const Outcome outcome = RunHloscope({"check", "-"}, text);
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.errors, HasSubstr("<stdin>:4:1: warning: computation `c2` is never called"));
  EXPECT_THAT(outcome.errors, Not(HasSubstr("`c3`")));
  EXPECT_THAT(outcome.errors, HasSubstr("6 more like this, at 5:1, 6:1, 7:1, ..."));
  EXPECT_THAT(outcome.errors, ::testing::EndsWith("<stdin>: 0 errors, 9 warnings\n"));
  // Errors are not folded.
  std::string broken = "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n";
  for (int i = 0; i < 9; ++i) broken += "  x" + std::to_string(i) + " = f32[3] negate(p)\n";
  const Outcome errors = RunHloscope({"check", "-"}, broken + "  ROOT r = f32[2] negate(p)\n}\n");
  EXPECT_THAT(errors.errors, HasSubstr("<stdin>:12:12: error: "));
}

TEST_F(CommandsTest, ExplainUnknownNames) {
  const Outcome misspelt = RunHloscope({"explain", "unknwon-opcode"});
  EXPECT_EQ(misspelt.exit_status, 2);
  EXPECT_THAT(misspelt.errors, HasSubstr("did you mean `unknown-opcode`?"));
  const Outcome prefix = RunHloscope({"explain", "unknown-"});
  EXPECT_EQ(prefix.exit_status, 2);
  EXPECT_THAT(prefix.errors, HasSubstr("\n  unknown-opcode\n  unknown-attribute\n"));
  const Outcome nothing = RunHloscope({"explain", "qqqqqqqqqq"});
  EXPECT_EQ(nothing.exit_status, 2);
  EXPECT_THAT(nothing.errors, Not(HasSubstr("did you mean")));
  EXPECT_EQ(RunHloscope({"explain", ""}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
