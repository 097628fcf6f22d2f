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

#include "absl/strings/str_cat.h"

namespace hloscope::dap {
namespace {

constexpr int kWaitMilliseconds = 1000;

absl::Status Failure(int port, int socket) {
  const std::string reason = strerror(errno);
  if (socket >= 0) close(socket);
  return absl::UnavailableError(absl::StrCat("port ", port, " of 127.0.0.1 cannot be used: ", reason));
}

}  // namespace

absl::StatusOr<int> AcceptOnLoopback(int port, const std::function<void(int)>& listening,
                                     const std::function<bool()>& wanted) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return Failure(port, listener);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return Failure(port, listener);
  }
  listening(ntohs(address.sin_port));
  while (wanted()) {
    pollfd ready = {listener, POLLIN, 0};
    if (poll(&ready, 1, kWaitMilliseconds) <= 0) continue;
    const int client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return Failure(port, listener);
    }
    close(listener);
    // Answers are small and waited for.
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return client;
  }
  close(listener);
  return absl::CancelledError("whoever started it is gone");
}

}  // namespace hloscope::dap
