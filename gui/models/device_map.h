// SPDX-License-Identifier: Apache-2.0
// The devices of a run beside one another: which part of an array each holds, and how a collective moves data between
// them.
#ifndef HLOSCOPE_GUI_MODELS_DEVICE_MAP_H_
#define HLOSCOPE_GUI_MODELS_DEVICE_MAP_H_

#include <QString>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/analysis/sharding_places.h"
#include "core/ir/module.h"

namespace hloscope::gui {

struct DeviceCell {
  int64_t device = 0;
  QString name;                    // "r0,p1", or the number where the grid has one line
  bool has_part = false;           // of a sharded array
  std::vector<SliceRange> ranges;  // by dimension
  int64_t part = -1;               // devices with equal ranges have equal numbers
  int64_t group = -1, rank = -1;   // in a collective; -1: takes no part

  // Its part lies beyond the end of the array: there are more tiles than elements.
  bool HoldsNothing() const {
    return std::any_of(ranges.begin(), ranges.end(), [](const SliceRange& r) { return r.start >= r.limit; });
  }
};

struct DeviceMap {
  static constexpr int64_t kMaxDevices = 65'536;

  enum class Flow : uint8_t {
    kNone,
    kAllToAll,  // every device of a group sends to every other one
    kFromRoot,  // the first device of a group sends to the others
    kPairs,
  };

  // In rows of `columns`: the tiles of a sharding, or replicas by partitions.
  std::vector<DeviceCell> cells;
  int64_t columns = 1;
  bool has_sharding = false, has_collective = false;
  hloscope::Shape array;                     // that is sharded
  std::vector<int64_t> tiles;                // along each of its dimensions; empty: not tiled
  QString sharding_text, collective_text;    // sentences
  QString problem;                           // why something is missing; empty: nothing is
  std::vector<std::vector<int64_t>> groups;  // devices by rank
  std::vector<std::pair<int64_t, int64_t>> pairs;
  Flow flow = Flow::kNone;

  // The cell of a device; null if it has none.
  const DeviceCell* Find(int64_t device) const;
  // Who sends to the device, and to whom it sends, itself left out.
  std::vector<int64_t> SendersTo(int64_t device) const;
  std::vector<int64_t> ReceiversFrom(int64_t device) const;
  // "[0:4, 8:16]".
  static QString RangesText(const std::vector<SliceRange>& ranges);
};

// What the sharding of leaf `leaf` of the instruction's result and its replica groups say. Device counts are those of
// the header, or as many as are mentioned.
DeviceMap DeviceMapOf(const Module& module, InstructionId id, int64_t leaf);
// Number of arrays, tokens and opaques that a sharding may be given for.
int64_t ShardedLeafCount(const Module& module, InstructionId id);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DEVICE_MAP_H_
