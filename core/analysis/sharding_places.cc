// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/sharding_places.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {

namespace {

// Meshes and tilings larger than any machine are not counted out.
constexpr int64_t kMostDevices = int64_t{1} << 20;

int64_t SizeOf(const MeshAxisRef& axis, const Mesh& mesh) {
  return axis.sub_axis ? axis.sub_axis->second : mesh.axes[static_cast<size_t>(axis.axis)].second;
}

// The mesh has the axes and numbers its devices from 0.
bool IsSound(const Sharding& sharding) {
  const Mesh& mesh = sharding.mesh;
  int64_t devices = 1;
  for (const auto& [name, size] : mesh.axes) {
    if (size <= 0 || size > kMostDevices / devices) return false;
    devices *= size;
  }
  const std::vector<int64_t> numbers = mesh.iota ? mesh.iota->Devices() : mesh.device_ids;
  if (!numbers.empty() && static_cast<int64_t>(numbers.size()) != devices) return false;
  for (const Sharding::DimensionAxes& dimension : sharding.dimension_axes) {
    for (const MeshAxisRef& axis : dimension.axes) {
      if (axis.axis < 0 || static_cast<size_t>(axis.axis) >= mesh.axes.size()) return false;
      if (!axis.sub_axis) continue;
      const auto [pre, size] = *axis.sub_axis;
      const int64_t whole = mesh.axes[static_cast<size_t>(axis.axis)].second;
      if (pre <= 0 || size <= 0 || pre > whole || size > whole || whole % (pre * size) != 0) return false;
    }
  }
  return true;
}

ShardPlace PlaceOfTile(int64_t device, const std::vector<int64_t>& tile, const std::vector<int64_t>& tiles,
                       const Shape& array) {
  ShardPlace place;
  place.device = device;
  for (int64_t d = 0; d < array.rank(); ++d) {
    const size_t at = static_cast<size_t>(d);
    const int64_t size = array.dimension(d);
    const int64_t width = size / tiles[at] + (size % tiles[at] > 0 ? 1 : 0);
    const int64_t start = std::min(size, tile[at] * width);
    place.ranges.push_back({start, std::min(size, start + width), 1});
  }
  return place;
}

// By mesh axes: the devices in groups whose members differ along the axes that cut, in the order of the dimensions.
std::vector<ShardPlace> PlacesOfMesh(const Sharding& sharding, const Shape& array, const std::vector<int64_t>& tiles,
                                     size_t limit) {
  ReplicaGroups groups;
  groups.form = ReplicaGroups::Form::kMesh;
  groups.mesh = sharding.mesh;
  for (int64_t d = 0; d < array.rank(); ++d) {
    const Sharding::DimensionAxes& dimension = sharding.dimension_axes[static_cast<size_t>(d)];
    groups.axes.insert(groups.axes.end(), dimension.axes.begin(), dimension.axes.end());
  }
  std::vector<ShardPlace> places;
  for (const std::vector<int64_t>& group : groups.Expand()) {
    std::vector<int64_t> tile(tiles.size(), 0);
    for (const int64_t device : group) {
      places.push_back(PlaceOfTile(device, tile, tiles, array));
      for (size_t d = tile.size(); d-- > 0;) {
        if (++tile[d] < tiles[d]) break;
        tile[d] = 0;
      }
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const ShardPlace& a, const ShardPlace& b) { return a.device < b.device; });
  if (places.size() > limit) places.resize(limit);
  return places;
}

}  // namespace

std::vector<int64_t> TileCounts(const Sharding& sharding, const Shape& array) {
  std::vector<int64_t> tiles;
  if (!array.IsArray() || array.HasUnboundedDimension()) return tiles;
  const size_t rank = static_cast<size_t>(array.rank());
  if (sharding.kind == Sharding::Kind::kTiled && sharding.tile_dimensions.size() >= rank) {
    tiles.assign(sharding.tile_dimensions.begin(), sharding.tile_dimensions.begin() + array.rank());
  } else if (sharding.kind == Sharding::Kind::kNamed && sharding.named_form == Sharding::NamedForm::kDimensions &&
             sharding.dimension_axes.size() >= rank && IsSound(sharding)) {
    for (size_t d = 0; d < rank; ++d) {
      tiles.push_back(1);
      for (const MeshAxisRef& axis : sharding.dimension_axes[d].axes) tiles.back() *= SizeOf(axis, sharding.mesh);
    }
  }
  return tiles;
}

std::vector<ShardPlace> PlacesOfShards(const Sharding& sharding, const Shape& array, size_t limit) {
  std::vector<ShardPlace> places;
  if (!array.IsArray() || array.HasUnboundedDimension()) return places;
  const std::vector<int64_t> tiles = TileCounts(sharding, array);
  const bool is_named = sharding.kind == Sharding::Kind::kNamed;
  // A scalar is cut into nothing; its tiling may still say who holds it.
  if (tiles.empty() && (array.rank() > 0 || (!is_named && sharding.kind != Sharding::Kind::kTiled))) return places;
  if (is_named) return IsSound(sharding) ? PlacesOfMesh(sharding, array, tiles, limit) : places;
  int64_t tile_count = 1;
  for (int64_t count : sharding.tile_dimensions) {
    if (count <= 0 || count > kMostDevices / tile_count) return places;
    tile_count *= count;
  }
  const std::vector<int64_t> devices = sharding.TileDevices();
  std::vector<int64_t> tile(sharding.tile_dimensions.size(), 0);
  for (size_t i = 0; i < std::min(devices.size(), limit); ++i) {
    places.push_back(PlaceOfTile(devices[i], tile, sharding.tile_dimensions, array));
    // The next tile, row-major.
    for (size_t d = tile.size(); d-- > 0;) {
      if (++tile[d] < sharding.tile_dimensions[d]) break;
      tile[d] = 0;
    }
  }
  return places;
}

std::vector<int64_t> ManualSubgroups(const Sharding& sharding) {
  std::vector<int64_t> subgroup_of;
  const auto put = [&](int64_t device, int64_t subgroup) {
    const size_t at = static_cast<size_t>(device);
    if (at >= subgroup_of.size()) subgroup_of.resize(at + 1, 0);
    subgroup_of[at] = subgroup;
  };
  if (sharding.kind == Sharding::Kind::kNamed && !sharding.manual_axes.empty()) {
    ReplicaGroups groups;
    groups.form = ReplicaGroups::Form::kMesh;
    groups.mesh = sharding.mesh;
    groups.axes = sharding.manual_axes;
    for (const std::vector<int64_t>& group : groups.Expand()) {
      for (size_t i = 0; i < group.size(); ++i) put(group[i], static_cast<int64_t>(i));
    }
  }
  if (std::find(sharding.last_tile_dims.begin(), sharding.last_tile_dims.end(), Sharding::Subgroup::kManual) ==
      sharding.last_tile_dims.end()) {
    return subgroup_of;
  }
  const std::vector<int64_t> devices = sharding.TileDevices();
  for (size_t i = 0; i < devices.size(); ++i) {
    // The position along the manual dimensions, the last of which is the most minor one of the tile array.
    int64_t rest = static_cast<int64_t>(i), subgroup = 0, stride = 1;
    for (size_t k = 0; k < sharding.last_tile_dims.size(); ++k) {
      const int64_t size = sharding.tile_dimensions[sharding.tile_dimensions.size() - 1 - k];
      if (sharding.last_tile_dims[sharding.last_tile_dims.size() - 1 - k] == Sharding::Subgroup::kManual) {
        subgroup += rest % size * stride;
        stride *= size;
      }
      rest /= size;
    }
    put(devices[i], subgroup);
  }
  return subgroup_of;
}

namespace {

std::string MeshText(const Mesh& mesh) {
  return absl::StrJoin(mesh.axes, " x ",
                       [](std::string* out, const auto& axis) { absl::StrAppend(out, axis.first, "=", axis.second); });
}

std::string AxesText(const std::vector<MeshAxisRef>& axes) {
  return absl::StrJoin(axes, ", ", [](std::string* out, const MeshAxisRef& axis) {
    absl::StrAppend(out, axis.name);
    if (axis.sub_axis) absl::StrAppend(out, ":(", axis.sub_axis->first, ")", axis.sub_axis->second);
  });
}

std::string DescribeNamed(const Sharding& sharding) {
  switch (sharding.named_form) {
    case Sharding::NamedForm::kReplicated:
      return absl::StrCat("Every device of the mesh ", MeshText(sharding.mesh), " holds all of it.");
    case Sharding::NamedForm::kManual:
      return "The program itself says what each device holds.";
    case Sharding::NamedForm::kUnreduced:
      return absl::StrCat("Every device of the mesh ", MeshText(sharding.mesh), " holds a part of a reduction.");
    case Sharding::NamedForm::kMaximalMesh:
      return absl::StrCat("Device ", sharding.mesh.maximal_device.value_or(0), " holds all of it, the others nothing.");
    case Sharding::NamedForm::kDimensions:
      break;
  }
  std::string text = absl::StrCat("Mesh ", MeshText(sharding.mesh), ": ");
  bool cut = false;
  for (size_t d = 0; d < sharding.dimension_axes.size(); ++d) {
    const Sharding::DimensionAxes& dimension = sharding.dimension_axes[d];
    if (dimension.axes.empty()) continue;
    absl::StrAppend(&text, cut ? "; " : "", "dimension ", d, " is split along ", AxesText(dimension.axes));
    cut = true;
  }
  if (!cut) absl::StrAppend(&text, "no dimension is split");
  if (!sharding.unreduced_axes.empty()) {
    absl::StrAppend(&text, "; still to be summed up along ", AxesText(sharding.unreduced_axes));
  }
  if (!sharding.manual_axes.empty()) absl::StrAppend(&text, "; by hand along ", AxesText(sharding.manual_axes));
  return text + ".";
}

}  // namespace

std::string DescribeSharding(const Sharding& sharding) {
  switch (sharding.kind) {
    case Sharding::Kind::kReplicated:
      return "Every device holds all of it.";
    case Sharding::Kind::kMaximal:
      return absl::StrCat("Device ", sharding.device, " holds all of it, the others nothing.");
    case Sharding::Kind::kManual:
      return "The program itself says what each device holds.";
    case Sharding::Kind::kUnknown:
      return "What each device holds is left to the compiler.";
    case Sharding::Kind::kUnreduced:
      return "Every device holds a summand of the whole shape.";
    case Sharding::Kind::kTiled: {
      std::string text = absl::StrCat("Split into ", absl::StrJoin(sharding.tile_dimensions, " x "), " tiles");
      if (sharding.last_tile_dim_replicate)
        absl::StrAppend(&text, "; devices along the last tile dimension hold the same");
      return text + ".";
    }
    case Sharding::Kind::kNamed:
      return DescribeNamed(sharding);
    case Sharding::Kind::kTuple:
      return absl::StrCat("One sharding for each of ", sharding.leaves.size(), " arrays.");
  }
  return "";
}

}  // namespace hloscope
