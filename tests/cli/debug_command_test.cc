// SPDX-License-Identifier: Apache-2.0
// `hloscope debug` as a process: commands in, text and exit status out. Needs the `hloscope` binary beside this one.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::string_view kDebugCommandLoop = R"(HloModule squares
body { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  acc = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  i2 = s32[] add(i, one)
  acc2 = f32[4] multiply(acc, acc), metadata={op_name="jit(f)/while/body/mul" source_file="/home/u/model.py" source_line=12}
  ROOT t = (s32[], f32[4]) tuple(i2, acc2) }
cond { s = (s32[], f32[4]) parameter(0)
  i.c = s32[] get-tuple-element(s), index=0
  eight = s32[] constant(8)
  ROOT lt = pred[] compare(i.c, eight), direction=LT }
ENTRY e { z = s32[] constant(0)
  p = f32[4] parameter(0)
  init = (s32[], f32[4]) tuple(z, p)
  w = (s32[], f32[4]) while(init), condition=cond, body=body
  r = f32[4] get-tuple-element(w), index=1
  ROOT q = f32[4] log(r) }
)";

constexpr absl::string_view kDevices = R"(HloModule m, replica_count=2
scalar { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e { p = f32[4] parameter(0)
  x = f32[4] negate(p)
  a = f32[4] all-reduce(x), replica_groups={{0,1}}, to_apply=scalar
  ROOT z = f32[4] add(a, p) }
)";

class DebugCommandTest : public CommandLineTest {
 protected:
  // Runs the commands, one for each line, as a batch.
  Outcome Debug(absl::string_view commands, absl::string_view module = kDebugCommandLoop,
                std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments = {"debug", Module(module), "--fill=iota", "--batch"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunHloscope(std::move(arguments), commands);
  }
};

TEST_F(DebugCommandTest, StepsForwardsAndBackwards) {
  const Outcome outcome = Debug("next\nstep 3\nback\nbstep\nfinish\nnext\nback 2\ngoto 0\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  std::vector<std::string> places;
  for (size_t at = 0; (at = outcome.output.find("\n#", at)) != std::string::npos; ++at) {
    const size_t end = outcome.output.find('\n', at + 1);
    places.push_back(outcome.output.substr(at + 1, end - at - 1));
  }
  EXPECT_THAT(places,
              testing::ElementsAre("#0  e::init", "#1  e::w", "#4  e::w[body 0]/body::i", "#3  e::w[cond 0]/cond::lt",
                                   "#2  e::w[cond 0]/cond::i.c", "#60  e::r", "#61  e::q", "#1  e::w", "#0  e::init"))
      << outcome.output;
}

// Ctrl-C while `dump` writes: nothing is left of the file.
TEST_F(DebugCommandTest, AnInterruptEndsADump) {
  const TestFolder folder;
  const std::string out = folder / "out";
  std::filesystem::create_directory(out);
  std::ofstream(folder / "commands") << "continue\ndump r " << out << "/r.npy\n";
  const std::string module =
      Module("HloModule m\nENTRY e { p = f32[] parameter(0) ROOT r = f32[200000000] broadcast(p), dimensions={} }\n");
  // With `set -m`, what runs in the background hears SIGINT.
  std::ofstream(folder / "script") << "set -m\n'" HLOSCOPE_BINARY_DIR "/bin/hloscope' debug '" << module << "' -x '"
                                   << (folder / "commands") << "' --fill=iota --batch > '" << (folder / "said")
                                   << "' 2>&1 &\nwhile kill -0 $! && [ -z \"$(ls -A '" << out
                                   << "')\" ]; do sleep 0.01; done\nkill -INT $!\nwait $!\n";
  const int status = std::system(absl::StrCat("bash '", folder / "script", "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_THAT(ReadFileOrDie(folder / "said"), HasSubstr("writing an array was interrupted"));
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

TEST_F(DebugCommandTest, BreakpointsWithConditions) {
  const Outcome outcome = Debug(
      "break acc2 if iteration == 3 && acc[2] > 200\ncontinue\nprint acc\ninfo breakpoints\ndelete 1\ncontinue\n"
      "break opcode:add\nbreak op_name:*mul\nbreak model.py:12 iteration 2\nrcontinue\nrcontinue\nrcontinue\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("breakpoint 1\n#28  e::w[body 3]/body::acc2"));
  EXPECT_THAT(outcome.output, HasSubstr("acc = f32[4]\n      0    1  256 6561\n"));
  EXPECT_THAT(outcome.output, HasSubstr("1  break    1 hit  acc2 if iteration == 3"));
  EXPECT_THAT(outcome.output, HasSubstr("finished at position 62"));
  EXPECT_THAT(outcome.output, HasSubstr("e::w[body 7]/body::acc2"));
  EXPECT_THAT(outcome.output, HasSubstr("e::w[body 7]/body::i2"));
}

TEST_F(DebugCommandTest, WatchpointsAndLogPoints) {
  const Outcome outcome =
      Debug("watch inf\nlog i2 \"i is {i}\"\ncontinue\nback\nwatch acc2[3] > 1e9\nstart\ncontinue\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("i is 6\n"));
  EXPECT_THAT(outcome.output, HasSubstr("watchpoint 1: acc2 = f32[4] {0, 1, inf, inf}\n  made at e::w[body 6]"));
  EXPECT_THAT(outcome.output, HasSubstr("watchpoint 3: acc2"));
  EXPECT_THAT(outcome.output, HasSubstr("made at e::w[body 4]/body::acc2"));
}

TEST_F(DebugCommandTest, OverflowAndIndicesOutOfBoundsAreWatchedFor) {
  constexpr absl::string_view kModule = R"(
ENTRY e { p = f32[4] parameter(0)
  big = f32[] constant(300)
  bigs = f32[4] broadcast(big), dimensions={}
  q = f32[4] add(p, bigs)
  small = s8[4] convert(q)
  start = s32[] constant(3)
  cut = f32[2] dynamic-slice(q, start), dynamic_slice_sizes={2}
  ROOT t = (s8[4], f32[2]) tuple(small, cut) }
)";
  const Outcome outcome = Debug("watch overflow\nwatch bounds\nrun\ncontinue\ncontinue\n", kModule);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("small[0] = 127: 300 does not fit s8"));
  EXPECT_THAT(outcome.output, HasSubstr("dynamic-slice cut: index 3 of dimension 0 is outside 0..2: it is clamped"));
  EXPECT_THAT(outcome.output, HasSubstr("finished"));
}

// Going back, then forwards to where the run had been.
TEST_F(DebugCommandTest, GoesForwardsThroughWhatIsKnown) {
  const Outcome outcome = Debug("run\nback\ngoto 0\ngoto 5\ngoto 1\nset p = 1\ngoto 5\n");
  EXPECT_THAT(outcome.output, HasSubstr("#5"));
  EXPECT_THAT(outcome.errors, HasSubstr("the run has not come to position 5; it is at 1"));
}

TEST_F(DebugCommandTest, ValuesAreShownComparedSetAndWritten) {
  const std::string file = directory_ + "/acc.npy";
  const Outcome outcome = Debug(absl::StrCat(
      "break acc2 iteration 2\ncontinue\nprint acc[1:] * 2\nstats acc\ndiff acc, acc\ndump acc ", file, "\ndiff acc ",
      file, "\nset acc[0] = 3\nnext\nhistory acc2[0]\noperands\ndelete\nset acc2 = {1, 1, 1, 2}\ncontinue\nback\n",
      "print r\nskip = 1\ninfo results\n"));
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("acc[1:] * 2 = f64[3]\n     2  32 162\n"));
  EXPECT_THAT(outcome.output, HasSubstr("NaN 0   infinite 0   zero 1\n"));
  EXPECT_THAT(outcome.output, HasSubstr("equal: all 4 elements of f32[4]\n"));
  EXPECT_EQ(evaluator::ReadNpy(file)->data_as<float>()[3], 81.0f);
  EXPECT_THAT(outcome.output, HasSubstr("e::w[body 0]/body::acc2  0\n  e::w[body 1]/body::acc2  0\n  "
                                        "e::w[body 2]/body::acc2  9\n"));
  EXPECT_THAT(outcome.output, HasSubstr("  i2    3\n  acc2  f32[4] {9, 1, 256, 6561}\n"));
  EXPECT_THAT(outcome.output, HasSubstr("r = f32[4]\n             1           1           1 4.29497e+09\n"));
  EXPECT_THAT(outcome.output, HasSubstr("result = f32[4]\n     1   1   1   1\n"));
}

TEST_F(DebugCommandTest, RecordedValuesShowWhereARunDeparts) {
  const std::string values = directory_ + "/values";
  const Outcome outcome = Debug(absl::StrCat("continue\nrecord values ", values, "\nstart\nwatch differs ", values,
                                             "\nuntil w\nset init = (0, {0, 1, 2, 5})\ncontinue\n"));
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("watchpoint 1: acc = f32[4] {0, 1, 2, 5}\n  made at e::w[body 0]/body::acc"));
}

TEST_F(DebugCommandTest, ComputationsAreEnteredAtAnElement) {
  const Outcome outcome = Debug("element [1]\nnext\nprint a\nback\nfinish\nelement\n",
                                R"(sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ENTRY e { p = f32[2,3] parameter(0)
      z = f32[] constant(0)
      w = f32[2] reduce(p, z), dimensions={1}, to_apply=sum
      ROOT n = f32[2] negate(w) })");
  EXPECT_THAT(outcome.output, HasSubstr("e::w[apply 1]/sum::c"));
  EXPECT_THAT(outcome.output, HasSubstr("a = f32[] 3\n"));
  EXPECT_THAT(outcome.output, HasSubstr("e::n"));
  EXPECT_THAT(outcome.errors, HasSubstr("negate applies no computation"));
}

TEST_F(DebugCommandTest, SeveralDevices) {
  const Outcome outcome = Debug(
      "together off\nnext\nnext\ninfo devices\ntogether on\nnext\nback\ndevice 1\nnext\n"
      "break z device 1\ncontinue\n",
      kDevices);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("*device 0 (r0,p0)  at e::a, waits for device 1 in all-reduce a"));
  EXPECT_THAT(outcome.output, HasSubstr(" device 1 (r1,p0)  at e::x"));
  EXPECT_THAT(outcome.output, HasSubstr("e::z  on device 0 (r0,p0)"));
  EXPECT_THAT(outcome.output, HasSubstr("breakpoint 1\n"));
}

TEST_F(DebugCommandTest, FailuresHaveTheirExitStatus) {
  const Outcome misspelt = Debug("brek acc2\nnext\n");
  EXPECT_EQ(misspelt.exit_status, 1);
  EXPECT_THAT(misspelt.errors, HasSubstr("there is no command `brek`; did you mean `break`?"));
  EXPECT_THAT(misspelt.errors, HasSubstr("<stdin>:1: this command failed"));
  EXPECT_THAT(misspelt.output, Not(HasSubstr("#1")));
  EXPECT_THAT(Debug("break acc22\n").errors, HasSubstr("no instruction or computation `acc22`"));
  EXPECT_THAT(Debug("break bodi::aac2\n").errors, HasSubstr("did you mean `body::acc2`?"));
  const Outcome pointed = Debug("print 1 + max(abs(acd))\n");
  EXPECT_THAT(pointed.errors, HasSubstr("  1 + max(abs(acd))\n              ^~~\n  there is no instruction `acd`; did "
                                        "you mean `acc`?"));
  EXPECT_EQ(Debug("continue\ndiff r, r + 1\n").exit_status, 1);
  EXPECT_EQ(Debug("continue\n", kDebugCommandLoop, {"--step-limit", "9"}).exit_status, 3);
  EXPECT_EQ(Debug("", "ENTRY e { ROOT r = f32[2] add(p, p) }").exit_status, 1);
  EXPECT_EQ(Debug("", kDebugCommandLoop, {"-y"}).exit_status, 2);
  EXPECT_EQ(Debug("", kDebugCommandLoop, {"-x", directory_ + "/missing"}).exit_status, 1);
  EXPECT_EQ(Debug("print acc\n").exit_status, 1);
}

// Whatever a script asks for then.
TEST_F(DebugCommandTest, WhatFailsAfterALimitHasItsExitStatus) {
  const std::vector<std::string> limited = {"--step-limit", "9"};
  std::ofstream(directory_ + "/script") << "continue\nprint missing\n";
  for (const std::string& commands :
       {std::string("continue\nprint missing\n"), std::string("continue\nnext\n"), std::string("continue\nbrek acc2\n"),
        std::string("continue\nbreak missing\n"), absl::StrCat("replay ", directory_, "/script\n")}) {
    EXPECT_EQ(Debug(commands, kDebugCommandLoop, limited).exit_status, 3) << commands;
  }
  EXPECT_EQ(Debug("step 3\nprint missing\n", kDebugCommandLoop, limited).exit_status, 1);
  // Values of expressions are within the memory limit, too.
  const Outcome large =
      Debug("print f + f\n", "ENTRY e { f = f32[1000000] parameter(0) ROOT r = f32[1000000] negate(f) }",
            {"--memory-limit=5M"});
  EXPECT_EQ(large.exit_status, 3) << large.errors;
}

// Ctrl-C ends a batch, where it waits for a command and where it computes, with the status of a limit.
TEST_F(DebugCommandTest, AnInterruptedBatchIsNoSuccess) {
  const std::string module = Module(R"(
body { s = (s64[], f32[]) parameter(0)
  i = s64[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  one = s64[] constant(1)
  j = s64[] add(i, one)
  y = f32[] sine(x)
  ROOT t = (s64[], f32[]) tuple(j, y) }
cond { s = (s64[], f32[]) parameter(0)
  i = s64[] get-tuple-element(s), index=0
  n = s64[] constant(1000000000000)
  ROOT c = pred[] compare(i, n), direction=LT }
ENTRY e { zero = s64[] constant(0)
  x = f32[] constant(1)
  init = (s64[], f32[]) tuple(zero, x)
  ROOT w = (s64[], f32[]) while(init), condition=cond, body=body }
)");
  for (const char* input : {"sleep 4", "(echo continue; sleep 4)"}) {
    const int status = std::system(absl::StrCat(input, " | timeout --preserve-status -s INT 1 '", HLOSCOPE_BINARY_DIR,
                                                "/bin/hloscope' debug '", module, "' --batch >/dev/null 2>&1")
                                       .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << input;
  }
}

TEST_F(DebugCommandTest, AHistoryThatIsCutSaysSo) {
  const std::string module = Module(R"(
body { i = s64[] parameter(0)
  one = s64[] constant(1)
  ROOT j = s64[] add(i, one) }
cond { i = s64[] parameter(0)
  n = s64[] constant(100010)
  ROOT c = pred[] compare(i, n), direction=LT }
ENTRY e { zero = s64[] constant(0)
  ROOT w = s64[] while(zero), condition=cond, body=body }
)");
  const Outcome outcome = RunHloscope({"debug", module, "--batch"}, "continue\nhistory j\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("these are the first 100000 of 100010 times it was computed"));
}

TEST_F(DebugCommandTest, ScriptsAndReplays) {
  const std::string script = directory_ + "/script", recorded = directory_ + "/recorded";
  std::ofstream(script) << "# a comment\nrecord commands " << recorded << "\nnext\nquit\nfoo\n";
  const Outcome first = Debug("", kDebugCommandLoop, {"-x", script});
  EXPECT_EQ(first.exit_status, 0) << first.errors;
  EXPECT_THAT(first.output, HasSubstr("#1  e::w"));
  const Outcome second = Debug(absl::StrCat("replay ", recorded, "\n"));
  EXPECT_EQ(second.exit_status, 0) << second.errors;
  EXPECT_THAT(second.output, HasSubstr("#1  e::w"));
  std::ofstream(script) << "replay " << script << "\n";
  EXPECT_EQ(Debug("", kDebugCommandLoop, {"-x", script}).exit_status, 1);
  // What is replayed would grow with each of its commands.
  const Outcome endless = Debug(absl::StrCat("record commands ", recorded, "\nnext\nreplay ", recorded, "\n"));
  EXPECT_THAT(endless.errors, HasSubstr("commands are recorded there"));
}

// Whether it holds is not known: the run stops there rather than go on.
TEST_F(DebugCommandTest, AConditionThatTakesTooLongStops) {
  constexpr char kLong[] = R"(HloModule m
ENTRY e { p = f32[] parameter(0)
  b = f32[20000000] broadcast(p), dimensions={}
  n = f32[20000000] negate(b)
  ROOT r = f32[20000000] abs(n) }
)";
  std::string sines = "n";
  for (int i = 0; i < 40; ++i) sines = absl::StrCat("sin(", sines, ")");
  const Outcome outcome = Debug(absl::StrCat("watch sum(", sines, ") > 2\ncontinue\n"), kLong, {"--time-limit=0.5"});
  EXPECT_THAT(outcome.output, HasSubstr("looking at the elements took longer than the time limit of 0.5 seconds"));
}

TEST_F(DebugCommandTest, EveryCommandHasHelp) {
  const Outcome all = Debug("help\n");
  EXPECT_EQ(all.exit_status, 0);
  for (const char* command : {"next", "rcontinue", "watch", "history", "set", "together", "record"}) {
    EXPECT_THAT(all.output, HasSubstr(absl::StrCat("\n  ", command)));
    EXPECT_THAT(Debug(absl::StrCat("help ", command, "\n")).output, HasSubstr(command));
  }
}

// Whatever is typed, the process ends by itself and tells what is wrong.
TEST_F(DebugCommandTest, NonsenseIsAnswered) {
  std::string commands;
  for (const char* command : {"next", "step",  "until",  "continue", "iteration", "skip",   "back",  "goto",    "break",
                              "log",  "watch", "delete", "ignore",   "print",     "stats",  "diff",  "history", "dump",
                              "list", "frame", "info",   "set",      "device",    "record", "replay"}) {
    for (const char* rest : {"", " -1", " 99999999999999999999", " \"", " x = ", " (((", " {", " [0]", " if", " nan"}) {
      absl::StrAppend(&commands, command, rest, "\n");
    }
  }
  const Outcome outcome = RunHloscope({"debug", Module(kDebugCommandLoop), "--fill=iota"}, commands);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
}

TEST_F(DebugCommandTest, NansAreFollowedToTheirOrigin) {
  const std::string module = R"(sum { a = f32[] parameter(0) c = f32[] parameter(1) ROOT d = f32[] add(a, c) }
  ENTRY e { p = f32[3] parameter(0)
    one = f32[] constant(1)
    b = f32[3] broadcast(one), dimensions={}
    s = f32[3] subtract(p, b)
    l = f32[3] sqrt(s)
    x = f32[2,3] broadcast(l), dimensions={1}
    zero = f32[] constant(0)
    r = f32[2] reduce(x, zero), dimensions={1}, to_apply=sum
    ROOT n = f32[2] negate(r) }
  )";
  const Outcome outcome =
      Debug(absl::StrCat("continue\norigin n\nwhy r[1]\nreproduce ", directory_, "\norigin p\n"), module);
  EXPECT_THAT(outcome.output, HasSubstr("sqrt made it from finite operands"));
  EXPECT_THAT(outcome.output, HasSubstr("x[0,0]"));
  EXPECT_THAT(outcome.output, HasSubstr("s[0]  -1"));
  EXPECT_THAT(outcome.output, HasSubstr("x[1,2]  1"));
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("all elements of p are finite"));
  EXPECT_EQ(evaluator::ReadNpy(directory_ + "/arg0.npy")->data_as<float>()[0], -1.0f);
  // The reproducer makes the same NaN by itself.
  const Outcome again = RunHloscope({"run", directory_ + "/module.hlo", "--args-dir", directory_, "--print"});
  EXPECT_EQ(again.exit_status, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("nan"));
}

TEST_F(DebugCommandTest, ARunThatFailsBeforeItsFirstStepShowsWhere) {
  const std::pair<absl::string_view, absl::string_view> cases[] = {
      {"ENTRY e { c = f32[4] constant({...}) ROOT n = f32[4] negate(c) }", "e::c"},
      {"ENTRY e { ROOT p = f32[1000] parameter(0) }", "e::p"}};
  for (const auto& [module, place] : cases) {
    const Outcome outcome = Debug("continue\nnext\nrestart\nnext\n", module, {"--memory-limit=8"});
    EXPECT_EQ(outcome.exit_status, 3) << outcome.errors;
    EXPECT_THAT(outcome.output + outcome.errors, HasSubstr(absl::StrCat("#0  ", place)));
  }
}

}  // namespace
}  // namespace hloscope::cli
