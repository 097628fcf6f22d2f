// SPDX-License-Identifier: Apache-2.0
// What the debug adapter says beside plain values: other forms of numbers, bytes that are written, modules, places,
// times, help.
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/lsp/dap_client.h"
#include "tests/lsp/debug_adapter_modules.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kTypes[] = R"(HloModule types

ENTRY e {
  h = bf16[2] constant({1, -2})
  i = s32[2] constant({-1, 255})
  s = s4[3] constant({1, -2, 7})
  b = pred[2] constant({true, false})
  c = c64[] constant((1, -1))
  k = f32[4] parameter(0)
  t = (f32[4], s32[2]) tuple(k, i)
  n = f32[4] negate(k), metadata={op_name="f" source_file="/home/me/model.py" source_line=12}
  ROOT r = (f32[4], s32[2], s4[3], pred[2], c64[], bf16[2], (f32[4], s32[2])) tuple(n, i, s, b, c, h, t)
}
)";

TEST(DebugAdapterFormatTest, NumbersInOtherForms) {
  DapClient client;
  client.Launch(kTypes);
  client.Start();
  const auto hex = [&](const std::string& name) {
    return client.Body("evaluate", {{"expression", name}, {"format", {{"hex", true}}}})["result"];
  };
  EXPECT_EQ(hex("h"), "bf16[2] {0x3f80, 0xc000}");
  EXPECT_EQ(hex("i"), "s32[2] {0xffffffff, 0x000000ff}");
  EXPECT_EQ(hex("s"), "s4[3] {0x1, 0xe, 0x7}");
  EXPECT_EQ(hex("b"), "pred[2] {0x1, 0x0}");
  EXPECT_EQ(hex("c"), "(0x3f800000, 0xbf800000)");
  // At the end of an expression, as in a watch.
  EXPECT_EQ(client.Value("i[1], h"), "0x000000ff");
  EXPECT_EQ(client.Value("s, b"), "s4[3] {0b0001, 0b1110, 0b0111}");
  EXPECT_EQ(client.Value("k[1], e", "repl"), "1.000000e+00");
  // Variables, and what is in them.
  const json locals = client.Body(
      "variables", {{"variablesReference", client.Scopes()["Locals"]}, {"format", {{"hex", true}}}})["variables"];
  std::map<std::string, json> named;
  for (const json& variable : locals) named[variable["name"]] = variable;
  EXPECT_EQ(named["h"]["value"], "bf16[2] {0x3f80, 0xc000}");
  EXPECT_EQ(client.Variables(named["h"]["variablesReference"])[1]["value"], "-2");
}

TEST(DebugAdapterFormatTest, MemoryIsWritten) {
  DapClient client;
  client.Launch(kTypes);
  client.Start();
  const auto reference = [&](const std::string& expression) {
    return client.Body("evaluate", {{"expression", expression}})["memoryReference"];
  };
  const json k = reference("k");
  // The float 1 in place of element 2.
  EXPECT_EQ(client.Body("writeMemory", {{"memoryReference", k}, {"offset", 8}, {"data", "AACAPw=="}})["bytesWritten"],
            4);
  EXPECT_EQ(client.Event("memory"), (json{{"memoryReference", k}, {"offset", 8}, {"count", 4}}));
  EXPECT_EQ(client.Value("k"), "f32[4] {0, 1, 1, 3}");
  // A second one keeps the first.
  client.Body("writeMemory", {{"memoryReference", k}, {"data", "AACAPw=="}});
  EXPECT_EQ(client.Value("k"), "f32[4] {1, 1, 1, 3}");
  EXPECT_EQ(client.Body("readMemory", {{"memoryReference", k}, {"count", 4}})["data"], "AACAPw==");
  // Elements of a small type, and bytes that are none.
  const json s = reference("s");
  client.Body("writeMemory", {{"memoryReference", s}, {"offset", 1}, {"data", "+Q=="}});  // -7
  EXPECT_EQ(client.Value("s"), "s4[3] {1, -7, 7}");
  EXPECT_THAT(client.Error("writeMemory", {{"memoryReference", s}, {"data", "CA=="}}),
              HasSubstr("byte 0 would be 0x08, which is no s4"));
  EXPECT_THAT(client.Error("writeMemory", {{"memoryReference", s}, {"offset", 2}, {"data", "AAA="}}),
              HasSubstr("do not fit: s has 3 bytes"));
  EXPECT_EQ(
      client.Body("writeMemory",
                  {{"memoryReference", s}, {"offset", 2}, {"data", "AAA="}, {"allowPartial", true}})["bytesWritten"],
      1);
  EXPECT_THAT(client.Error("writeMemory", {{"memoryReference", reference("k + 1")}, {"data", "AACAPw=="}}),
              HasSubstr("only a value or elements of one can be set"));
  EXPECT_THAT(client.Error("writeMemory", {{"memoryReference", s}, {"data", "?"}}), HasSubstr("base64"));
  // It is what the run goes on with.
  client.Body("writeMemory", {{"memoryReference", reference("k[3]")}, {"data", "AACAPw=="}});
  client.Move("continue");
  EXPECT_EQ(client.Value("n"), "f32[4] {-1, -1, -1, -1}");
}

TEST(DebugAdapterFormatTest, ModulesAndPlaces) {
  DapClient client;
  client.Launch(kTypes);
  EXPECT_EQ(client.Event("module")["reason"], "new");
  const json modules = client.Body("modules", json::object());
  ASSERT_EQ(modules["modules"].size(), 1u);
  EXPECT_EQ(modules["modules"][0]["name"], "types");
  EXPECT_EQ(modules["modules"][0]["instructions"], 9);
  EXPECT_TRUE(client.Body("modules", {{"startModule", 1}})["modules"].empty());
  client.Start();
  client.Move("continue");
  json n;
  for (const json& variable : client.Variables(client.Scopes()["Locals"])) {
    if (variable["name"] == "n") n = variable;
  }
  const json written = client.Body("locations", {{"locationReference", n["declarationLocationReference"]}});
  EXPECT_EQ(written["source"]["path"], client.program());
  EXPECT_EQ(written["line"], client.LineOf("n = f32"));
  const json origin = client.Body("locations", {{"locationReference", n["valueLocationReference"]}});
  EXPECT_EQ(origin["source"]["path"], "/home/me/model.py");
  EXPECT_EQ(origin["line"], 12);
  // Of an expression: the same line, or else where it is written.
  EXPECT_EQ(client.Body("evaluate", {{"expression", "n"}})["valueLocationReference"], n["valueLocationReference"]);
  const json k = client.Body(
      "locations", {{"locationReference", client.Body("evaluate", {{"expression", "k"}})["valueLocationReference"]}});
  EXPECT_EQ(k["line"], client.LineOf("k = f32"));
  EXPECT_THAT(client.Error("locations", {{"locationReference", 99}}), HasSubstr("no location 99"));
}

TEST(DebugAdapterFormatTest, ExceptionOptionsOfTheOlderForm) {
  DapClient client;
  client.Launch(kNanModule);
  const auto names = [](const char* name) { return json{{"names", json::array({name})}}; };
  client.Body("setExceptionBreakpoints",
              {{"filters", json::array()},
               {"exceptionOptions", json::array({{{"path", json::array({names("nan")})}, {"breakMode", "always"}},
                                                 {{"path", json::array({names("inf")})}, {"breakMode", "never"}}})}});
  client.Start();
  const json stop = client.Move("continue");
  EXPECT_EQ(stop["reason"], "exception");
  EXPECT_EQ(client.Body("exceptionInfo", {{"threadId", 1}})["exceptionId"], "nan");
}

TEST(DebugAdapterFormatTest, ADeviceThatIsTerminatedTakesNoPartAnyMore) {
  DapClient client;
  client.Launch(kReplicaModule);
  client.Start();
  client.Body("terminateThreads", {{"threadIds", {2}}});
  EXPECT_EQ(client.Event("thread"), (json{{"reason", "started"}, {"threadId", 1}}));
  EXPECT_EQ(client.Event("thread"), (json{{"reason", "started"}, {"threadId", 2}}));
  EXPECT_EQ(client.Event("thread"), (json{{"reason", "exited"}, {"threadId", 2}}));
  EXPECT_EQ(client.Body("threads")["threads"].size(), 1u);
  EXPECT_THAT(client.Error("next", {{"threadId", 2}}), HasSubstr("was terminated"));
  // The other one waits for it for ever.
  EXPECT_THAT(client.Move("continue")["description"].get<std::string>(), HasSubstr("waits for other devices"));
  EXPECT_THAT(client.Error("terminateThreads"), HasSubstr("`threadIds` names"));
  client.Body("terminateThreads", {{"threadIds", {1}}});
  client.Event("terminated");
}

TEST(DebugAdapterFormatTest, LocalsKeepParametersAndConstants) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  EXPECT_EQ(client.Move("continue")["reason"], "finished");
  const std::map<std::string, std::string> locals = client.Values("Locals");
  EXPECT_THAT(locals.at("p"), HasSubstr("f32[4]"));
  EXPECT_EQ(locals.count("zero"), 1u);
  EXPECT_EQ(locals.count("which"), 1u);
}

TEST(DebugAdapterFormatTest, HelpInTheConsole) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  const std::string help = client.Value("help", "repl");
  for (const char* word : {"origin", "history", "looking at values", "in hexadecimal", "functions"}) {
    EXPECT_THAT(help, HasSubstr(word));
  }
  EXPECT_THAT(client.Value("help origin", "repl"), HasSubstr("origin VALUE[INDEX]\n  follow a NaN"));
  EXPECT_THAT(client.Error("evaluate", {{"expression", "help orgin"}, {"context", "repl"}}), HasSubstr("origin"));
}

TEST(DebugAdapterFormatTest, TheRunGoesToAnyTimeAndTellsTheHistoryOfValues) {
  DapClient client;
  client.Launch(kLoopModule);
  client.Start();
  client.Move("continue");
  const json time = client.Body("hloscope/time");
  EXPECT_EQ(time["position"], time["known"]);
  EXPECT_EQ(time["finished"], true);
  const json history = client.Body("hloscope/history", {{"expression", "y"}, {"limit", 2}});
  EXPECT_EQ(history["count"], 3);
  ASSERT_EQ(history["values"].size(), 2u);
  EXPECT_EQ(history["values"][1]["path"], "e::w[body 1]/body::y");
  EXPECT_EQ(history["values"][1]["value"], "f32[4] {0, 4, 8, 12}");
  client.Move("hloscope/goToTime", {{"position", 2}});
  EXPECT_EQ(client.Body("hloscope/time")["position"], 2);
  EXPECT_EQ(client.Body("hloscope/time")["known"], time["known"]);
  client.Move("hloscope/goToTime", {{"position", time["known"]}});
  EXPECT_EQ(client.Body("hloscope/time")["finished"], true);
  EXPECT_THAT(client.Error("hloscope/goToTime", {{"position", 100000}}), HasSubstr("known from position 0 to"));
}

// The page lists every capability of the protocol: "| `name` | yes | ..." or "| `name` | no | why".
TEST(DebugAdapterFormatTest, ThePageOfCapabilitiesAgreesWithTheAdapter) {
  DapClient client;
  const json capabilities = client.Body("initialize", {{"adapterID", "hlo"}});
  std::ostringstream page;
  page << std::ifstream(HLOSCOPE_SOURCE_DIR "/lsp/debug_adapter/CAPABILITIES.md").rdbuf();
  std::map<std::string, bool> listed;
  for (absl::string_view line : absl::StrSplit(page.str(), '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells.size() < 3 || !absl::StartsWith(cells[0], "| `")) continue;
    EXPECT_TRUE(cells[1] == "yes" || cells[1] == "no") << line;
    listed[cells[0].substr(3, cells[0].size() - 4)] = cells[1] == "yes";
  }
  EXPECT_EQ(listed.size(), 42u);
  int answered = 0;
  for (const auto& [name, yes] : listed) {
    answered += yes ? 1 : 0;
    EXPECT_EQ(capabilities.contains(name), yes) << name;
  }
  EXPECT_EQ(answered, 38);
  for (const auto& [name, value] : capabilities.items()) EXPECT_TRUE(listed.contains(name)) << name;
}

}  // namespace
}  // namespace hloscope::dap
