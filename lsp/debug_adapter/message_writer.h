// SPDX-License-Identifier: Apache-2.0
// What the adapter sends: responses and events of the Debug Adapter Protocol, numbered in the order in which they
// leave.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_MESSAGE_WRITER_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_MESSAGE_WRITER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "lsp/transport/connection.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

// What of a request its response repeats.
struct RequestHead {
  int64_t seq = 0;
  std::string command;
};

// Thread-safe. `connection` outlives the object.
class MessageWriter {
 public:
  explicit MessageWriter(lsp::Connection& connection) : connection_(connection) {}

  // `body` null: none.
  void Respond(const RequestHead& request, nlohmann::json body);
  // Cancelled and what is asked for while the run goes on have the words of the protocol (`cancelled`, `notStopped`).
  // `show`: the client shall show it to the user.
  void RespondError(const RequestHead& request, const absl::Status& status, bool show);
  void Event(absl::string_view name, nlohmann::json body);
  // Text for the debug console. Waits while the client has much to read: a run can say more than a client reads.
  void Output(absl::string_view category, absl::string_view text);
  // A message of another adapter, with the next number of this one. Waits as Output does.
  void Forward(nlohmann::json message);
  // Nothing is sent any more.
  void Close();

 private:
  void Send(nlohmann::json message);

  lsp::Connection& connection_;
  std::mutex mutex_;
  int64_t next_seq_ = 1;
  bool closed_ = false;
};

// The status of requests that need the run to be stopped.
absl::Status NotStopped();

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_MESSAGE_WRITER_H_
