// SPDX-License-Identifier: Apache-2.0
// Moving the run through the debug adapter.
#include <string>

#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

TEST(DebugAdapterSteppingTest, StopsOnEntryAndStepsOverAndBack) {
  DapClient client;
  client.Launch(kLoopModule);
  const json stopped = client.Start();
  EXPECT_EQ(stopped["reason"], "entry");
  EXPECT_EQ(stopped["threadId"], 1);
  EXPECT_EQ(stopped["allThreadsStopped"], true);
  EXPECT_EQ(client.At(), "init");
  EXPECT_EQ(client.Move("next")["reason"], "step");
  EXPECT_EQ(client.At(), "w");
  client.Move("next");
  EXPECT_EQ(client.At(), "r");
  EXPECT_EQ(client.Value("w{1}"), "f32[4] {0, 8, 16, 24}");
  // Back over the whole loop.
  EXPECT_EQ(client.Move("stepBack")["reason"], "step");
  EXPECT_EQ(client.At(), "w");
  client.Move("stepBack");
  EXPECT_EQ(client.At(), "init");
  // There is nothing before the beginning; the client hears where the run is.
  client.Body("stepBack", {{"threadId", 1}});
  EXPECT_EQ(client.Stopped()["description"], "this is the beginning of the run");
  EXPECT_EQ(client.At(), "init");
}

TEST(DebugAdapterSteppingTest, StepsInAndOut) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  client.Move("next");
  client.Move("stepIn");
  EXPECT_EQ(client.At(), "ci");
  EXPECT_EQ(client.Top()["name"], "cond, condition 0 of w");
  client.Move("stepIn");
  client.Move("stepIn");
  EXPECT_EQ(client.Top()["name"], "body, iteration 0 of w");
  client.Move("stepOut");
  EXPECT_EQ(client.At(), "r");
  client.Move("stepBack");
  EXPECT_EQ(client.At(), "w");
}

TEST(DebugAdapterSteppingTest, StepsIntoChosenTargets) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  EXPECT_TRUE(client.Body("stepInTargets", {{"frameId", client.Top()["id"]}})["targets"].empty());
  client.Move("next");
  const json targets = client.Body("stepInTargets", {{"frameId", client.Top()["id"]}})["targets"];
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0]["label"], "condition cond");
  EXPECT_EQ(targets[1]["label"], "body body");
  EXPECT_NE(client.Error("stepIn", {{"threadId", 1}, {"targetId", 3}}).find("no step-in target"), std::string::npos);
  client.Move("stepIn", {{"threadId", 1}, {"targetId", targets[1]["id"]}});
  EXPECT_EQ(client.At(), "i");
  client.Move("stepOut");
  client.Move("next");
  EXPECT_EQ(client.At(), "c");
  // The branch that is not taken: the step ends after the conditional.
  client.Move("stepIn", {{"threadId", 1}, {"targetId", 1}});
  EXPECT_EQ(client.At(), "d");
  client.Move("stepBack");
  client.Move("stepIn", {{"threadId", 1}, {"targetId", 2}});
  EXPECT_EQ(client.At(), "halved");
  client.Move("stepOut");
  const json elements = client.Body("stepInTargets", {{"frameId", client.Top()["id"]}})["targets"];
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(elements[0]["label"], "sum at d");
  client.Move("stepIn", {{"threadId", 1}, {"targetId", 1}});
  EXPECT_EQ(client.At(), "total");
  EXPECT_EQ(client.Top()["name"], "sum, application 0 of d");
}

TEST(DebugAdapterSteppingTest, ContinuesBackwardsToBreakpointsAndTheBeginning) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("y = ")}}}}});
  client.Start();
  for (int iteration = 0; iteration < 3; ++iteration) {
    EXPECT_EQ(client.Move("continue")["reason"], "breakpoint");
    EXPECT_EQ(client.Values("Loop state")["iteration"], std::to_string(iteration));
  }
  const json finished = client.Move("continue");
  EXPECT_EQ(finished["reason"], "finished");
  for (int iteration = 2; iteration >= 0; --iteration) {
    EXPECT_EQ(client.Move("reverseContinue")["reason"], "breakpoint");
    EXPECT_EQ(client.Values("Loop state")["iteration"], std::to_string(iteration));
  }
  EXPECT_EQ(client.Move("reverseContinue")["reason"], "entry");
  EXPECT_EQ(client.At(), "init");
}

// A response says which thread moves; the event says that the others do, so that an editor offers to pause them.
TEST(DebugAdapterSteppingTest, SaysThatAllThreadsMove) {
  DapClient client;
  client.Launch(kReplicaModule);
  client.Start();
  for (const char* command : {"next", "next", "stepBack", "reverseContinue"}) {
    client.Move(command);
    EXPECT_EQ(client.Event("continued")["allThreadsContinued"], true) << command;
  }
}

TEST(DebugAdapterSteppingTest, RestartsFrames) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints",
              {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("ROOT t = ")}}}}});
  client.Start();
  client.Move("continue");
  client.Move("continue");
  EXPECT_EQ(client.At(), "t");
  const json frames = client.Body("stackTrace", {{"threadId", 1}})["stackFrames"];
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0]["canRestart"], true);
  EXPECT_EQ(client.Move("restartFrame", {{"frameId", frames[0]["id"]}})["reason"], "restart frame");
  EXPECT_EQ(client.At(), "i");
  EXPECT_EQ(client.Values("Loop state")["iteration"], "1");
  const json outer = client.Body("stackTrace", {{"threadId", 1}})["stackFrames"][1];
  client.Move("restartFrame", {{"frameId", outer["id"]}});
  EXPECT_EQ(client.At(), "init");
  EXPECT_NE(client.Error("restartFrame", {{"frameId", 77}}).find("earlier stop"), std::string::npos);
}

TEST(DebugAdapterSteppingTest, GoesToLinesBehindAndAhead) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const auto target = [&](const std::string& text) {
    const json targets =
        client.Body("gotoTargets", {{"source", client.source()}, {"line", client.LineOf(text)}})["targets"];
    EXPECT_EQ(targets.size(), 1u);
    return targets[0];
  };
  EXPECT_EQ(target("c = f32")["label"], "e::c");
  EXPECT_EQ(client.Move("goto", {{"threadId", 1}, {"targetId", target("c = f32")["id"]}})["reason"], "goto");
  EXPECT_EQ(client.At(), "c");
  client.Move("goto", {{"threadId", 1}, {"targetId", target("w = ")["id"]}});
  EXPECT_EQ(client.At(), "w");
  client.Move("goto", {{"threadId", 1}, {"targetId", target("y = ")["id"]}});
  EXPECT_EQ(client.At(), "y");
  client.Move("goto", {{"threadId", 1}, {"targetId", target("init = ")["id"]}});
  EXPECT_EQ(client.At(), "init");
  EXPECT_NE(client.Error("goto", {{"threadId", 1}, {"targetId", 4711}}).find("no goto target"), std::string::npos);
  EXPECT_TRUE(client.Body("gotoTargets", {{"source", {{"path", "/else.py"}}}, {"line", 1}})["targets"].empty());
}

TEST(DebugAdapterSteppingTest, RestartsTheRunWithTheFileAsItIsNow) {
  DapClient client;
  client.Launch(kLoopModule);
  const json set = client.Body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "r"}}}}})["breakpoints"][0];
  client.Start();
  EXPECT_EQ(client.Move("continue")["reason"], "function breakpoint");
  std::string changed = kLoopModule;
  changed.replace(changed.find("constant(3)"), 11, "constant(1)");
  std::ofstream(client.program()) << "\n" << changed;
  client.Body("restart");
  const json moved = client.Event("breakpoint");
  EXPECT_EQ(moved["reason"], "changed");
  EXPECT_EQ(moved["breakpoint"]["id"], set["id"]);
  EXPECT_EQ(moved["breakpoint"]["line"].get<int>(), set["line"].get<int>() + 1);
  EXPECT_EQ(client.Stopped()["reason"], "entry");
  client.Move("continue");
  EXPECT_EQ(client.Value("w{1}"), "f32[4] {0, 2, 4, 6}");
  // The other configuration counts from now on.
  client.Body("restart", {{"arguments", {{"program", client.program()}, {"fill", "ones"}, {"stopOnEntry", false}}}});
  EXPECT_EQ(client.Stopped()["reason"], "function breakpoint");
  EXPECT_EQ(client.Value("w{1}"), "f32[4] {2, 2, 2, 2}");
}

TEST(DebugAdapterSteppingTest, StepsDevicesAloneAndTogether) {
  DapClient client;
  client.Launch(kReplicaModule);
  client.Start();
  const json threads = client.Body("threads")["threads"];
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[1], (json{{"id", 2}, {"name", "device 1 (r1,p0)"}}));
  client.Move("next", {{"threadId", 1}});
  // Alone, the device waits in the collective.
  const json blocked = client.Move("next", {{"threadId", 1}, {"singleThread", true}});
  EXPECT_EQ(blocked["description"], "device 0 (r0,p0) waits for other devices");
  EXPECT_NE(client.Values("Run")["device 0 (r0,p0)"].find("waits for device 1 in all-reduce ar"), std::string::npos);
  EXPECT_EQ(client.At(2), "q");
  // Together, the other one goes on as far as it has to.
  client.Move("next", {{"threadId", 1}});
  EXPECT_EQ(client.At(1), "r");
  EXPECT_EQ(client.Move("continue")["reason"], "finished");
  EXPECT_EQ(client.Values("Results", 2)["result"], "f32[4] {-0, -4, -8, -12}");
  EXPECT_NE(client.Error("next", {{"threadId", 1}}).find("has finished; step back, or restart"), std::string::npos);
  EXPECT_NE(client.Error("next", {{"threadId", 3}}).find("threads 1 to 2"), std::string::npos);
}

}  // namespace
}  // namespace hloscope::dap
