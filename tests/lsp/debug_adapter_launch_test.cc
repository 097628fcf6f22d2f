// SPDX-License-Identifier: Apache-2.0
// The life of a session with the debug adapter: launching, ending, several ways to talk to it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "evaluator/tensor/npy.h"
#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

TEST(DebugAdapterLaunchTest, TellsItsCapabilities) {
  DapClient client;
  const json capabilities = client.Body("initialize", {{"adapterID", "hlo"}});
  for (const char* name : {"supportsConfigurationDoneRequest",
                           "supportsFunctionBreakpoints",
                           "supportsConditionalBreakpoints",
                           "supportsHitConditionalBreakpoints",
                           "supportsEvaluateForHovers",
                           "supportsStepBack",
                           "supportsSetVariable",
                           "supportsRestartFrame",
                           "supportsGotoTargetsRequest",
                           "supportsStepInTargetsRequest",
                           "supportsCompletionsRequest",
                           "supportsRestartRequest",
                           "supportsExceptionInfoRequest",
                           "supportsLogPoints",
                           "supportsSetExpression",
                           "supportsTerminateRequest",
                           "supportsDataBreakpoints",
                           "supportsReadMemoryRequest",
                           "supportsDisassembleRequest",
                           "supportsCancelRequest",
                           "supportsBreakpointLocationsRequest",
                           "supportsInstructionBreakpoints",
                           "supportsExceptionFilterOptions",
                           "supportsLoadedSourcesRequest"}) {
    EXPECT_EQ(capabilities.value(name, false), true) << name;
  }
  ASSERT_EQ(capabilities["exceptionBreakpointFilters"].size(), 4u);
  EXPECT_EQ(capabilities["exceptionBreakpointFilters"][0]["filter"], "nan");
  EXPECT_NE(client.Error("initialize", {{"adapterID", "hlo"}}).find("only once"), std::string::npos);
}

TEST(DebugAdapterLaunchTest, TellsOfProcessAndThreads) {
  DapClient client;
  client.Launch(kReplicaModule);
  const json process = client.Event("process");
  EXPECT_EQ(process["systemProcessId"], client.pid());
  EXPECT_EQ(process["startMethod"], "launch");
  client.Start();
  for (int thread : {1, 2}) EXPECT_EQ(client.Event("thread"), (json{{"reason", "started"}, {"threadId", thread}}));
}

TEST(DebugAdapterLaunchTest, ReadsArguments) {
  const std::string folder = ::testing::TempDir();
  const std::string path = folder + "dap_arg.npy";
  const std::vector<float> numbers = {1, 2, 3, 5};
  ASSERT_TRUE(evaluator::WriteNpy(path, *evaluator::Tensor::FromValues<float>(ElementType::kF32, {4}, numbers)).ok());
  DapClient client;
  client.Launch(kLoopModule, {{"arguments", {{"0", path}}}, {"fill", nullptr}});
  client.Start();
  EXPECT_EQ(client.Value("p"), "f32[4] {1, 2, 3, 5}");
  // A folder of arguments.
  const std::string directory = folder + "dap_args";
  std::filesystem::create_directories(directory);
  std::filesystem::rename(path, directory + "/arg0.npy");
  client.Body("restart", {{"arguments",
                           {{"program", client.program()}, {"argumentsDirectory", directory}, {"stopOnEntry", true}}}});
  client.Stopped();
  EXPECT_EQ(client.Value("p"), "f32[4] {1, 2, 3, 5}");
  std::filesystem::remove_all(directory);
}

TEST(DebugAdapterLaunchTest, TellsWhatIsWrongWithALaunch) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << kLoopModule;
  const auto error = [&](json configuration) {
    const json response = client.Call("launch", configuration);
    EXPECT_EQ(response["success"], false) << configuration;
    EXPECT_EQ(response["body"]["error"]["showUser"], true);
    return response.value("message", "");
  };
  const auto with = [&](const char* name, json value) {
    json configuration = {{"program", client.program()}, {"fill", "zeros"}};
    configuration[name] = std::move(value);
    return configuration;
  };
  EXPECT_NE(error(json::object()).find("`program` names the module"), std::string::npos);
  EXPECT_NE(error({{"program", "/nowhere.hlo"}}).find("/nowhere.hlo"), std::string::npos);
  EXPECT_NE(error(with("fill", "twos")).find("normal, positive or uniform:LO:HI, not `twos`"), std::string::npos);
  EXPECT_NE(error(with("fill", nullptr)).find("parameter 0 of shape f32[4] has no value; give it in `arguments`"),
            std::string::npos);
  EXPECT_NE(error(with("arguments", {{"7", "x.npy"}})).find("no such parameter"), std::string::npos);
  EXPECT_NE(error(with("arguments", {{"x", "x.npy"}})).find("N.I.J"), std::string::npos);
  EXPECT_NE(error(with("arguments", {"x.npy"})).find("is an object"), std::string::npos);
  EXPECT_NE(error(with("arguments", {{"0", "/nowhere.npy"}})).find("/nowhere.npy"), std::string::npos);
  EXPECT_NE(error(with("seed", -1)).find("`seed` is a number from 0"), std::string::npos);
  EXPECT_NE(error(with("replicas", 0)).find("`replicas` is a number from 1 to 4096"), std::string::npos);
  EXPECT_NE(error(with("memoryLimit", "much")).find("number of bytes such as"), std::string::npos);
  EXPECT_NE(client.Error("attach").find("`port` is the port"), std::string::npos);
  std::ofstream(client.program()) << "HloModule broken\n\nENTRY e {\n  ROOT a = f32[] ad(p)\n}\n";
  const std::string broken = error({{"program", client.program()}});
  EXPECT_NE(broken.find(":4:18: error: "), std::string::npos) << broken;
  EXPECT_NE(client.Event("output").value("output", "").find("ROOT a = f32[] ad(p)"), std::string::npos);
  // None of this ends the session.
  std::ofstream(client.program()) << kLoopModule;
  client.Body("launch", {{"program", client.program()}, {"fill", "zeros"}, {"memoryLimit", "1G"}});
  EXPECT_NE(client.Error("launch", {{"program", client.program()}}).find("launched already"), std::string::npos);
}

TEST(DebugAdapterLaunchTest, OrderOfRequests) {
  DapClient client;
  EXPECT_NE(client.Error("threads").find("`initialize` comes first"), std::string::npos);
  client.Body("initialize", {{"adapterID", "hlo"}});
  EXPECT_NE(client.Error("next", {{"threadId", 1}}).find("`launch` comes first"), std::string::npos);
  EXPECT_NE(client.Error("pause", {{"threadId", 1}}).find("`launch` comes first"), std::string::npos);
  EXPECT_NE(client.Error("configurationDone").find("`launch` comes first"), std::string::npos);
  std::ofstream(client.program()) << kLoopModule;
  client.Body("launch", {{"program", client.program()}, {"fill", "zeros"}, {"stopOnEntry", true}});
  EXPECT_NE(client.Error("next", {{"threadId", 1}}).find("the run has not begun"), std::string::npos);
  client.Start();
  EXPECT_NE(client.Error("configurationDone").find("has begun already"), std::string::npos);
  EXPECT_NE(client.Error("stepp").find("there is no request `stepp`"), std::string::npos);
  EXPECT_NE(client.Error("next").find("`threadId` is missing"), std::string::npos);
  client.Body("terminate");
  EXPECT_NE(client.Error("next", {{"threadId", 1}}).find("the run has ended"), std::string::npos);
}

TEST(DebugAdapterLaunchTest, RunsWithoutStopping) {
  DapClient client;
  client.Launch(kLoopModule, {{"noDebug", true}});
  client.Body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "r"}}}}});
  client.Body("configurationDone");
  const json output = client.Event("output");
  EXPECT_EQ(output["category"], "stdout");
  EXPECT_EQ(output["output"], "result = 24\n");
  EXPECT_EQ(client.Event("exited")["exitCode"], 0);
  client.Event("terminated");
}

TEST(DebugAdapterLaunchTest, TheEndOfTheRunIsAPlaceToLookAround) {
  DapClient client;
  client.Launch(kLoopModule, {{"stopOnEntry", false}});
  const json stopped = client.Start();
  EXPECT_EQ(stopped["reason"], "finished");
  EXPECT_EQ(client.Values("Results")["result"], "24");
  EXPECT_EQ(client.Top()["name"], "e, finished");
  // After it there is the end of the session.
  client.Body("continue", {{"threadId", 1}});
  EXPECT_EQ(client.Event("exited")["exitCode"], 0);
  client.Event("terminated");
}

TEST(DebugAdapterLaunchTest, ARunThatFailsStopsWhereItFailed) {
  DapClient client;
  client.Launch(kMemoryModule, {{"memoryLimit", "1M"}});
  const json stopped = client.Start();
  EXPECT_EQ(stopped["reason"], "entry");
  const json failed = client.Move("continue");
  EXPECT_EQ(failed["reason"], "exception");
  EXPECT_NE(failed.value("text", "").find("memory"), std::string::npos) << failed;
  EXPECT_EQ(client.Body("exceptionInfo", {{"threadId", 1}})["exceptionId"], "failure");
  EXPECT_EQ(client.At(), "i");
  client.Move("stepBack");
  EXPECT_EQ(client.At(), "b");
  client.Body("terminate");
  client.Event("terminated");
}

TEST(DebugAdapterLaunchTest, EndsWithItsClient) {
  {
    DapClient client;
    client.Launch(kLoopModule);
    client.Body("disconnect", {{"terminateDebuggee", true}});
    EXPECT_EQ(client.WaitExit(), 0);
  }
  {
    DapClient client;
    client.Launch(kLongModule, {{"stopOnEntry", false}});
    client.Body("configurationDone");
    client.Event("thread");
    client.CloseInput();
    EXPECT_EQ(client.WaitExit(), 0);
  }
}

// The adapter below a process that dies without closing the pipe.
TEST(DebugAdapterLaunchTest, EndsWithItsParent) {
  int from_parent[2];
  ASSERT_EQ(pipe(from_parent), 0);
  int to_adapter[2];
  ASSERT_EQ(pipe(to_adapter), 0);
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    const pid_t adapter = fork();
    if (adapter == 0) {
      dup2(to_adapter[0], STDIN_FILENO);
      execl(HLOSCOPE_DAP_BINARY, HLOSCOPE_DAP_BINARY, nullptr);
      _exit(127);
    }
    (void)!write(from_parent[1], &adapter, sizeof(adapter));
    sleep(1);  // the adapter sees its parent alive first
    _exit(0);
  }
  pid_t adapter = 0;
  ASSERT_EQ(read(from_parent[0], &adapter, sizeof(adapter)), static_cast<ssize_t>(sizeof(adapter)));
  waitpid(parent, nullptr, 0);
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    usleep(100000);
    gone = kill(adapter, 0) != 0;
  }
  EXPECT_TRUE(gone);
  if (!gone) kill(adapter, SIGKILL);
  for (int fd : {from_parent[0], from_parent[1], to_adapter[0], to_adapter[1]}) close(fd);
}

TEST(DebugAdapterLaunchTest, ListensAtAPort) {
  FILE* const adapter = popen((std::string(HLOSCOPE_DAP_BINARY) + " --port 0").c_str(), "r");
  ASSERT_NE(adapter, nullptr);
  int port = 0;
  ASSERT_EQ(std::fscanf(adapter, "hloscope-dap: listening on 127.0.0.1:%d", &port), 1);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  // A second client finds nobody.
  const int second = socket(AF_INET, SOCK_STREAM, 0);
  const std::string request =
      lsp::EncodeFrame(R"({"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"hlo"}})");
  ASSERT_EQ(write(client, request.data(), request.size()), static_cast<ssize_t>(request.size()));
  std::array<char, 4096> bytes;
  const ssize_t n = read(client, bytes.data(), bytes.size());
  ASSERT_GT(n, 0);
  EXPECT_NE(std::string(bytes.data(), static_cast<size_t>(n)).find("\"success\":true"), std::string::npos);
  EXPECT_NE(connect(second, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  close(second);
  close(client);
  EXPECT_EQ(WEXITSTATUS(pclose(adapter)), 0);
}

TEST(DebugAdapterLaunchTest, CommandLine) {
  const auto run = [](const std::string& arguments) {
    return WEXITSTATUS(std::system((std::string(HLOSCOPE_DAP_BINARY) + " " + arguments + " >/dev/null 2>&1").c_str()));
  };
  EXPECT_EQ(run("--version"), 0);
  EXPECT_EQ(run("--help"), 0);
  EXPECT_EQ(run("--port 70000"), 2);
  EXPECT_EQ(run("--prot 1"), 2);
}

}  // namespace
}  // namespace hloscope::dap
