// SPDX-License-Identifier: Apache-2.0
#include "core/ops/device_groups.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"

namespace hloscope {

absl::StatusOr<GroupingMode> CheckedGroupingMode(const Module& module, InstructionId id) {
  const bool global_ids = module.BoolAttribute(id, AttributeKind::kUseGlobalDeviceIds);
  // Presence of the channel counts, not its value.
  if (global_ids && !module.HasAttribute(id, AttributeKind::kChannelId)) {
    return absl::InvalidArgumentError(
        absl::StrCat(OpcodeName(module.opcode(id)), ": use_global_device_ids=true needs a channel_id"));
  }
  return GroupingModeOf(module, id);
}

absl::StatusOr<std::vector<std::vector<int64_t>>> DeviceGroups(const Module& module, InstructionId id,
                                                               const DeviceGrid& grid) {
  absl::StatusOr<GroupingMode> mode = CheckedGroupingMode(module, id);
  if (!mode.ok()) return mode.status();
  const int64_t id_count = *mode == GroupingMode::kFlattenedId      ? grid.device_count()
                           : *mode == GroupingMode::kCrossPartition ? grid.partitions
                                                                    : grid.replicas;
  const auto unknown_id = [&](int64_t i) {
    return absl::InvalidArgumentError(
        absl::StrCat(OpcodeName(module.opcode(id)), ": id ", i, " in replica_groups, but the run has ",
                     CountOf(grid.replicas, "replica"), " and ", CountOf(grid.partitions, "partition")));
  };
  std::vector<std::vector<int64_t>> id_groups;
  if (const ReplicaGroups* written = module.ReplicaGroupsAttribute(id)) {
    // Short texts stand for very many groups.
    const bool is_regular = written->form != ReplicaGroups::Form::kExplicit;
    if (is_regular && WrittenIdCount(*written) > id_count) return unknown_id(id_count);
    id_groups = written->Expand();
  }
  if (id_groups.empty()) {
    if (*mode == GroupingMode::kFlattenedId) {
      return absl::InvalidArgumentError(absl::StrCat(
          OpcodeName(module.opcode(id)), ": replica_groups must be written with use_global_device_ids=true"));
    }
    id_groups.emplace_back();
    for (int64_t i = 0; i < id_count; ++i) id_groups[0].push_back(i);
  }
  std::vector<std::vector<int64_t>> groups;
  for (const std::vector<int64_t>& ids : id_groups) {
    for (int64_t i : ids) {
      if (i < 0 || i >= id_count) return unknown_id(i);
    }
    std::vector<int64_t> group;
    switch (*mode) {
      case GroupingMode::kCrossReplica:
        for (int64_t p = 0; p < grid.partitions; ++p) {
          group.clear();
          for (int64_t r : ids) group.push_back(grid.DeviceOf(r, p));
          groups.push_back(group);
        }
        break;
      case GroupingMode::kCrossPartition:
        for (int64_t r = 0; r < grid.replicas; ++r) {
          group.clear();
          for (int64_t p : ids) group.push_back(grid.DeviceOf(r, p));
          groups.push_back(group);
        }
        break;
      case GroupingMode::kCrossReplicaAndPartition:
        for (int64_t r : ids) {
          for (int64_t p = 0; p < grid.partitions; ++p) group.push_back(grid.DeviceOf(r, p));
        }
        groups.push_back(std::move(group));
        break;
      case GroupingMode::kFlattenedId:
        groups.push_back(ids);
        break;
    }
  }
  return groups;
}

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> DevicePairs(
    const DeviceGrid& grid, const std::vector<std::pair<int64_t, int64_t>>& pairs, bool are_partitions) {
  const int64_t count = are_partitions ? grid.partitions : grid.replicas;
  const int64_t others = are_partitions ? grid.replicas : grid.partitions;
  std::vector<std::pair<int64_t, int64_t>> devices;
  for (const auto& [source, target] : pairs) {
    if (std::min(source, target) < 0 || std::max(source, target) >= count) {
      return absl::InvalidArgumentError(absl::StrCat("the pair {", source, ",", target, "} names a device that ",
                                                     CountOf(grid.replicas, "replica"), " and ",
                                                     CountOf(grid.partitions, "partition"), " do not have"));
    }
    for (int64_t other = 0; other < others; ++other) {
      devices.emplace_back(are_partitions ? grid.DeviceOf(other, source) : grid.DeviceOf(source, other),
                           are_partitions ? grid.DeviceOf(other, target) : grid.DeviceOf(target, other));
    }
  }
  return devices;
}

}  // namespace hloscope
