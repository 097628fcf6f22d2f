// What LSP 3.17 asks of a server in detail.
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/protocol/file_uri.h"
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

}  // namespace
}  // namespace hloscope::lsp
