// SPDX-License-Identifier: Apache-2.0
// Connections with programs of this machine, at ports of its loopback address.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_

#include <functional>

#include "absl/status/statusor.h"

namespace hloscope::dap {

// A port where clients are waited for.
class LoopbackListener {
 public:
  // `port` 0: any free port. Error Unavailable if the port cannot be used.
  static absl::StatusOr<LoopbackListener> Open(int port);
  LoopbackListener(LoopbackListener&& other) noexcept;
  LoopbackListener& operator=(LoopbackListener&&) = delete;
  ~LoopbackListener();

  int port() const { return port_; }
  // Waits for a client and returns the file descriptor of the connection. `wanted` is asked about every
  // `poll_milliseconds` whether to wait on. Errors: Unavailable; Cancelled if nobody wants it any more.
  absl::StatusOr<int> Accept(const std::function<bool()>& wanted, int poll_milliseconds = 1000);

 private:
  LoopbackListener(int socket, int port) : socket_(socket), port_(port) {}

  int socket_;
  int port_;
};

// The file descriptor of a connection to 127.0.0.1:`port`. Error Unavailable.
absl::StatusOr<int> ConnectToLoopback(int port);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_
