// SPDX-License-Identifier: Apache-2.0
// A request that has not been answered yet.
#ifndef HLOSCOPE_LSP_SERVER_PENDING_REQUEST_H_
#define HLOSCOPE_LSP_SERVER_PENDING_REQUEST_H_

#include <atomic>
#include <utility>

#include "lsp/transport/json_rpc.h"

namespace hloscope::lsp {

// Shared by the reading thread, which may cancel it, and the worker, which answers it. Thread-safe.
class PendingRequest {
 public:
  explicit PendingRequest(RequestId id) : id_(std::move(id)) {}

  const RequestId& id() const { return id_; }
  bool answered() const { return answered_.load(); }
  // True for exactly one caller: the one that may send the answer.
  bool ClaimAnswer() { return !answered_.exchange(true); }

 private:
  const RequestId id_;
  std::atomic<bool> answered_ = false;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_PENDING_REQUEST_H_
