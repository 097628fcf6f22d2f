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
#include "lsp/debug_adapter/message_writer.h"
#include "lsp/debug_adapter/remote_run.h"
#include "lsp/transport/connection.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {

class AttachRelay final : public RemoteRun {
 public:
  // How the session begins: the client's `initialize`, which this adapter has answered, and what the run is sent after
  // it for the client's `launch` or `attach`.
  struct Beginning {
    RequestHead initialize;
    nlohmann::json initialize_arguments;
    RequestHead start;
    nlohmann::json attach_arguments;
  };

  // Connects to 127.0.0.1:`port` and begins. What comes from there goes to `client` from now on. If the connection ends
  // before the session, `on_loss` is called, and then the client is told of the end. Error Unavailable. `client`
  // outlives the object.
  static absl::StatusOr<std::unique_ptr<AttachRelay>> Connect(int port, MessageWriter& client, Beginning beginning,
                                                              std::function<void()> on_loss = nullptr);
  ~AttachRelay() override;
  AttachRelay(const AttachRelay&) = delete;
  AttachRelay& operator=(const AttachRelay&) = delete;

  // RemoteRun:
  void Send(std::string payload) override { run_->Send(std::move(payload)); }
  void Disconnect(const nlohmann::json& message) override;
  bool is_over() const override { return over_; }

 private:
  AttachRelay(int socket, MessageWriter& client, Beginning beginning, std::function<void()> on_loss);
  void SendRequest(int64_t seq, absl::string_view command, nlohmann::json arguments);
  void PassOn();

  const int socket_;
  MessageWriter& client_;
  const Beginning beginning_;
  const std::function<void()> on_loss_;
  std::unique_ptr<lsp::Connection> run_;
  std::atomic<bool> over_{false}, has_answered_farewell_{false};
  std::thread thread_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_ATTACH_RELAY_H_
