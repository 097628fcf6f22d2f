// A scripted client of the real hloscope-lsp process, over pipes.
#ifndef HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_
#define HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_

#include <sys/types.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "lsp/protocol/types.h"
#include "lsp/transport/framing.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// Every wait ends after 30 seconds with a failure of the test.
class LspClient {
 public:
  LspClient();
  // Kills the server if it still runs.
  ~LspClient();
  LspClient(const LspClient&) = delete;
  LspClient& operator=(const LspClient&) = delete;

  void SendBytes(const std::string& bytes);
  void Send(const nlohmann::json& message);
  // Sends a request; returns its id.
  int Request(const std::string& method, const nlohmann::json& params);
  void Notify(const std::string& method, const nlohmann::json& params);

  // The next message that `matches`, which is taken out of those received; null after the time is over.
  nlohmann::json Wait(const std::function<bool(const nlohmann::json&)>& matches);
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
  void Change(const std::string& uri, int version, const nlohmann::json& content_changes);
  nlohmann::json AskAt(const std::string& method, const std::string& uri, uint32_t line, uint32_t character);

  // Of the server's process; -1 if it has ended.
  pid_t pid() const { return pid_; }

  void CloseInput();
  // Stops reading what the server writes.
  void CloseOutput();
  // The exit status; -1 if it does not end in time, -2 if it died by a signal.
  int WaitExit();

 private:
  // False when the time is over or the server has closed its output.
  bool ReadMore(int timeout_milliseconds);

  pid_t pid_ = -1;
  int to_server_ = -1;
  int from_server_ = -1;
  int next_id_ = 1;
  MessageFramer framer_;
  std::deque<std::string> received_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_LSP_CLIENT_H_
