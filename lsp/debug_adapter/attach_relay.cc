// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/attach_relay.h"

#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "lsp/debug_adapter/loopback_port.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {

using nlohmann::json;

absl::StatusOr<std::unique_ptr<AttachRelay>> AttachRelay::Connect(int port, lsp::Connection& client,
                                                                  int64_t hidden_seq) {
  const absl::StatusOr<int> socket = ConnectToLoopback(port);
  if (!socket.ok()) return socket.status();
  return std::unique_ptr<AttachRelay>(new AttachRelay(*socket, client, hidden_seq));
}

AttachRelay::AttachRelay(int socket, lsp::Connection& client, int64_t hidden_seq)
    : socket_(socket),
      client_(client),
      run_(std::make_unique<lsp::Connection>(socket, socket)),
      thread_([this, hidden_seq] { PassOn(hidden_seq); }) {}

AttachRelay::~AttachRelay() {
  run_->Finish();
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  run_.reset();
  close(socket_);
}

void AttachRelay::WaitUntilOver() { over_.wait(false); }

void AttachRelay::PassOn(int64_t hidden_seq) {
  bool told_end = false;
  int64_t last_seq = 0;
  while (std::optional<lsp::MessageFramer::Event> event = run_->Read()) {
    if (event->kind == lsp::MessageFramer::Event::Kind::kError) continue;
    const std::optional<json> message = lsp::ParsePayload(event->text);
    if (!message.has_value()) continue;
    const std::string type = StringOr(*message, "type", "");
    if (type == "response" && IntegerOr(*message, "request_seq", -1) == hidden_seq) continue;
    told_end |= type == "event" && StringOr(*message, "event", "") == "terminated";
    last_seq = IntegerOr(*message, "seq", last_seq);
    client_.Send(std::move(event->text));
  }
  if (!told_end) client_.Send(lsp::JsonText({{"seq", last_seq + 1}, {"type", "event"}, {"event", "terminated"}}));
  over_ = true;
  over_.notify_all();
}

}  // namespace hloscope::dap
