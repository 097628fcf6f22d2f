// SPDX-License-Identifier: Apache-2.0
#include "core/ops/replica_groups.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {
namespace {

bool IsAllReduce(Opcode opcode) { return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart; }

int64_t MeshGroupSize(const ReplicaGroups& groups) {
  int64_t size = 1;
  for (const MeshAxisRef& ref : groups.axes) {
    const bool known = ref.axis >= 0 && static_cast<size_t>(ref.axis) < groups.mesh.axes.size();
    const int64_t axis_size = known ? groups.mesh.axes[static_cast<size_t>(ref.axis)].second : 1;
    size = SaturatingProduct(size, ref.sub_axis ? ref.sub_axis->second : axis_size);
  }
  return size;
}

void Report(RuleContext& context, absl::string_view message) {
  context.Report(DiagnosticKind::kReplicaGroups, Anchor::Attribute(AttributeKind::kReplicaGroups),
                 context.opcode_name(), message);
}

// What the ids of a mode number.
absl::string_view IdsInWords(GroupingMode mode) {
  switch (mode) {
    case GroupingMode::kCrossPartition:
      return "partitions";
    case GroupingMode::kFlattenedId:
      return "replicas times partitions";
    case GroupingMode::kCrossReplica:
    case GroupingMode::kCrossReplicaAndPartition:
      break;
  }
  return "replicas";
}

// At one of the listed groups.
void ReportGroup(RuleContext& context, size_t group, absl::string_view message) {
  context.Report(DiagnosticKind::kReplicaGroups, Anchor::Entry(AttributeKind::kReplicaGroups, group),
                 context.opcode_name(), message);
}

// V143: ids 0 to n-1, each once. Reports the first offender.
void CheckIdsCoverRange(RuleContext& context, const std::vector<std::vector<int64_t>>& groups, int64_t n) {
  std::vector<bool> seen(static_cast<size_t>(n), false);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (int64_t id : groups[g]) {
      if (id < 0 || id >= n) {
        ReportGroup(context, g,
                    absl::StrCat("id ", id, " is out of range: ", n, n == 1 ? " id is" : " ids are",
                                 " listed, and they must be 0 to ", n - 1, ", each once"));
        return;
      }
      if (seen[static_cast<size_t>(id)]) {
        ReportGroup(context, g,
                    absl::StrCat("id ", id, " appears twice; ", n, " ids are listed, and they must be 0 to ", n - 1,
                                 ", each once"));
        return;
      }
      seen[static_cast<size_t>(id)] = true;
    }
  }
}

void ReportBroadcastIds(RuleContext& context, absl::string_view message) {
  context.ReportTolerated(DiagnosticKind::kReplicaGroups, Anchor::Attribute(AttributeKind::kReplicaGroups),
                          context.opcode_name(), message);
}

void ReportBroadcastIdTooLarge(RuleContext& context, int64_t id, int64_t limit) {
  ReportBroadcastIds(context, absl::StrCat("id ", id, " is out of range; there are ", limit));
}

// V159: ids of a collective-broadcast are unique and in range.
void CheckBroadcastIds(RuleContext& context, const std::vector<std::vector<int64_t>>& groups, int64_t limit) {
  std::vector<int64_t> ids;
  for (const auto& group : groups) ids.insert(ids.end(), group.begin(), group.end());
  std::sort(ids.begin(), ids.end());
  const auto repeated = std::adjacent_find(ids.begin(), ids.end());
  if (repeated != ids.end()) ReportBroadcastIds(context, absl::StrCat("id ", *repeated, " appears twice"));
  if (!ids.empty() && ids.front() < 0) ReportBroadcastIds(context, absl::StrCat("id ", ids.front(), " is negative"));
  if (!ids.empty() && limit > 1 && ids.back() >= limit) ReportBroadcastIdTooLarge(context, ids.back(), limit);
}

}  // namespace

absl::string_view GroupingModeName(GroupingMode mode) {
  switch (mode) {
    case GroupingMode::kCrossReplica:
      return "cross_replica";
    case GroupingMode::kCrossPartition:
      return "cross_partition";
    case GroupingMode::kCrossReplicaAndPartition:
      return "cross_replica_and_partition";
    case GroupingMode::kFlattenedId:
      return "flattened_id";
  }
  return "";
}

GroupingMode GroupingModeOf(const Module& module, InstructionId id) {
  const bool has_channel = module.HasAttribute(id, AttributeKind::kChannelId);
  if (!has_channel) return GroupingMode::kCrossReplica;
  switch (module.opcode(id)) {
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kReduceScatter:
      return module.BoolAttribute(id, AttributeKind::kUseGlobalDeviceIds) ? GroupingMode::kFlattenedId
                                                                          : GroupingMode::kCrossReplicaAndPartition;
    default:
      return GroupingMode::kCrossPartition;
  }
}

DeviceCounts DeviceCountsOf(const Module& module, const VerifyOptions& options) {
  const ModuleHeader& header = module.header();
  return {header.replica_count > 1 ? header.replica_count : options.replica_count,
          header.num_partitions > 1 ? header.num_partitions : options.num_partitions};
}

int64_t IdCount(GroupingMode mode, DeviceCounts counts) {
  switch (mode) {
    case GroupingMode::kCrossPartition:
      return counts.partitions;
    case GroupingMode::kFlattenedId:
      return SaturatingProduct(counts.replicas, counts.partitions);
    case GroupingMode::kCrossReplica:
    case GroupingMode::kCrossReplicaAndPartition:
      break;
  }
  return counts.replicas;
}

int64_t WrittenIdCount(const ReplicaGroups& groups) {
  int64_t count = 1;
  switch (groups.form) {
    case ReplicaGroups::Form::kExplicit:
      count = 0;
      for (const std::vector<int64_t>& group : groups.groups) count += static_cast<int64_t>(group.size());
      break;
    case ReplicaGroups::Form::kIota:
      for (int64_t size : groups.iota.dims) count = SaturatingProduct(count, size);
      break;
    case ReplicaGroups::Form::kMesh:
      for (const auto& [name, size] : groups.mesh.axes) count = SaturatingProduct(count, size);
      break;
  }
  return count;
}

std::optional<int64_t> WrittenGroupSize(const Module& module, InstructionId id) {
  const ReplicaGroups* groups = module.ReplicaGroupsAttribute(id);
  if (groups == nullptr) return std::nullopt;
  switch (groups->form) {
    case ReplicaGroups::Form::kExplicit:
      if (groups->groups.empty()) return std::nullopt;
      return static_cast<int64_t>(groups->groups[0].size());
    case ReplicaGroups::Form::kIota:
      return groups->iota.dims.size() == 2 ? groups->iota.dims[1] : 1;
    case ReplicaGroups::Form::kMesh:
      break;
  }
  return MeshGroupSize(*groups);
}

std::optional<int64_t> GroupSize(const Module& module, InstructionId id, DeviceCounts counts) {
  const GroupingMode mode = GroupingModeOf(module, id);
  int64_t size = WrittenGroupSize(module, id).value_or(IdCount(mode, counts));
  if (mode == GroupingMode::kCrossReplicaAndPartition) size = SaturatingProduct(size, counts.partitions);
  return size > 1 ? std::optional<int64_t>(size) : std::nullopt;
}

void CheckReplicaGroups(RuleContext& context) {
  const Module& module = context.module();
  const InstructionId id = context.id();
  const bool has_channel = context.Has(AttributeKind::kChannelId);
  if (!has_channel && context.Bool(AttributeKind::kUseGlobalDeviceIds)) {
    const Anchor anchor = Anchor::Attribute(AttributeKind::kUseGlobalDeviceIds);
    context.Report(DiagnosticKind::kGlobalDeviceIds, anchor, context.opcode_name())
        .Fix("add channel_id=1", context.RangeOf(anchor), "channel_id=1, use_global_device_ids=true");
    return;
  }
  if (has_channel && context.opcode() == Opcode::kAllReduce && context.Int(AttributeKind::kChannelId) <= 0) {
    context.Report(DiagnosticKind::kChannelId, Anchor::Attribute(AttributeKind::kChannelId), context.opcode_name(),
                   absl::StrCat("the channel id must be positive, not ", context.Int(AttributeKind::kChannelId)));
  }
  if (!context.options().check_replica_groups) return;
  const GroupingMode mode = GroupingModeOf(module, id);
  const int64_t expected = IdCount(mode, DeviceCountsOf(module, context.options()));
  const ReplicaGroups* groups = module.ReplicaGroupsAttribute(id);
  const bool is_explicit = groups == nullptr || groups->form == ReplicaGroups::Form::kExplicit;
  if (groups == nullptr || (is_explicit && groups->groups.empty())) {
    if (mode == GroupingMode::kFlattenedId) {
      Report(context, "the groups must be listed when use_global_device_ids is true, as in {{0,1},{2,3}}");
    }
    return;
  }
  int64_t n = 0;
  if (is_explicit) {
    for (size_t g = 0; g < groups->groups.size(); ++g) {
      const std::vector<int64_t>& group = groups->groups[g];
      n += static_cast<int64_t>(group.size());
      if (group.empty() && context.opcode() == Opcode::kCollectiveBroadcast) {
        context.ReportTolerated(DiagnosticKind::kReplicaGroups, Anchor::Entry(AttributeKind::kReplicaGroups, g),
                                context.opcode_name(), "a group is empty; leave it out");
      } else if (group.empty()) {
        ReportGroup(context, g, "a group is empty; leave it out");
        return;
      }
    }
    if (context.opcode() == Opcode::kCollectiveBroadcast) {
      CheckBroadcastIds(context, groups->groups, expected);
      return;
    }
    CheckIdsCoverRange(context, groups->groups, n);
    const bool uniform = std::all_of(groups->groups.begin(), groups->groups.end(),
                                     [&](const auto& group) { return group.size() == groups->groups[0].size(); });
    if (!uniform && !IsAllReduce(context.opcode())) {
      std::string sizes;
      for (const auto& group : groups->groups) absl::StrAppend(&sizes, sizes.empty() ? "" : ", ", group.size());
      Report(context, absl::StrCat("the groups have different sizes (", sizes,
                                   "); only all-reduce works with groups of different sizes"));
    }
  } else {
    n = WrittenIdCount(*groups);
    if (context.opcode() == Opcode::kCollectiveBroadcast) {
      // Their ids are 0 to n - 1, each once.
      if (expected > 1 && n > expected) ReportBroadcastIdTooLarge(context, n - 1, expected);
      return;
    }
  }
  if (expected > 1 && n != expected && !context.failed()) {
    Report(context, absl::StrCat("the groups hold ", n, n == 1 ? " id" : " ids", ", but in ", GroupingModeName(mode),
                                 " mode there are ", expected, " (", IdsInWords(mode), ")"));
  }
}

void CheckSourceTargetPairs(RuleContext& context, int64_t repeats) {
  const auto* pairs = context.module().IntListsAttribute(context.id(), AttributeKind::kSourceTargetPairs);
  if (pairs == nullptr) return;
  size_t i = 0;  // number of the pair
  const auto report = [&](absl::string_view message) {
    context.Report(DiagnosticKind::kSourceTargetPairs, Anchor::Entry(AttributeKind::kSourceTargetPairs, i),
                   context.opcode_name(), message);
  };
  const GroupingMode mode = GroupingModeOf(context.module(), context.id());
  const int64_t limit = IdCount(mode, DeviceCountsOf(context.module(), context.options()));
  absl::flat_hash_map<int64_t, int64_t> times[2];
  static constexpr absl::string_view kRoles[] = {"source", "target"};
  for (; i < pairs->size(); ++i) {
    const std::vector<int64_t>& pair = (*pairs)[i];
    if (pair.size() != 2) {
      report(absl::StrCat("expected pairs {source,target}, found ", CountOf(pair.size(), "id", "ids")));
      return;
    }
    for (size_t role = 0; role < 2; ++role) {
      const int64_t id = pair[role];
      if (id < 0 || (limit > 1 && id >= limit)) {
        report(absl::StrCat(
            kRoles[role], " ", id,
            id < 0 ? " is negative"
                   : absl::StrCat(" is out of range; there are ", limit, " ", IdsInWords(mode), ", 0 to ", limit - 1)));
        return;
      }
      if (++times[role][id] > repeats) {
        report(absl::StrCat(kRoles[role], " ", id, " appears more than ",
                            repeats == 1 ? "once" : absl::StrCat(repeats, " times, the number of slices"),
                            role == 0 ? "; a device sends" : "; a device receives",
                            repeats == 1 ? " one value" : " each slice once"));
        return;
      }
    }
  }
}

}  // namespace hloscope
