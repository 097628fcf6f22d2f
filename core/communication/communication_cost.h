// SPDX-License-Identifier: Apache-2.0
// What the collectives of a module send over the links of a topology, and how long that takes (docs/communication.md).
#ifndef HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_COST_H_
#define HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_COST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/cost.h"
#include "core/analysis/users.h"
#include "core/communication/topology.h"
#include "core/ir/module.h"
#include "core/ops/device_groups.h"

namespace hloscope {

struct CollectiveCost {
  InstructionId instruction;
  int64_t runs = 1;
  int64_t group_size = 0, group_count = 0;
  int64_t operand_bytes = 0;  // of one device
  // Of one execution.
  double sent_bytes = 0;    // by all devices together, each byte once for each link that it goes over
  double busiest_link = 0;  // bytes
  int64_t steps = 0;
  int64_t longest_way = 0;  // links between two devices that talk to each other
  double seconds = 0;
  // An all-gather whose result is cut again by the device's id: the array was made whole on every device only to get
  // another sharding. The cut; none if there is none.
  InstructionId resharded_by;
};

struct CommunicationCost {
  DeviceGrid grid;
  std::vector<CollectiveCost> collectives;  // in the order of the text
  int64_t not_counted = 0;                  // whose groups do not fit the grid
  // Over all executions, one after the other.
  double seconds = 0, sent_bytes = 0, busiest_link = 0;
};

// Devices of the grid are in their order at the points of the topology.
CommunicationCost MeasureCommunication(const Module& module, const UserIndex& users, const CostAnalysis& cost,
                                       const DeviceGrid& grid, const Topology& topology);

// Where the sharding of an array changes from an instruction to one that uses it, in a module that is not partitioned
// yet: what a partitioner has to send there.
struct ShardingChange {
  InstructionId from, to;
  std::string collective;  // "all-gather", "all-to-all", "none", "all-gather, then slice"
  int64_t array_bytes = 0;
  int64_t bytes_per_device = 0;  // that each device receives
};
std::vector<ShardingChange> FindShardingChanges(const Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_COST_H_
