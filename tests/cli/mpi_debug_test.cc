// SPDX-License-Identifier: Apache-2.0
// hloscope debug under mpirun: the first process is the debugger of the devices of all, and says what one process that
// has them all says. Skipped without MPI.
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/mpi_test.h"
#include "tests/support/running_processes.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

class MpiDebugTest : public MpiTest {
 protected:
  std::string Script(const std::string& commands) const {
    const std::string path = directory_ + "/script";
    std::ofstream(path) << commands;
    return path;
  }
  std::string Command(const std::string& module, const std::string& script, const std::string& options = "") const {
    return absl::StrCat(Program(), " debug ", module, " --fill=random --seed=5 --threads=1 --batch -x ", script, " ",
                        options);
  }
  // What one process says, by mpirun too, since that passes output on.
  Outcome Alone(const std::string& module, const std::string& script) const {
    return RunMpi(absl::StrCat("-n 1 ", Command(module, script)));
  }
  // `ranks`: how many processes, with the processes of the eight devices of EveryCollective or nothing.
  void ExpectSameTranscript(const std::string& module, const std::string& commands,
                            const std::vector<std::pair<int, std::string>>& ranks) const {
    SCOPED_TRACE(commands);
    const std::string script = Script(commands);
    const Outcome one = Alone(module, script);
    EXPECT_NE(one.output, "");
    for (const auto& [count, options] : ranks) {
      SCOPED_TRACE(absl::StrCat(count, " processes"));
      const Outcome several = RunMpi(absl::StrCat("-n ", count, " ", Command(module, script, options)));
      EXPECT_EQ(several.output, one.output) << several.errors;
      EXPECT_EQ(several.exit_status, one.exit_status) << several.errors;
    }
  }
  std::string Every() const {
    const std::string path = directory_ + "/every.hlo";
    std::ofstream(path) << EveryCollective();
    return path;
  }
};

TEST_F(MpiDebugTest, StepsBreakpointsAndValues) {
  ExpectSameTranscript(Every(),
                       "device\nnext 5\nprint x0\nstep\nbreak ar2 device 5\nbreak y iteration 2\ncontinue\ndevice\n"
                       "print b\ndevice 6\nnext 3\nprint x\ninfo devices\ncontinue\nbacktrace\nprint x\nfinish\n"
                       "delete\ncontinue\ninfo results\ndevice 7\ninfo results\n",
                       {{2, ""}, {3, ""}, {4, "--device-ranks=3,2,1,0,0,1,2,3"}, {8, ""}});
}

TEST_F(MpiDebugTest, BackwardsAndAgain) {
  ExpectSameTranscript(Every(),
                       "device 5\nnext 20\nprint ar3\nback 4\nprint x\nbstep\nprint idf\nbreak ard\ncontinue\n"
                       "print cpd\ngoto 40\ndevice\nrcontinue\ncontinue\ndevice 2\nprint ar\nstart\ncontinue\n",
                       {{3, "--devices-per-rank=0,3,5"}});
}

TEST_F(MpiDebugTest, PastValuesAndChanges) {
  ExpectSameTranscript(Every(),
                       "break wx device 6\ncontinue\ndevice 6\nhistory y\norigin wx\nset x = 2\nprint sum(x)\n"
                       "watch ard\nstart\ncontinue\ndelete\nlog ar3 \"at {device}: {idf}\"\ncontinue\ninfo results\n",
                       {{2, ""}});
}

TEST_F(MpiDebugTest, Watchpoints) {
  const std::string module = Module(
      "HloModule w, num_partitions=4\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
      "ENTRY e {\n  p = u32[] partition-id()\n  f = f32[] convert(p)\n  two = f32[] constant(2)\n"
      "  d = f32[] subtract(f, two)\n  l = f32[] log(d)\n  m = f32[] multiply(l, two)\n"
      "  ROOT s = f32[] all-reduce(m), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, "
      "to_apply=add\n}\n");
  ExpectSameTranscript(module,
                       "watch inf\ncontinue\nprint l\ncontinue\nwatch nan\ncontinue\norigin l\ndelete\n"
                       "watch d > 0\ncontinue\nprint d\nrcontinue\nprint d\ncontinue\nprint s\n",
                       {{2, ""}, {4, ""}});
}

TEST_F(MpiDebugTest, DeadlocksAreReportedAsInOneProcess) {
  const std::string module = Module(kParting);
  const std::string script = Script("continue\n");
  const Outcome one = Alone(module, script);
  const Outcome two = RunMpi(absl::StrCat("-n 2 ", Command(module, script)));
  EXPECT_EQ(two.exit_status, 1);
  EXPECT_THAT(one.errors, HasSubstr("hint: mismatched collectives: device 0 waits at talk::y, device 1 at other::z"));
  EXPECT_THAT(two.errors, HasSubstr("hint: mismatched collectives: device 0 waits at talk::y, device 1 at other::z"));
  EXPECT_EQ(two.output, one.output);
}

TEST_F(MpiDebugTest, ProcessesThatDoNotFitTogetherEnd) {
  const std::string module = Module(kSum);
  const std::string other = directory_ + "/other.hlo";
  std::ofstream(other) << std::string(kSum) << "// changed\n";
  const std::string script = Script("continue\n");
  const Outcome versions = RunMpi(absl::StrCat("-n 1 ", Command(module, script), " : -n 1 ", Command(other, script)));
  EXPECT_EQ(versions.exit_status, 1);
  EXPECT_THAT(versions.errors, HasSubstr("rank 1 has another module than rank 0"));
  const Outcome missing =
      RunMpi(absl::StrCat("-n 1 ", Command(module, script), " : -n 1 ", Program(), " debug ", module, " --batch -x ",
                          script, " --fill=random --seed=5 --arg=0=nothing.npy"));
  EXPECT_NE(missing.exit_status, 0);
  EXPECT_THAT(missing.errors, HasSubstr("nothing.npy"));
  const Outcome killed = RunMpi(absl::StrCat("-n 1 ", Command(module, script), " : -n 1 sh -c 'kill -9 $$'"));
  EXPECT_NE(killed.exit_status, 0);
}

// In the middle of a loop that takes minutes: mpirun names the process, and nothing is left of the others.
TEST_F(MpiDebugTest, AProcessThatIsKilledInTheMiddleEndsAll) {
  const std::string module = Module(
      "HloModule endless, num_partitions=3\n"
      "cond { cs = (s32[], f32[64,64]) parameter(0) ci = s32[] get-tuple-element(cs), index=0\n"
      "  n = s32[] constant(100000000) ROOT lt = pred[] compare(ci, n), direction=LT }\n"
      "body { s = (s32[], f32[64,64]) parameter(0) i = s32[] get-tuple-element(s), index=0 one = s32[] constant(1)\n"
      "  j = s32[] add(i, one) x = f32[64,64] get-tuple-element(s), index=1\n"
      "  y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  ROOT t = (s32[], f32[64,64]) tuple(j, y) }\n"
      "ENTRY e { p = f32[64,64] parameter(0) zero = s32[] constant(0) init = (s32[], f32[64,64]) tuple(zero, p)\n"
      "  w = (s32[], f32[64,64]) while(init), condition=cond, body=body\n"
      "  ROOT r = f32[64,64] get-tuple-element(w), index=1 }\n");
  const std::string debug = Command(module, Script("continue\n"));
  const std::string run = absl::StrCat(Program(), " run ", module, " --fill=random --threads=1");
  for (const std::string& command : {debug, run}) {
    SCOPED_TRACE(command);
    const std::string dying = absl::StrCat("sh -c '", command, " & sleep 2; kill -9 $!; kill -9 $$'");
    const Outcome killed = RunMpi(absl::StrCat("-n 1 ", command, " : -n 1 ", dying, " : -n 1 ", command));
    EXPECT_NE(killed.exit_status, 0);
    EXPECT_THAT(killed.errors, HasSubstr("process rank 1"));
    EXPECT_THAT(killed.errors, HasSubstr("Killed"));
    std::map<pid_t, std::string> left = Descendants(1);
    std::erase_if(left, [&](const auto& process) { return !absl::StrContains(process.second, module); });
    EXPECT_TRUE(AllEnd(left));
  }
}

// The run that debuggers could attach to: moved from the first process too, until it is done.
TEST_F(MpiDebugTest, ARunThatListensGivesTheResultsOfOne) {
  const std::string module = Every();
  const std::string options = " --fill=random --seed=5 --threads=1 --print --listen=0";
  const Outcome one = RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, options));
  const Outcome three = RunMpi(absl::StrCat("-n 3 ", Program(), " run ", module, options));
  EXPECT_EQ(three.exit_status, 0) << three.errors;
  EXPECT_THAT(three.output, HasSubstr("result0.r1.p3 = f32[4,6]"));
  EXPECT_EQ(three.output, one.output);
  EXPECT_THAT(three.errors, HasSubstr("debuggers can attach at port "));
}

TEST_F(MpiDebugTest, QuitAndTheEndOfTheScriptEndAll) {
  const std::string module = Module(kSum);
  for (const char* commands : {"quit\n", "next\nquit\n", "next\n", "watch nan\nnext\n"}) {
    const Outcome outcome = RunMpi(absl::StrCat("-n 4 ", Command(module, Script(commands))));
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  }
  const Outcome failing = RunMpi(absl::StrCat("-n 4 ", Command(module, Script("print nothing\n"))));
  EXPECT_EQ(failing.exit_status, 1);
  EXPECT_THAT(failing.errors, HasSubstr("there is no instruction `nothing`"));
}

}  // namespace
}  // namespace hloscope
