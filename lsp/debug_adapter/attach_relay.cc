// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/attach_relay.h"

#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "lsp/debug_adapter/loopback_port.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/transport/json_rpc.h"

namespace hloscope::dap {

using nlohmann::json;

absl::StatusOr<std::unique_ptr<AttachRelay>> AttachRelay::Connect(int port, MessageWriter& client, Beginning beginning,
                                                                  std::function<void()> on_loss) {
  const absl::StatusOr<int> socket = ConnectToLoopback(port);
  if (!socket.ok()) return socket.status();
  return std::unique_ptr<AttachRelay>(new AttachRelay(*socket, client, std::move(beginning), std::move(on_loss)));
}

AttachRelay::AttachRelay(int socket, MessageWriter& client, Beginning beginning, std::function<void()> on_loss)
    : socket_(socket),
      client_(client),
      beginning_(std::move(beginning)),
      on_loss_(std::move(on_loss)),
      run_(std::make_unique<lsp::Connection>(socket, socket)) {
  SendRequest(beginning_.initialize.seq, "initialize", beginning_.initialize_arguments);
  SendRequest(beginning_.start.seq, "attach", beginning_.attach_arguments);
  thread_ = std::thread([this] { PassOn(); });
}

AttachRelay::~AttachRelay() {
  run_->Finish();
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  run_.reset();
  close(socket_);
}

void AttachRelay::SendRequest(int64_t seq, absl::string_view command, json arguments) {
  Send(lsp::JsonText(
      {{"seq", seq}, {"type", "request"}, {"command", std::string(command)}, {"arguments", std::move(arguments)}}));
}

void AttachRelay::Disconnect(const json& message) {
  Send(lsp::JsonText(message));
  over_.wait(false);
  // The run may have ended meanwhile.
  if (!has_answered_farewell_) client_.Respond({IntegerOr(message, "seq", 0), "disconnect"}, json());
}

void AttachRelay::PassOn() {
  bool told_end = false;
  while (std::optional<lsp::MessageFramer::Event> event = run_->Read()) {
    if (event->kind == lsp::MessageFramer::Event::Kind::kError) continue;
    std::optional<json> message = lsp::ParsePayload(event->text);
    if (!message.has_value()) continue;
    const int64_t answered = IntegerOr(*message, "request_seq", -1);
    if (answered == beginning_.initialize.seq) continue;
    if (answered == beginning_.start.seq) (*message)["command"] = beginning_.start.command;
    const std::string name = StringOr(*message, "event", "");
    if (name == "process") (*message)["body"]["startMethod"] = beginning_.start.command;
    told_end |= name == "terminated";
    if (answered >= 0 && StringOr(*message, "command", "") == "disconnect") has_answered_farewell_ = true;
    client_.Forward(*std::move(message));
  }
  if (!told_end) {
    if (on_loss_) on_loss_();
    client_.Event("terminated", json());
  }
  over_ = true;
  over_.notify_all();
}

}  // namespace hloscope::dap
