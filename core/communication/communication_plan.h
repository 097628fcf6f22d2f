// SPDX-License-Identifier: Apache-2.0
// Who waits for whom in each communicating instruction of a module, on a grid of devices.
#ifndef HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_PLAN_H_
#define HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/analysis/call_graph.h"
#include "core/ir/module.h"
#include "core/ops/device_groups.h"

namespace hloscope {

// The grid that the groups and pairs of the module need at least, where `known` says 1 (docs/ops/control.md 4.1).
DeviceGrid InferredGrid(const Module& module, DeviceCounts known);

// True for what devices meet in: collectives, their dones, transfers between devices; not for transfers with the host.
bool Communicates(const Module& module, InstructionId id);

// By computation, in text order: the instructions that communicate, or call computations that do. All of them are
// executed, also where nothing needs their results: other devices may wait (docs/ops/control.md 8.1).
std::vector<std::vector<InstructionId>> CommunicatingInstructions(const Module& module, const CallGraph& calls);

class CommunicationPlan {
 public:
  // The module must outlive the object.
  CommunicationPlan(const Module& module, const CallGraph& calls, const DeviceGrid& grid);

  const DeviceGrid& grid() const { return grid_; }
  // Those of the computation in CommunicatingInstructions.
  const std::vector<InstructionId>& Of(ComputationId computation) const { return instructions_[computation.index()]; }
  bool Communicates(ComputationId computation) const { return !Of(computation).empty(); }

  // One device's part in an instruction: the devices that it waits for, in a done or in the instruction itself, and
  // those that wait for it.
  struct Part {
    const std::vector<int64_t>* sources = nullptr;
    const std::vector<int64_t>* targets = nullptr;
    bool is_group = false;  // both are one list, the same for all in it: all wait for all
  };
  // Nothing if the groups or pairs do not fit the grid, or a device is in none of the groups where it has to be, or in
  // several. The lists live as long as the plan.
  std::optional<Part> PartOf(InstructionId id, int64_t device);
  // Transfers of one channel and pair list are matched with each other, collectives with themselves.
  uint64_t StreamOf(InstructionId id);

 private:
  // Of all devices.
  struct Parts {
    bool fit = false;
    std::vector<std::vector<int64_t>> lists;                              // the first one is empty
    std::vector<uint32_t> group_of;                                       // of a collective in groups: list of a device
    absl::flat_hash_map<int64_t, std::pair<uint32_t, uint32_t>> ends_of;  // of pairs: sources and targets, if any
  };
  Parts PartsOfPairs(InstructionId id) const;
  Parts PartsOfGroups(InstructionId id) const;

  const Module& module_;
  const DeviceGrid grid_;
  std::vector<std::vector<InstructionId>> instructions_;  // by computation
  absl::flat_hash_map<InstructionId, std::unique_ptr<const Parts>> parts_;
  std::map<std::pair<int64_t, std::string>, uint64_t> transfer_streams_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_PLAN_H_
