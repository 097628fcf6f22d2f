// SPDX-License-Identifier: Apache-2.0
// Which devices take part together in a collective (docs/ops/control.md 4.1-4.4).
#ifndef HLOSCOPE_CORE_OPS_DEVICE_GROUPS_H_
#define HLOSCOPE_CORE_OPS_DEVICE_GROUPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "core/ops/replica_groups.h"

namespace hloscope {

// The grid of logical devices of a run. Device f = replica * partitions + partition.
struct DeviceGrid {
  int64_t replicas = 1;
  int64_t partitions = 1;
  int64_t device_count() const { return replicas * partitions; }
  int64_t DeviceOf(int64_t replica, int64_t partition) const { return replica * partitions + partition; }
  int64_t ReplicaOf(int64_t device) const { return device / partitions; }
  int64_t PartitionOf(int64_t device) const { return device % partitions; }
};

// The mode of a collective instruction. Error InvalidArgument for use_global_device_ids without a channel.
absl::StatusOr<GroupingMode> CheckedGroupingMode(const Module& module, InstructionId id);

// The ordered groups of devices of a collective with replica_groups (4.4). The position of a device in its group is its
// rank. Errors: InvalidArgument for an id outside the grid, or no groups in flattened-id mode.
absl::StatusOr<std::vector<std::vector<int64_t>>> DeviceGroups(const Module& module, InstructionId id,
                                                               const DeviceGrid& grid);

// Pairs {source, target} of a collective-permute or of transfers as pairs of devices: ids are partitions where it has a
// channel, else replicas; the other coordinate stays (2.4, 4.12). Error InvalidArgument for an id outside the grid.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> DevicePairs(
    const DeviceGrid& grid, const std::vector<std::pair<int64_t, int64_t>>& pairs, bool are_partitions);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_DEVICE_GROUPS_H_
