// SPDX-License-Identifier: Apache-2.0
// The requests that nvim-dap and dape send, in their order and with their arguments: neither is in Debian's archive, so
// their own code cannot run in a test.
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/dap_client.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kModule[] =
    "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  twice = f32[4] add(x, x)\n"
    "  wide = f32[4] exponential(twice)\n  ROOT last = f32[4] negate(wide)\n}\n";
constexpr int kTwice = 5, kWide = 6, kLast = 7;

class DebugEditorsTest : public testing::Test {
 protected:
  DebugEditorsTest()
      : path_(absl::StrCat(testing::TempDir(), testing::UnitTest::GetInstance()->current_test_info()->name(), ".hlo")) {
    std::ofstream(path_) << kModule;
  }

  // Both send the launch and wait for `initialized`, not for its response, before they set breakpoints.
  void Launch(const json& initialize, const json& configuration, const json& breakpoints) {
    const json capabilities = client_.Body("initialize", initialize);
    EXPECT_EQ(capabilities["supportsConfigurationDoneRequest"], true);
    const int launch = client_.Send("launch", configuration);
    client_.Event("initialized");
    const json set = client_.Body("setBreakpoints", breakpoints);
    ASSERT_EQ(set["breakpoints"].size(), breakpoints["breakpoints"].size());
    for (const json& breakpoint : set["breakpoints"]) EXPECT_EQ(breakpoint["verified"], true) << set;
    client_.Body("setExceptionBreakpoints", {{"filters", json::array()}});
    client_.Body("configurationDone");
    EXPECT_EQ(client_.WaitResponse(launch)["success"], true);
  }

  // What both ask for at a stop; returns the line of the innermost frame.
  int LineAtStop(const json& stack_arguments) {
    const json threads = client_.Body("threads")["threads"];
    EXPECT_EQ(threads.size(), 1u);
    json arguments = stack_arguments;
    arguments["threadId"] = threads[0]["id"];
    const json frames = client_.Body("stackTrace", arguments)["stackFrames"];
    if (frames.empty()) return 0;
    EXPECT_EQ(frames[0]["source"]["path"], path_);
    for (const json& scope : client_.Body("scopes", {{"frameId", frames[0]["id"]}})["scopes"]) {
      if (scope.value("expensive", false)) continue;
      client_.Body("variables", {{"variablesReference", scope["variablesReference"]}});
    }
    frame_ = frames[0]["id"];
    return frames[0]["line"];
  }

  std::string path_;
  DapClient client_;
  int frame_ = 0;
};

TEST_F(DebugEditorsTest, NvimDap) {
  const json source = {{"name", "NvimDap.hlo"}, {"path", path_}};
  Launch({{"clientID", "neovim"},
          {"clientName", "neovim"},
          {"adapterID", "nvim-dap"},
          {"pathFormat", "path"},
          {"columnsStartAt1", true},
          {"linesStartAt1", true},
          {"supportsRunInTerminalRequest", true},
          {"supportsVariableType", true},
          {"supportsProgressReporting", true},
          {"supportsStartDebuggingRequest", true},
          {"locale", "en_US.UTF-8"}},
         {{"type", "hlo"},
          {"request", "launch"},
          {"name", "HLO: debug this module"},
          {"program", path_},
          {"fill", "iota"},
          {"stopOnEntry", false}},
         {{"source", source}, {"sourceModified", false}, {"breakpoints", {{{"line", kWide}}}}, {"lines", {kWide}}});
  EXPECT_EQ(client_.Stopped()["reason"], "breakpoint");
  EXPECT_EQ(LineAtStop({{"startFrame", 0}}), kWide);
  EXPECT_THAT(client_.Body("evaluate", {{"expression", "twice"}, {"context", "hover"}, {"frameId", frame_}})["result"]
                  .get<std::string>(),
              HasSubstr("f32[4]"));
  client_.Body("next", {{"threadId", 1}, {"granularity", "statement"}});
  client_.Stopped();
  EXPECT_EQ(LineAtStop({{"startFrame", 0}}), kLast);
  client_.Body("stepBack", {{"threadId", 1}, {"granularity", "statement"}});
  client_.Stopped();
  EXPECT_EQ(LineAtStop({{"startFrame", 0}}), kWide);
  client_.Body("reverseContinue", {{"threadId", 1}});
  client_.Stopped();
  EXPECT_LT(LineAtStop({{"startFrame", 0}}), kWide);
  const json moved = client_.Body("evaluate", {{"expression", "help"}, {"context", "repl"}, {"frameId", frame_}});
  EXPECT_THAT(moved["result"].get<std::string>(), HasSubstr("why"));
  client_.Body("disconnect", {{"restart", false}, {"terminateDebuggee", nullptr}});
}

TEST_F(DebugEditorsTest, Dape) {
  Launch(
      {{"clientID", "dape"},
       {"adapterID", "hlo"},
       {"pathFormat", "path"},
       {"linesStartAt1", true},
       {"columnsStartAt1", true},
       {"locale", "en-US"},
       {"supportsRunInTerminalRequest", true},
       {"supportsStartDebuggingRequest", true},
       {"supportsVariableType", true},
       {"supportsMemoryReferences", true},
       {"supportsInvalidatedEvent", true}},
      {{"type", "hlo"}, {"request", "launch"}, {"program", path_}, {"fill", "iota"}, {"stopOnEntry", true}},
      {{"source", {{"name", "Dape.hlo"}, {"path", path_}, {"sourceReference", nullptr}}},
       {"breakpoints", {{{"line", kLast}, {"condition", nullptr}, {"hitCondition", nullptr}, {"logMessage", nullptr}}}},
       {"sourceModified", false}});
  client_.Stopped();
  const json first = {{"startFrame", 0}, {"levels", 1}, {"format", {{"parameters", true}, {"line", false}}}};
  EXPECT_LE(LineAtStop(first), kTwice);
  client_.Body("continue", {{"threadId", 1}, {"singleThread", false}});
  client_.Stopped();
  EXPECT_EQ(LineAtStop(first), kLast);
  const json watch = client_.Body("evaluate", {{"expression", "wide[1]"}, {"context", "watch"}, {"frameId", frame_}});
  EXPECT_FALSE(watch["result"].get<std::string>().empty());
  client_.Body("modules", {{"startModule", 0}, {"moduleCount", 0}});
  client_.Body("stepIn", {{"threadId", 1}, {"granularity", "line"}});
  client_.Body("terminate", {{"restart", false}});
  client_.Body("disconnect", {{"restart", false}});
}

}  // namespace
}  // namespace hloscope::dap
