#include "core/analysis/sharding_places.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {

std::vector<ShardPlace> PlacesOfShards(const Sharding& sharding, const Shape& array, size_t limit) {
  std::vector<ShardPlace> places;
  if (sharding.kind != Sharding::Kind::kTiled || !array.IsArray() || array.HasUnboundedDimension() ||
      static_cast<int64_t>(sharding.tile_dimensions.size()) < array.rank()) {
    return places;
  }
  for (int64_t tiles : sharding.tile_dimensions) {
    if (tiles <= 0) return places;
  }
  const std::vector<int64_t> devices = sharding.TileDevices();
  std::vector<int64_t> tile(sharding.tile_dimensions.size(), 0);
  for (size_t i = 0; i < std::min(devices.size(), limit); ++i) {
    ShardPlace place;
    place.device = devices[i];
    for (int64_t d = 0; d < array.rank(); ++d) {
      const size_t at = static_cast<size_t>(d);
      const int64_t size = array.dimension(d), tiles = sharding.tile_dimensions[at];
      const int64_t width = size / tiles + (size % tiles > 0 ? 1 : 0);
      const int64_t start = std::min(size, tile[at] * width);
      place.ranges.push_back({start, std::min(size, start + width), 1});
    }
    places.push_back(std::move(place));
    // The next tile, row-major.
    for (size_t d = tile.size(); d-- > 0;) {
      if (++tile[d] < sharding.tile_dimensions[d]) break;
      tile[d] = 0;
    }
  }
  return places;
}

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
    case Sharding::Kind::kNamed: {
      std::string text = "Split along the axes of the mesh ";
      absl::StrAppend(&text, absl::StrJoin(sharding.mesh.axes, " x ", [](std::string* out, const auto& axis) {
        absl::StrAppend(out, axis.first, "=", axis.second);
      }));
      return text + ".";
    }
    case Sharding::Kind::kTuple:
      return absl::StrCat("One sharding for each of ", sharding.leaves.size(), " arrays.");
  }
  return "";
}

}  // namespace hloscope
