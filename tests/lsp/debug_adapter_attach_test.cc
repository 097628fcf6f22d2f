// SPDX-License-Identifier: Apache-2.0
// Debuggers that attach to `hloscope run --listen`.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// `hloscope run`, whose output goes to a file.
class ListeningProgram {
 public:
  ListeningProgram(const std::string& module, const std::string& text, const std::vector<std::string>& more)
      : output_(module + ".out") {
    std::ofstream(module) << text;
    std::vector<std::string> words = {HLOSCOPE_BINARY, "run", module, "--fill=iota", "--listen=0"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(HLOSCOPE_BINARY, arguments.data());
    _exit(127);
  }
  ~ListeningProgram() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    unlink(output_.c_str());
  }

  std::string Output() const {
    std::ostringstream text;
    text << std::ifstream(output_).rdbuf();
    return text.str();
  }
  // The port that it prints; -1 if it prints none.
  int Port() const {
    for (int i = 0; i < 3000; ++i) {
      const std::string text = Output();
      const size_t at = text.find("attach at port "), end = text.find('\n', at);
      int port = -1;
      if (at != std::string::npos && end != std::string::npos &&
          absl::SimpleAtoi(text.substr(at + 15, end - at - 15), &port)) {
        return port;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }
  int WaitExit() {
    int status = -1;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
  }

 private:
  const std::string output_;
  pid_t pid_ = -1;
};

// Attaches as an editor does, and returns where the run stops.
json Attach(DapClient& client, int port, const json& more = json::object()) {
  client.Body("initialize", {{"adapterID", "hlo"}});
  json arguments = {{"port", port}};
  arguments.update(more);
  client.Body("attach", arguments);
  client.Event("initialized");
  return client.Start();
}

TEST(DebugAdapterAttachTest, ARunThatWaitsIsSteppedAndGoesOnWhenTheDebuggerLeaves) {
  DapClient client;
  ListeningProgram program(client.program(), kLoopModule, {"--wait-for-debugger", "--print"});
  EXPECT_EQ(Attach(client, program.Port())["reason"], "entry");
  EXPECT_EQ(client.Event("process")["startMethod"], "attach");
  EXPECT_EQ(client.Value("p"), "f32[4] {0, 1, 2, 3}");
  const std::string text = kLoopModule;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(text.find("y = ")), '\n');
  const json set = client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", line}}}}});
  EXPECT_EQ(set["breakpoints"][0]["verified"], true);
  EXPECT_EQ(client.Move("continue")["reason"], "breakpoint");
  client.Body("setExpression", {{"expression", "x[0]"}, {"value", "1"}});
  client.Body("disconnect");
  EXPECT_EQ(client.WaitExit(), 0);
  // Without the breakpoint, and with the value that was set: 8 * (1 + 1 + 2 + 3) / 2.
  EXPECT_EQ(program.WaitExit(), 0) << program.Output();
  EXPECT_THAT(program.Output(), HasSubstr("result0 = f32[] 28\n"));
}

TEST(DebugAdapterAttachTest, ARunThatGoesOnIsPausedAndCanBeEnded) {
  DapClient client;
  ListeningProgram program(client.program(), kLongModule, {});
  const int port = program.Port();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(Attach(client, port)["reason"], "pause");
  EXPECT_EQ(client.Body("stackTrace", {{"threadId", 1}})["totalFrames"], 2);
  client.Send("continue", {{"threadId", 1}});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  client.Body("pause", {{"threadId", 1}});
  EXPECT_EQ(client.Stopped()["reason"], "pause");
  client.Body("disconnect", {{"terminateDebuggee", true}});
  EXPECT_EQ(program.WaitExit(), 3);
  EXPECT_THAT(program.Output(), HasSubstr("the debugger that was attached ended the run"));
}

TEST(DebugAdapterAttachTest, ASuspendedRunWaitsForTheNextDebugger) {
  DapClient first;
  ListeningProgram program(first.program(), kLoopModule, {"--wait-for-debugger"});
  const int port = program.Port();
  Attach(first, port);
  first.Move("next");
  const std::string position = first.Values("Run")["position"];
  first.Body("disconnect", {{"suspendDebuggee", true}});
  DapClient second;
  Attach(second, port);
  EXPECT_EQ(second.Values("Run")["position"], position);
  second.Body("restart");
  EXPECT_EQ(second.Stopped()["reason"], "entry");
  EXPECT_EQ(second.Values("Run")["position"], "0");
  // A debugger that dies is one that leaves.
  second.CloseInput();
  EXPECT_EQ(program.WaitExit(), 0) << program.Output();
}

TEST(DebugAdapterAttachTest, WhatCannotBeAttachedToIsTold) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  EXPECT_THAT(client.Error("attach"), HasSubstr("`port` is the port"));
  EXPECT_THAT(client.Error("attach", {{"port", 1}}), HasSubstr("nothing can be attached to at port 1"));
  // The session is as it was.
  std::ofstream(client.program()) << kLoopModule;
  client.Body("launch", {{"program", client.program()}, {"fill", "zeros"}});
}

}  // namespace
}  // namespace hloscope::dap
