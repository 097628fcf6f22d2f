// SPDX-License-Identifier: Apache-2.0
// Values through the debug adapter: scopes, variables, expressions, changes, memory.
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr char kLargeModule[] = R"(HloModule large

ENTRY e {
  p = f32[3,2500] parameter(0)
  s = s4[2,3] constant({{1,-2,3},{4,5,-6}})
  h = (f32[3,2500], s4[2,3]) tuple(p, s)
  t = f32[2500,3] transpose(p), dimensions={1,0}
  ROOT n = f32[2500,3] negate(t)
}
)";

TEST(DebugAdapterValuesTest, StackPages) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("y = ")}}}}});
  client.Start();
  client.Move("continue");
  const json all = client.Body("stackTrace", {{"threadId", 1}});
  EXPECT_EQ(all["totalFrames"], 2);
  ASSERT_EQ(all["stackFrames"].size(), 2u);
  EXPECT_EQ(all["stackFrames"][1]["name"], "e");
  EXPECT_EQ(all["stackFrames"][1]["line"], client.LineOf("w = "));
  EXPECT_EQ(all["stackFrames"][1]["source"]["path"], client.program());
  const json second = client.Body("stackTrace", {{"threadId", 1}, {"startFrame", 1}, {"levels", 1}});
  ASSERT_EQ(second["stackFrames"].size(), 1u);
  EXPECT_EQ(second["stackFrames"][0]["name"], "e");
  EXPECT_TRUE(client.Body("stackTrace", {{"threadId", 1}, {"startFrame", 9}})["stackFrames"].empty());
  EXPECT_NE(client.Error("stackTrace", {{"threadId", 5}}).find("there is no thread 5"), std::string::npos);
  EXPECT_NE(client.Error("scopes", {{"frameId", 99}}).find("earlier stop"), std::string::npos);
}

TEST(DebugAdapterValuesTest, ScopesOfALoop) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints",
              {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("ROOT t = ")}}}}});
  client.Start();
  EXPECT_EQ(client.Scopes().count("Loop state"), 0u);
  client.Move("continue");
  client.Move("continue");
  std::map<std::string, std::string> operands = client.Values("Operands");
  EXPECT_EQ(operands["j"], "2");
  EXPECT_EQ(operands["y"], "f32[4] {0, 4, 8, 12}");
  EXPECT_EQ(operands.size(), 2u);
  std::map<std::string, std::string> loop = client.Values("Loop state");
  EXPECT_EQ(loop["iteration"], "1");
  EXPECT_EQ(loop["s{0}"], "1");
  EXPECT_EQ(loop["s{1}"], "f32[4] {0, 2, 4, 6}");
  // Also what is not needed any more.
  EXPECT_EQ(client.Values("Locals")["i"], "1");
  EXPECT_EQ(client.Values("Results")["y"], "f32[4] {0, 4, 8, 12}");
  EXPECT_NE(client.Values("Run")["device 0 (r0,p0)"].find("e::w[body 1]/body::t"), std::string::npos);
}

// A client that takes neither is not to get them.
TEST(DebugAdapterValuesTest, TypesAndMemoryAreForClientsThatTakeThem) {
  DapClient client;
  client.Body("initialize", {{"adapterID", "hlo"}});
  std::ofstream(client.program()) << kLargeModule;
  client.Body("launch", {{"program", client.program()}, {"fill", "iota"}, {"stopOnEntry", true}});
  client.Start();
  client.Move("next");
  client.Move("next");
  for (const auto& [name, reference] : client.Scopes()) {
    for (const json& variable : client.Variables(reference)) {
      EXPECT_FALSE(variable.contains("type")) << variable;
      EXPECT_FALSE(variable.contains("memoryReference")) << variable;
    }
  }
  const json value =
      client.Body("evaluate", {{"expression", "s"}, {"frameId", client.Top()["id"]}, {"context", "watch"}});
  EXPECT_FALSE(value.contains("type")) << value;
  EXPECT_FALSE(value.contains("memoryReference")) << value;
}

TEST(DebugAdapterValuesTest, LargeTensorsInPages) {
  DapClient client;
  client.Launch(kLargeModule);
  client.Start();
  const json locals = client.Variables(client.Scopes()["Locals"]);
  const auto named = [&](const std::string& name) {
    for (const json& variable : locals) {
      if (variable["name"] == name) return variable;
    }
    return json();
  };
  const json p = named("p");
  EXPECT_EQ(p["type"], "f32[3,2500]");
  EXPECT_EQ(p["indexedVariables"], 3);
  EXPECT_EQ(p["namedVariables"], 1);
  EXPECT_EQ(p["evaluateName"], "p");
  const json rows = client.Variables(p["variablesReference"], {{"filter", "indexed"}});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1]["name"], "[1]");
  EXPECT_EQ(rows[1]["evaluateName"], "p[1]");
  EXPECT_EQ(rows[1]["indexedVariables"], 2500);
  const json page =
      client.Variables(rows[1]["variablesReference"], {{"filter", "indexed"}, {"start", 2400}, {"count", 7}});
  ASSERT_EQ(page.size(), 7u);
  EXPECT_EQ(page[0]["name"], "[2400]");
  EXPECT_EQ(page[0]["value"], "4900");
  EXPECT_EQ(page[0]["evaluateName"], "p[1,2400]");
  EXPECT_EQ(client.Value("p[1,2400]"), "4900");
  EXPECT_EQ(client.Variables(rows[1]["variablesReference"], {{"start", 2499}, {"count", 100}}).size(), 1u);
  // Without pages: groups.
  const json groups = client.Variables(rows[1]["variablesReference"], {{"filter", "indexed"}});
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[2]["name"], "[2000..2499]");
  const json last = client.Variables(groups[2]["variablesReference"]);
  ASSERT_EQ(last.size(), 500u);
  EXPECT_EQ(last[499]["value"], "4999");
  const json statistics = client.Variables(p["variablesReference"], {{"filter", "named"}});
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_EQ(statistics[0]["name"], "statistics");
  EXPECT_EQ(statistics[0]["value"], "f32[3,2500] min 0 max 7499 mean 3749.5");
  // References end where the run moves.
  client.Move("next");
  EXPECT_NE(client.Error("variables", {{"variablesReference", p["variablesReference"]}}).find("earlier stop"),
            std::string::npos);
}

TEST(DebugAdapterValuesTest, MemoryIsRowMajorWithOneByteForSmallTypes) {
  DapClient client;
  client.Launch(kLargeModule);
  client.Start();
  const json small = client.Body("evaluate", {{"expression", "s"}});
  EXPECT_EQ(small["type"], "s4[2,3]");
  const json bytes = client.Body("readMemory", {{"memoryReference", small["memoryReference"]}, {"count", 100}});
  EXPECT_EQ(bytes["data"], "Af4DBAX6");  // 1 -2 3 4 5 -6
  EXPECT_EQ(bytes["unreadableBytes"], 94);
  client.Move("next");
  client.Move("next");
  // A transposed view: its own order counts.
  const json view = client.Body("evaluate", {{"expression", "t[0:2]"}});
  EXPECT_EQ(view["type"], "f32[2,3]");
  const std::string reference = view["memoryReference"];
  const json part = client.Body("readMemory", {{"memoryReference", reference}, {"offset", 4}, {"count", 8}});
  EXPECT_EQ(part["data"], "AEAcRQBAnEU=");  // 2500 5000
  EXPECT_EQ(part["address"], "0x4");
  EXPECT_EQ(
      client.Body("readMemory", {{"memoryReference", reference}, {"offset", 24}, {"count", 8}})["unreadableBytes"], 8);
  EXPECT_NE(client.Error("readMemory", {{"memoryReference", "value:0"}, {"count", 8}}).find("earlier stop"),
            std::string::npos);
  EXPECT_NE(client.Error("readMemory", {{"memoryReference", reference}, {"count", -1}}).find("at least 0"),
            std::string::npos);
}

TEST(DebugAdapterValuesTest, ExpressionsInWatchHoverAndConsole) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Body("setBreakpoints",
              {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("ROOT t = ")}}}}});
  client.Start();
  client.Move("continue");
  EXPECT_EQ(client.Value("max(y) * 2", "watch"), "12");
  EXPECT_EQ(client.Value("y", "hover"), "f32[4] {0, 2, 4, 6}");
  EXPECT_EQ(client.Value("y[1:3]", "repl"), "f32[2] {2, 4}");
  EXPECT_EQ(client.Value("why y[2]", "repl"), "y[2] = 4  add\n  x[2]  2\n  x[2]  2");
  client.Move("continue");
  EXPECT_EQ(client.Value("history y", "repl"),
            "  e::w[body 0]/body::y  f32[4] {0, 2, 4, 6}\n  e::w[body 1]/body::y  f32[4] {0, 4, 8, 12}");
  // The outer frame sees its own values only.
  const json frames = client.Body("stackTrace", {{"threadId", 1}})["stackFrames"];
  EXPECT_EQ(client.Body("evaluate", {{"expression", "init{0}"}, {"frameId", frames[1]["id"]}})["result"], "0");
  const std::string outside = client.Error("evaluate", {{"expression", "y"}, {"frameId", frames[1]["id"]}});
  EXPECT_NE(outside.find("belongs to computation body"), std::string::npos) << outside;
  const std::string mistake = client.Error("evaluate", {{"expression", "y + zerro"}, {"context", "watch"}});
  EXPECT_NE(mistake.find("  y + zerro\n      ^~~~~\n"), std::string::npos) << mistake;
  EXPECT_NE(mistake.find("did you mean `zero`"), std::string::npos) << mistake;
  EXPECT_NE(client.Error("evaluate", {{"expression", "why zerro[1]"}, {"context", "repl"}}).find("zerro"),
            std::string::npos);
  EXPECT_NE(client.Error("evaluate", {{"context", "repl"}}).find("`expression` is missing"), std::string::npos);
}

TEST(DebugAdapterValuesTest, OriginOfANan) {
  DapClient client;
  client.Launch(kNanModule, {{"stopOnEntry", false}});
  EXPECT_EQ(client.Start()["reason"], "finished");
  const std::string origin = client.Value("origin m[0]", "repl");
  EXPECT_NE(origin.find("origin: "), std::string::npos) << origin;
  EXPECT_NE(origin.find("l[0]"), std::string::npos) << origin;
}

TEST(DebugAdapterValuesTest, Completions) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const auto labels = [&](const std::string& text, int column) {
    std::vector<std::string> found;
    const json targets = client.Body("completions", {{"text", text}, {"column", column}})["targets"];
    for (const json& target : targets) found.push_back(target["label"]);
    return found;
  };
  EXPECT_EQ(labels("1 + ini", 8), std::vector<std::string>{"init"});
  EXPECT_EQ(labels("histo", 6), std::vector<std::string>{"history"});
  const json target = client.Body("completions", {{"text", "max(doubl"}, {"column", 10}})["targets"][0];
  EXPECT_EQ(target["label"], "double");
  EXPECT_EQ(target["start"], 4);
  EXPECT_EQ(target["length"], 5);
}

TEST(DebugAdapterValuesTest, ValuesCanBeSet) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  client.Move("next");
  const json locals = client.Variables(client.Scopes()["Locals"]);
  json init;
  for (const json& variable : locals) {
    if (variable["name"] == "init") init = variable;
  }
  const json parts = client.Variables(init["variablesReference"]);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1]["name"], "{1}");
  // An element of an array in a tuple.
  const json changed = client.Body(
      "setVariable", {{"variablesReference", parts[1]["variablesReference"]}, {"name", "[2]"}, {"value", "100"}});
  EXPECT_EQ(changed["value"], "100");
  EXPECT_EQ(client.Event("invalidated")["areas"], json::array({"variables"}));
  EXPECT_EQ(client.Value("init{1}"), "f32[4] {0, 1, 100, 3}");
  EXPECT_EQ(client.Body("setExpression", {{"expression", "init{1}[0:2]"}, {"value", "init{1}[0:2] + 7"}})["value"],
            "f32[2] {7, 8}");
  client.Move("next");
  EXPECT_EQ(client.Value("w{1}"), "f32[4] {56, 64, 800, 24}");
  EXPECT_NE(client.Error("setExpression", {{"expression", "max(w{1})"}, {"value", "1"}}).find("can be set"),
            std::string::npos);
  EXPECT_NE(client.Error("setExpression", {{"expression", "p"}, {"value", "{1, 2}"}}).find("f32[4]"),
            std::string::npos);
  EXPECT_NE(client.Error("setVariable", {{"variablesReference", 999}, {"name", "x"}, {"value", "1"}}).find("earlier"),
            std::string::npos);
  const json whole = client.Body(
      "setVariable", {{"variablesReference", client.Scopes()["Locals"]}, {"name", "p"}, {"value", "{1, 2, 3, 4}"}});
  EXPECT_EQ(whole["value"], "f32[4] {1, 2, 3, 4}");
}

TEST(DebugAdapterValuesTest, TheTextOfTheModule) {
  DapClient client;
  client.Launch(kLoopModule);
  EXPECT_EQ(client.Body("source", {{"source", client.source()}, {"sourceReference", 0}})["content"], kLoopModule);
  EXPECT_EQ(client.Body("loadedSources")["sources"][0]["path"], client.program());
  EXPECT_NE(client.Error("source", {{"source", {{"path", "/other"}}}, {"sourceReference", 0}}).find("not the module"),
            std::string::npos);
}

// Among very many, those that were computed last come first; then all, in groups.
TEST(DebugAdapterValuesTest, TheNewestOfManyLocalsComeFirst) {
  std::string text = "HloModule m\nENTRY e {\n  x0 = s32[] parameter(0)\n";
  for (int i = 1; i < 1200; ++i) absl::StrAppend(&text, "  x", i, " = s32[] add(x", i - 1, ", x0)\n");
  DapClient client;
  client.Launch(text + "  ROOT r = s32[] negate(x1199)\n}\n", {{"fill", "ones"}});
  client.Body("setBreakpoints", {{"source", client.source()}, {"breakpoints", {{{"line", client.LineOf("ROOT r")}}}}});
  client.Start();
  client.Move("continue");
  const json locals = client.Variables(client.Scopes()["Locals"]);
  ASSERT_EQ(locals.size(), 22u);
  EXPECT_EQ(locals[0]["name"], "x1199");
  EXPECT_EQ(locals[0]["value"], "1200");
  EXPECT_EQ(locals[19]["name"], "x1180");
  EXPECT_EQ(locals[20]["name"], "x0 .. x999");
  EXPECT_EQ(locals[21]["value"], "200 values");
}

}  // namespace
}  // namespace hloscope::dap
