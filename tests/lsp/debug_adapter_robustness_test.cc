// SPDX-License-Identifier: Apache-2.0
// Long runs and bad input.
#include <chrono>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// Starts the long run and lets it go.
void StartLongRun(DapClient& client) {
  client.Launch(kLongModule, {{"stopOnEntry", false}});
  client.Body("configurationDone");
}

TEST(DebugAdapterRobustnessTest, ARunningModuleCanBePaused) {
  DapClient client;
  StartLongRun(client);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  client.Body("pause", {{"threadId", 1}});
  const json stopped = client.Stopped();
  EXPECT_EQ(stopped["reason"], "pause");
  EXPECT_EQ(client.Body("stackTrace", {{"threadId", 1}})["totalFrames"], 2);
  const std::string before = client.Values("Run")["position"];
  client.Move("next");
  EXPECT_NE(client.Values("Run")["position"], before);
  // Nothing to pause: no event, no harm.
  client.Body("pause", {{"threadId", 1}});
  client.Move("next");
}

TEST(DebugAdapterRobustnessTest, RequestsAreAnsweredWhileTheModuleRuns) {
  DapClient client;
  StartLongRun(client);
  EXPECT_EQ(client.Body("threads")["threads"].size(), 1u);
  for (const char* command : {"next", "stackTrace", "continue", "evaluate", "variables", "stepBack"}) {
    const json response = client.Call(command, {{"threadId", 1}, {"expression", "1"}, {"variablesReference", 1}});
    EXPECT_EQ(response["success"], false) << command;
    EXPECT_EQ(response["message"], "notStopped") << command;
  }
  // A breakpoint that is set meanwhile stops the run.
  const json set = client.Body("setBreakpoints",
                               {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("y = ")}}}}});
  EXPECT_EQ(client.Stopped()["hitBreakpointIds"], json::array({set["breakpoints"][0]["id"]}));
  EXPECT_EQ(client.At(), "y");
}

TEST(DebugAdapterRobustnessTest, ARunningModuleCanBeTerminated) {
  DapClient client;
  StartLongRun(client);
  client.Body("terminate");
  client.Event("exited");
  client.Event("terminated");
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST(DebugAdapterRobustnessTest, DisconnectEndsARunningModule) {
  DapClient client;
  StartLongRun(client);
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST(DebugAdapterRobustnessTest, ARunningModuleCanBeRestarted) {
  DapClient client;
  StartLongRun(client);
  client.Body("threads");
  client.Body("restart", {{"arguments", {{"program", client.program()}, {"fill", "zeros"}, {"stopOnEntry", true}}}});
  EXPECT_EQ(client.Stopped()["reason"], "entry");
  EXPECT_EQ(client.Values("Run")["position"], "0");
}

TEST(DebugAdapterRobustnessTest, LongRunsReportProgressAndCanBeCancelled) {
  DapClient client;
  StartLongRun(client);
  const json start = client.Event("progressStart");
  EXPECT_EQ(start["cancellable"], true);
  EXPECT_EQ(start["title"], "Running");
  const json update = client.Event("progressUpdate");
  EXPECT_EQ(update["progressId"], start["progressId"]);
  EXPECT_NE(update.value("message", "").find("instructions"), std::string::npos);
  client.Body("cancel", {{"progressId", start["progressId"]}});
  EXPECT_EQ(client.Event("progressEnd")["progressId"], start["progressId"]);
  EXPECT_EQ(client.Stopped()["reason"], "pause");
  // Going back through all of it takes as long; that can be cancelled too, and the run stays where it is.
  const std::string here = client.Values("Run")["position"];
  const int history = client.Send("evaluate", {{"expression", "history max(y)"}, {"context", "repl"}});
  client.Body("cancel", {{"requestId", history}});
  const json cancelled = client.WaitResponse(history);
  // It may have been quicker than the cancellation.
  EXPECT_TRUE(cancelled.value("success", false) || cancelled.value("message", "") != "") << cancelled;
  EXPECT_EQ(client.Values("Run")["position"], here);
}

TEST(DebugAdapterRobustnessTest, WaitingRequestsCanBeCancelled) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  // Nobody asked that, or it is answered already.
  client.Body("cancel", {{"requestId", 4711}});
  client.Body("cancel");
  EXPECT_EQ(client.Value("1 + 1"), "2");
}

TEST(DebugAdapterRobustnessTest, BadMessagesDoNoHarm) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const auto complaint = [&](const std::string& bytes) {
    client.SendBytes(bytes);
    const json output = client.Event("output");
    EXPECT_EQ(output["category"], "stderr");
    return output.value("output", "");
  };
  EXPECT_NE(complaint(lsp::EncodeFrame("{\"seq\":1,")).find("not JSON"), std::string::npos);
  EXPECT_NE(complaint(lsp::EncodeFrame("[1,2]")).find("`type` is not"), std::string::npos);
  EXPECT_NE(complaint(lsp::EncodeFrame("{\"type\":\"request\",\"command\":\"threads\"}")).find("`seq` is missing"),
            std::string::npos);
  EXPECT_NE(complaint("Content-Length: 99999999999999\r\n\r\n").find("exceeds the limit"), std::string::npos);
  // The bytes of that message never come; what follows is part of it. Another client would start again.
}

TEST(DebugAdapterRobustnessTest, MalformedRequestsAreAnswered) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  client.SendBytes(lsp::EncodeFrame(R"({"seq":900,"type":"request"})"));
  EXPECT_NE(client.WaitResponse(900).value("message", "").find("`command` is missing"), std::string::npos);
  client.SendBytes(lsp::EncodeFrame(R"({"seq":901,"type":"request","command":"threads","arguments":[1]})"));
  EXPECT_NE(client.WaitResponse(901).value("message", "").find("must be an object"), std::string::npos);
  client.SendBytes(lsp::EncodeFrame(R"({"seq":902,"type":"response","request_seq":1,"success":true,"command":"x"})"));
  // Every request with arguments of every wrong kind.
  const json wrong[] = {
      json::object(),
      {{"threadId", "one"}},
      {{"threadId", 1e300}},
      {{"frameId", -1}},
      {{"variablesReference", {1}}},
      {{"source", 5}},
      {{"breakpoints", {1, "x", nullptr}}},
      {{"threadId", -9223372036854775807ll - 1}},
      {{"name", 3}},
      {{"line", -5}, {"source", {{"path", "x"}}}},
      {{"source", {{"path", client.program()}}}, {"breakpoints", {{{"line", -3}, {"column", -9}}}}},
      {{"filters", "nan"}},
      {{"text", "x"}, {"column", -4}},
      {{"expression", ""}},
      {{"text", "\xC3\xA4\xF0\x9F\x98\x80(no"}, {"column", 3}, {"line", 99}},
      {{"memoryReference", "0x1"}, {"instructionCount", 3}, {"instructionOffset", 9223372036854775807ll}}};
  for (const char* command : {"setBreakpoints",
                              "setFunctionBreakpoints",
                              "setInstructionBreakpoints",
                              "setDataBreakpoints",
                              "dataBreakpointInfo",
                              "setExceptionBreakpoints",
                              "exceptionInfo",
                              "stepInTargets",
                              "gotoTargets",
                              "goto",
                              "threads",
                              "stackTrace",
                              "scopes",
                              "variables",
                              "setVariable",
                              "setExpression",
                              "evaluate",
                              "completions",
                              "readMemory",
                              "source",
                              "loadedSources",
                              "breakpointLocations",
                              "disassemble",
                              "restartFrame",
                              "cancel"}) {
    for (const json& arguments : wrong) {
      client.SendBytes(lsp::EncodeFrame(
          json{{"seq", 1000}, {"type", "request"}, {"command", command}, {"arguments", arguments}}.dump()));
      const json response = client.WaitResponse(1000);
      ASSERT_EQ(response.value("command", ""), command) << arguments;
    }
  }
  EXPECT_EQ(client.Value("1 + 1"), "2");
}

TEST(DebugAdapterRobustnessTest, LogPointsDoNotFillTheMemory) {
  DapClient client;
  client.Launch(kLongModule, {{"stopOnEntry", false}});
  client.Body("setBreakpoints", {{"source", client.source()},
                                 {"breakpoints", {{{"line", client.LineOf("j = ")}, {"logMessage", "i is {i}"}}}}});
  client.Body("configurationDone");
  // Nobody reads for a while, then the client goes.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  client.CloseInput();
  client.CloseOutput();
  EXPECT_EQ(client.WaitExit(), 0);
}

}  // namespace
}  // namespace hloscope::dap
