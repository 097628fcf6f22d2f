// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/lsp_client.h"

#include <utility>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

using nlohmann::json;

LspClient::LspClient() : ChildProcess(HLOSCOPE_LSP_BINARY, {"--stdio"}) {}

void LspClient::Send(const json& message) { SendBytes(EncodeFrame(message.dump())); }

int LspClient::Request(const std::string& method, const json& params) {
  const int id = next_id_++;
  Send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  return id;
}

void LspClient::Notify(const std::string& method, const json& params) {
  Send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

json LspClient::WaitAnswer(int id) {
  return Wait([id](const json& message) { return !message.contains("method") && message.value("id", json()) == id; });
}

json LspClient::Call(const std::string& method, const json& params) { return WaitAnswer(Request(method, params)); }

json LspClient::Result(const std::string& method, const json& params) {
  json answer = Call(method, params);
  if (!answer.contains("result")) {
    ADD_FAILURE() << method << ": " << answer.dump();
    return json();
  }
  return answer["result"];
}

json LspClient::WaitDiagnostics(const std::string& uri, int version) {
  const json message = Wait([&](const json& m) {
    return m.value("method", "") == "textDocument/publishDiagnostics" && m["params"].value("uri", "") == uri &&
           m["params"].value("version", -1) == version;
  });
  return message.is_null() ? json::array() : message["params"]["diagnostics"];
}

json LspClient::Initialize(const std::string& encoding) {
  const json text_document = {
      {"publishDiagnostics",
       {{"relatedInformation", true}, {"versionSupport", true}, {"tagSupport", {{"valueSet", {1, 2}}}}}},
      {"hover", {{"contentFormat", {"markdown", "plaintext"}}}},
      {"completion", {{"completionItem", {{"documentationFormat", {"markdown", "plaintext"}}}}}},
      {"signatureHelp", {{"signatureInformation", {{"documentationFormat", {"markdown", "plaintext"}}}}}},
      {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}},
      {"codeAction", {{"codeActionLiteralSupport", json::object()}, {"isPreferredSupport", true}}}};
  json result =
      Result("initialize",
             {{"processId", nullptr},
              {"rootUri", nullptr},
              {"capabilities",
               {{"general", {{"positionEncodings", json::array({encoding})}}}, {"textDocument", text_document}}}});
  Notify("initialized", json::object());
  return result;
}

void LspClient::Open(const std::string& uri, const std::string& text, int version) {
  Send(OpenMessage(uri, text, version));
}

json LspClient::OpenMessage(const std::string& uri, const std::string& text, int version) {
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", uri}, {"languageId", "hlo"}, {"version", version}, {"text", text}}}}}};
}

void LspClient::Change(const std::string& uri, int version, const json& content_changes) {
  Notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", content_changes}});
}

json LspClient::AskAt(const std::string& method, const std::string& uri, uint32_t line, uint32_t character) {
  return Result(method, {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}});
}

}  // namespace hloscope::lsp
