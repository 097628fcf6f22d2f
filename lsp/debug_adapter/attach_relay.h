// SPDX-License-Identifier: Apache-2.0
// Attaching through an adapter that an editor started: the run that is attached to has an adapter of its own
// (listening_run.h), and this one passes messages on.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACH_RELAY_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACH_RELAY_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "lsp/transport/connection.h"

namespace hloscope::dap {

class AttachRelay {
 public:
  // Connects to 127.0.0.1:`port`. What comes from there goes to `client` from now on, but for the answer to request
  // `hidden_seq`. Error Unavailable. `client` outlives the object.
  static absl::StatusOr<std::unique_ptr<AttachRelay>> Connect(int port, lsp::Connection& client, int64_t hidden_seq);
  ~AttachRelay();
  AttachRelay(const AttachRelay&) = delete;
  AttachRelay& operator=(const AttachRelay&) = delete;

  // A message for the run.
  void Send(std::string payload) { run_->Send(std::move(payload)); }
  // The run has ended, and everything that it said was passed on.
  bool is_over() const { return over_; }
  // Waits for that.
  void WaitUntilOver();

 private:
  AttachRelay(int socket, lsp::Connection& client, int64_t hidden_seq);
  void PassOn(int64_t hidden_seq);

  const int socket_;
  lsp::Connection& client_;
  std::unique_ptr<lsp::Connection> run_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACH_RELAY_H_
