// SPDX-License-Identifier: Apache-2.0
// The real server under clients that do everything wrong, or everything at once.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "lsp/protocol/json.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/editor_text.h"
#include "tests/lsp/feature_fixture.h"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr char kServerRobustnessUri[] = "file:///tmp/module.hlo";

const std::vector<std::string>& Methods() {
  static const auto* const kMethods = new std::vector<std::string>{
      "textDocument/hover",
      "textDocument/completion",
      "textDocument/signatureHelp",
      "textDocument/definition",
      "textDocument/declaration",
      "textDocument/typeDefinition",
      "textDocument/implementation",
      "textDocument/references",
      "textDocument/documentHighlight",
      "textDocument/documentSymbol",
      "textDocument/prepareCallHierarchy",
      "textDocument/prepareTypeHierarchy",
      "textDocument/foldingRange",
      "textDocument/selectionRange",
      "textDocument/inlayHint",
      "textDocument/semanticTokens/full",
      "textDocument/semanticTokens/full/delta",
      "textDocument/semanticTokens/range",
      "textDocument/codeLens",
      "textDocument/documentLink",
      "textDocument/inlineValue",
      "textDocument/diagnostic",
      "textDocument/codeAction",
      "textDocument/formatting",
      "textDocument/rangeFormatting",
      "textDocument/onTypeFormatting",
      "textDocument/prepareRename",
      "textDocument/rename",
      "textDocument/linkedEditingRange",
      "codeLens/resolve",
      "documentLink/resolve",
      "inlayHint/resolve",
      "workspace/executeCommand",
      "hloscope/value",
      "hloscope/hlo",
      "hloscope/graph",
      "hloscope/cost",
      "hloscope/sourceLines",
      "hloscope/layout",
      "hloscope/markdown",
      "hloscope/pictures",
      "hloscope/broadcast",
  };
  return *kMethods;
}

// Everything that any of the methods reads.
json Params(const protocol::Position& a, const protocol::Position& b, const std::string& uri = kServerRobustnessUri) {
  const json range = {{"start", ToJson(a)}, {"end", ToJson(b)}};
  return {{"textDocument", {{"uri", uri}}},
          {"position", ToJson(a)},
          {"positions", json::array({ToJson(a), ToJson(b)})},
          {"range", range},
          {"newName", "renamed"},
          {"previousResultId", "1"},
          {"ch", "\n"},
          {"format", "dot"},
          {"data", {{"uri", uri}, {"revision", a.line}, {"kind", a.character % 7}, {"target", b.line % 8}}},
          {"command", "hloscope.rewrite"},
          {"arguments", json::array({uri, "main"})},
          {"options", {{"tabSize", 2}, {"insertSpaces", true}}},
          {"context", {{"includeDeclaration", true}, {"diagnostics", json::array()}, {"stoppedLocation", range}}}};
}

std::string Hash(const std::string& text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  return absl::StrFormat("%016x", hash);
}

TEST(ServerRobustnessTest, PositionsOutsideTheText) {
  LspClient client;
  client.Initialize();
  client.Open(kServerRobustnessUri, kSampleModule);
  for (const std::string& method : Methods()) {
    for (const protocol::Position& at :
         {protocol::Position{0, 4000000000u}, {4000000000u, 0}, {4294967295u, 4294967295u}}) {
      const json answer = client.Call(method, Params(at, {0, 0}));
      // Failed, or of an older version of the text.
      EXPECT_TRUE(answer.contains("result") || answer["error"]["code"] == -32803 || answer["error"]["code"] == -32801)
          << method << answer;
    }
  }
}

TEST(ServerRobustnessTest, RequestsWithoutWhatTheyNeed) {
  LspClient client;
  client.Initialize();
  client.Open(kServerRobustnessUri, kSampleModule);
  for (const std::string& method : Methods()) {
    EXPECT_TRUE(client.Call(method, nullptr).contains("error")) << method;
    EXPECT_TRUE(client.Call(method, json::array({1, 2})).contains("error")) << method;
    const json closed = client.Call(method, Params({0, 0}, {0, 0}, "file:///not/open"));
    if (method == "textDocument/diagnostic") {
      EXPECT_TRUE(closed["result"]["items"].empty());  // it may have been closed since
    } else {
      EXPECT_EQ(closed["error"]["code"], -32602) << method;
    }
    const json odd = {{"textDocument", {{"uri", kServerRobustnessUri}}},
                      {"position", "here"},
                      {"positions", 7},
                      {"range", {1, 2}},
                      {"newName", 3},
                      {"context", "none"},
                      {"partialResultToken", {{"a", 1}}},
                      {"workDoneToken", 1.5}};
    const json answer = client.Call(method, odd);
    EXPECT_TRUE(answer.contains("error") || answer.contains("result")) << method;
  }
  EXPECT_TRUE(
      client.Call("callHierarchy/incomingCalls", {{"item", {{"uri", kServerRobustnessUri}}}}).contains("error"));
}

TEST(ServerRobustnessTest, ShutdownInTheMiddle) {
  LspClient client;
  client.Initialize();
  client.Open(kServerRobustnessUri, kSampleModule);
  for (int i = 0; i < 50; ++i) {
    for (const std::string& method : Methods()) client.Request(method, Params({9, 2}, {20, 0}));
  }
  const int id = client.Request("shutdown", nullptr);
  EXPECT_TRUE(client.WaitAnswer(id).contains("result"));
  client.Notify("exit", nullptr);
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST(ServerRobustnessTest, AParentThatHasDied) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_GT(child, 0);
  waitpid(child, nullptr, 0);  // the number belongs to nobody any more
  LspClient client;
  client.Result("initialize", {{"processId", child}, {"capabilities", json::object()}});
  EXPECT_EQ(client.WaitExit(), 1);
}

TEST(ServerRobustnessTest, ABurstOfEditsIsOneAnalysis) {
  LspClient client;
  client.Initialize();
  std::string text = kSampleModule;
  for (int i = 0; i < 3000; ++i) {
    text.insert(text.rfind("  ROOT largest"), "  v" + std::to_string(i) + " = f32[8,16]{1,0} negate(x)\n");
  }
  client.Open(kServerRobustnessUri, text);
  client.WaitDiagnostics(kServerRobustnessUri, 1);
  const json at_start = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}};
  for (int i = 0; i < 1000; ++i) {
    client.Change(kServerRobustnessUri, 2 + i, json::array({{{"range", at_start}, {"text", " "}}}));
    if (i % 10 == 0) client.Request("textDocument/hover", Params({30, 4}, {30, 4}));
  }
  int published = 0;
  client.Wait([&](const json& message) {
    if (message.value("method", "") != "textDocument/publishDiagnostics") return false;
    ++published;
    return message["params"]["version"] == 1001;
  });
  // Most versions were never analysed.
  EXPECT_LT(published, 200);
  EXPECT_EQ(client.Result("hloscope/textState", Params({0, 0}, {0, 0}))["bytes"], text.size() + 1000);
}

// Ten thousand random requests during random edits: the texts stay identical, every request is answered once.
TEST(ServerRobustnessTest, RandomRequestsDuringRandomEdits) {
  constexpr int kRequests = 10000;
  const std::vector<std::u16string> insertions = {
      u"",  u"a",           u"\n", u"\r\n",  u"// é😀\n", u"  extra = f32[] add(a, b)\n",
      u"}", u"{",           u",",  u"sum {", u"ENTRY ",  u"f32[8]",
      u"(", u")",           u"=",  u"/*",    u"*/",      u"\"",
      u"%", u"dimensions={"};
  std::string ascii = kSampleModule;
  std::mt19937 random(7);
  LspClient client;
  client.Initialize();
  EditorText editor(std::u16string(ascii.begin(), ascii.end()));
  int version = 1;
  client.Open(kServerRobustnessUri, editor.Utf8(), version);
  std::vector<int> open;
  for (int asked = 0; asked < kRequests; ++asked) {
    if (random() % 3 == 0) {
      const protocol::ContentChange change = editor.EditRandomly(random, insertions);
      client.Change(kServerRobustnessUri, ++version,
                    json::array({{{"range", ToJson(*change.range)}, {"text", change.text}}}));
    }
    if (editor.text().size() > 6000 || editor.text().size() < 100) {
      editor = EditorText(std::u16string(ascii.begin(), ascii.end()));
      client.Change(kServerRobustnessUri, ++version, json::array({{{"text", editor.Utf8()}}}));
    }
    const auto position = [&] {
      return protocol::Position{static_cast<uint32_t>(random() % 60), static_cast<uint32_t>(random() % 90)};
    };
    const std::string& method = Methods()[random() % Methods().size()];
    const protocol::Position a = position(), b = position();
    open.push_back(client.Request(method, Params(a, b)));
    if (random() % 20 == 0) client.Notify("$/cancelRequest", {{"id", open[random() % open.size()]}});
    if (open.size() < 40) continue;
    for (int id : open) {
      const json answer = client.WaitAnswer(id);
      ASSERT_TRUE(answer.contains("result") || answer.contains("error")) << method;
    }
    open.clear();
    const json state = client.Result("hloscope/textState", Params({0, 0}, {0, 0}));
    ASSERT_EQ(state["fnv1a"], Hash(editor.Utf8())) << "after " << asked << " requests";
  }
  for (int id : open) client.WaitAnswer(id);
  EXPECT_EQ(client.Result("hloscope/textState", Params({0, 0}, {0, 0}))["fnv1a"], Hash(editor.Utf8()));
}

}  // namespace
}  // namespace hloscope::lsp
