// SPDX-License-Identifier: Apache-2.0
// `$/progress` about a request, if the client asked for it.
#ifndef HLOSCOPE_LSP_SERVER_PROGRESS_REPORT_H_
#define HLOSCOPE_LSP_SERVER_PROGRESS_REPORT_H_

#include <string>

#include "lsp/protocol/json.h"
#include "lsp/transport/connection.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

// Begins now, under the token that `params` give, and ends with the object.
class ProgressReport {
 public:
  ProgressReport(Connection& connection, const nlohmann::json& params, const std::string& title)
      : connection_(connection) {
    const nlohmann::json* token = FindPath(params, {"workDoneToken"});
    if (token == nullptr || (!token->is_string() && !token->is_number_integer())) return;
    token_ = *token;
    Send({{"kind", "begin"}, {"title", title}, {"cancellable", true}, {"percentage", 0}});
  }
  ~ProgressReport() { Send({{"kind", "end"}}); }
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  void Say(const std::string& message) { Send({{"kind", "report"}, {"message", message}}); }
  void Report(size_t done, size_t all) {
    const int percentage = all == 0 ? 0 : static_cast<int>(100 * done / all);
    if (percentage == last_) return;
    last_ = percentage;
    Send({{"kind", "report"}, {"percentage", percentage}});
  }

 private:
  void Send(const nlohmann::json& value) {
    if (!token_.is_null()) connection_.Send(NotificationPayload("$/progress", {{"token", token_}, {"value", value}}));
  }

  Connection& connection_;
  nlohmann::json token_;
  int last_ = 0;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_PROGRESS_REPORT_H_
