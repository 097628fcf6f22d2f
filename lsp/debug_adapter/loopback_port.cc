// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/loopback_port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope::dap {
namespace {

constexpr int kOn = 1;

absl::Status Failure(int port, int socket) {
  const std::string reason = strerror(errno);
  if (socket >= 0) close(socket);
  return absl::UnavailableError(absl::StrCat("port ", port, " of 127.0.0.1 cannot be used: ", reason));
}

sockaddr_in AddressOf(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

// Answers are small and waited for.
void SendAtOnce(int socket) { setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof(kOn)); }

}  // namespace

absl::StatusOr<LoopbackListener> LoopbackListener::Open(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return Failure(port, listener);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &kOn, sizeof(kOn));
  sockaddr_in address = AddressOf(port);
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return Failure(port, listener);
  }
  return LoopbackListener(listener, ntohs(address.sin_port));
}

LoopbackListener::LoopbackListener(LoopbackListener&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

LoopbackListener::~LoopbackListener() {
  if (socket_ >= 0) close(socket_);
}

absl::StatusOr<int> LoopbackListener::Accept(const std::function<bool()>& wanted, int poll_milliseconds) {
  while (wanted()) {
    pollfd ready = {socket_, POLLIN, 0};
    if (poll(&ready, 1, poll_milliseconds) <= 0) continue;
    const int client = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return Failure(port_, -1);
    }
    SendAtOnce(client);
    return client;
  }
  return absl::CancelledError("nobody waits for a client any more");
}

absl::StatusOr<int> ConnectToLoopback(int port) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return Failure(port, client);
  const sockaddr_in address = AddressOf(port);
  if (connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    const std::string reason = strerror(errno);
    close(client);
    return absl::UnavailableError(absl::StrCat("nothing can be attached to at port ", port, " of 127.0.0.1: ", reason,
                                               "; `hloscope run FILE --listen=", port, "` waits there"));
  }
  SendAtOnce(client);
  return client;
}

}  // namespace hloscope::dap
