// SPDX-License-Identifier: Apache-2.0
// How devices hold the tiles of an array that is cut into equal ones, as a table. Where a dimension is no multiple of
// its tiles, the last of them have padding at their end, whose elements mean nothing.
#ifndef HLOSCOPE_CORE_SHARDING_SPLIT_H_
#define HLOSCOPE_CORE_SHARDING_SPLIT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/attribute_values.h"
#include "core/ir/shape.h"

namespace hloscope {

// For more devices no module is cut or put together: a table of tiles is kept for each value.
inline constexpr int64_t kMostPartitions = 1024;

using DeviceLists = std::vector<std::vector<int64_t>>;

// A copy costs its rank, however many devices there are: tables of single dimensions are shared.
struct Split {
  using Column = std::shared_ptr<const std::vector<int64_t>>;  // by device; null: zeros

  std::vector<int64_t> counts;  // tiles of each dimension; 1: every device has all of it
  std::vector<Column> columns;  // by dimension: the numbers of the tiles that devices have
  int64_t devices = 0;

  // Every device has the whole array.
  static Split Whole(int64_t rank, int64_t devices);
  // Dimension i is dimension from[i] of `source`; -1: whole.
  static Split Taking(const Split& source, absl::Span<const int64_t> from);

  int64_t rank() const { return static_cast<int64_t>(counts.size()); }
  int64_t device_count() const { return devices; }
  // The number of the tile that a device has along dimension d, and those along all of them.
  int64_t Tile(int64_t device, int64_t d) const {
    const Column& column = columns[static_cast<size_t>(d)];
    return column == nullptr ? 0 : (*column)[static_cast<size_t>(device)];
  }
  std::vector<int64_t> TilesOf(int64_t device) const;
  DeviceLists Tiles() const;  // by device
  // The number of a device's tile among all tiles, counted along the last dimension first.
  int64_t TileNumber(int64_t device) const;
  bool IsCut(int64_t d) const { return counts[static_cast<size_t>(d)] > 1; }
  bool IsWhole() const;
  int64_t TileCount() const;
  // Dimension d is cut as dimension e of `other` is.
  void SetDimension(int64_t d, const Split& other, int64_t e);
  void MakeWhole(int64_t d);
  void SetTiles(int64_t d, int64_t count, std::vector<int64_t> of_device);
  bool SameDimension(int64_t d, const Split& other, int64_t e) const;
  friend bool operator==(const Split& a, const Split& b);
};

using Splits = std::vector<Split>;  // of the leaves of a value, depth-first

// The shape of one tile, and of the array that has tiles of this shape, with padding if there is any; layouts stay.
Shape TileShape(const Shape& whole, const Split& split);
Shape WholeShape(const Shape& tile, const Split& split);
// Whether tiles along a dimension have padding.
bool IsPadded(const Split& split, const Shape& whole, int64_t dimension);
// False where a dimension is cut whose size is known at run time only.
bool CanBeCut(const Split& split, const Shape& whole);

// What a sharding says about an array of this shape. Errors InvalidArgument, as a phrase that follows the array's name:
// it is kept on one device, has a dimension that cannot be cut, or names other devices than 0 to `devices` - 1.
absl::StatusOr<Split> SplitOf(const Sharding& sharding, const Shape& whole, int64_t devices);
// The sharding that says the same. Nothing if tiles are held by different numbers of devices.
std::optional<Sharding> ShardingOf(const Split& split);

// Devices in groups: in each group those whose `keys` are equal, one for each rank from 0 to `ranks` - 1, in that
// order. Nothing if ranks are held by different numbers of devices.
std::optional<DeviceLists> GroupDevices(const DeviceLists& keys, absl::Span<const int64_t> rank_of, int64_t ranks);
// The groups of devices that differ along one dimension only, in the order of its tiles.
std::optional<DeviceLists> GroupsAlong(const Split& split, int64_t dimension);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_SPLIT_H_
