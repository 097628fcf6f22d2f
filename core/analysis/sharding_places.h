// SPDX-License-Identifier: Apache-2.0
// Which device holds which part of a sharded array (docs/text-format.md 6.12).
#ifndef HLOSCOPE_CORE_ANALYSIS_SHARDING_PLACES_H_
#define HLOSCOPE_CORE_ANALYSIS_SHARDING_PLACES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/attribute_values.h"
#include "core/ir/shape.h"

namespace hloscope {

// Half-open ranges of one device's part, one per dimension of the array; a range is empty where the last tiles have
// nothing left to hold.
struct ShardPlace {
  int64_t device = 0;
  std::vector<SliceRange> ranges;
};

// Into how many tiles each dimension of the array is cut. Empty unless the sharding is tiled, or names mesh axes that
// cut dimensions, for at least as many dimensions as the array has.
std::vector<int64_t> TileCounts(const Sharding& sharding, const Shape& array);

// The parts of an array in tile order (of meshes: in the order of their devices); tile dimensions beyond the array's
// rank (replication and subgroups) and mesh axes that cut nothing give several devices the same part. Empty where
// TileCounts is, if the mesh does not fit the axes or devices that are named, or for more than 2^20 devices; at most
// `limit` places.
std::vector<ShardPlace> PlacesOfShards(const Sharding& sharding, const Shape& array, size_t limit);

// By device number: which manual subgroup each device is in. Devices of one subgroup hold parts of one array; each
// subgroup has an array of its own. Empty where the sharding has no manual subgroups. Requires that PlacesOfShards is
// not empty.
std::vector<int64_t> ManualSubgroups(const Sharding& sharding);

// What the sharding says in words: "every device holds all of it".
std::string DescribeSharding(const Sharding& sharding);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SHARDING_PLACES_H_
