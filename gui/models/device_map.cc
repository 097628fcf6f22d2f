// SPDX-License-Identifier: Apache-2.0
#include "gui/models/device_map.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <map>
#include <optional>

#include "core/ops/host_transfer.h"
#include "core/ops/replica_groups.h"
#include "evaluator/devices/device_groups.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

struct DeviceMapText {
  Q_DECLARE_TR_FUNCTIONS(DeviceMap)
};

// What one device of a group gets, in words.
QString CollectiveText(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return DeviceMapText::tr("Every device gets the combination of the values of its group.");
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
      return DeviceMapText::tr("Every device gets the values of its group one after the other, in the order of ranks.");
    case Opcode::kReduceScatter:
      return DeviceMapText::tr("The values of a group are combined and cut; rank k gets piece k.");
    case Opcode::kAllToAll:
    case Opcode::kRaggedAllToAll:
      return DeviceMapText::tr("Every device cuts its value; piece k goes to rank k.");
    case Opcode::kCollectiveBroadcast:
      return DeviceMapText::tr("The first device of each group gives its value to the others.");
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return DeviceMapText::tr("Each source sends its value to its target; a target that nobody sends to gets zeros.");
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return DeviceMapText::tr("Each target gets the value of its source; a device that is no target gets zeros.");
    default:
      return QString();
  }
}

DeviceMap::Flow FlowOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kReduceScatter:
    case Opcode::kAllToAll:
    case Opcode::kRaggedAllToAll:
      return DeviceMap::Flow::kAllToAll;
    case Opcode::kCollectiveBroadcast:
      return DeviceMap::Flow::kFromRoot;
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return DeviceMap::Flow::kPairs;
    default:
      return DeviceMap::Flow::kNone;
  }
}

void CollectLeaves(const Shape& shape, std::vector<const Shape*>* leaves) {
  if (!shape.IsTuple() && !shape.IsBuffer()) {
    leaves->push_back(&shape);
    return;
  }
  for (const Shape& element : shape.elements()) CollectLeaves(element, leaves);
}

// The largest id that a collective mentions; -1 if it mentions none.
int64_t LargestId(const std::vector<std::vector<int64_t>>& lists) {
  int64_t largest = -1;
  for (const std::vector<int64_t>& list : lists) {
    for (int64_t id : list) largest = std::max(largest, id);
  }
  return largest;
}

// Of a send-done or a recv-done, what it ends: that has the pairs. A transfer that a loop carries is not looked for.
InstructionId TransferOf(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode != Opcode::kSendDone && opcode != Opcode::kRecvDone) return id;
  const absl::Span<const InstructionId> operands = module.operands(id);
  return !operands.empty() && operands[0].has_value() ? operands[0] : id;
}

bool IsTransfer(Opcode opcode) {
  return opcode == Opcode::kSend || opcode == Opcode::kSendDone || opcode == Opcode::kRecv ||
         opcode == Opcode::kRecvDone;
}

// What the ids of its groups or pairs number. Transfers have no mode: channel 0 counts as none
// (docs/ops/control.md 2.4).
GroupingMode ModeOf(const Module& module, InstructionId id) {
  if (!IsTransfer(module.opcode(id))) return GroupingModeOf(module, id);
  return module.IntAttribute(id, AttributeKind::kChannelId) > 0 ? GroupingMode::kCrossPartition
                                                                : GroupingMode::kCrossReplica;
}

// Source and target ids of a transfer or a permutation.
std::vector<std::vector<int64_t>> PairsOf(const Module& module, InstructionId id) {
  std::vector<std::vector<int64_t>> pairs;
  if (!IsTransfer(module.opcode(id))) {
    const auto* listed = module.IntListsAttribute(id, AttributeKind::kSourceTargetPairs);
    return listed != nullptr ? *listed : pairs;
  }
  const std::string* text = SendRecvPairsText(module, TransferOf(module, id));
  const std::optional<SourceTargetPairs> read = text != nullptr ? ParseSourceTargetPairs(*text) : std::nullopt;
  if (!read.has_value()) return pairs;
  for (const auto& [source, target] : *read) pairs.push_back({source, target});
  return pairs;
}

// The header's grid, made large enough for the ids where it does not say.
evaluator::DeviceGrid GridFor(const Module& module, InstructionId id, const std::vector<std::vector<int64_t>>& ids) {
  const DeviceCounts counts = DeviceCountsOf(module, VerifyOptions());
  evaluator::DeviceGrid grid{counts.replicas, counts.partitions};
  const int64_t needed = LargestId(ids) + 1;
  switch (ModeOf(module, id)) {
    case GroupingMode::kCrossReplica:
    case GroupingMode::kCrossReplicaAndPartition:
      if (grid.replicas == 1) grid.replicas = std::max<int64_t>(needed, 1);
      break;
    case GroupingMode::kCrossPartition:
      if (grid.partitions == 1) grid.partitions = std::max<int64_t>(needed, 1);
      break;
    case GroupingMode::kFlattenedId:
      if (grid.device_count() == 1) grid.partitions = std::max<int64_t>(needed, 1);
      break;
  }
  return grid;
}

// Devices of a pair of ids, as replica_groups are numbered.
std::vector<std::pair<int64_t, int64_t>> PairDevices(GroupingMode mode, const evaluator::DeviceGrid& grid,
                                                     int64_t source, int64_t target) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (mode == GroupingMode::kCrossReplica) {
    for (int64_t p = 0; p < grid.partitions; ++p) {
      pairs.emplace_back(grid.DeviceOf(source, p), grid.DeviceOf(target, p));
    }
  } else if (mode == GroupingMode::kCrossPartition) {
    for (int64_t r = 0; r < grid.replicas; ++r) {
      pairs.emplace_back(grid.DeviceOf(r, source), grid.DeviceOf(r, target));
    }
  } else {
    pairs.emplace_back(source, target);
  }
  return pairs;
}

void AddGrid(const evaluator::DeviceGrid& grid, DeviceMap* map) {
  map->columns = grid.replicas == 1 || grid.partitions == 1 ? 0 : grid.partitions;
  for (int64_t device = 0; device < grid.device_count(); ++device) {
    DeviceCell cell;
    cell.device = device;
    cell.name = map->columns == 0
                    ? QString::number(device)
                    : QStringLiteral("r%1,p%2").arg(device / grid.partitions).arg(device % grid.partitions);
    map->cells.push_back(std::move(cell));
  }
  if (map->columns > 0) return;
  // One line of devices: as square as it gets.
  const int64_t count = grid.device_count();
  map->columns = std::min<int64_t>(count, 8);
  while (count > map->columns * map->columns * 2 && map->columns < 64) map->columns *= 2;
}

QString TooManyDevices() { return DeviceMapText::tr("There are too many devices to show."); }

void AddCollective(const Module& module, InstructionId id, DeviceMap* map) {
  const Opcode opcode = module.opcode(id);
  map->has_collective = true;
  map->collective_text = CollectiveText(opcode);
  std::vector<std::vector<int64_t>> ids;
  if (IsTransfer(opcode) && IsHostTransfer(module, TransferOf(module, id))) {
    map->flow = DeviceMap::Flow::kNone;
    map->collective_text = DeviceMapText::tr("Every device exchanges the value with its host, not with other devices.");
    return;
  }
  if (map->flow == DeviceMap::Flow::kPairs) {
    ids = PairsOf(module, id);
    if (ids.empty() && IsTransfer(opcode))
      map->problem = DeviceMapText::tr("The transfer does not say which devices it pairs.");
  } else if (const ReplicaGroups* groups = module.ReplicaGroupsAttribute(id)) {
    if (WrittenIdCount(*groups) > DeviceMap::kMaxDevices) {
      map->problem = TooManyDevices();
      return;
    }
    ids = groups->Expand();
  }
  const evaluator::DeviceGrid grid = GridFor(module, id, ids);
  if (grid.replicas > DeviceMap::kMaxDevices / grid.partitions) {
    map->problem = TooManyDevices();
    return;
  }
  AddGrid(grid, map);
  if (map->flow == DeviceMap::Flow::kPairs) {
    const GroupingMode mode = ModeOf(module, id);
    for (const std::vector<int64_t>& pair : ids) {
      if (pair.size() != 2) continue;
      for (const auto& devices : PairDevices(mode, grid, pair[0], pair[1])) {
        const bool good = std::min(devices.first, devices.second) >= 0 &&
                          std::max(devices.first, devices.second) < grid.device_count();
        if (good) {
          map->pairs.push_back(devices);
        } else {
          map->problem = DeviceMapText::tr("Some pairs name devices that the run does not have.");
        }
      }
    }
    return;
  }
  absl::StatusOr<std::vector<std::vector<int64_t>>> groups = evaluator::DeviceGroups(module, id, grid);
  if (!groups.ok()) {
    map->problem = ToQString(groups.status().message());
    return;
  }
  map->groups = *std::move(groups);
  for (size_t g = 0; g < map->groups.size(); ++g) {
    for (size_t rank = 0; rank < map->groups[g].size(); ++rank) {
      DeviceCell& cell = map->cells[static_cast<size_t>(map->groups[g][rank])];
      cell.group = static_cast<int64_t>(g);
      cell.rank = static_cast<int64_t>(rank);
    }
  }
}

int64_t LastAxis(const Mesh& mesh) { return mesh.axes.empty() ? 1 : mesh.axes.back().second; }

void AddSharding(const Sharding& sharding, const Shape& array, DeviceMap* map) {
  map->has_sharding = true;
  map->array = array;
  map->sharding_text = ToQString(DescribeSharding(sharding));
  const std::vector<ShardPlace> places = PlacesOfShards(sharding, array, static_cast<size_t>(DeviceMap::kMaxDevices));
  if (places.empty()) return;
  map->tiles = TileCounts(sharding, array);
  const bool own_grid = map->cells.empty();
  if (own_grid) {
    // The tiles as they lie in the array: the last two dimensions that are cut, the others below one another.
    map->columns = 1;
    for (int64_t d = array.rank() - 1; d >= 0 && map->columns == 1; --d)
      map->columns = map->tiles[static_cast<size_t>(d)];
    int64_t inner = 1;
    // Devices of a mesh are in its own order: its last axis from left to right.
    if (sharding.kind == Sharding::Kind::kNamed) map->columns = LastAxis(sharding.mesh);
    for (size_t d = static_cast<size_t>(array.rank()); d < sharding.tile_dimensions.size(); ++d) {
      inner *= sharding.tile_dimensions[d];
    }
    map->columns = std::min<int64_t>(std::max<int64_t>(map->columns * inner, 1), 64);
  }
  std::map<std::vector<std::pair<int64_t, int64_t>>, int64_t> parts;
  for (const ShardPlace& place : places) {
    std::vector<std::pair<int64_t, int64_t>> key;
    for (const SliceRange& range : place.ranges) key.emplace_back(range.start, range.limit);
    const int64_t part = parts.emplace(key, static_cast<int64_t>(parts.size())).first->second;
    DeviceCell* cell = nullptr;
    if (own_grid) {
      map->cells.emplace_back();
      cell = &map->cells.back();
      cell->device = place.device;
      cell->name = QString::number(place.device);
    } else if (place.device >= 0 && static_cast<size_t>(place.device) < map->cells.size()) {
      cell = &map->cells[static_cast<size_t>(place.device)];
    }
    if (cell == nullptr) continue;
    cell->has_part = true;
    cell->ranges = place.ranges;
    cell->part = part;
  }
}

}  // namespace

const DeviceCell* DeviceMap::Find(int64_t device) const {
  // Grids of collectives are in the order of devices.
  if (device >= 0 && static_cast<size_t>(device) < cells.size() &&
      cells[static_cast<size_t>(device)].device == device) {
    return &cells[static_cast<size_t>(device)];
  }
  const auto found = std::find_if(cells.begin(), cells.end(), [device](const auto& c) { return c.device == device; });
  return found == cells.end() ? nullptr : &*found;
}

std::vector<int64_t> DeviceMap::SendersTo(int64_t device) const {
  std::vector<int64_t> senders;
  for (const auto& [source, target] : pairs) {
    if (target == device && source != device) senders.push_back(source);
  }
  const DeviceCell* cell = Find(device);
  if (cell == nullptr || cell->group < 0) return senders;
  const std::vector<int64_t>& group = groups[static_cast<size_t>(cell->group)];
  for (int64_t other : group) {
    if (other != device && (flow == Flow::kAllToAll || (flow == Flow::kFromRoot && other == group[0]))) {
      senders.push_back(other);
    }
  }
  return senders;
}

std::vector<int64_t> DeviceMap::ReceiversFrom(int64_t device) const {
  std::vector<int64_t> receivers;
  for (const auto& [source, target] : pairs) {
    if (source == device && target != device) receivers.push_back(target);
  }
  const DeviceCell* cell = Find(device);
  if (cell == nullptr || cell->group < 0) return receivers;
  const std::vector<int64_t>& group = groups[static_cast<size_t>(cell->group)];
  for (int64_t other : group) {
    if (other != device && (flow == Flow::kAllToAll || (flow == Flow::kFromRoot && device == group[0]))) {
      receivers.push_back(other);
    }
  }
  return receivers;
}

QString DeviceMap::RangesText(const std::vector<SliceRange>& ranges) {
  QStringList parts;
  for (const SliceRange& range : ranges) parts << QStringLiteral("%1:%2").arg(range.start).arg(range.limit);
  return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

int64_t ShardedLeafCount(const Module& module, InstructionId id) { return module.shape(id).LeafCount(); }

DeviceMap DeviceMapOf(const Module& module, InstructionId id, int64_t leaf) {
  DeviceMap map;
  map.flow = FlowOf(module.opcode(id));
  if (map.flow != DeviceMap::Flow::kNone) AddCollective(module, id, &map);
  const Sharding* sharding = module.ShardingAttribute(id);
  if (sharding == nullptr) return map;
  std::vector<const Shape*> leaves;
  CollectLeaves(module.shape(id), &leaves);
  if (leaf < 0 || static_cast<size_t>(leaf) >= leaves.size()) return map;
  if (sharding->kind == Sharding::Kind::kTuple) {
    if (static_cast<size_t>(leaf) >= sharding->leaves.size()) {
      map.problem = DeviceMapText::tr("The sharding has no part for this array.");
      return map;
    }
    sharding = &sharding->leaves[static_cast<size_t>(leaf)];
  }
  AddSharding(*sharding, *leaves[static_cast<size_t>(leaf)], &map);
  return map;
}

}  // namespace hloscope::gui
