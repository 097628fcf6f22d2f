// SPDX-License-Identifier: Apache-2.0
#include "core/communication/communication_plan.h"

#include <algorithm>
#include <optional>

#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"
#include "core/ops/host_transfer.h"

namespace hloscope {
namespace {

bool IsPermute(Opcode opcode) {
  return opcode == Opcode::kCollectivePermute || opcode == Opcode::kCollectivePermuteStart;
}

bool IsTransfer(Opcode opcode) { return opcode == Opcode::kSend || opcode == Opcode::kRecv; }

// The pairs of a permute or transfer; nothing if they cannot be read.
std::optional<SourceTargetPairs> PairsOf(const Module& module, InstructionId id) {
  if (IsTransfer(module.opcode(id))) {
    const std::string* text = SendRecvPairsText(module, id);
    return text == nullptr ? std::nullopt : ParseSourceTargetPairs(*text);
  }
  SourceTargetPairs pairs;
  const auto* lists = module.IntListsAttribute(id, AttributeKind::kSourceTargetPairs);
  if (lists == nullptr) return pairs;
  for (const std::vector<int64_t>& list : *lists) {
    if (list.size() != 2) return std::nullopt;
    pairs.emplace_back(list[0], list[1]);
  }
  return pairs;
}

// Whether the ids of the pairs are partitions. Channel 0 of a transfer counts as none.
bool PairsArePartitions(const Module& module, InstructionId id) {
  return IsTransfer(module.opcode(id)) ? module.IntAttribute(id, AttributeKind::kChannelId) > 0
                                       : module.HasAttribute(id, AttributeKind::kChannelId);
}

}  // namespace

bool Communicates(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  switch (opcode) {
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return !IsHostTransfer(module, id);
    case Opcode::kAllGatherDone:
    case Opcode::kAllReduceDone:
    case Opcode::kCollectivePermuteDone:
      return true;
    default:
      return IsCollective(opcode);
  }
}

// Numbers of devices that no header can have say nothing about a grid.
constexpr int64_t kMostDevices = int64_t{1} << 31;

DeviceGrid InferredGrid(const Module& module, DeviceCounts known) {
  DeviceGrid grid{known.replicas, known.partitions};
  if (grid.device_count() > 1) return grid;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Opcode opcode = module.opcode(id);
    int64_t count = 0;
    bool are_partitions;
    if (IsPermute(opcode) || (IsTransfer(opcode) && !IsHostTransfer(module, id))) {
      for (const auto& [source, target] : PairsOf(module, id).value_or(SourceTargetPairs())) {
        count = std::max(count, std::min(std::max(source, target), kMostDevices - 1) + 1);
      }
      are_partitions = PairsArePartitions(module, id);
    } else if (IsCollective(opcode)) {
      const ReplicaGroups* groups = module.ReplicaGroupsAttribute(id);
      if (groups == nullptr) continue;
      count = WrittenIdCount(*groups);
      const GroupingMode mode = GroupingModeOf(module, id);
      are_partitions = mode == GroupingMode::kCrossPartition || mode == GroupingMode::kFlattenedId;
    } else {
      continue;
    }
    int64_t& dimension = are_partitions ? grid.partitions : grid.replicas;
    dimension = std::max(dimension, count);
  }
  return grid;
}

std::vector<std::vector<InstructionId>> CommunicatingInstructions(const Module& module, const CallGraph& calls) {
  std::vector<std::vector<InstructionId>> instructions(module.computations().size());
  for (ComputationId computation : calls.callees_first()) {
    std::vector<InstructionId>& own = instructions[computation.index()];
    for (InstructionId id : module.computation(computation).instructions) {
      bool found = Communicates(module, id);
      const Opcode opcode = module.opcode(id);
      if (opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone) {
        const ComputationId wrapped = WrappedComputation(module, id);
        found = wrapped.has_value() && !instructions[wrapped.index()].empty();
      } else if (!found && module.instruction(id).attribute_count > 0) {
        module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
          found = found || (callee.has_value() && !instructions[callee.index()].empty());
        });
      }
      if (found) own.push_back(id);
    }
  }
  return instructions;
}

CommunicationPlan::CommunicationPlan(const Module& module, const CallGraph& calls, const DeviceGrid& grid)
    : module_(module), grid_(grid), instructions_(CommunicatingInstructions(module, calls)) {}

CommunicationPlan::Parts CommunicationPlan::PartsOfPairs(InstructionId id) const {
  Parts parts;
  const std::optional<SourceTargetPairs> pairs = PairsOf(module_, id);
  if (!pairs) return parts;
  const auto devices = DevicePairs(grid_, *pairs, PairsArePartitions(module_, id));
  if (!devices.ok()) return parts;
  parts.fit = true;
  parts.lists.resize(1);
  const auto add = [&](uint32_t& list, int64_t device) {
    if (list == 0) {
      list = static_cast<uint32_t>(parts.lists.size());
      parts.lists.emplace_back();
    }
    parts.lists[list].push_back(device);
  };
  for (const auto& [source, target] : *devices) {
    add(parts.ends_of[target].first, source);
    add(parts.ends_of[source].second, target);
  }
  return parts;
}

CommunicationPlan::Parts CommunicationPlan::PartsOfGroups(InstructionId id) const {
  Parts parts;
  const auto groups = DeviceGroups(module_, id, grid_);
  if (!groups.ok()) return parts;
  parts.lists.resize(1);
  parts.group_of.assign(static_cast<size_t>(grid_.device_count()), 0);
  for (const std::vector<int64_t>& members : *groups) {
    for (int64_t device : members) {
      uint32_t& group = parts.group_of[static_cast<size_t>(device)];
      if (group != 0) return parts;
      group = static_cast<uint32_t>(parts.lists.size());
    }
    parts.lists.push_back(members);
  }
  const bool all = std::find(parts.group_of.begin(), parts.group_of.end(), 0u) == parts.group_of.end();
  parts.fit = all || module_.opcode(id) == Opcode::kCollectiveBroadcast;
  return parts;
}

std::optional<CommunicationPlan::Part> CommunicationPlan::PartOf(InstructionId id, int64_t device) {
  const auto [entry, is_new] = parts_.try_emplace(id);
  if (is_new) {
    const bool has_pairs = IsPermute(module_.opcode(id)) || IsTransfer(module_.opcode(id));
    entry->second = std::make_unique<const Parts>(has_pairs ? PartsOfPairs(id) : PartsOfGroups(id));
  }
  const Parts& parts = *entry->second;
  if (!parts.fit) return std::nullopt;
  if (!parts.group_of.empty()) {
    const std::vector<int64_t>& group = parts.lists[parts.group_of[static_cast<size_t>(device)]];
    return Part{&group, &group, !group.empty()};
  }
  const auto ends = parts.ends_of.find(device);
  const auto [sources, targets] = ends == parts.ends_of.end() ? std::pair<uint32_t, uint32_t>() : ends->second;
  return Part{&parts.lists[sources], &parts.lists[targets], false};
}

uint64_t CommunicationPlan::StreamOf(InstructionId id) {
  if (!IsTransfer(module_.opcode(id))) return id.index();
  const std::string* text = SendRecvPairsText(module_, id);
  const std::pair<int64_t, std::string> key = {module_.IntAttribute(id, AttributeKind::kChannelId),
                                               text == nullptr ? "" : *text};
  const auto [entry, is_new] = transfer_streams_.try_emplace(key, 0);
  if (is_new) entry->second = (uint64_t{1} << 32) + transfer_streams_.size();
  return entry->second;
}

}  // namespace hloscope
