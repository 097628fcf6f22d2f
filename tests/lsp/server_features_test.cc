// SPDX-License-Identifier: Apache-2.0
// The real server over pipes: requests of every kind in one session.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/protocol/file_uri.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/feature_fixture.h"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr char kServerFeaturesUri[] = "file:///tmp/module.hlo";

json Document(const std::string& uri = kServerFeaturesUri) { return {{"textDocument", {{"uri", uri}}}}; }
json With(json params, const json& more) {
  params.update(more);
  return params;
}
json PositionParams(uint32_t line, uint32_t character) {
  return With(Document(), {{"position", {{"line", line}, {"character", character}}}});
}

constexpr char kServerFeaturesText[] =
    "HloModule m\n"
    "ENTRY e {\n"
    "  x = f32[4] parameter(0)\n"
    "  y = negate(x)\n"
    "  ROOT z = f32[4] add(x, y)\n"
    "}\n";

TEST(ServerFeaturesTest, CompletionAndItsResolution) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json list = client.Result("textDocument/completion", PositionParams(4, 22));
  ASSERT_FALSE(list["items"].empty());
  EXPECT_EQ(list["items"][0]["label"], "y");  // written last, of the same shape
  const json resolved = client.Result("completionItem/resolve", list["items"][0]);
  EXPECT_TRUE(resolved.contains("documentation"));
  EXPECT_TRUE(client.Call("completionItem/resolve", {{"label", "x"}}).contains("error"));
  client.Change(
      kServerFeaturesUri, 2,
      json::array({{{"range", {{"start", {{"line", 0}, {"character", 11}}}, {"end", {{"line", 0}, {"character", 11}}}}},
                    {"text", ", is_"}}}));
  const json header = client.Result("textDocument/completion", PositionParams(0, 16));
  ASSERT_FALSE(header["items"].empty());
  EXPECT_EQ(header["items"][0]["label"], "is_scheduled");
  EXPECT_THAT(client.Result("completionItem/resolve", header["items"][0])["documentation"]["value"].get<std::string>(),
              testing::HasSubstr("**Default:** false"));
  client.Change(kServerFeaturesUri, 3, json::array({{{"text", kServerFeaturesText}}}));
  const json help = client.Result("textDocument/signatureHelp", PositionParams(4, 25));
  EXPECT_EQ(help["activeParameter"], 1);
}

TEST(ServerFeaturesTest, Rename) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json prepared = client.Result("textDocument/prepareRename", PositionParams(4, 22));
  EXPECT_EQ(prepared["placeholder"], "x");
  EXPECT_EQ(client.Call("textDocument/prepareRename", PositionParams(4, 19))["error"]["code"], -32803);
  const json edit = client.Result("textDocument/rename", With(PositionParams(4, 22), {{"newName", "first"}}));
  EXPECT_EQ(edit["changes"][kServerFeaturesUri].size(), 3u);
  const json refused = client.Call("textDocument/rename", With(PositionParams(4, 22), {{"newName", "y"}}));
  EXPECT_EQ(refused["error"]["code"], -32803);
  EXPECT_EQ(client.Result("textDocument/linkedEditingRange", PositionParams(4, 22))["ranges"].size(), 3u);
}

TEST(ServerFeaturesTest, SemanticTokensAndTheirDifferences) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json full = client.Result("textDocument/semanticTokens/full", Document());
  EXPECT_EQ(full["data"].size() % 5, 0u);
  const json same = client.Result("textDocument/semanticTokens/full/delta",
                                  With(Document(), {{"previousResultId", full["resultId"]}}));
  EXPECT_EQ(same["edits"], json::array());
  client.Change(
      kServerFeaturesUri, 2,
      json::array({{{"range", {{"start", {{"line", 3}, {"character", 6}}}, {"end", {{"line", 3}, {"character", 6}}}}},
                    {"text", "f32[4] "}}}));
  const json delta = client.Result("textDocument/semanticTokens/full/delta",
                                   With(Document(), {{"previousResultId", same["resultId"]}}));
  ASSERT_EQ(delta["edits"].size(), 1u);
  std::vector<int> data = full["data"].get<std::vector<int>>();
  const json& edit = delta["edits"][0];
  const auto start = data.begin() + edit["start"].get<int>();
  const std::vector<int> inserted = edit["data"].get<std::vector<int>>();
  data.insert(data.erase(start, start + edit["deleteCount"].get<int>()), inserted.begin(), inserted.end());
  EXPECT_EQ(client.Result("textDocument/semanticTokens/full", Document())["data"].get<std::vector<int>>(), data);
  // An answer that the server does not know any more is replaced as a whole.
  EXPECT_TRUE(client.Result("textDocument/semanticTokens/full/delta", With(Document(), {{"previousResultId", "0"}}))
                  .contains("data"));
}

TEST(ServerFeaturesTest, InlayHintsFollowTheSettings) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json range = {
      {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}}}};
  EXPECT_EQ(client.Result("textDocument/inlayHint", With(Document(), range)).size(), 1u);
  client.Notify("workspace/didChangeConfiguration",
                {{"settings", {{"hloscope", {{"inlayHints", {{"inferredShapes", false}, {"bytes", true}}}}}}}});
  EXPECT_EQ(client.Result("textDocument/inlayHint", With(Document(), range)).size(), 3u);
  client.Notify("workspace/didChangeConfiguration", {{"settings", "nonsense"}});
  EXPECT_EQ(client.Result("textDocument/inlayHint", With(Document(), range)).size(), 3u);
}

TEST(ServerFeaturesTest, PulledDiagnostics) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, "HloModule m\nENTRY e {\n  ROOT x = f32[] negate(y)\n}\n");
  const json report = client.Result("textDocument/diagnostic", Document());
  EXPECT_EQ(report["kind"], "full");
  ASSERT_EQ(report["items"].size(), 1u);
  EXPECT_EQ(report["items"][0]["code"], "unknown-instruction");
  const json again =
      client.Result("textDocument/diagnostic", With(Document(), {{"previousResultId", report["resultId"]}}));
  EXPECT_EQ(again["kind"], "unchanged");
}

TEST(ServerFeaturesTest, StricterSettingsAnalyseAgain) {
  LspClient client;
  client.Initialize();
  const char kLayouts[] =
      "HloModule m\nENTRY e {\n  x = f32[4,2]{1,0} parameter(0)\n  ROOT y = f32[4,2]{0,1} add(x, x)\n}\n";
  client.Open(kServerFeaturesUri, kLayouts);
  EXPECT_EQ(client.Result("textDocument/diagnostic", Document())["items"], json::array());
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"layoutSensitive", true}}}});
  EXPECT_FALSE(client.Result("textDocument/diagnostic", Document())["items"].empty());
}

TEST(ServerFeaturesTest, SymbolsOfTheWholeFolder) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "hloscope workspace";
  std::filesystem::create_directories(folder / "inner");
  std::ofstream(folder / "one.hlo") << "HloModule one\nENTRY first_entry {\n  ROOT alpha = f32[] constant(1)\n}\n";
  std::ofstream(folder / "inner" / "two.hlo.txt")
      << "HloModule two\nENTRY second_entry {\n  ROOT beta = f32[] constant(1)\n}\n";
  std::ofstream(folder / "three.py") << "first_entry = 1\n";
  LspClient client;
  client.Initialize();
  client.Notify("workspace/didChangeWorkspaceFolders",
                {{"event",
                  {{"added", json::array({{{"uri", UriFromPath(folder.string())}, {"name", "f"}}})},
                   {"removed", json::array()}}}});
  json found = client.Result("workspace/symbol", {{"query", "first"}, {"workDoneToken", "t"}});
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["name"], "first_entry");
  EXPECT_EQ(found[0]["location"]["uri"], UriFromPath((folder / "one.hlo").string()));
  EXPECT_EQ(found[0]["location"]["range"]["start"]["line"], 1);
  EXPECT_EQ(client.Result("workspace/symbol", {{"query", "entry"}}).size(), 2u);
  EXPECT_EQ(client.Result("workspace/symbol", {{"query", "bet"}})[0]["containerName"], "second_entry");
  // A file that changes is read again.
  std::ofstream(folder / "one.hlo") << "HloModule one\nENTRY renamed_entry {\n  ROOT alpha = f32[] constant(12)\n}\n";
  EXPECT_EQ(client.Result("workspace/symbol", {{"query", "first"}}), json::array());
  EXPECT_EQ(client.Result("workspace/symbol", {{"query", "renamed"}}).size(), 1u);
  EXPECT_TRUE(client.Call("workspace/symbol", json::object()).contains("error"));
  std::filesystem::remove_all(folder);
}

TEST(ServerFeaturesTest, ProgressAndParts) {
  LspClient client;
  client.Initialize();
  std::string text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n";
  for (int i = 0; i < 2500; ++i) text += "  y" + std::to_string(i) + " = f32[4] negate(x)\n";
  client.Open(kServerFeaturesUri, text + "  ROOT z = f32[4] negate(x)\n}\n");
  const int id = client.Request(
      "textDocument/references",
      With(PositionParams(2, 2),
           {{"context", {{"includeDeclaration", false}}}, {"workDoneToken", 7}, {"partialResultToken", "part"}}));
  const auto progress = [&](const json& token) {
    return client.Wait(
        [&](const json& m) { return m.value("method", "") == "$/progress" && m["params"]["token"] == token; });
  };
  EXPECT_EQ(progress(7)["params"]["value"]["kind"], "begin");
  EXPECT_EQ(progress("part")["params"]["value"].size(), 1000u);
  EXPECT_EQ(progress("part")["params"]["value"].size(), 1000u);
  EXPECT_EQ(progress("part")["params"]["value"].size(), 501u);
  EXPECT_EQ(progress(7)["params"]["value"]["kind"], "end");
  EXPECT_EQ(client.WaitAnswer(id)["result"], json::array());
}

TEST(ServerFeaturesTest, TraceOnDemand) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  client.Notify("$/setTrace", {{"value", "messages"}});
  client.Result("textDocument/hover", PositionParams(2, 2));
  const json trace = client.Wait([](const json& m) { return m.value("method", "") == "$/logTrace"; });
  EXPECT_THAT(trace["params"]["message"].get<std::string>(), testing::HasSubstr("textDocument/hover"));
}

json RangeParams(uint32_t line, uint32_t start, uint32_t end) {
  return With(
      Document(),
      {{"range", {{"start", {{"line", line}, {"character", start}}}, {"end", {{"line", line}, {"character", end}}}}},
       {"context", {{"diagnostics", json::array()}}}});
}

TEST(ServerFeaturesTest, CodeActionsAreCompletedWhenChosen) {
  LspClient client;
  client.Result("initialize", {{"processId", nullptr},
                               {"capabilities",
                                {{"textDocument",
                                  {{"codeAction",
                                    {{"codeActionLiteralSupport", json::object()},
                                     {"dataSupport", true},
                                     {"resolveSupport", {{"properties", {"edit"}}}}}}}}}}});
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json actions = client.Result("textDocument/codeAction", RangeParams(3, 2, 2));
  const auto found = std::find_if(actions.begin(), actions.end(), [](const json& action) {
    return action["title"].get<std::string>().find("Write the inferred shape") == 0;
  });
  ASSERT_NE(found, actions.end()) << actions;
  EXPECT_FALSE(found->contains("edit"));
  const json resolved = client.Result("codeAction/resolve", *found);
  EXPECT_EQ(resolved["edit"]["changes"][kServerFeaturesUri][0]["newText"], "f32[4] ");
  // The text moves on: the action means nothing any more.
  client.Change(kServerFeaturesUri, 2, json::array({{{"text", kServerFeaturesText}}}));
  EXPECT_TRUE(client.Call("codeAction/resolve", *found).contains("result") ||
              client.Call("codeAction/resolve", *found)["error"]["code"] == -32801);
  client.Change(kServerFeaturesUri, 3,
                json::array({{{"text", "HloModule n\nENTRY e { ROOT x = f32[] parameter(0) }\n"}}}));
  EXPECT_EQ(client.Call("codeAction/resolve", *found)["error"]["code"], -32801);
  EXPECT_EQ(client.Call("codeAction/resolve", {{"data", {{"uri", kServerFeaturesUri}}}})["error"]["code"], -32602);
}

// A call of the builder interface from its completion to the HLO that it stands for.
TEST(ServerFeaturesTest, BuilderCallsAreCompletedAndExpanded) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, "HloModule m\nENTRY e {\n  x = f32[2,3] parameter(0)\n  ROOT y = Reduce\n}\n");
  const json list = client.Result("textDocument/completion", PositionParams(3, 17));
  json call;
  for (const json& item : list["items"]) {
    if (item["label"] == "ReduceAll") call = item;
  }
  ASSERT_FALSE(call.is_null());
  const json resolved = client.Result("completionItem/resolve", call);
  EXPECT_THAT(resolved["documentation"]["value"].get<std::string>(),
              testing::HasSubstr("reduce = f32[] reduce(x, init), dimensions={0,1}, to_apply=add_f32"));

  client.Change(kServerFeaturesUri, 2,
                json::array({{{"text",
                               "HloModule m\nENTRY e {\n  x = f32[2,3] parameter(0)\n"
                               "  zero = f32[] constant(0)\n  ROOT y = ReduceAll(x, zero, op=maximum)\n}\n"}}}));
  const json diagnostics = client.WaitDiagnostics(kServerFeaturesUri, 2);
  ASSERT_EQ(diagnostics.size(), 1u) << diagnostics;
  EXPECT_EQ(diagnostics[0]["code"], "unknown-opcode");
  EXPECT_THAT(diagnostics[0]["message"].get<std::string>(),
              testing::HasSubstr("an operation of the builder interface"));
  EXPECT_EQ(client.Result("textDocument/signatureHelp", PositionParams(4, 24))["signatures"][0]["label"],
            "ReduceAll(x, init, op=)");
  const json hover = client.Result("textDocument/hover", PositionParams(4, 14));
  EXPECT_THAT(hover["contents"]["value"].get<std::string>(), testing::HasSubstr("ReduceAll(x, init, [op])"));
  const json actions = client.Result("textDocument/codeAction", RangeParams(4, 14, 14));
  const auto fix = std::find_if(actions.begin(), actions.end(),
                                [](const json& action) { return action["title"] == "expand `ReduceAll` into HLO"; });
  ASSERT_NE(fix, actions.end()) << actions;
  EXPECT_EQ((*fix)["kind"], "quickfix");
  EXPECT_TRUE((*fix)["isPreferred"].get<bool>());
  const json edits = (*fix)["edit"]["changes"][kServerFeaturesUri];
  ASSERT_EQ(edits.size(), 2u);
  json changes = json::array();
  for (size_t i = edits.size(); i-- > 0;) {
    changes.push_back({{"range", edits[i]["range"]}, {"text", edits[i]["newText"]}});
  }
  client.Change(kServerFeaturesUri, 3, changes);
  EXPECT_EQ(client.WaitDiagnostics(kServerFeaturesUri, 3), json::array());
}

TEST(ServerFeaturesTest, ClientsWithoutResolveGetEditsAtOnce) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  for (const json& action : client.Result("textDocument/codeAction", RangeParams(3, 2, 2)))
    EXPECT_TRUE(action.contains("edit")) << action;
}

TEST(ServerFeaturesTest, FormattingLensesAndHierarchies) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json options = {{"options", {{"tabSize", 2}, {"insertSpaces", true}}}};
  EXPECT_TRUE(client.Result("textDocument/formatting", With(Document(), options)).is_array());
  EXPECT_TRUE(client.Result("textDocument/rangeFormatting", With(RangeParams(3, 0, 20), options)).is_array());
  EXPECT_TRUE(client.Result("textDocument/onTypeFormatting", With(PositionParams(3, 0), {{"ch", "\n"}})).is_array());
  EXPECT_FALSE(client.Result("textDocument/codeLens", Document()).empty());
  EXPECT_TRUE(client.Result("textDocument/documentLink", Document()).empty());
  const json items = client.Result("textDocument/prepareCallHierarchy", PositionParams(3, 2));
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(client.Result("callHierarchy/outgoingCalls", {{"item", items[0]}}), json::array());
  EXPECT_EQ(client.Result("callHierarchy/incomingCalls", {{"item", items[0]}}), json::array());
  const json values = client.Result(
      "textDocument/inlineValue",
      With(RangeParams(3, 0, 20), {{"context", {{"frameId", 1}, {"stoppedLocation", RangeParams(4, 0, 1)["range"]}}}}));
  EXPECT_EQ(values.size(), 1u);
  // Errors are no obstacle.
  client.Change(kServerFeaturesUri, 2, json::array({{{"text", "HloModule m\n\nENTRY e {\n   x = add(\n"}}}));
  const json edits = client.Result("textDocument/formatting", With(Document(), options));
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(edits[0]["range"]["start"]["line"], 3);
}

// As `hloscope fmt`: what a printer made stays.
TEST(ServerFeaturesTest, FormattingKeepsWhatPrintersMake) {
  LspClient client;
  client.Initialize();
  const std::string text =
      "HloModule m, num_partitions=4\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b)\n}\n\nENTRY e {\n  p = f32[8] parameter(0)\n"
      "  ROOT r = f32[8] all-reduce(p), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true, "
      "to_apply=add\n}\n";
  client.Open(kServerFeaturesUri, text);
  const json options = {{"options", {{"tabSize", 2}, {"insertSpaces", true}}}};
  EXPECT_EQ(client.Result("textDocument/formatting", With(Document(), options)), json::array());
  EXPECT_EQ(client.Result("textDocument/rangeFormatting", With(RangeParams(10, 0, 20), options)), json::array());
  // Also of a text with a mistake.
  client.Change(kServerFeaturesUri, 2, json::array({{{"text", text + "f { x = add(\n"}}}));
  for (const json& edit : client.Result("textDocument/formatting", With(Document(), options))) {
    EXPECT_GE(edit["range"]["start"]["line"], 11) << edit;
  }
}

constexpr char kServerFeaturesReshapes[] =
    "HloModule m\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
    "ENTRY e {\n  x = f32[8,16,256] parameter(0)\n  z = f32[] constant(0)\n  y = f32[8,16,8,32] reshape(x)\n"
    "  ROOT r = f32[8,32] reduce(y, z), dimensions={1,2}, to_apply=sum\n}\n";

TEST(ServerFeaturesTest, LensesAreCompletedWhenSeenAndRewrite) {
  LspClient client;
  client.Result("initialize", {{"processId", nullptr},
                               {"capabilities",
                                {{"workspace", {{"applyEdit", true}, {"workspaceEdit", {{"documentChanges", true}}}}},
                                 {"textDocument", {{"publishDiagnostics", {{"versionSupport", true}}}}}}}});
  client.Notify("initialized", json::object());
  client.Open(kServerFeaturesUri, kServerFeaturesReshapes, 7);
  json command;
  for (const json& lens : client.Result("textDocument/codeLens", Document())) {
    const json complete = lens.contains("command") ? lens : client.Result("codeLens/resolve", lens);
    ASSERT_TRUE(complete.contains("command")) << lens;
    if (complete["command"]["title"].get<std::string>().find("Rewrite: moves") == 0) command = complete["command"];
    EXPECT_EQ(complete["range"], lens["range"]);
  }
  ASSERT_FALSE(command.is_null());
  EXPECT_EQ(command["command"], "hloscope.rewrite");
  EXPECT_EQ(
      client.Result("workspace/executeCommand", {{"command", command["command"]}, {"arguments", command["arguments"]}}),
      json());
  const json asked = client.Wait([](const json& m) { return m.value("method", "") == "workspace/applyEdit"; });
  const json change = asked["params"]["edit"]["documentChanges"][0];
  EXPECT_EQ(change["textDocument"]["version"], 7);
  json changes = json::array();
  for (const json& edit : change["edits"]) changes.push_back({{"range", edit["range"]}, {"text", edit["newText"]}});
  std::reverse(changes.begin(), changes.end());
  client.Send({{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", {{"applied", true}}}});
  client.Change(kServerFeaturesUri, 8, changes);
  EXPECT_EQ(client.WaitDiagnostics(kServerFeaturesUri, 8), json::array());
  for (const json& lens : client.Result("textDocument/codeLens", Document())) {
    if (!lens.contains("data")) continue;
    const json complete = client.Result("codeLens/resolve", lens);
    EXPECT_NE(complete["command"]["title"].get<std::string>().find("Rewrite:"), 0u);
  }

  const auto error = [&](const json& params) {
    return client.Call("workspace/executeCommand", params)["error"]["code"];
  };
  EXPECT_EQ(error({{"command", "hloscope.rewrite"}, {"arguments", json::array({kServerFeaturesUri, "e"})}}),
            -32803);  // done
  EXPECT_EQ(error({{"command", "hloscope.rewrite"}, {"arguments", json::array({kServerFeaturesUri})}}), -32602);
  EXPECT_EQ(error({{"command", "hloscope.other"}, {"arguments", json::array({kServerFeaturesUri})}}), -32602);
  EXPECT_EQ(error({{"command", "hloscope.rewrite"}}), -32602);
  EXPECT_EQ(client.Call("codeLens/resolve", {{"data", {{"uri", kServerFeaturesUri}}}})["error"]["code"], -32602);
}

TEST(ServerFeaturesTest, ALongEvaluationHoldsNothingUp) {
  LspClient client;
  client.Initialize();
  client.Open(
      kServerFeaturesUri,
      "HloModule m\nbody {\n  v = s32[] parameter(0)\n  one = s32[] constant(1)\n  ROOT w = s32[] add(v, one)\n}\n"
      "condition {\n  v = s32[] parameter(0)\n  n = s32[] constant(2000000000)\n"
      "  ROOT p = pred[] compare(v, n), direction=LT\n}\n"
      "ENTRY e {\n  z = s32[] constant(0)\n  ROOT l = s32[] while(z), condition=condition, body=body\n}\n");
  const int running = client.Request("hloscope/value", PositionParams(13, 7));
  for (int i = 0; i < 5; ++i) {
    client.Change(
        kServerFeaturesUri, 2 + i,
        json::array(
            {{{"range", {{"start", {{"line", 13}, {"character", 0}}}, {"end", {{"line", 13}, {"character", 0}}}}},
              {"text", " "}}}));
    client.WaitDiagnostics(kServerFeaturesUri, 2 + i);
    EXPECT_FALSE(client.Result("textDocument/documentSymbol", Document()).empty());
    EXPECT_FALSE(
        client
            .Result("textDocument/codeAction", With(Document(), {{"range",
                                                                  {{"start", {{"line", 13}, {"character", 9}}},
                                                                   {"end", {{"line", 13}, {"character", 9}}}}},
                                                                 {"context", {{"diagnostics", json::array()}}}}))
            .is_null());
  }
  client.Notify("$/cancelRequest", {{"id", running}});
  EXPECT_EQ(client.WaitAnswer(running)["error"]["code"], -32800);
}

TEST(ServerFeaturesTest, RequestsOfItsOwn) {
  LspClient client;
  client.Initialize();
  client.Open(kServerFeaturesUri, kServerFeaturesText);
  const json graph = client.Result("hloscope/graph", With(Document(), {{"format", "dot"}}));
  EXPECT_EQ(graph["nodes"].size(), 3u);
  EXPECT_EQ(graph["nodes"][0]["name"], "x");
  EXPECT_EQ(graph["computation"], "e");
  EXPECT_THAT(graph["dot"].get<std::string>(), testing::HasSubstr("digraph"));
  EXPECT_EQ(client.Call("hloscope/graph", With(Document(), {{"computation", "none"}}))["error"]["code"], -32803);
  const json around = With(Document(), {{"format", "dot"}, {"computation", "e"}, {"around", "y"}, {"depth", 0}});
  EXPECT_EQ(client.Result("hloscope/graph", around)["nodes"].size(), 1u);
  EXPECT_TRUE(client.Call("hloscope/graph", With(around, {{"around", "gone"}})).contains("error"));

  const json value = client.Result("hloscope/value", With(PositionParams(4, 7), {{"fill", "ones"}}));
  ASSERT_EQ(value["leaves"].size(), 1u);
  EXPECT_EQ(value["leaves"][0]["shape"], "f32[4]");
  EXPECT_EQ(value["leaves"][0]["max"], 0);
  EXPECT_EQ(client.Result("hloscope/value", With(PositionParams(3, 2), {{"fill", "ones"}}))["leaves"][0]["max"], -1);
  EXPECT_EQ(client.Result("hloscope/value", With(PositionParams(2, 2), {{"fill", "ones"}}))["leaves"][0]["max"], 1);
  EXPECT_TRUE(client.Call("hloscope/value", With(PositionParams(4, 7), {{"fill", "much"}})).contains("error"));
  EXPECT_TRUE(client.Call("hloscope/value", PositionParams(0, 0)).contains("error"));

  EXPECT_TRUE(client.Result("hloscope/cost", Document()).is_object());
  EXPECT_TRUE(client.Result("hloscope/cost", With(Document(), {{"format", "text"}})).contains("text"));
  const json layout = client.Result("hloscope/layout", With(Document(), {{"shape", "f32[2,3]{0,1}"}}));
  EXPECT_TRUE(layout.contains("text"));
  EXPECT_TRUE(client.Result("hloscope/layout", PositionParams(4, 12)).contains("text"));
  EXPECT_EQ(client.Call("hloscope/layout", With(Document(), {{"shape", "f32[2,"}}))["error"]["code"], -32602);
  const json broadcast = client.Result("hloscope/broadcast",
                                       With(Document(), {{"lhs", "f32[4,3]"}, {"rhs", "f32[3]"}, {"dimensions", {1}}}));
  EXPECT_EQ(broadcast["result"], "f32[4,3]");
  EXPECT_TRUE(
      client.Call("hloscope/broadcast", With(Document(), {{"lhs", "f32[4]"}, {"rhs", "f32[3]"}})).contains("error"));
  const json drawn = client.Result("hloscope/layout", With(Document(), {{"shape", "f32[2,3]"}, {"drawing", true}}));
  EXPECT_EQ(drawn["svg"].get<std::string>().substr(0, 5), "<svg ");
  EXPECT_FALSE(layout.contains("svg"));
  EXPECT_TRUE(
      client.Result("hloscope/broadcast", With(Document(), {{"lhs", "f32[2]"}, {"rhs", "f32[]"}, {"drawing", true}}))
          .contains("svg"));
  const std::string markdown = client.Result("hloscope/markdown", PositionParams(4, 7))["text"];
  EXPECT_THAT(markdown, ::testing::HasSubstr("```mermaid\nflowchart TD\n")) << markdown;
  EXPECT_TRUE(client.Call("hloscope/markdown", PositionParams(0, 0)).contains("error"));
  const json pictures = client.Result("hloscope/pictures", PositionParams(4, 7));
  EXPECT_FALSE(pictures["instruction"].get<std::string>().empty());
  EXPECT_TRUE(pictures.contains("computation") && pictures.contains("shape")) << pictures;
  EXPECT_TRUE(client.Call("hloscope/pictures", PositionParams(0, 0)).contains("error"));
  // In the blanks before an instruction, it is meant.
  EXPECT_EQ(client.Result("hloscope/pictures", PositionParams(4, 0))["instruction"], pictures["instruction"]);
  EXPECT_EQ(client.Result("hloscope/textState", Document())["bytes"], std::string(kServerFeaturesText).size());
}

}  // namespace
}  // namespace hloscope::lsp
