// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/split.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/sharding_places.h"

namespace hloscope {

Split Split::Whole(int64_t rank, int64_t devices) {
  Split split;
  split.counts.assign(static_cast<size_t>(rank), 1);
  split.columns.resize(static_cast<size_t>(rank));
  split.devices = devices;
  return split;
}

Split Split::Taking(const Split& source, absl::Span<const int64_t> from) {
  Split split = Whole(static_cast<int64_t>(from.size()), source.device_count());
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] >= 0) split.SetDimension(static_cast<int64_t>(d), source, from[d]);
  }
  return split;
}

bool Split::IsWhole() const {
  return std::all_of(counts.begin(), counts.end(), [](int64_t count) { return count == 1; });
}

int64_t Split::TileCount() const {
  int64_t product = 1;
  for (int64_t count : counts) product *= count;
  return product;
}

std::vector<int64_t> Split::TilesOf(int64_t device) const {
  std::vector<int64_t> tiles;
  for (int64_t d = 0; d < rank(); ++d) tiles.push_back(Tile(device, d));
  return tiles;
}

DeviceLists Split::Tiles() const {
  DeviceLists tiles;
  for (int64_t device = 0; device < devices; ++device) tiles.push_back(TilesOf(device));
  return tiles;
}

int64_t Split::TileNumber(int64_t device) const {
  int64_t number = 0;
  for (int64_t d = 0; d < rank(); ++d) number = number * counts[static_cast<size_t>(d)] + Tile(device, d);
  return number;
}

void Split::SetDimension(int64_t d, const Split& other, int64_t e) {
  counts[static_cast<size_t>(d)] = other.counts[static_cast<size_t>(e)];
  columns[static_cast<size_t>(d)] = other.columns[static_cast<size_t>(e)];
}

void Split::MakeWhole(int64_t d) {
  counts[static_cast<size_t>(d)] = 1;
  columns[static_cast<size_t>(d)] = nullptr;
}

void Split::SetTiles(int64_t d, int64_t count, std::vector<int64_t> of_device) {
  counts[static_cast<size_t>(d)] = count;
  const bool has_zeros = std::all_of(of_device.begin(), of_device.end(), [](int64_t tile) { return tile == 0; });
  columns[static_cast<size_t>(d)] =
      has_zeros ? nullptr : std::make_shared<const std::vector<int64_t>>(std::move(of_device));
}

bool Split::SameDimension(int64_t d, const Split& other, int64_t e) const {
  if (counts[static_cast<size_t>(d)] != other.counts[static_cast<size_t>(e)]) return false;
  const Column &a = columns[static_cast<size_t>(d)], &b = other.columns[static_cast<size_t>(e)];
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool operator==(const Split& a, const Split& b) {
  if (a.devices != b.devices || a.rank() != b.rank()) return false;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (!a.SameDimension(d, b, d)) return false;
  }
  return true;
}

Shape TileShape(const Shape& whole, const Split& split) {
  Shape shape = whole;
  for (int64_t d = 0; d < whole.rank(); ++d) {
    const int64_t count = split.counts[static_cast<size_t>(d)];
    shape.set_dimension(d, whole.dimension(d) / count + (whole.dimension(d) % count > 0 ? 1 : 0));
  }
  return shape;
}

Shape WholeShape(const Shape& tile, const Split& split) {
  Shape shape = tile;
  for (int64_t d = 0; d < tile.rank(); ++d) {
    shape.set_dimension(d, tile.dimension(d) * split.counts[static_cast<size_t>(d)]);
  }
  return shape;
}

bool IsPadded(const Split& split, const Shape& whole, int64_t dimension) {
  return whole.dimension(dimension) % split.counts[static_cast<size_t>(dimension)] != 0;
}

bool CanBeCut(const Split& split, const Shape& whole) {
  for (int64_t d = 0; d < whole.rank(); ++d) {
    if (split.IsCut(d) && whole.IsDynamicDimension(d)) return false;
  }
  return true;
}

absl::StatusOr<Split> SplitOf(const Sharding& sharding, const Shape& whole, int64_t devices) {
  Split split = Split::Whole(whole.rank(), devices);
  if (sharding.kind == Sharding::Kind::kReplicated) return split;
  if (sharding.kind == Sharding::Kind::kNamed && sharding.named_form == Sharding::NamedForm::kReplicated) return split;
  const std::vector<int64_t> counts = TileCounts(sharding, whole);
  if (counts.empty() && whole.rank() > 0) {
    return absl::InvalidArgumentError(absl::StrCat("is not cut into tiles: ", DescribeSharding(sharding)));
  }
  if (whole.rank() == 0) return split;
  split.counts.assign(counts.begin(), counts.begin() + whole.rank());
  std::vector<std::vector<int64_t>> tiles(static_cast<size_t>(whole.rank()),
                                          std::vector<int64_t>(static_cast<size_t>(devices), 0));
  if (!CanBeCut(split, whole)) {
    return absl::InvalidArgumentError(
        absl::StrCat(whole.ToString(false), " is cut along a dimension whose size is known at run time only"));
  }
  const Shape tile = TileShape(whole, split), padded = WholeShape(tile, split);
  const std::vector<ShardPlace> places = PlacesOfShards(sharding, padded, static_cast<size_t>(devices) + 1);
  std::vector<bool> seen(static_cast<size_t>(devices), false);
  for (const ShardPlace& place : places) {
    if (place.device < 0 || place.device >= devices || seen[static_cast<size_t>(place.device)]) {
      return absl::InvalidArgumentError(absl::StrCat("is sharded over other devices than 0 to ", devices - 1));
    }
    seen[static_cast<size_t>(place.device)] = true;
    for (int64_t d = 0; d < whole.rank(); ++d) {
      const size_t at = static_cast<size_t>(d);
      const int64_t width = tile.dimension(d);
      tiles[at][static_cast<size_t>(place.device)] = width == 0 ? 0 : place.ranges[at].start / width;
    }
  }
  if (places.size() != static_cast<size_t>(devices)) {
    return absl::InvalidArgumentError(
        absl::StrCat("is sharded over ", places.size(), " devices, and there are ", devices));
  }
  for (size_t d = 0; d < tiles.size(); ++d) {
    split.SetTiles(static_cast<int64_t>(d), split.counts[d], std::move(tiles[d]));
  }
  return split;
}

std::optional<Sharding> ShardingOf(const Split& split) {
  Sharding sharding;
  if (split.IsWhole()) return sharding;
  const int64_t tiles = split.TileCount(), devices = split.device_count();
  if (devices % tiles != 0) return std::nullopt;
  const int64_t copies = devices / tiles;
  std::vector<std::vector<int64_t>> holders(static_cast<size_t>(tiles));
  for (int64_t device = 0; device < devices; ++device) {
    holders[static_cast<size_t>(split.TileNumber(device))].push_back(device);
  }
  sharding.kind = Sharding::Kind::kTiled;
  sharding.tile_dimensions = split.counts;
  if (copies > 1) sharding.tile_dimensions.push_back(copies);
  sharding.last_tile_dim_replicate = copies > 1;
  for (const std::vector<int64_t>& list : holders) {
    if (static_cast<int64_t>(list.size()) != copies) return std::nullopt;
    sharding.devices.insert(sharding.devices.end(), list.begin(), list.end());
  }
  return sharding;
}

std::optional<DeviceLists> GroupDevices(const DeviceLists& keys, absl::Span<const int64_t> rank_of, int64_t ranks) {
  std::map<std::vector<int64_t>, DeviceLists> members;  // by key, then rank
  for (size_t device = 0; device < keys.size(); ++device) {
    DeviceLists& of_rank = members[keys[device]];
    of_rank.resize(static_cast<size_t>(ranks));
    of_rank[static_cast<size_t>(rank_of[device])].push_back(static_cast<int64_t>(device));
  }
  DeviceLists groups;
  for (const auto& [key, of_rank] : members) {
    const size_t copies = of_rank[0].size();
    if (copies == 0) return std::nullopt;
    const size_t first = groups.size();
    groups.resize(first + copies);
    for (const std::vector<int64_t>& devices : of_rank) {
      if (devices.size() != copies) return std::nullopt;
      for (size_t copy = 0; copy < copies; ++copy) groups[first + copy].push_back(devices[copy]);
    }
  }
  return groups;
}

std::optional<DeviceLists> GroupsAlong(const Split& split, int64_t dimension) {
  DeviceLists keys = split.Tiles();
  std::vector<int64_t> ranks;
  for (std::vector<int64_t>& key : keys) ranks.push_back(std::exchange(key[static_cast<size_t>(dimension)], 0));
  return GroupDevices(keys, ranks, split.counts[static_cast<size_t>(dimension)]);
}

}  // namespace hloscope
