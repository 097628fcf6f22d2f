// SPDX-License-Identifier: Apache-2.0
#include "core/communication/communication_cost.h"

#include <algorithm>
#include <optional>

#include "core/analysis/sharding_places.h"
#include "core/communication/device_values.h"
#include "core/layout/byte_size.h"
#include "core/ops/collective.h"
#include "core/ops/host_transfer.h"

namespace hloscope {
namespace {

int64_t BytesOfShape(const Shape& shape) {
  if (shape.IsTuple()) {
    int64_t bytes = 0;
    for (const Shape& element : shape.elements()) bytes += BytesOfShape(element);
    return bytes;
  }
  return shape.IsArray() ? PhysicalBytes(shape) : 0;
}

// The whole of all operands that travel.
int64_t OperandBytes(const Module& module, InstructionId id) {
  int64_t bytes = 0;
  for (InstructionId operand : module.operands(id)) {
    if (operand.has_value()) bytes += BytesOfShape(module.shape(operand));
    // Of a ragged-all-to-all and a send the first operand alone is data.
    const Opcode opcode = module.opcode(id);
    if (opcode == Opcode::kRaggedAllToAll || opcode == Opcode::kSend) break;
  }
  return bytes;
}

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

// The messages of one step go at the same time.
void AddSteps(const Topology& topology, const Pairs& messages, double bytes, int64_t steps, LinkLoads& loads,
              CollectiveCost& cost) {
  loads.Clear();
  for (const auto& [from, to] : messages) cost.longest_way = std::max(cost.longest_way, loads.Send(from, to, bytes));
  cost.steps += steps;
  cost.sent_bytes += static_cast<double>(steps) * loads.total();
  cost.busiest_link += static_cast<double>(steps) * loads.most();
  cost.seconds += static_cast<double>(steps) * (loads.most() / topology.bytes_per_second +
                                                static_cast<double>(cost.longest_way) * topology.seconds_per_hop);
}

// Both directions of the rings of all groups.
Pairs RingsOf(const std::vector<std::vector<int64_t>>& groups) {
  Pairs messages;
  for (const std::vector<int64_t>& group : groups) {
    for (size_t i = 0; group.size() > 1 && i < group.size(); ++i) {
      const int64_t next = group[(i + 1) % group.size()];
      messages.emplace_back(group[i], next);
      messages.emplace_back(next, group[i]);
    }
  }
  return messages;
}

void MeasureGroups(const Module& module, const std::vector<std::vector<int64_t>>& groups, const Topology& topology,
                   LinkLoads& loads, CollectiveCost& cost) {
  cost.group_count = static_cast<int64_t>(groups.size());
  for (const auto& group : groups) cost.group_size = std::max(cost.group_size, static_cast<int64_t>(group.size()));
  const int64_t n = cost.group_size;
  if (n < 2) return;
  const double bytes = static_cast<double>(cost.operand_bytes), part = bytes / static_cast<double>(n);
  switch (module.opcode(cost.instruction)) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return AddSteps(topology, RingsOf(groups), part / 2, 2 * (n - 1), loads, cost);
    case Opcode::kReduceScatter:
      return AddSteps(topology, RingsOf(groups), part / 2, n - 1, loads, cost);
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
      return AddSteps(topology, RingsOf(groups), bytes / 2, n - 1, loads, cost);
    case Opcode::kCollectiveBroadcast: {
      Pairs chain;
      for (const auto& group : groups) {
        for (size_t i = 0; i + 1 < group.size(); ++i) chain.emplace_back(group[i], group[i + 1]);
      }
      AddSteps(topology, chain, bytes, 1, loads, cost);
      // The first byte passes all members, one after the other.
      cost.seconds += static_cast<double>((n - 2) * cost.longest_way) * topology.seconds_per_hop;
      return;
    }
    default: {
      Pairs all;
      for (const auto& group : groups) {
        for (int64_t from : group) {
          for (int64_t to : group) {
            if (from != to) all.emplace_back(from, to);
          }
        }
      }
      return AddSteps(topology, all, part, 1, loads, cost);
    }
  }
}

// The cut by the device's id that the array comes to through what keeps its elements.
InstructionId FindCut(const Module& module, const UserIndex& users, DeviceDependence& dependence, InstructionId id) {
  constexpr int kMostSteps = 16;
  for (int step = 0; step < kMostSteps; ++step) {
    const auto of = users.users(id);
    if (of.size() != 1) return InstructionId();
    id = of[0];
    switch (module.opcode(id)) {
      case Opcode::kDynamicSlice:
        for (InstructionId start : module.operands(id).subspan(1)) {
          if (start.has_value() && dependence.Of(start)) return id;
        }
        return InstructionId();
      case Opcode::kAllGatherDone:
      case Opcode::kCopy:
      case Opcode::kBitcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kConvert:
        break;
      default:
        return InstructionId();
    }
  }
  return InstructionId();
}

std::optional<Pairs> PairsOfDevices(const Module& module, InstructionId id, const DeviceGrid& grid) {
  SourceTargetPairs pairs;
  bool are_partitions = module.HasAttribute(id, AttributeKind::kChannelId);
  if (module.opcode(id) == Opcode::kSend) {
    const std::string* text = SendRecvPairsText(module, id);
    const auto parsed = text == nullptr ? std::nullopt : ParseSourceTargetPairs(*text);
    if (!parsed) return std::nullopt;
    pairs = *parsed;
    are_partitions = module.IntAttribute(id, AttributeKind::kChannelId) > 0;
  } else if (const auto* lists = module.IntListsAttribute(id, AttributeKind::kSourceTargetPairs)) {
    for (const std::vector<int64_t>& list : *lists) {
      if (list.size() != 2) return std::nullopt;
      pairs.emplace_back(list[0], list[1]);
    }
  }
  auto devices = DevicePairs(grid, pairs, are_partitions);
  if (!devices.ok()) return std::nullopt;
  return *std::move(devices);
}

bool HasPairs(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  return opcode == Opcode::kCollectivePermute || opcode == Opcode::kCollectivePermuteStart ||
         (opcode == Opcode::kSend && !IsHostTransfer(module, id));
}

// False if the groups or pairs do not fit the grid.
bool MeasureOne(const Module& module, const DeviceGrid& grid, const Topology& topology, LinkLoads& loads,
                CollectiveCost& cost) {
  cost.operand_bytes = OperandBytes(module, cost.instruction);
  if (HasPairs(module, cost.instruction)) {
    const std::optional<Pairs> pairs = PairsOfDevices(module, cost.instruction, grid);
    if (!pairs) return false;
    cost.group_count = static_cast<int64_t>(pairs->size());
    cost.group_size = 2;
    AddSteps(topology, *pairs, static_cast<double>(cost.operand_bytes), pairs->empty() ? 0 : 1, loads, cost);
    return true;
  }
  const auto groups = DeviceGroups(module, cost.instruction, grid);
  if (!groups.ok()) return false;
  MeasureGroups(module, *groups, topology, loads, cost);
  return true;
}

// --- Changes of shardings ---

// Parts along each dimension of the array; empty: every device has all of it. Nothing for other shardings.
std::optional<std::vector<int64_t>> PartsOf(const Module& module, InstructionId id) {
  const Sharding* sharding = module.ShardingAttribute(id);
  if (sharding == nullptr || sharding->kind == Sharding::Kind::kTuple) return std::nullopt;
  if (sharding->kind == Sharding::Kind::kReplicated) return std::vector<int64_t>();
  std::vector<int64_t> tiles = TileCounts(*sharding, module.shape(id));
  if (tiles.empty()) return std::nullopt;
  tiles.resize(static_cast<size_t>(module.shape(id).rank()));
  if (std::all_of(tiles.begin(), tiles.end(), [](int64_t count) { return count == 1; })) tiles.clear();
  return tiles;
}

int64_t Product(const std::vector<int64_t>& parts) {
  int64_t product = 1;
  for (int64_t count : parts) product *= std::max<int64_t>(count, 1);
  return product;
}

ShardingChange ChangeOf(const Module& module, InstructionId from, InstructionId to, const std::vector<int64_t>& before,
                        const std::vector<int64_t>& after) {
  ShardingChange change;
  change.from = from;
  change.to = to;
  change.array_bytes = BytesOfShape(module.shape(from));
  const int64_t own = change.array_bytes / Product(before), wanted = change.array_bytes / Product(after);
  // Whether each part that is wanted is within one that is there.
  bool is_finer = true, is_coarser = true;
  for (size_t d = 0; d < std::max(before.size(), after.size()); ++d) {
    const int64_t x = before.empty() ? 1 : before[d], y = after.empty() ? 1 : after[d];
    is_finer = is_finer && x > 0 && y % x == 0;
    is_coarser = is_coarser && y > 0 && x % y == 0;
  }
  if (is_finer) {
    change.collective = "none";
  } else if (is_coarser) {
    change.collective = "all-gather";
    change.bytes_per_device = wanted - own;
  } else if (Product(before) == Product(after)) {
    change.collective = "all-to-all";
    change.bytes_per_device = own - own / Product(before);
  } else {
    change.collective = "all-gather, then slice";
    change.bytes_per_device = change.array_bytes - own;
  }
  return change;
}

// Operations whose operands are wanted as their result is.
bool KeepsPlaces(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kCustomCall) {
    return module.StringAttribute(id, AttributeKind::kCustomCallTarget) == "Sharding";
  }
  return InfoOf(opcode).family == OpFamily::kElementwise || opcode == Opcode::kCopy;
}

}  // namespace

CommunicationCost MeasureCommunication(const Module& module, const UserIndex& users, const CostAnalysis& cost,
                                       const DeviceGrid& grid, const Topology& topology) {
  CommunicationCost result;
  result.grid = grid;
  LinkLoads loads(topology);
  DeviceDependence dependence(module, users);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Opcode opcode = module.opcode(id);
    if (!IsCollective(opcode) && !HasPairs(module, id)) continue;
    CollectiveCost one;
    one.instruction = id;
    one.runs = cost.Runs(module.instruction(id).computation);
    if (!MeasureOne(module, grid, topology, loads, one)) {
      ++result.not_counted;
      continue;
    }
    if (opcode == Opcode::kAllGather || opcode == Opcode::kAllGatherStart) {
      one.resharded_by = FindCut(module, users, dependence, id);
    }
    const double runs = static_cast<double>(one.runs);
    result.seconds += runs * one.seconds;
    result.sent_bytes += runs * one.sent_bytes;
    result.busiest_link += runs * one.busiest_link;
    result.collectives.push_back(one);
  }
  return result;
}

std::vector<ShardingChange> FindShardingChanges(const Module& module) {
  std::vector<ShardingChange> changes;
  if (!module.MayHave(AttributeKind::kSharding)) return changes;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (!KeepsPlaces(module, id)) continue;
    const auto after = PartsOf(module, id);
    if (!after) continue;
    for (InstructionId operand : module.operands(id)) {
      if (!operand.has_value() || module.shape(operand).dimensions() != module.shape(id).dimensions()) continue;
      const auto before = PartsOf(module, operand);
      if (before && *before != *after) changes.push_back(ChangeOf(module, operand, id, *before, *after));
    }
  }
  return changes;
}

}  // namespace hloscope
