// SPDX-License-Identifier: Apache-2.0
// Devices that wait for each other forever, found without a run (docs/ops/control.md 4.15).
#ifndef HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_DEADLOCK_H_
#define HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_DEADLOCK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/call_graph.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"
#include "core/ops/device_groups.h"

namespace hloscope {

struct CommunicationDeadlock {
  struct Blocked {
    int64_t device = 0;
    InstructionId instruction;  // a collective, send or recv; of a done its start
    int64_t execution = 0;      // counted from 1
    std::vector<int64_t> missing;
  };
  DeviceGrid grid;
  std::vector<Blocked> blocked;   // by device; at least one
  std::vector<int64_t> finished;  // devices that come to the end
  // The first branch or loop at which devices part; none if all go the same way.
  InstructionId parting;
  // Only where a send waits for its receiver: what buffers messages gets on.
  bool needs_rendezvous = false;
};

// How much is looked at before the module counts as free of deadlocks: about one for each event of a device, value that
// decides about a way, and iteration of a loop.
inline constexpr int64_t kUsualCommunicationBudget = 1'000'000;

// The deadlock of a run on the grid, in the order of the text. Nothing if there is none, as far as the text shows: ways
// that depend on data count as the same on all devices. Branches that no value decides are tried one after the other.
std::optional<CommunicationDeadlock> FindCommunicationDeadlock(const Module& module, const UserIndex& users,
                                                               const CallGraph& calls, const DeviceGrid& grid,
                                                               int64_t budget = kUsualCommunicationBudget);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_DEADLOCK_H_
