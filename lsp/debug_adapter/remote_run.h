// SPDX-License-Identifier: Apache-2.0
// A run in another process that has a debug adapter of its own: messages of the client are passed on to it.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_REMOTE_RUN_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_REMOTE_RUN_H_

#include <string>

#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

class RemoteRun {
 public:
  virtual ~RemoteRun() = default;

  // A message for the run.
  virtual void Send(std::string payload) = 0;
  // The client leaves; `message` is its `disconnect`. Returns when it was answered.
  virtual void Disconnect(const nlohmann::json& message) = 0;
  // The run has ended, and everything that it said was passed on.
  virtual bool is_over() const = 0;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_REMOTE_RUN_H_
