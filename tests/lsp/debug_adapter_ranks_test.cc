// SPDX-License-Identifier: Apache-2.0
// `launch` with `ranks`: the adapter starts mpirun, and the threads are the devices of all processes. Skipped without
// MPI.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/support/mpi.h"
#include "tests/support/running_processes.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Four partitions that add their numbers.
constexpr char kPartitionModule[] = R"(HloModule partitions, num_partitions=4

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY e {
  p = f32[3] parameter(0)
  id = u32[] partition-id()
  number = f32[] convert(id)
  numbers = f32[3] broadcast(number), dimensions={}
  x = f32[3] add(p, numbers)
  sum = f32[3] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, to_apply=add
  ROOT r = f32[3] negate(sum)
}
)";

// A product that takes many seconds, on the second device.
constexpr char kBusyModule[] = R"(HloModule busy, num_partitions=2

busy {
  a = s64[4000,4000] parameter(0)
  d = s64[4000,4000] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT e = s64[4000,4000] negate(d)
}

idle {
  b = s64[4000,4000] parameter(0)
  ROOT c = s64[4000,4000] negate(b)
}

ENTRY main {
  i = s64[4000,4000] iota(), iota_dimension=0
  p = u32[] partition-id()
  zero = u32[] constant(0)
  first = pred[] compare(p, zero), direction=EQ
  ROOT r = s64[4000,4000] conditional(first, i, i), true_computation=idle, false_computation=busy
}
)";

class DebugAdapterRanksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasMpi()) GTEST_SKIP() << "no mpirun, or built without MPI";
  }
  static json Ranks(int count, const json& more = json::object()) {
    json configuration = {{"ranks", count}, {"mpirunArguments", MpirunOptions()}};
    configuration.update(more);
    return configuration;
  }
  // The processes of the run, by rank: mpirun starts them in their order.
  static std::vector<pid_t> RankProcesses(const DapClient& client) {
    std::vector<pid_t> ranks;
    for (const auto& [pid, command] : Descendants(client.pid())) {
      if (absl::StartsWith(command, HLOSCOPE_BINARY)) ranks.push_back(pid);
    }
    return ranks;
  }
};

TEST_F(DebugAdapterRanksTest, DevicesOfAllProcessesAreThreads) {
  DapClient client;
  client.Launch(kPartitionModule, Ranks(3, {{"devicesPerRank", "1,1,2"}}));
  EXPECT_EQ(client.Event("process")["startMethod"], "launch");
  const std::map<pid_t, std::string> processes = Descendants(client.pid());
  EXPECT_EQ(RankProcesses(client).size(), 3u);
  const json set = client.Body("setBreakpoints",
                               {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("sum = ")}}}}});
  EXPECT_EQ(set["breakpoints"][0]["verified"], true) << set;
  EXPECT_EQ(client.Start()["reason"], "entry");
  EXPECT_EQ(client.Body("threads")["threads"].size(), 4u);
  for (int thread = 1; thread <= 4; ++thread) {
    EXPECT_EQ(client.Move("continue")["threadId"], thread);
    EXPECT_EQ(client.At(thread), "sum");
    EXPECT_EQ(client.Values("Operands", thread)["x"],
              absl::StrCat("f32[3] {", thread - 1, ", ", thread, ", ", thread + 1, "}"));
  }
  client.Move("stepBack", {{"threadId", 4}});
  EXPECT_EQ(client.At(4), "x");
  client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", json::array()}});
  client.Move("continue");
  EXPECT_THAT(client.Output("stdout"), HasSubstr("device 0 (r0,p0): result = f32[3] {-6, -10, -14}"));
  client.Body("restart");
  EXPECT_EQ(client.Stopped()["reason"], "entry");
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
  EXPECT_TRUE(AllEnd(processes));
}

TEST_F(DebugAdapterRanksTest, ABreakpointAtTheFirstStepStops) {
  DapClient client;
  client.Launch(kPartitionModule, Ranks(2, {{"stopOnEntry", false}}));
  client.Body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "id"}}}}});
  EXPECT_EQ(client.Start()["reason"], "function breakpoint");
  client.Body("disconnect");
}

TEST_F(DebugAdapterRanksTest, WithoutDebuggingItRunsToItsEnd) {
  DapClient client;
  client.Launch(kPartitionModule, Ranks(2, {{"noDebug", true}}));
  client.Body("configurationDone");
  EXPECT_THAT(client.Output("stdout"), HasSubstr("device 0 (r0,p0): result = f32[3] {-6, -10, -14}"));
  EXPECT_EQ(client.Event("exited")["exitCode"], 0);
  client.Event("terminated");
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST_F(DebugAdapterRanksTest, TheConfigurationReachesAllProcesses) {
  DapClient client;
  client.Launch(kPartitionModule, Ranks(2, {{"fill", "ones"},
                                            {"seed", 7},
                                            {"partitions", 4},
                                            {"threads", 1},
                                            {"memoryLimit", "100M"},
                                            {"historyLimit", 1000000},
                                            {"runDeadCode", true},
                                            {"customCalls", {{"nothing", "zeros"}}},
                                            {"deviceRanks", "1,0,1,0"}}));
  client.Start();
  client.Move("next", {{"threadId", 1}});
  EXPECT_EQ(client.Value("p"), "f32[3] {1, 1, 1}");
  client.Body("disconnect");
}

TEST_F(DebugAdapterRanksTest, AKilledProcessEndsTheSession) {
  for (const size_t rank : {size_t{0}, size_t{2}}) {
    DapClient client;
    client.Launch(kPartitionModule, Ranks(3));
    client.Start();
    client.Move("next");
    const std::map<pid_t, std::string> processes = Descendants(client.pid());
    const std::vector<pid_t> ranks = RankProcesses(client);
    ASSERT_EQ(ranks.size(), 3u);
    kill(ranks[rank], SIGKILL);
    std::string said;
    while (!absl::StrContains(said, "process rank")) said = client.Output("stderr");
    EXPECT_THAT(said, AllOf(HasSubstr(absl::StrCat("process rank ", rank)), HasSubstr("Killed")));
    EXPECT_NE(client.Event("exited")["exitCode"], 0);
    client.Event("terminated");
    EXPECT_TRUE(AllEnd(processes));
    client.Body("disconnect");
    EXPECT_EQ(client.WaitExit(), 0);
  }
}

TEST_F(DebugAdapterRanksTest, TheProcessesEndWithTheAdapterAndTheClient) {
  DapClient killed;
  killed.Launch(kPartitionModule, Ranks(2));
  killed.Start();
  const std::map<pid_t, std::string> processes = Descendants(killed.pid());
  EXPECT_GE(processes.size(), 3u);
  kill(killed.pid(), SIGKILL);
  EXPECT_TRUE(AllEnd(processes));

  DapClient silent;
  silent.Launch(kPartitionModule, Ranks(2));
  silent.Start();
  const std::map<pid_t, std::string> others = Descendants(silent.pid());
  silent.CloseInput();
  EXPECT_EQ(silent.WaitExit(), 0);
  EXPECT_TRUE(AllEnd(others));

  // One that leaves before the run has begun.
  DapClient early;
  early.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(early.program()) << kPartitionModule;
  json configuration = {{"program", early.program()}, {"fill", "zeros"}};
  configuration.update(Ranks(2));
  early.Send("launch", configuration);
  early.Body("disconnect");
  EXPECT_EQ(early.WaitExit(), 0);
}

TEST_F(DebugAdapterRanksTest, APauseReachesAKernelOfAnotherProcess) {
  DapClient client;
  client.Launch(kBusyModule, Ranks(2));
  client.Start();
  client.Body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "d"}}}}});
  client.Move("continue");
  EXPECT_EQ(client.At(2), "d");
  client.Send("continue", {{"threadId", 2}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  client.Body("pause", {{"threadId", 2}});
  EXPECT_EQ(client.Stopped()["reason"], "pause");
  EXPECT_EQ(client.At(2), "d");
  client.Send("continue", {{"threadId", 2}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST_F(DebugAdapterRanksTest, WhatCannotBeLaunchedIsTold) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << kPartitionModule;
  const auto launch = [&](const json& more) {
    json configuration = {{"program", client.program()}, {"mpirunArguments", MpirunOptions()}};
    configuration.update(more);
    return client.Error("launch", configuration);
  };
  EXPECT_THAT(launch({{"ranks", "many"}}), HasSubstr("`ranks` is a number of processes from 1 to 1024"));
  EXPECT_THAT(launch({{"ranks", 0}}), HasSubstr("`ranks` is a number of processes"));
  EXPECT_THAT(launch({{"ranks", 2}, {"fill", "holes"}}), HasSubstr("`fill` is zeros, ones, iota, random"));
  EXPECT_THAT(
      launch({{"ranks", 2}}),
      AllOf(StartsWith("parameter 0 of shape f32[3] has no value; give it in `arguments` (\"0\": \"FILE.npy\"), "
                       "name an `argumentsDirectory`, or `fill`"),
            Not(HasSubstr("job")), Not(HasSubstr("--"))));
  EXPECT_THAT(launch({{"ranks", 2}, {"fill", "ones"}, {"devicesPerRank", 3}}),
              HasSubstr("the ranks are given for 6 devices, but the run has 4"));
  std::ofstream(client.program()) << "HloModule m\nENTRY e { ROOT x = f32[] nothing() }\n";
  EXPECT_THAT(launch({{"ranks", 2}}), HasSubstr("nothing"));
  // The session is as it was.
  std::ofstream(client.program()) << kPartitionModule;
  client.Body("launch", {{"program", client.program()}, {"fill", "zeros"}});
}

}  // namespace
}  // namespace hloscope::dap
