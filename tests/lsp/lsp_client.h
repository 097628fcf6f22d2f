// SPDX-License-Identifier: Apache-2.0
// A scripted client of the real hloscope-lsp process, over pipes.
#ifndef HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_
#define HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_

#include <string>

#include "lsp/protocol/types.h"
#include "nlohmann/json_fwd.hpp"
#include "tests/lsp/child_process.h"

namespace hloscope::lsp {

class LspClient : public ChildProcess {
 public:
  LspClient();

  void Send(const nlohmann::json& message);
  // Sends a request; returns its id.
  int Request(const std::string& method, const nlohmann::json& params);
  void Notify(const std::string& method, const nlohmann::json& params);

  // The whole answer to a request.
  nlohmann::json WaitAnswer(int id);
  // Request and answer.
  nlohmann::json Call(const std::string& method, const nlohmann::json& params);
  // The result of a call; fails the test if the answer is an error.
  nlohmann::json Result(const std::string& method, const nlohmann::json& params);
  // The published diagnostics of that version.
  nlohmann::json WaitDiagnostics(const std::string& uri, int version);

  // initialize + initialized with the capabilities of a modern editor. Returns the result of initialize.
  nlohmann::json Initialize(const std::string& encoding = "utf-16");
  void Open(const std::string& uri, const std::string& text, int version = 1);
  static nlohmann::json OpenMessage(const std::string& uri, const std::string& text, int version);
  void Change(const std::string& uri, int version, const nlohmann::json& content_changes);
  nlohmann::json AskAt(const std::string& method, const std::string& uri, uint32_t line, uint32_t character);

 private:
  int next_id_ = 1;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_
