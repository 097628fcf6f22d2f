// SPDX-License-Identifier: Apache-2.0
// `hloscope fmt`: its switches, what --in-place keeps, and that no failure loses a file.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

using FmtTest = CommandLineTest;

constexpr char kUnformatted[] =
    "// what it does\nHloModule m\nENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] add(p, p) }\n";
constexpr char kFormatted[] =
    "// what it does\nHloModule m\n\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n";

// Files of a folder with the hidden ones.
size_t EntryCount(const std::string& directory) {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(directory)) count += entry.exists() || entry.is_symlink() ? 1 : 0;
  return count;
}

TEST_F(FmtTest, InPlaceKeepsPermissionsAndLinks) {
  const std::string file = Module(kUnformatted);
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  const std::string link = directory_ + "/link.hlo";
  ASSERT_EQ(symlink("module.hlo", link.c_str()), 0);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", link}).exit_status, 0);
  EXPECT_EQ(ReadFileOrDie(file), kFormatted);
  EXPECT_TRUE(fs::is_symlink(link));
  struct stat status;
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", file}).exit_status, 0);
  EXPECT_EQ(fs::last_write_time(file), written);  // nothing to do: not touched
  // A name as long as names can be.
  const std::string longest = directory_ + "/" + std::string(251, 'x') + ".hlo";
  fs::copy_file(file, longest);
  std::ofstream(longest) << kUnformatted;
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", longest}).exit_status, 0);
  EXPECT_EQ(ReadFileOrDie(longest), kFormatted);
}

TEST_F(FmtTest, AFullDiskLosesNothing) {
  std::string text = "HloModule m\nENTRY e { p0 = f32[2] parameter(0)\n";
  for (int i = 1; i < 2000; ++i) {
    text += "p" + std::to_string(i) + " = f32[2] negate(p" + std::to_string(i - 1) + ")\n";
  }
  const std::string file = Module(text + "}\n");
  const std::string before = ReadFileOrDie(file);
  RunHloscope({"--version"});  // makes the files of standard output and errors
  const size_t entries = EntryCount(directory_);
  struct rlimit limit, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  small = limit;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome = RunHloscope({"fmt", "--in-place", file});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("cannot be written: "));
  EXPECT_TRUE(ReadFileOrDie(file) == before);
  EXPECT_EQ(EntryCount(directory_), entries);  // the temporary file is gone
}

TEST_F(FmtTest, AReadOnlyFolderLosesNothing) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  const std::string folder = directory_ + "/closed";
  fs::create_directory(folder);
  const std::string file = folder + "/module.hlo";
  std::ofstream(file) << kUnformatted;
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = RunHloscope({"fmt", "--in-place", file});
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("cannot create a temporary file"));
  EXPECT_EQ(ReadFileOrDie(file), kUnformatted);
  fs::remove_all(folder);
}

TEST_F(FmtTest, OnlyRegularFilesAreRewritten) {
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "-"}, kUnformatted).exit_status, 2);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "--check", Module(kUnformatted)}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", directory_}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", directory_ + "/missing.hlo"}).exit_status, 1);
  for (const char* option :
       {"--ids=off", "--channel-ids=off", "--operand-names=off", "--max-operands=3", "--essential-constants"}) {
    EXPECT_EQ(RunHloscope({"fmt", "--in-place", option, Module(kUnformatted)}).exit_status, 2) << option;
  }
  EXPECT_EQ(ReadFileOrDie(Module(kUnformatted)), kUnformatted);
}

// Numbers outside of literals print with six digits in the styles of the reference; nothing that is rewritten loses
// more.
TEST_F(FmtTest, DigitsAreKept) {
  const auto text = [](const std::string& epsilon) {
    return "HloModule m\n\nENTRY e {\n  x = f64[1,2,1]{2,1,0} parameter(0)\n  s = f64[1]{0} parameter(1)\n"
           "  a = f64[1,2,1]{2,1,0} batch-norm-inference(x, s, s, s, s), epsilon=" +
           epsilon +
           ", feature_index=0\n"
           "  b = f64[1,2,1]{2,1,0} batch-norm-inference(x, s, s, s, s), epsilon=0.214748, feature_index=0\n"
           "  ROOT r = f64[1,2,1]{2,1,0} subtract(a, b)\n}\n";
  };
  const std::string file = Module(text("0.21474835"));
  EXPECT_EQ(RunHloscope({"fmt", file}).output, text("0.21474835"));
  EXPECT_EQ(RunHloscope({"fmt", "-"}, text("1e-300")).output, text("1e-300"));
  EXPECT_EQ(RunHloscope({"fmt", "-"}, text("0.001")).output, text("0.001"));
  EXPECT_THAT(RunHloscope({"fmt", file, "--style=short"}).output, Not(HasSubstr("0.21474835")));
  EXPECT_THAT(RunHloscope({"fmt", file, "--order=xla"}).output, Not(HasSubstr("0.21474835")));
  // The two are not computed once.
  EXPECT_THAT(RunHloscope({"transform", file, "--passes=cse,dce"}).output, HasSubstr("epsilon=0.21474835"));
  EXPECT_THAT(RunHloscope({"transform", file, "--passes=cse,dce"}).output, HasSubstr("epsilon=0.214748,"));
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "--style=short", file}).exit_status, 0);
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("epsilon=0.21474835,"));
}

TEST_F(FmtTest, CheckAndStandardInput) {
  const Outcome unformatted = RunHloscope({"fmt", "--check", "-"}, kUnformatted);
  EXPECT_EQ(unformatted.exit_status, 1);
  EXPECT_EQ(unformatted.output, "");
  EXPECT_THAT(unformatted.errors, HasSubstr("is not formatted"));
  EXPECT_EQ(RunHloscope({"fmt", "--check", "-"}, kFormatted).exit_status, 0);
  EXPECT_EQ(RunHloscope({"fmt", "-"}, kUnformatted).output, kFormatted);
  EXPECT_THAT(RunHloscope({"fmt", "--keep-comments=off", "-"}, kUnformatted).output, Not(HasSubstr("what it does")));
  EXPECT_THAT(RunHloscope({"fmt", "--style=dump", "-"}, kUnformatted).output, Not(HasSubstr("what it does")));
  EXPECT_EQ(RunHloscope({"fmt", "--check", "-"}, "HloModule m\nENTRY e {").exit_status, 1);
}

TEST_F(FmtTest, InPlaceKeepsConstantsAndTupleAccesses) {
  const std::string file = Module(
      "HloModule m\nENTRY e { c = s32[12] constant({1,2,3,4,5,6,7,8,9,10,11,12}) t = (s32[12]) tuple(c) "
      "g = s32[12] get-tuple-element(t), index=0, sharding={replicated} ROOT r = s32[12] add(g, t#0) }\n");
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", file}).exit_status, 0);
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}"));
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("g = s32[12] get-tuple-element(t), index=0, sharding={replicated}"));
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("add(g, t#0)"));
  EXPECT_EQ(RunHloscope({"fmt", "--in-place", "--compact-gte", "--large-constants=off", file}).exit_status, 0);
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("constant({...})"));
  EXPECT_THAT(ReadFileOrDie(file), HasSubstr("add(t#0, t#0)"));
}

TEST_F(FmtTest, WhatVerificationFindsIsAWarning) {
  const std::string file =
      Module("HloModule m\nENTRY e { p = f32[4] parameter(0) q = s32[4] parameter(1) ROOT r = f32[4] add(p, q) }\n");
  const Outcome printed = RunHloscope({"fmt", file});
  EXPECT_EQ(printed.exit_status, 0);
  EXPECT_THAT(printed.output, HasSubstr("  ROOT r = f32[4] add(p, q)\n"));
  EXPECT_THAT(printed.errors, HasSubstr("warning: "));
  EXPECT_THAT(printed.errors, HasSubstr("0 errors, "));
  EXPECT_THAT(printed.errors, Not(HasSubstr("error: ")));
  const Outcome refused = RunHloscope({"fmt", Module("HloModule m\nENTRY e { ROOT r = f32[4] negate(q) }\n")});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_EQ(refused.output, "");
  EXPECT_THAT(refused.errors, HasSubstr("error: "));
  EXPECT_THAT(refused.errors, HasSubstr("cannot be read"));
}

TEST_F(FmtTest, KeepsTheOrderUnlessThatOfTheReferenceIsAskedFor) {
  const std::string text =
      "HloModule m\n\ng {\n  a = f32[] parameter(0)\n  ROOT r = f32[] negate(a)\n}\n\n"
      "f {\n  a = f32[] parameter(0)\n  ROOT r = f32[] abs(a)\n}\n\n"
      "ENTRY e {\n  q = f32[] parameter(1)\n  p = f32[] parameter(0)\n  x = f32[] call(p), to_apply=f\n"
      "  y = f32[] call(q), to_apply=g\n  ROOT s = f32[] add(x, y)\n}\n\n";
  const std::string file = Module(text);
  EXPECT_EQ(RunHloscope({"fmt", file}).output, text);
  EXPECT_EQ(RunHloscope({"fmt", "--order=text", file}).output, text);
  EXPECT_EQ(RunHloscope({"fmt", "--check", file}).exit_status, 0);
  for (const char* option : {"--order=xla", "--style=canonical"}) {
    const std::string moved = RunHloscope({"fmt", option, file}).output;
    EXPECT_LT(moved.find("abs("), moved.find("negate(")) << option;
    EXPECT_LT(moved.find("parameter(0)"), moved.find("parameter(1)")) << option;
  }
  EXPECT_EQ(RunHloscope({"fmt", "--order=best", file}).exit_status, 2);
}

TEST_F(FmtTest, AddsNothingThatTheTextDoesNotHave) {
  const std::string text =
      "HloModule m\n\nENTRY e {\n  p = f32[8]{0} parameter(0)\n"
      "  a = (f32[2]{0}, s32[2]{0}) topk(p), k=2, largest=true\n"
      "  b = (f32[2]{0}, s32[2]{0}) topk(p), k=2, largest=true, is_stable=true\n"
      "  c = (f32[2]{0}, s32[2]{0}) topk(p), k=2, is_stable=false\n"
      "  ROOT t = ((f32[2]{0}, s32[2]{0}), (f32[2]{0}, s32[2]{0}), (f32[2]{0}, s32[2]{0})) tuple(a, b, c)\n}\n";
  const std::string file = Module(text);
  EXPECT_EQ(RunHloscope({"fmt", file}).output, text);
  EXPECT_THAT(RunHloscope({"fmt", "--style=dump", file}).output, HasSubstr("topk(%p), k=2, largest=true\n"));
  EXPECT_THAT(RunHloscope({"fmt", "--order=xla", file}).output,
              HasSubstr("a = (f32[2]{0}, s32[2]{0}) topk(p), k=2, largest=true, is_stable=true\n"));
  EXPECT_THAT(RunHloscope({"fmt", "--order=xla", file}).output, HasSubstr("entry_computation_layout="));
}

// Attributes, header and spellings stay, also where a switch asks for something else.
TEST_F(FmtTest, KeepsTheOrderAndTheSpellingOfAttributes) {
  const std::string text =
      "HloModule m, num_partitions=2, is_scheduled=false, replica_count=1\n\n"
      "w {\n  %x = f32[2]{0} parameter(0), sharding={devices=[2]0,1}\n"
      "  ROOT n = f32[2]{0} negate(%x), metadata={source_line=3 op_name=\"q\"}, frontend_attributes={b=\"1\",a=\"2\"}\n"
      "}, execution_thread=\"main\"\n\n"
      "ENTRY e {\n  p = f32[2]{0} parameter(0)\n  c = f32[2,2]{1,0} constant({ { 1.0, 2 }, { 3, 4e0 } })\n"
      "  d = f32[2,2]{1,0} dot(c, c), rhs_contracting_dims={0}, lhs_contracting_dims={1}\n"
      "  ROOT r = f32[2]{0} call(p), to_apply=w\n}\n";
  const std::string file = Module(text);
  EXPECT_EQ(RunHloscope({"fmt", file}).output, text);
  EXPECT_EQ(RunHloscope({"fmt", "--check", file}).exit_status, 0);
  std::string renamed = text;
  while (renamed.find('%') != std::string::npos) renamed.erase(renamed.find('%'), 1);
  EXPECT_EQ(RunHloscope({"fmt", "--percent=off", file}).output, renamed);
  const std::string xla = RunHloscope({"fmt", "--order=xla", file}).output;
  EXPECT_THAT(xla, HasSubstr("lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  EXPECT_THAT(xla, HasSubstr("frontend_attributes={a=\"2\",b=\"1\"}, metadata={op_name=\"q\" source_line=3}\n}\n"));
}

// Printers of 2020 to 2022: shapes of operands, no entry layout, configurations as strings.
TEST_F(FmtTest, KeepsTheSpellingOfOlderPrinters) {
  const std::string text =
      "HloModule cluster_0.15\n\n%add.3 (lhs.4: f32[], rhs.5: f32[]) -> f32[] {\n  %lhs.4 = f32[] parameter(0)\n"
      "  %rhs.5 = f32[] parameter(1)\n  ROOT %add.6 = f32[] add(f32[] %lhs.4, f32[] %rhs.5)\n}\n\n"
      "ENTRY %cluster.15 (arg0.1: f32[2,3]) -> f32[2] {\n"
      "  %arg0.1 = f32[2,3]{1,0} parameter(0), parameter_replication={false}, metadata={op_name=\"XLA_Args\"}\n"
      "  %custom-call.2 = f32[2,3]{1,0} custom-call(f32[2,3]{1,0} %arg0.1), custom_call_target=\"__cudnn$f\", "
      "backend_config=\"{\\\"algorithm\\\":\\\"0\\\",\\\"side\\\":{}}\"\n"
      "  %constant.3 = f32[] constant(1e-05), metadata={op_type=\"Const\" op_name=\"Const\"}\n"
      "  ROOT %reduce.7 = f32[2]{0} reduce(f32[2,3]{1,0} %custom-call.2, f32[] %constant.3), dimensions={1}, "
      "to_apply=%add.3\n}\n\n";
  const std::string file = Module(text);
  EXPECT_EQ(RunHloscope({"fmt", file}).output, text);
  EXPECT_THAT(RunHloscope({"fmt", "--style=dump", file}).output,
              HasSubstr("backend_config={\"algorithm\":\"0\",\"side\":{}}"));
}

// Printed again, canonical names and bodies in place stay as they are.
TEST_F(FmtTest, PrintingAgainChangesNothing) {
  const std::string text =
      "HloModule m\n\nf {\n  p = f32[4]{0} parameter(0)\n  ROOT n = f32[4]{0} negate(p)\n}\n\n"
      "ENTRY e {\n  x = f32[4]{0} parameter(0)\n  a = f32[4]{0} call(x), to_apply=f\n"
      "  b = f32[4]{0} call(a), to_apply=f\n  ROOT c = f32[4]{0} call(b), to_apply=f\n}\n";
  for (const std::vector<std::string>& switches : {std::vector<std::string>{"--style=dump", "--canonical-names"},
                                                   {"--style=short", "--inline-computations"},
                                                   {"--style=dump", "--canonical-names", "--inline-computations"},
                                                   {"--style=canonical"}}) {
    std::vector<std::string> arguments = {"fmt"};
    arguments.insert(arguments.end(), switches.begin(), switches.end());
    arguments.emplace_back("-");
    const std::string printed = RunHloscope(arguments, text).output;
    EXPECT_NE(printed, "");
    EXPECT_EQ(RunHloscope(arguments, printed).output, printed) << switches.back();
  }
}

TEST_F(FmtTest, EverySwitchOfTheTable) {
  const std::string file = Module(
      "HloModule m\nsum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
      "ENTRY e { a = f32[4] parameter(0), metadata={op_name=\"n\"} z = f32[] constant(0)\n"
      "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=sum, control-predecessors={z}, backend_config=\"b\" }\n");
  const auto printed = [&](const std::string& option) {
    return RunHloscope({"fmt", "--style=dump", option, file}).output;
  };
  EXPECT_THAT(printed("--percent=off"), HasSubstr(" ROOT r = f32[] reduce(a, z)"));
  EXPECT_THAT(printed("--operand-shapes"), HasSubstr("reduce(f32[4]{0} %a, f32[] %z)"));
  EXPECT_THAT(printed("--operand-names=off"), HasSubstr("reduce(, )"));
  EXPECT_THAT(printed("--signatures=off"), HasSubstr("ENTRY %e {"));
  EXPECT_THAT(printed("--metadata=off"), Not(HasSubstr("op_name")));
  EXPECT_THAT(printed("--backend-config=off"), Not(HasSubstr("backend_config")));
  EXPECT_THAT(printed("--control-predecessors=off"), Not(HasSubstr("control-predecessors")));
  EXPECT_THAT(printed("--inline-computations"), HasSubstr("to_apply=\n  {\n    %x = f32[] parameter(0)"));
  EXPECT_THAT(printed("--canonical-names"), HasSubstr("ROOT %tmp_2 = f32[] reduce(%tmp_0, %tmp_1)"));
  EXPECT_THAT(printed("--only-op-name"), HasSubstr("metadata={op_name=\"n\"}"));
  EXPECT_EQ(RunHloscope({"fmt", "--max-operands=x", file}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
