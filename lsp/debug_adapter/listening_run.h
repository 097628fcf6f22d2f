// SPDX-License-Identifier: Apache-2.0
// A run that debuggers may attach to, one after the other, while it goes on.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_LISTENING_RUN_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_LISTENING_RUN_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "lsp/debug_adapter/attached_run.h"
#include "lsp/debug_adapter/loopback_port.h"

namespace hloscope::dap {

struct ListenOptions {
  std::string version;           // of the adapter
  bool wait_for_client = false;  // the run begins when a debugger has attached
  // Calls what it is given, which moves the run.
  std::function<void(const std::function<void()>&)> around_moves;
};

// Runs to the end, or until it fails: the run tells which, as after DeviceRun::Run. While a debugger is attached, that
// moves the run; when it leaves, the run goes on without breakpoints. Error Cancelled: a debugger ended the run.
absl::Status RunListening(const AttachedRun& run, LoopbackListener& listener, const ListenOptions& options);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_LISTENING_RUN_H_
