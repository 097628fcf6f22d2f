// A socket at the loopback address for one client.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_

#include <functional>

#include "absl/status/statusor.h"

namespace hloscope::dap {

// Waits for a client at 127.0.0.1:`port` (0: any free port) and returns the file descriptor of the connection; no other
// client is accepted. `listening` is called with the port. `wanted` is asked about once a second whether to wait on.
// Errors: Unavailable if the port cannot be used; Cancelled if nobody wants it any more.
absl::StatusOr<int> AcceptOnLoopback(int port, const std::function<void(int port)>& listening,
                                     const std::function<bool()>& wanted);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_LOOPBACK_PORT_H_
