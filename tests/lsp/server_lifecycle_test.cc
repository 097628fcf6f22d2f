// SPDX-License-Identifier: Apache-2.0
// The real server over pipes: life cycle, and input that no well-behaved client sends.
#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/lsp_client.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr char kServerLifecycleUri[] = "file:///tmp/a.hlo";
constexpr char kGood[] = "HloModule m\n\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n";

int CodeOf(const json& answer) { return answer.contains("error") ? answer["error"].value("code", 0) : 0; }
int Code(ErrorCode code) { return static_cast<int>(code); }

json AnswerWithoutId(LspClient& client) {
  return client.Wait([](const json& m) { return m.contains("error") && m["id"].is_null(); });
}

void ExpectAlive(LspClient& client) {
  client.Open("file:///tmp/alive.hlo", kGood, 77);
  EXPECT_EQ(client.WaitDiagnostics("file:///tmp/alive.hlo", 77), json::array());
}

TEST(ServerLifecycleTest, InitializeShutdownExit) {
  LspClient client;
  const json result = client.Initialize();
  EXPECT_EQ(result["serverInfo"]["name"], "hloscope-lsp");
  const json& capabilities = result["capabilities"];
  EXPECT_EQ(capabilities["positionEncoding"], "utf-16");
  EXPECT_EQ(capabilities["textDocumentSync"]["change"], 2);
  for (const char* provider : {"hoverProvider", "definitionProvider", "referencesProvider", "documentHighlightProvider",
                               "documentSymbolProvider", "foldingRangeProvider"}) {
    EXPECT_EQ(capabilities[provider], true) << provider;
  }
  EXPECT_TRUE(client.Result("shutdown", nullptr).is_null());
  EXPECT_EQ(CodeOf(client.Call("textDocument/hover", json::object())), Code(ErrorCode::kInvalidRequest));
  client.Notify("exit", nullptr);
  EXPECT_EQ(client.WaitExit(), 0);
}

TEST(ServerLifecycleTest, ExitWithoutShutdownIsAFailure) {
  LspClient client;
  client.Initialize();
  client.Notify("exit", nullptr);
  EXPECT_EQ(client.WaitExit(), 1);
}

TEST(ServerLifecycleTest, AClientThatDisappears) {
  LspClient client;
  client.Initialize();
  client.CloseInput();
  EXPECT_EQ(client.WaitExit(), 1);

  LspClient polite;
  polite.Initialize();
  polite.Result("shutdown", nullptr);
  polite.CloseInput();
  EXPECT_EQ(polite.WaitExit(), 0);

  LspClient halfway;
  halfway.Initialize();
  halfway.SendBytes("Content-Length: 1000\r\n\r\n{\"jsonrpc\":");
  halfway.CloseInput();
  EXPECT_EQ(halfway.WaitExit(), 1);
}

TEST(ServerLifecycleTest, AClientThatStopsReading) {
  LspClient client;
  client.Initialize();
  // Far more answers than a pipe holds, which nobody reads.
  client.Open(kServerLifecycleUri, kGood);
  for (int i = 0; i < 20000; ++i) client.Request("no/such/method", json::object());
  client.CloseOutput();
  client.CloseInput();
  EXPECT_EQ(client.WaitExit(), 1);
}

TEST(ServerLifecycleTest, RequestsBeforeInitialize) {
  LspClient client;
  EXPECT_EQ(CodeOf(client.Call("textDocument/hover", json::object())), Code(ErrorCode::kServerNotInitialized));
  EXPECT_EQ(CodeOf(client.Call("shutdown", nullptr)), Code(ErrorCode::kServerNotInitialized));
  client.Open(kServerLifecycleUri, kGood);  // dropped
  client.Initialize();
  EXPECT_EQ(CodeOf(client.Call("initialize", {{"capabilities", json::object()}})), Code(ErrorCode::kInvalidRequest));
  EXPECT_EQ(CodeOf(client.Call("textDocument/hover", {{"textDocument", {{"uri", kServerLifecycleUri}}}})),
            Code(ErrorCode::kInvalidParams));
  ExpectAlive(client);
}

TEST(ServerLifecycleTest, NegotiatesThePositionEncoding) {
  const auto negotiated = [](const json& encodings) {
    LspClient client;
    json general = json::object();
    if (!encodings.is_null()) general["positionEncodings"] = encodings;
    return client.Result("initialize", {{"capabilities", {{"general", general}}}})["capabilities"]["positionEncoding"];
  };
  EXPECT_EQ(negotiated(nullptr), "utf-16");
  EXPECT_EQ(negotiated({"utf-8", "utf-16"}), "utf-8");
  EXPECT_EQ(negotiated({"utf-7", "utf-32", "utf-8"}), "utf-32");
  EXPECT_EQ(negotiated({"utf-7", 3}), "utf-16");
  EXPECT_EQ(negotiated("nonsense"), "utf-16");
}

TEST(ServerLifecycleTest, UnknownMethods) {
  LspClient client;
  client.Initialize();
  EXPECT_EQ(CodeOf(client.Call("textDocument/noSuchThing", json::object())), Code(ErrorCode::kMethodNotFound));
  EXPECT_EQ(CodeOf(client.Call("$/noSuchThing", json::object())), Code(ErrorCode::kMethodNotFound));
  client.Notify("$/noSuchThing", json::object());
  client.Notify("noSuchThing", 3);
  ExpectAlive(client);
}

TEST(ServerLifecycleTest, MalformedMessages) {
  LspClient client;
  client.Initialize();
  for (const char* payload : {"{", "", "\xFF\xFE", "nul", "{\"jsonrpc\":\"2.0\",\"id\":1"}) {
    client.SendBytes(EncodeFrame(payload));
    EXPECT_EQ(CodeOf(AnswerWithoutId(client)), Code(ErrorCode::kParseError)) << payload;
  }
  for (const char* payload :
       {"[]", "3", "null", "{}", R"({"id":null,"method":"shutdown"})", R"({"id":{},"method":"shutdown"})",
        R"({"id":1.5,"method":"shutdown"})", R"({"method":7})"}) {
    client.SendBytes(EncodeFrame(payload));
    EXPECT_EQ(CodeOf(AnswerWithoutId(client)), Code(ErrorCode::kInvalidRequest)) << payload;
  }
  client.SendBytes("garbage\r\n\r\n");
  EXPECT_EQ(CodeOf(AnswerWithoutId(client)), Code(ErrorCode::kParseError));
  client.Send({{"jsonrpc", "2.0"}, {"id", 99}, {"result", nullptr}});  // an answer to nothing
  client.SendBytes(EncodeFrame(std::string(300000, '[')));
  EXPECT_EQ(CodeOf(AnswerWithoutId(client)), Code(ErrorCode::kParseError));
  client.SendBytes(EncodeFrame(R"({"jsonrpc":"2.0","id":"deep","method":"textDocument/hover","params":)" +
                               std::string(300000, '[') + std::string(300000, ']') + "}"));
  EXPECT_EQ(CodeOf(client.Wait([](const json& m) { return m.value("id", json()) == "deep"; })),
            Code(ErrorCode::kInvalidParams));
  ExpectAlive(client);
}

TEST(ServerLifecycleTest, MalformedParameters) {
  LspClient client;
  client.Initialize();
  client.Open(kServerLifecycleUri, kGood);
  client.WaitDiagnostics(kServerLifecycleUri, 1);
  const json document = {{"uri", kServerLifecycleUri}};
  for (const json& params : {json(nullptr), json::array(), json(3), json::object(), json({{"textDocument", 3}}),
                             json({{"textDocument", document}}), json({{"textDocument", document}, {"position", "x"}}),
                             json({{"textDocument", document}, {"position", {{"line", 1.5}, {"character", 0}}}}),
                             json({{"textDocument", document}, {"position", {{"line", 1}}}})}) {
    EXPECT_EQ(CodeOf(client.Call("textDocument/hover", params)), Code(ErrorCode::kInvalidParams)) << params;
  }
  // Positions far outside are clamped.
  for (const json& number : {json(-5), json(4294967295u), json(18446744073709551615u)}) {
    EXPECT_TRUE(client
                    .Call("textDocument/hover",
                          {{"textDocument", document}, {"position", {{"line", number}, {"character", number}}}})
                    .contains("result"));
  }
  client.Notify("textDocument/didOpen", {{"textDocument", {{"uri", 1}}}});
  client.Notify("textDocument/didChange", nullptr);
  client.Notify("textDocument/didChange", {{"textDocument", {{"uri", "file:///unknown"}}}, {"contentChanges", 3}});
  client.Notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///unknown"}}}});
  client.Notify("$/cancelRequest", {{"id", json::array()}});
  client.Notify("$/cancelRequest", {{"id", 12345}});
  ExpectAlive(client);
}

TEST(ServerLifecycleTest, ChangesOfUnknownDocumentsAreLogged) {
  LspClient client;
  client.Initialize();
  client.Change("file:///unknown", 1, json::array());
  const json message = client.Wait([](const json& m) { return m.value("method", "") == "window/logMessage"; });
  EXPECT_TRUE(absl::StrContains(message["params"]["message"].get<std::string>(), "file:///unknown"));
}

TEST(ServerLifecycleTest, EmptyAndBinaryTexts) {
  LspClient client;
  client.Initialize();
  client.Open("file:///empty", "");
  EXPECT_FALSE(client.WaitDiagnostics("file:///empty", 1).empty());
  std::string binary;
  for (int i = 0; i < 5000; ++i) binary.push_back(static_cast<char>((i * 31 + i / 7) % 128));
  client.Open("file:///binary", binary);
  EXPECT_FALSE(client.WaitDiagnostics("file:///binary", 1).empty());
  // Bytes that are no UTF-8, straight from a file.
  client.SendBytes(
      EncodeFrame("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
                  "{\"uri\":\"file:///latin1\",\"version\":1,\"text\":\"// caf\xE9\\nHloModule m ENTRY e { "
                  "ROOT c = f32[] constant(1) }\"}}}"));
  EXPECT_EQ(client.WaitDiagnostics("file:///latin1", 1), json::array());
  for (const char* uri : {"file:///empty", "file:///binary"}) {
    EXPECT_TRUE(client.AskAt("textDocument/hover", uri, 0, 0).is_null() ||
                client.AskAt("textDocument/hover", uri, 0, 0).is_object());
    const json symbols = client.Result("textDocument/documentSymbol", {{"textDocument", {{"uri", uri}}}});
    EXPECT_TRUE(symbols.is_array());
  }
}

TEST(ServerLifecycleTest, CancelledRequestsAreAnsweredOnce) {
  LspClient client;
  client.Initialize();
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[8] parameter(0)\n";
  for (int i = 1; i < 5000; ++i)
    text += "  x" + std::to_string(i) + " = f32[8] negate(x" + std::to_string(i - 1) + ")\n";
  client.Open(kServerLifecycleUri, text + "}\n");
  std::vector<int> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(client.Request("textDocument/documentSymbol", {{"textDocument", {{"uri", kServerLifecycleUri}}}}));
    client.Notify("$/cancelRequest", {{"id", ids.back()}});
  }
  int cancelled = 0;
  for (int id : ids) {
    const json answer = client.WaitAnswer(id);
    EXPECT_TRUE(answer.contains("result") || CodeOf(answer) == Code(ErrorCode::kRequestCancelled)) << answer;
    cancelled += CodeOf(answer) == Code(ErrorCode::kRequestCancelled);
  }
  EXPECT_GT(cancelled, 0);
  ExpectAlive(client);
}

TEST(ServerLifecycleTest, CloseClearsDiagnosticsAndReopenWorks) {
  LspClient client;
  client.Initialize();
  client.Open(kServerLifecycleUri, "HloModule m ENTRY e { ROOT r = f32[] nonsense() }");
  EXPECT_FALSE(client.WaitDiagnostics(kServerLifecycleUri, 1).empty());
  client.Notify("textDocument/didClose", {{"textDocument", {{"uri", kServerLifecycleUri}}}});
  const json cleared = client.Wait([](const json& m) {
    return m.value("method", "") == "textDocument/publishDiagnostics" && !m["params"].contains("version");
  });
  EXPECT_EQ(cleared["params"]["diagnostics"], json::array());
  client.Open(kServerLifecycleUri, kGood, 5);
  EXPECT_EQ(client.WaitDiagnostics(kServerLifecycleUri, 5), json::array());
  // Opened again without a close: the new text counts.
  client.Open(kServerLifecycleUri, "HloModule m ENTRY e { ROOT r = f32[] nonsense() }", 6);
  EXPECT_FALSE(client.WaitDiagnostics(kServerLifecycleUri, 6).empty());
}

}  // namespace
}  // namespace hloscope::lsp
