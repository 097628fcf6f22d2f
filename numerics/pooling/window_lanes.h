// SPDX-License-Identifier: Apache-2.0
// The elements that windows of a row meet, window offset by window offset, as neighbours in memory.
#ifndef HLOSCOPE_NUMERICS_POOLING_WINDOW_LANES_H_
#define HLOSCOPE_NUMERICS_POOLING_WINDOW_LANES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/windows/window_walk.h"

namespace hloscope::numerics {

// Loops over rows take lanes along the last dimension of an array even if there are few: what is a step away in another
// one is read slowly.
constexpr int64_t kFewLanes = 4;

// Memory for the lanes of a row, aligned for vectors: one that lies across two cache lines is not passed from a store
// to the next load.
class LaneBuffer {
 public:
  LaneBuffer() = default;
  explicit LaneBuffer(int64_t bytes) : lines_(static_cast<size_t>(bytes + kLine - 1) / kLine) {}
  uint8_t* data() { return lines_.empty() ? nullptr : lines_[0].bytes; }

 private:
  static constexpr size_t kLine = 64;
  struct alignas(kLine) Line {
    uint8_t bytes[kLine];
  };
  std::vector<Line> lines_;
};

// One window offset of a row of windows.
struct WindowPlace {
  int64_t base;  // in elements, of the offset's base element
  WindowLanes lanes;
};

// The places of one row of windows after the other.
class WindowPlaces {
 public:
  static constexpr size_t kMost = 1024;  // that are taken at once

  explicit WindowPlaces(const WindowWalk& walk) : walk_(walk) {}

  // Calls `take(places)` for the places of a row, in their order: once, if there are at most kMost. Stops if it, or
  // `go_on` where places were passed over, returns false, and returns that.
  template <typename GoOn, typename Take>
  bool ForRow(int64_t row, GoOn&& go_on, Take&& take) {
    if (is_whole_ && row == row_) return take(places_);
    if (is_whole_ && row == row_ + 1 && walk_.RepeatsRowBefore(row)) {
      for (WindowPlace& place : places_) place.base += walk_.RowShift();
      row_ = row;
      return take(places_);
    }
    is_whole_ = true;
    row_ = row;
    places_.clear();
    bool goes_on = true;
    walk_.ForEachOffset(row, [&](int64_t base, const WindowLanes& lanes) {
      // Offsets without lanes come after many that were passed over.
      if (lanes.count == 0) return goes_on = go_on();
      if (places_.size() == kMost) {
        goes_on = take(places_);
        places_.clear();
        is_whole_ = false;
      }
      places_.push_back({base, lanes});
      return goes_on;
    });
    return goes_on && take(places_);
  }

 private:
  const WindowWalk& walk_;
  std::vector<WindowPlace> places_;
  int64_t row_ = -2;
  bool is_whole_ = false;  // places_ has all places of row_
};

// Members [first, first + count) of an arithmetic progression of lanes.
struct LaneRun {
  int64_t first = 0, count = 0;
};
// Those that are among `count` lanes from `first` on.
inline LaneRun LanesWithin(const WindowLanes& lanes, int64_t first, int64_t count) {
  const auto members_before = [&](int64_t lane) {
    const int64_t distance = lane - lanes.first_window;
    if (distance <= 0) return int64_t{0};
    // Divisions would take longer than what the lanes are for.
    return std::min(lanes.count, lanes.window_step == 1 ? distance : (distance - 1) / lanes.window_step + 1);
  };
  const int64_t begin = members_before(first);
  return {begin, members_before(first + count) - begin};
}

// to[i * to_step] = from[i * from_step]; elements of 1, 2, 4 or 8 bytes.
void CopySteps(int64_t element_bytes, const uint8_t* from, int64_t from_step, uint8_t* to, int64_t to_step,
               int64_t count);
// to[i] = *value
void FillElements(int64_t element_bytes, const uint8_t* value, uint8_t* to, int64_t count);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_POOLING_WINDOW_LANES_H_
