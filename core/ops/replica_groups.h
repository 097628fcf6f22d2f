// SPDX-License-Identifier: Apache-2.0
// Which devices take part together in a collective (docs/ops/control.md 4.1-4.4).
#ifndef HLOSCOPE_CORE_OPS_REPLICA_GROUPS_H_
#define HLOSCOPE_CORE_OPS_REPLICA_GROUPS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// What the ids in replica_groups number (4.2).
enum class GroupingMode : uint8_t { kCrossReplica, kCrossPartition, kCrossReplicaAndPartition, kFlattenedId };
absl::string_view GroupingModeName(GroupingMode mode);  // "cross_replica"

// The mode of a collective (also of a collective-permute, whose pairs are numbered the same way).
GroupingMode GroupingModeOf(const Module& module, InstructionId id);

// Numbers of replicas and partitions of the run: those of the header, or of the options where the header has 1, which
// is also what it has when it does not say. 1 therefore counts as unknown in checks.
struct DeviceCounts {
  int64_t replicas = 1;
  int64_t partitions = 1;
};
DeviceCounts DeviceCountsOf(const Module& module, const VerifyOptions& options);

// How many ids there are in the mode: 0 to count-1; 1 if unknown.
int64_t IdCount(GroupingMode mode, DeviceCounts counts);

// How many ids the groups hold, without making them. Those of the iota and mesh forms are 0 to n-1, each once.
int64_t WrittenIdCount(const ReplicaGroups& groups);

// How many ids the first group that is written holds; nothing where none is.
std::optional<int64_t> WrittenGroupSize(const Module& module, InstructionId id);

// Number of devices in each group of the collective (of its first group, if they differ); nothing if unknown.
std::optional<int64_t> GroupSize(const Module& module, InstructionId id, DeviceCounts counts);

// Checks the groups and the attributes that decide the mode (V140-V145; of a collective-broadcast, whose groups need
// not cover all devices, V159).
void CheckReplicaGroups(RuleContext& context);

// Checks source_target_pairs (V156): pairs of ids in range, no id more than `repeats` times source or target.
void CheckSourceTargetPairs(RuleContext& context, int64_t repeats);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_REPLICA_GROUPS_H_
