// SPDX-License-Identifier: Apache-2.0
// What LSP 3.17 asks of a server in detail.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/server/workspace_diagnostics.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kProtocolUri[] = "file:///tmp/protocol.hlo";
constexpr char kProtocolText[] =
    "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] negate(x)\n  ROOT z = f32[4] add(x, y)\n}\n";

json About() { return {{"textDocument", {{"uri", kProtocolUri}}}}; }
json At(uint32_t line, uint32_t character) {
  json params = About();
  params["position"] = {{"line", line}, {"character", character}};
  return params;
}

void InitializeWith(LspClient& client, const json& capabilities, const json& options = json::object()) {
  client.Result("initialize",
                {{"processId", nullptr}, {"capabilities", capabilities}, {"initializationOptions", options}});
  client.Notify("initialized", json::object());
}

json Published(LspClient& client) {
  const json message =
      client.Wait([](const json& m) { return m.value("method", "") == "textDocument/publishDiagnostics"; });
  return message.value("params", json::object());
}

TEST(ServerProtocolTest, ResultIdsAreOfOneOpeningAndClosedDocumentsHaveEmptyReports) {
  LspClient client;
  InitializeWith(client, {{"textDocument", {{"diagnostic", json::object()}}}});
  client.Open(kProtocolUri, kProtocolText);
  const json first = client.Result("textDocument/diagnostic", About())["resultId"];
  client.Notify("textDocument/didClose", About());
  const json closed = client.Result("textDocument/diagnostic", About());
  EXPECT_EQ(closed["kind"], "full");
  EXPECT_TRUE(closed["items"].empty());
  client.Open(kProtocolUri, kProtocolText);
  json again = About();
  again["previousResultId"] = first;
  const json report = client.Result("textDocument/diagnostic", again);
  EXPECT_EQ(report["kind"], "full");
  EXPECT_NE(report["resultId"], first);
}

TEST(ServerProtocolTest, DefinitionsAreLinksForClientsThatTakeThem) {
  LspClient client;
  InitializeWith(client, {{"textDocument", {{"definition", {{"linkSupport", true}}}}}});
  client.Open(kProtocolUri, kProtocolText);
  const json links = client.Result("textDocument/definition", At(5, 22));
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0]["targetUri"], kProtocolUri);
  EXPECT_EQ(links[0]["targetSelectionRange"]["start"]["line"], 3);
  EXPECT_EQ(links[0]["originSelectionRange"]["start"]["character"], 22);
  EXPECT_TRUE(client.Result("textDocument/declaration", At(5, 22))[0].contains("uri"));
}

// A client that says nothing of what it can do.
TEST(ServerProtocolTest, PlainClientsGetNothingThatTheyDidNotAskFor) {
  LspClient client;
  const json capabilities =
      client.Result("initialize", {{"processId", nullptr}, {"capabilities", json::object()}})["capabilities"];
  client.Notify("initialized", json::object());
  EXPECT_EQ(capabilities["renameProvider"], true);
  EXPECT_EQ(capabilities["codeActionProvider"], true);
  client.Open(kProtocolUri, kProtocolText);
  const json published = Published(client);
  EXPECT_FALSE(published.contains("version")) << published;
  const json help = client.Result("textDocument/signatureHelp", At(5, 24));
  ASSERT_EQ(help["signatures"].size(), 1u) << help;
  const json signature = help["signatures"][0];
  EXPECT_FALSE(signature.contains("activeParameter")) << signature;
  ASSERT_GE(signature["parameters"].size(), 2u);
  for (const json& parameter : signature["parameters"]) {
    ASSERT_TRUE(parameter["label"].is_string()) << parameter;
    EXPECT_THAT(signature["label"].get<std::string>(), HasSubstr(parameter["label"].get<std::string>()));
  }
}

TEST(ServerProtocolTest, OptionsAreForClientsThatKnowThem) {
  LspClient client;
  const json capabilities =
      client.Result("initialize", {{"processId", nullptr}, {"capabilities", json::parse(R"({"textDocument": {
        "rename": {"prepareSupport": true}, "publishDiagnostics": {"versionSupport": true},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "signatureHelp": {"signatureInformation": {"activeParameterSupport": true,
                          "parameterInformation": {"labelOffsetSupport": true}}}}})")}})["capabilities"];
  client.Notify("initialized", json::object());
  EXPECT_EQ(capabilities["renameProvider"]["prepareProvider"], true);
  EXPECT_EQ(capabilities["codeActionProvider"]["resolveProvider"], true);
  client.Open(kProtocolUri, kProtocolText);
  EXPECT_TRUE(Published(client).contains("version"));
  const json signature = client.Result("textDocument/signatureHelp", At(5, 24))["signatures"][0];
  EXPECT_TRUE(signature.contains("activeParameter"));
  EXPECT_TRUE(signature["parameters"][0]["label"].is_array());
}

TEST(ServerProtocolTest, WrongSettingsAreTold) {
  LspClient client;
  InitializeWith(client, json::object(), {{"codeLenses", "yes"}});
  const auto shown = [](const json& message) { return message.value("method", "") == "window/showMessage"; };
  EXPECT_THAT(client.Wait(shown)["params"]["message"].get<std::string>(),
              HasSubstr("hloscope.codeLenses is true or false, not \"yes\""));
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"evaluation", {{"timeLimit", -1}}}}}});
  EXPECT_THAT(client.Wait(shown)["params"]["message"].get<std::string>(), HasSubstr("hloscope.evaluation.timeLimit"));
  client.Open(kProtocolUri, kProtocolText);
  EXPECT_FALSE(client.Result("textDocument/codeLens", About()).empty());
}

TEST(ServerProtocolTest, RefreshesFollowSettings) {
  LspClient client;
  InitializeWith(
      client,
      {{"workspace", {{"diagnostics", {{"refreshSupport", true}}}, {"semanticTokens", {{"refreshSupport", true}}}}}});
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"layoutSensitive", true}}}});
  for (const char* method : {"workspace/diagnostic/refresh", "workspace/semanticTokens/refresh"}) {
    EXPECT_FALSE(client.Wait([&](const json& message) { return message.value("method", "") == method; }).is_null());
  }
}

TEST(ServerProtocolTest, MistakesAreRepairedByQuickFixes) {
  LspClient client;
  client.Initialize();
  client.Open(kProtocolUri,
              "HloModule m\n\nENTRY e {\n  x = f32[4;5] parameter(0)\n  ROOT z = f32[4,5] add(x, x)\n}\n");
  json params = About();
  params["range"] = {{"start", {{"line", 3}, {"character", 10}}}, {"end", {{"line", 3}, {"character", 10}}}};
  params["context"] = {{"diagnostics", json::array()}, {"triggerKind", 1}};
  const json actions = client.Result("textDocument/codeAction", params);
  const auto found = std::find_if(actions.begin(), actions.end(),
                                  [](const json& action) { return action["title"] == "separate dimensions by `,`"; });
  ASSERT_NE(found, actions.end()) << actions;
  EXPECT_EQ((*found)["kind"], "quickfix");
  EXPECT_EQ((*found)["edit"]["changes"][kProtocolUri][0]["newText"], ",");
}

TEST(ServerProtocolTest, TextDumpsAreInTheSymbolsOfTheWorkspace) {
  const std::string folder = testing::TempDir() + "/server_protocol_symbols";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/module_0001.jit_f.after_optimizations.txt") << kProtocolText;
  std::ofstream(folder + "/notes.txt") << "ENTRY zebra {\n";
  LspClient client;
  client.Result("initialize",
                {{"processId", nullptr}, {"capabilities", json::object()}, {"rootUri", UriFromPath(folder)}});
  const json symbols = client.Result("workspace/symbol", {{"query", "z"}});
  ASSERT_EQ(symbols.size(), 1u) << symbols;
  EXPECT_EQ(symbols[0]["name"], "z");
  std::filesystem::remove_all(folder);
}

TEST(ServerProtocolTest, LargeTextsHaveTokensByRangeOnlyIfTheClientWants) {
  LspClient client;
  InitializeWith(client, json::object(), {{"semanticTokens", {{"wholeTextLimit", 50}}}});
  client.Open(kProtocolUri, kProtocolText);
  EXPECT_TRUE(client.Result("textDocument/semanticTokens/full", About()).is_null());
  json range = About();
  range["range"] = {{"start", {{"line", 3}, {"character", 0}}}, {"end", {{"line", 4}, {"character", 0}}}};
  EXPECT_FALSE(client.Result("textDocument/semanticTokens/range", range)["data"].empty());
}

TEST(ServerProtocolTest, EachModuleOfATextHasDiagnosticsOutlineAndRun) {
  LspClient client;
  client.Initialize();
  const std::string first = "HloModule first\n\nENTRY e {\n  ROOT n = f32[4] parameter(0)\n}\n\n";
  client.Open(kProtocolUri,
              first + "HloModule second\n\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT n = f32[4] negat(x)\n}\n");
  const json diagnostics = client.WaitDiagnostics(kProtocolUri, 1);
  ASSERT_EQ(diagnostics.size(), 1u) << diagnostics;
  EXPECT_EQ(diagnostics[0]["range"]["start"]["line"], 10);
  // The fix of the second module, at its place.
  client.Change(
      kProtocolUri, 2,
      json::array(
          {{{"range", {{"start", {{"line", 10}, {"character", 23}}}, {"end", {{"line", 10}, {"character", 23}}}}},
            {"text", "e"}}}));
  EXPECT_TRUE(client.WaitDiagnostics(kProtocolUri, 2).empty());
  const json symbols = client.Result("textDocument/documentSymbol", About());
  ASSERT_EQ(symbols.size(), 2u) << symbols;
  EXPECT_EQ(symbols[1]["name"], "second");
  EXPECT_EQ(symbols[1]["range"]["start"]["line"], 6);
  EXPECT_EQ(symbols[1]["children"][0]["children"].size(), 2u);
  std::vector<json> runs;
  for (const json& lens : client.Result("textDocument/codeLens", About())) {
    if (lens.contains("command") && lens["command"]["command"] == "hloscope.run") runs.push_back(lens);
  }
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1]["command"]["arguments"][1], 2);
  EXPECT_EQ(client.Result("textDocument/definition", At(10, 25))[0]["range"]["start"]["line"], 9);
  EXPECT_TRUE(client.Result("textDocument/formatting", About()).empty());
  EXPECT_EQ(client.Result("hloscope/value", At(10, 8))["leaves"].size(), 1u);
  // One module again.
  client.Change(kProtocolUri, 3, json::array({{{"text", first}}}));
  EXPECT_TRUE(client.WaitDiagnostics(kProtocolUri, 3).empty());
  EXPECT_EQ(client.Result("textDocument/documentSymbol", About())[0]["name"], "e");
}

// The page lists every server capability: "| `name` | yes | how |" or "| `name` | no | why |".
TEST(ServerProtocolTest, ThePageOfProvidersAgreesWithTheServer) {
  LspClient client;
  const json capabilities =
      client.Result("initialize", {{"processId", nullptr}, {"capabilities", json::object()}})["capabilities"];
  std::ostringstream page;
  page << std::ifstream(HLOSCOPE_SOURCE_DIR "/lsp/PROTOCOL.md").rdbuf();
  std::map<std::string, bool> listed;
  for (absl::string_view line : absl::StrSplit(page.str(), '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells.size() < 3 || !absl::StartsWith(cells[0], "| `") || (cells[1] != "yes" && cells[1] != "no")) continue;
    listed[cells[0].substr(3, cells[0].size() - 4)] = cells[1] == "yes";
  }
  EXPECT_GE(listed.size(), 30u);
  for (const auto& [name, yes] : listed) EXPECT_EQ(capabilities.contains(name), yes) << name;
  for (const auto& [name, value] : capabilities.items()) EXPECT_TRUE(listed.contains(name)) << name;
}

// A folder with a good module, a broken one, one that is open, and texts of other kinds.
class ModuleFolder {
 public:
  ModuleFolder() : folder_(testing::TempDir() + "server_protocol_" + std::to_string(getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ModuleFolder() { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) { std::ofstream(Path(name)) << text; }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Uri(const std::string& name) const { return UriFromPath(Path(name)); }
  json Root() const { return UriFromPath(folder_); }

 private:
  const std::string folder_;
};

constexpr char kBroken[] = "HloModule b\n\nENTRY e {\n  ROOT x = f32[4] parametr(0)\n}\n";

TEST(ServerProtocolTest, FilesThatAreNotOpenHaveDiagnostics) {
  ModuleFolder folder;
  folder.Write("good.hlo", kProtocolText);
  folder.Write("broken.hlo", kBroken);
  folder.Write("open.hlo", kBroken);
  folder.Write("dump.txt", kBroken);
  folder.Write("notes.txt", "HloModules are explained here");
  LspClient client;
  client.Result("initialize", {{"processId", nullptr},
                               {"capabilities", {{"textDocument", {{"diagnostic", json::object()}}}}},
                               {"rootUri", folder.Root()}});
  client.Notify("initialized", json::object());
  client.Open(folder.Uri("open.hlo"), kBroken);
  const auto ask = [&](const std::map<std::string, json>& previous) {
    json ids = json::array();
    for (const auto& [uri, report] : previous) {
      if (report.contains("resultId")) ids.push_back({{"uri", uri}, {"value", report["resultId"]}});
    }
    std::map<std::string, json> reports;
    const json answer = client.Result("workspace/diagnostic", {{"previousResultIds", ids}});
    for (const json& report : answer["items"]) {
      reports[report["uri"]] = report;
    }
    return reports;
  };
  std::map<std::string, json> first = ask({});
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(first[folder.Uri("broken.hlo")]["items"].size(), 1u);
  EXPECT_EQ(first[folder.Uri("dump.txt")]["items"].size(), 1u);
  EXPECT_TRUE(first[folder.Uri("good.hlo")]["items"].empty());
  // Nothing has changed: nothing is sent again.
  for (const auto& [uri, report] : ask(first)) EXPECT_EQ(report["kind"], "unchanged") << uri;
  // Repaired, and removed.
  folder.Write("broken.hlo", kProtocolText);
  std::filesystem::remove(folder.Path("dump.txt"));
  std::map<std::string, json> second = ask(first);
  EXPECT_EQ(second[folder.Uri("broken.hlo")]["kind"], "full");
  EXPECT_TRUE(second[folder.Uri("broken.hlo")]["items"].empty());
  EXPECT_EQ(second[folder.Uri("dump.txt")]["kind"], "full");
  EXPECT_TRUE(second[folder.Uri("dump.txt")]["items"].empty());
  EXPECT_EQ(second[folder.Uri("good.hlo")]["kind"], "unchanged");
  // Switched off: what was said is taken back.
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"workspaceDiagnostics", false}}}});
  for (const auto& [uri, report] : ask(first)) {
    EXPECT_EQ(report["kind"], "full") << uri;
    EXPECT_TRUE(report["items"].empty()) << uri;
  }
}

TEST(WorkspaceDiagnosticsTest, FoldersAreNotLookedThroughAllTheTime) {
  WorkspaceDiagnostics diagnostics;
  int looks = 0;
  const auto list = [&] {
    ++looks;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return std::vector<std::string>{"a.hlo"};
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(diagnostics.Texts(list), std::vector<std::string>{"a.hlo"});
  EXPECT_EQ(looks, 1);
}

TEST(ServerProtocolTest, SymbolsOfProtosAndRangesThatComeLater) {
  ModuleFolder folder;
  folder.Write("a.hlo", kProtocolText);
  const std::string convert =
      absl::StrCat(HLOSCOPE_BINARY, " convert ", folder.Path("a.hlo"), " -o ", folder.Path("b.hlo.pb"));
  ASSERT_EQ(std::system(convert.c_str()), 0);
  LspClient client;
  const json later = {{"symbol", {{"resolveSupport", {{"properties", {"location.range"}}}}}}};
  client.Result("initialize", {{"processId", nullptr},
                               {"capabilities", {{"workspace", later}}},
                               {"initializationOptions", {{"moduleScheme", "hlo-module"}}},
                               {"rootUri", folder.Root()}});
  client.Notify("initialized", json::object());
  const json symbols = client.Result("workspace/symbol", {{"query", "z"}});
  ASSERT_EQ(symbols.size(), 2u) << symbols;
  EXPECT_FALSE(symbols[0]["location"].contains("range"));
  EXPECT_EQ(symbols[0]["location"]["uri"], folder.Uri("a.hlo"));
  EXPECT_EQ(client.Result("workspaceSymbol/resolve", symbols[0])["location"]["range"]["start"],
            (json{{"line", 5}, {"character", 7}}));
  const std::string proto = symbols[1]["location"]["uri"];
  EXPECT_THAT(proto, ::testing::StartsWith("hlo-module:/"));
  EXPECT_THAT(proto, HasSubstr("/b.hlo.pb.hlo?file=%2F"));
  EXPECT_TRUE(client.Result("workspaceSymbol/resolve", symbols[1])["location"].contains("range"));
  // A file that was not searched is not read.
  json other = symbols[0];
  other["data"]["path"] = "/etc/passwd";
  EXPECT_TRUE(client.Call("workspaceSymbol/resolve", other).contains("error"));
}

TEST(ServerProtocolTest, HintsAreExplainedWhenSomebodyLooks) {
  LspClient client;
  InitializeWith(client, {{"textDocument",
                           {{"hover", {{"contentFormat", {"markdown"}}}},
                            {"inlayHint", {{"resolveSupport", {{"properties", {"tooltip"}}}}}}}}});
  client.Open(kProtocolUri, "HloModule m\n\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = negate(x)\n}\n");
  json range = About();
  range["range"] = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}};
  const json hints = client.Result("textDocument/inlayHint", range);
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_FALSE(hints[0].contains("tooltip"));
  const json hint = client.Result("inlayHint/resolve", hints[0]);
  EXPECT_EQ(hint["tooltip"]["kind"], "markdown");
  EXPECT_THAT(hint["tooltip"]["value"].get<std::string>(), HasSubstr("16 bytes"));
  EXPECT_EQ(hint["label"], "f32[4]");
}

TEST(ServerProtocolTest, WhatComputationsAreUsedAs) {
  LspClient client;
  client.Initialize();
  client.Open(
      kProtocolUri,
      "HloModule m\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n"
      "ENTRY e {\n  x = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum\n}\n");
  const json sum = client.Result("textDocument/prepareTypeHierarchy", At(2, 1));
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0]["name"], "sum");
  const json uses = client.Result("typeHierarchy/supertypes", {{"item", sum[0]}});
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0]["name"], "to_apply of reduce");
  EXPECT_EQ(uses[0]["detail"], "r in e");
  EXPECT_EQ(uses[0]["selectionRange"]["start"], (json{{"line", 11}, {"character", 7}}));
  const json around = client.Result("typeHierarchy/supertypes", {{"item", uses[0]}});
  ASSERT_EQ(around.size(), 1u);
  EXPECT_EQ(around[0]["name"], "e");
  EXPECT_TRUE(client.Result("typeHierarchy/supertypes", {{"item", around[0]}}).empty());
  EXPECT_EQ(client.Result("typeHierarchy/subtypes", {{"item", around[0]}})[0]["name"], "to_apply of reduce");
  EXPECT_EQ(client.Result("typeHierarchy/subtypes", {{"item", uses[0]}})[0]["name"], "sum");
  EXPECT_TRUE(client.Result("textDocument/prepareTypeHierarchy", At(9, 7)).is_null());
}

TEST(ServerProtocolTest, ValuesComeWithTheirElementsIfWanted) {
  LspClient client;
  client.Initialize();
  client.Open(kProtocolUri, kProtocolText);
  json params = At(5, 7);
  params["fill"] = "ones";
  EXPECT_FALSE(client.Result("hloscope/value", params)["leaves"][0].contains("data"));
  params["data"] = true;
  EXPECT_EQ(client.Result("hloscope/value", params)["leaves"][0]["data"], "AAAAAAAAAAAAAAAAAAAAAA==");
}

}  // namespace
}  // namespace hloscope::lsp
