// SPDX-License-Identifier: Apache-2.0
// Values for the editor come from a process of their own: its crashes, its limits and its end.
#include "lsp/evaluation/evaluation_process.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr char kEvaluationUri[] = "file:///tmp/evaluation.hlo";
// Two thousand million iterations.
constexpr char kEndless[] =
    "HloModule m\nbody {\n  v = s32[] parameter(0)\n  one = s32[] constant(1)\n  ROOT w = s32[] add(v, one)\n}\n"
    "condition {\n  v = s32[] parameter(0)\n  n = s32[] constant(2000000000)\n"
    "  ROOT p = pred[] compare(v, n), direction=LT\n}\n"
    "ENTRY e {\n  z = s32[] constant(0)\n  ROOT l = s32[] while(z), condition=condition, body=body\n}\n";

json At(uint32_t line, uint32_t character) {
  return {{"textDocument", {{"uri", kEvaluationUri}}}, {"position", {{"line", line}, {"character", character}}}};
}

// The processes that `parent` started, or the one process that a child of it started.
std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    int pid = 0;
    if (!absl::SimpleAtoi(entry.path().filename().string(), &pid)) continue;
    std::ifstream status(entry.path() / "stat");
    std::string line;
    std::getline(status, line);
    const size_t name_end = line.rfind(") ");
    int of = 0;
    char state = 0;
    if (name_end == std::string::npos) continue;
    if (sscanf(line.c_str() + name_end + 2, "%c %d", &state, &of) == 2 && of == parent && state != 'Z') {
      children.push_back(pid);
    }
  }
  return children;
}

// Not the shell that watches over it.
bool Evaluates(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  const std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return words.find("--evaluate") != std::string::npos;
}

// The child that evaluates, once it is there.
pid_t WaitForEvaluation(pid_t server) {
  for (int i = 0; i < 500; ++i) {
    for (const pid_t child : ChildrenOf(server)) {
      if (Evaluates(child)) return child;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "nothing evaluates";
  return -1;
}

bool Ends(pid_t pid) {
  for (int i = 0; i < 500; ++i) {
    // A zombie that waits for its parent has ended.
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(status, line) || line.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(EvaluationProcessTest, TheServerSurvivesACrash) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri, kEndless);
  const int running = client.Request("hloscope/value", At(13, 7));
  const pid_t child = WaitForEvaluation(client.pid());
  ASSERT_GT(child, 0);
  kill(child, SIGKILL);
  const json answer = client.WaitAnswer(running);
  EXPECT_EQ(answer["error"]["code"], -32803);
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), testing::HasSubstr("was killed"));
  EXPECT_FALSE(client.Result("textDocument/hover", At(13, 7)).is_null());
  EXPECT_EQ(client.Result("hloscope/value", At(12, 3))["leaves"][0]["literal"], "0");
}

// What several devices make together is said to need them.
TEST(EvaluationProcessTest, SaysHowManyDevicesAValueNeeds) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri,
              "HloModule m\nadd {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT s = s32[] add(a, b)\n}\n"
              "ENTRY e {\n  v = s32[] constant(3)\n"
              "  ROOT r = s32[] all-reduce(v), replica_groups={{0,1,2,3}}, to_apply=add\n}\n");
  const int request = client.Request("hloscope/value", At(8, 7));
  EXPECT_THAT(client.WaitAnswer(request)["error"]["message"].get<std::string>(),
              testing::HasSubstr("`hloscope run --devices=4` runs"));
}

TEST(EvaluationProcessTest, CancellingKillsIt) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri, kEndless);
  const int running = client.Request("hloscope/value", At(13, 7));
  const pid_t child = WaitForEvaluation(client.pid());
  client.Notify("$/cancelRequest", {{"id", running}});
  EXPECT_EQ(client.WaitAnswer(running)["error"]["code"], -32800);
  EXPECT_TRUE(Ends(child));
}

TEST(EvaluationProcessTest, TheServerEndsAtOnceAndItWithIt) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri, kEndless);
  client.Request("hloscope/value", At(13, 7));
  const pid_t child = WaitForEvaluation(client.pid());
  const auto begin = std::chrono::steady_clock::now();
  client.Result("shutdown", nullptr);
  client.Notify("exit", nullptr);
  EXPECT_EQ(client.WaitExit(), 0);
  // 100 ms on a quiet machine; the evaluation would take 10 s.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  EXPECT_TRUE(Ends(child));
}

TEST(EvaluationProcessTest, ItEndsWithAServerThatIsKilled) {
  pid_t child = -1;
  {
    LspClient client;
    client.Initialize();
    client.Open(kEvaluationUri, kEndless);
    client.Request("hloscope/value", At(13, 7));
    child = WaitForEvaluation(client.pid());
  }
  EXPECT_TRUE(Ends(child));
}

TEST(EvaluationProcessTest, LimitsOfMemoryAndTime) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri,
              "HloModule m\nENTRY e {\n  c = f32[] constant(1)\n  b = f32[1000,1000] parameter(0)\n"
              "  ROOT n = f32[1000,1000] sine(b)\n}\n");
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"evaluation", {{"memoryLimit", 1}}}}}});
  const json refused = client.Call("hloscope/value", At(4, 8));
  EXPECT_THAT(refused["error"]["message"].get<std::string>(), testing::HasSubstr("memory limit"));
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"evaluation", {{"memoryLimit", 64}}}}}});
  EXPECT_EQ(client.Result("hloscope/value", At(4, 8))["leaves"][0]["count"], 1000000);

  client.Change(kEvaluationUri, 2, json::array({{{"text", kEndless}}}));
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"evaluation", {{"timeLimit", 0.3}}}}}});
  const json late = client.Call("hloscope/value", At(13, 7));
  EXPECT_THAT(late["error"]["message"].get<std::string>(), testing::HasSubstr("0.3")) << late;
}

TEST(EvaluationProcessTest, ProgressIsTold) {
  LspClient client;
  client.Initialize();
  client.Open(kEvaluationUri, kEndless);
  json params = At(13, 7);
  params["workDoneToken"] = "t";
  const int running = client.Request("hloscope/value", params);
  const json progress = client.Wait([](const json& message) {
    return message.value("method", "") == "$/progress" && message["params"]["value"].contains("message");
  });
  EXPECT_THAT(progress["params"]["value"]["message"].get<std::string>(), testing::HasSubstr("executed"));
  client.Notify("$/cancelRequest", {{"id", running}});
  client.WaitAnswer(running);
}

TEST(EvaluationProcessTest, QuestionsThatAreNone) {
  ChildProcess child(HLOSCOPE_LSP_BINARY, {"--evaluate"});
  child.SendBytes("nonsense\n");
  child.CloseInput();
  EXPECT_EQ(child.WaitExit(), 2);
}

}  // namespace
}  // namespace hloscope::lsp
