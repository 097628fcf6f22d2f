// SPDX-License-Identifier: Apache-2.0
// Transfers to and from the host and between two devices: infeed, outfeed, send, send-done, recv, recv-done
// (docs/ops/control.md 2.2-2.4).
#ifndef HLOSCOPE_CORE_OPS_HOST_TRANSFER_H_
#define HLOSCOPE_CORE_OPS_HOST_TRANSFER_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope {

using SourceTargetPairs = std::vector<std::pair<int64_t, int64_t>>;

// Reads "{{0,1},{1,2}}"; nothing if the text has another form.
std::optional<SourceTargetPairs> ParseSourceTargetPairs(absl::string_view text);

// The text of the frontend attribute `_xla_send_recv_source_target_pairs` of a send or recv; null if it has none.
const std::string* SendRecvPairsText(const Module& module, InstructionId id);

// True for a send or recv whose peer is the host.
inline bool IsHostTransfer(const Module& module, InstructionId id) {
  return module.BoolAttribute(id, AttributeKind::kIsHostTransfer);
}

// Whether the send or recv can block others (V208): those with the host and pipelined ones cannot.
bool TakesPartInDeadlocks(const Module& module, InstructionId id);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_HOST_TRANSFER_H_
