// SPDX-License-Identifier: Apache-2.0
// The real server over pipes: what an editing session looks like.
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/protocol/json.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/editor_text.h"
#include "tests/lsp/feature_fixture.h"
#include "tests/lsp/lsp_client.h"
#include "tests/support/shared_files.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr char kServerEditingUri[] = "file:///tmp/module.hlo";

json Range(uint32_t line, uint32_t start, uint32_t end) {
  return {{"start", {{"line", line}, {"character", start}}}, {"end", {{"line", line}, {"character", end}}}};
}

json Replace(const json& range, const std::string& text) { return {{"range", range}, {"text", text}}; }

// Line 2: a comment with characters of one, two and four bytes before the instruction.
constexpr char kServerEditingText[] =
    "HloModule m\n"
    "ENTRY e {\n"
    "  /* é 😀 */ x = f32[4] parameter(0)\n"
    "  y = f32[4] negate(x)\n"
    "  ROOT z = f32[4] add(x, y)\n"
    "}\n";

TEST(ServerEditingTest, IncrementalChangesInUtf16) {
  LspClient client;
  client.Initialize();
  client.Open(kServerEditingUri, kServerEditingText);
  EXPECT_EQ(client.WaitDiagnostics(kServerEditingUri, 1), json::array());

  // `x` is at column 13 in UTF-16: 2 + "/* é 😀 */ " (11 units).
  const json definition = client.AskAt("textDocument/definition", kServerEditingUri, 4, 22);
  ASSERT_EQ(definition.size(), 1u);
  EXPECT_EQ(definition[0]["uri"], kServerEditingUri);
  EXPECT_EQ(definition[0]["range"], Range(2, 13, 14));

  // Rename by hand, in one notification, first the definition and then a use; the other use is now wrong.
  client.Change(kServerEditingUri, 2,
                json::array({Replace(Range(2, 13, 14), "first"), Replace(Range(3, 20, 21), "first")}));
  const json broken = client.WaitDiagnostics(kServerEditingUri, 2);
  ASSERT_EQ(broken.size(), 1u) << broken;
  EXPECT_EQ(broken[0]["code"], "unknown-instruction");
  EXPECT_EQ(broken[0]["severity"], 1);
  EXPECT_EQ(broken[0]["source"], "hloscope");
  EXPECT_EQ(broken[0]["range"], Range(4, 22, 23));

  client.Change(kServerEditingUri, 3, json::array({Replace(Range(4, 22, 23), "first")}));
  EXPECT_EQ(client.WaitDiagnostics(kServerEditingUri, 3), json::array());
  const json references = client.Result("textDocument/references", {{"textDocument", {{"uri", kServerEditingUri}}},
                                                                    {"position", {{"line", 2}, {"character", 14}}},
                                                                    {"context", {{"includeDeclaration", true}}}});
  ASSERT_EQ(references.size(), 3u);
  EXPECT_EQ(references[0]["range"], Range(2, 13, 18));
  EXPECT_EQ(references[1]["range"], Range(3, 20, 25));
  EXPECT_EQ(references[2]["range"], Range(4, 22, 27));

  const json hover = client.AskAt("textDocument/hover", kServerEditingUri, 2, 14);
  EXPECT_EQ(hover["contents"]["kind"], "markdown");
  EXPECT_EQ(hover["range"], Range(2, 13, 18));
  EXPECT_TRUE(absl::StrContains(hover["contents"]["value"].get<std::string>(), "first = f32[4] parameter(0)"));

  const json symbols = client.Result("textDocument/documentSymbol", {{"textDocument", {{"uri", kServerEditingUri}}}});
  ASSERT_EQ(symbols.size(), 1u);
  EXPECT_EQ(symbols[0]["name"], "e");
  ASSERT_EQ(symbols[0]["children"].size(), 3u);
  EXPECT_EQ(symbols[0]["children"][0]["name"], "first");
  EXPECT_EQ(symbols[0]["children"][0]["selectionRange"], Range(2, 13, 18));

  client.Result("shutdown", nullptr);
  client.Notify("exit", nullptr);
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST(ServerEditingTest, OtherPositionEncodings) {
  for (const auto& [encoding, column] : {std::pair("utf-8", 16u), std::pair("utf-32", 12u)}) {
    LspClient client;
    client.Initialize(encoding);
    client.Open(kServerEditingUri, kServerEditingText);
    const json definition = client.AskAt("textDocument/definition", kServerEditingUri, 4, 22);
    ASSERT_EQ(definition.size(), 1u) << encoding;
    EXPECT_EQ(definition[0]["range"], Range(2, column, column + 1)) << encoding;
    client.Change(kServerEditingUri, 2, json::array({Replace(Range(2, column, column + 1), "x")}));
    EXPECT_EQ(client.WaitDiagnostics(kServerEditingUri, 2), json::array()) << encoding;
  }
}

TEST(ServerEditingTest, FullTextChanges) {
  LspClient client;
  client.Initialize();
  client.Open(kServerEditingUri, "not hlo");
  EXPECT_FALSE(client.WaitDiagnostics(kServerEditingUri, 1).empty());
  client.Change(kServerEditingUri, 2, json::array({{{"text", kServerEditingText}}}));
  EXPECT_EQ(client.WaitDiagnostics(kServerEditingUri, 2), json::array());
}

TEST(ServerEditingTest, ChangesOutsideTheTextAreClamped) {
  LspClient client;
  client.Initialize();
  client.Open(kServerEditingUri, "HloModule m\nENTRY e {\n  ROOT c = f32[] constant(1)\n");
  EXPECT_FALSE(client.WaitDiagnostics(kServerEditingUri, 1).empty());
  client.Change(
      kServerEditingUri, 2,
      json::array({Replace({{"start", {{"line", 900}, {"character", 7}}}, {"end", {{"line", 901}, {"character", 0}}}},
                           "}\n")}));
  EXPECT_EQ(client.WaitDiagnostics(kServerEditingUri, 2), json::array());
}

TEST(ServerEditingTest, AQuestionIsAnsweredAboutTheTextItWasAskedAbout) {
  LspClient client;
  client.Initialize();
  client.Open(kServerEditingUri, kServerEditingText);
  // All at once: the second question must see the change before it and not the one after it.
  const json params = {{"textDocument", {{"uri", kServerEditingUri}}}, {"position", {{"line", 3}, {"character", 2}}}};
  const int before = client.Request("textDocument/hover", params);
  client.Change(kServerEditingUri, 2, json::array({Replace(Range(3, 2, 3), "yy")}));
  const int between = client.Request("textDocument/hover", params);
  client.Change(kServerEditingUri, 3, json::array({Replace(Range(3, 2, 4), "yyy")}));
  const int after = client.Request("textDocument/hover", params);
  const auto text = [&](int id) { return client.WaitAnswer(id)["result"]["contents"]["value"].get<std::string>(); };
  EXPECT_TRUE(absl::StrContains(text(before), "\ny = "));
  EXPECT_TRUE(absl::StrContains(text(between), "\nyy = "));
  EXPECT_TRUE(absl::StrContains(text(after), "\nyyy = "));
}

TEST(ServerEditingTest, TwoDocumentsDoNotMix) {
  LspClient client;
  client.Initialize();
  client.Open("file:///one", kServerEditingText);
  client.Open("file:///two", "HloModule m\nENTRY other { ROOT q = f32[] constant(1) }\n");
  const json one = client.Result("textDocument/documentSymbol", {{"textDocument", {{"uri", "file:///one"}}}});
  const json two = client.Result("textDocument/documentSymbol", {{"textDocument", {{"uri", "file:///two"}}}});
  EXPECT_EQ(one[0]["name"], "e");
  EXPECT_EQ(two[0]["name"], "other");
}

// After any sequence of edits, the server knows exactly what it would know about the same text freshly opened.
TEST(ServerEditingTest, RandomEditsEndAtTheSameStateAsAFreshOpen) {
  const std::vector<std::u16string> insertions = {
      u"",  u"a",  u"\n", u"\r\n",  u"// é😀\n", u"  extra = f32[] add(a, b)\n",
      u"}", u"{",  u",",  u"sum {", u"ENTRY ",  u"f32[8]",
      u"x", u"/*", u"*/", u"\""};
  std::string ascii = kSampleModule;
  std::u16string start(ascii.begin(), ascii.end());
  start.insert(start.find(u"ENTRY"), u"// Größe 😀 中\n");
  LspClient client;
  client.Initialize();
  int version = 1;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    EditorText editor(start);
    const std::string uri = "file:///edited" + std::to_string(seed);
    const std::string fresh_uri = "file:///fresh" + std::to_string(seed);
    client.Open(uri, editor.Utf8(), ++version);
    std::string tokens_id = "0";
    std::vector<int> tokens;
    for (int step = 0; step < 12; ++step) {
      json changes = json::array();
      const int count = 1 + static_cast<int>(random() % 3);
      for (int i = 0; i < count; ++i) {
        const protocol::ContentChange change = editor.EditRandomly(random, insertions);
        changes.push_back({{"range", ToJson(*change.range)}, {"text", change.text}});
      }
      client.Change(uri, ++version, changes);
      if (random() % 2 == 0) continue;  // let some versions be overtaken
      const int edited_version = version;
      client.Open(fresh_uri, editor.Utf8(), ++version);
      ASSERT_EQ(client.WaitDiagnostics(uri, edited_version), json::parse([&] {
                  std::string text = client.WaitDiagnostics(fresh_uri, version).dump();
                  // Related places name the document they are in.
                  for (size_t at; (at = text.find(fresh_uri)) != std::string::npos;)
                    text.replace(at, fresh_uri.size(), uri);
                  return text;
                }()))
          << "seed " << seed << " step " << step << "\n"
          << editor.Utf8();
      const auto ask = [&](const std::string& which, const std::string& method) {
        return client.Result(method, {{"textDocument", {{"uri", which}}}});
      };
      ASSERT_EQ(ask(uri, "textDocument/documentSymbol"), ask(fresh_uri, "textDocument/documentSymbol"))
          << "seed " << seed;
      ASSERT_EQ(ask(uri, "textDocument/foldingRange"), ask(fresh_uri, "textDocument/foldingRange")) << "seed " << seed;
      // The difference from the tokens sent before leads to those of a fresh document.
      const json delta = client.Result("textDocument/semanticTokens/full/delta",
                                       {{"textDocument", {{"uri", uri}}}, {"previousResultId", tokens_id}});
      tokens_id = delta["resultId"].get<std::string>();
      if (delta.contains("data")) {
        tokens = delta["data"].get<std::vector<int>>();
      } else {
        // All of them speak of the tokens before: from the back, none moves another.
        for (auto it = delta["edits"].rbegin(); it != delta["edits"].rend(); ++it) {
          const json& edit = *it;
          const auto begin = tokens.begin() + edit["start"].get<int>();
          const std::vector<int> inserted = edit["data"].get<std::vector<int>>();
          tokens.insert(tokens.erase(begin, begin + edit["deleteCount"].get<int>()), inserted.begin(), inserted.end());
        }
      }
      ASSERT_EQ(ask(fresh_uri, "textDocument/semanticTokens/full")["data"].get<std::vector<int>>(), tokens)
          << "seed " << seed << " step " << step << "\n"
          << editor.Utf8();
      const protocol::Position at = editor.PositionAt(random() % (editor.text().size() + 1));
      ASSERT_EQ(client.AskAt("textDocument/hover", uri, at.line, at.character),
                client.AskAt("textDocument/hover", fresh_uri, at.line, at.character))
          << "seed " << seed << " step " << step;
    }
  }
}

TEST(ServerEditingTest, LargeModule) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string text = ReadFileOrDie(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo"));
  LspClient client;
  client.Initialize();
  client.Open(kServerEditingUri, text);
  client.WaitDiagnostics(kServerEditingUri, 1);
  // Typing into a 4 MB module, with a question after every key as editors ask them.
  for (int i = 0; i < 10; ++i) {
    client.Change(kServerEditingUri, 2 + i, json::array({Replace(Range(0, 0, 0), "/")}));
    client.Request("textDocument/hover",
                   {{"textDocument", {{"uri", kServerEditingUri}}}, {"position", {{"line", 5}, {"character", 4}}}});
  }
  client.WaitDiagnostics(kServerEditingUri, 11);
  client.Change(kServerEditingUri, 20, json::array({Replace(Range(0, 0, 10), "")}));
  const json diagnostics = client.WaitDiagnostics(kServerEditingUri, 20);
  EXPECT_LE(diagnostics.size(), 1001u);
  EXPECT_FALSE(client.Result("textDocument/documentSymbol", {{"textDocument", {{"uri", kServerEditingUri}}}}).empty());
}

TEST(ServerEditingTest, AnEditOfALargeModuleSendsLittle) {
  SKIP_WITHOUT_SHARED_FILES();
  constexpr size_t kMost = size_t{1} << 20;
  for (const char* name :
       {"hlo_mixtral_8x7b_bf16_2x8", "hlo_torax_iterhybrid_predictor_corrector_f64", "gemma4_2b_bf16"}) {
    const std::string text = ReadFileOrDie(CorpusFile(std::string("xla-benchmarks/") + name + ".hlo"));
    const size_t middle = text.find("\n  %", text.size() / 2) + 1;
    const auto line =
        static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(middle), '\n'));
    LspClient client;
    client.Initialize();
    client.Open(kServerEditingUri, text);
    const json about = {{"textDocument", {{"uri", kServerEditingUri}}}};
    client.Result("hloscope/graph", {{"textDocument", {{"uri", kServerEditingUri}}},
                                     {"position", {{"line", line}, {"character", 4}}},
                                     {"format", "dot"}});
    json delta = about;
    delta["previousResultId"] = client.Result("textDocument/semanticTokens/full", about)["resultId"];
    // A new line moves all that follows; nothing uses what it defines. Then something does.
    int version = 1;
    for (const char* typed : {"  %typed.1 = f32[] constant(1)\n", "  %typed.2 = f32[] negate(%typed.1)\n"}) {
      client.Change(kServerEditingUri, ++version, json::array({Replace(Range(line, 0, 0), typed)}));
      size_t bytes = client.Result("textDocument/documentSymbol", about).dump().size() +
                     client.Result("textDocument/codeLens", about).dump().size();
      const json tokens = client.Result("textDocument/semanticTokens/full/delta", delta);
      delta["previousResultId"] = tokens["resultId"];
      bytes += tokens.dump().size();
      EXPECT_LE(bytes, kMost) << name << " after " << typed;
      EXPECT_LE(tokens.dump().size(), 1000u) << name << " after " << typed;
    }
  }
}

}  // namespace
}  // namespace hloscope::lsp
