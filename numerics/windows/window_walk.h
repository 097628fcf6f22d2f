// SPDX-License-Identifier: Apache-2.0
// Walking the windows of reduce-window and select-and-scatter (docs/ops/tensor.md 0.6), many windows at a time.
#ifndef HLOSCOPE_NUMERICS_WINDOWS_WINDOW_WALK_H_
#define HLOSCOPE_NUMERICS_WINDOWS_WINDOW_WALK_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/parallel/small_vector.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {

// In elements, row-major.
DimensionVector DenseStrides(std::span<const int64_t> sizes);

// The windows of a row whose element at one window offset is real: an arithmetic progression.
struct WindowLanes {
  int64_t count = 0;
  int64_t first_window = 0, window_step = 1;  // positions in the row
  int64_t first_offset = 0, offset_step = 0;  // of their elements from the row's base element, in elements
};

// Rows of windows over a base array. All windows that differ only along the lane dimension make up a row: they can be
// computed side by side.
class WindowWalk {
 public:
  // Sizes and strides (in elements) are those of the base; `window_counts` the number of windows in each dimension, all
  // positive. Lanes are along the last dimension if it has `enough_lanes` windows.
  WindowWalk(std::span<const WindowDimension> window, std::span<const int64_t> base_sizes,
             std::span<const int64_t> base_strides, std::span<const int64_t> window_counts, int64_t enough_lanes = 16);

  size_t lane_dimension() const { return lane_dimension_; }
  int64_t lane_count() const { return window_counts_.empty() ? 1 : window_counts_[lane_dimension_]; }
  int64_t row_count() const { return row_count_; }
  // Offsets in a window.
  int64_t window_size() const { return window_size_; }
  // Offset of the first window of a row in an array of the window counts with the given strides.
  int64_t RowOffset(int64_t row, std::span<const int64_t> strides) const;

  // True if the row has real elements at those window offsets at which the row before it has them, each RowShift()
  // elements further in the base; and its windows follow at the stride of dimension RowDimension().
  bool RepeatsRowBefore(int64_t row) const {
    if (whole_.begin >= whole_.end) return false;
    const int64_t number = row % window_counts_[row_dimension_];
    return number > whole_.begin && number < whole_.end;
  }
  // How many rows after this one repeat it, one after the other.
  int64_t RepeatsAfter(int64_t row) const {
    if (whole_.begin >= whole_.end) return 0;
    const int64_t number = row % window_counts_[row_dimension_];
    return number < whole_.begin ? 0 : std::max(whole_.end - 1 - number, int64_t{0});
  }
  size_t RowDimension() const { return row_dimension_; }
  int64_t RowShift() const { return window_[row_dimension_].stride * base_strides_[row_dimension_]; }

  // Calls `body(base offset, lanes)` for the window offsets in row-major order at which some window of the row has a
  // real element, until it returns false. Between such offsets there may be very many others: now and then it is called
  // with no lanes, to have a chance to end.
  template <typename Body>
  void ForEachOffset(int64_t row, Body&& body) const;

 private:
  struct OffsetRange {
    int64_t begin, end;
  };
  // The offsets of windows [first, last] in a dimension that may be real; with a base dilation, some among them are
  // holes.
  OffsetRange RealOffsets(size_t d, int64_t first, int64_t last) const {
    const WindowDimension& w = window_[d];
    const auto reach = [&](int64_t distance) {  // offsets in front of it
      return distance <= 0 ? 0 : w.window_dilation == 1 ? distance : (distance - 1) / w.window_dilation + 1;
    };
    const int64_t extent = (base_sizes_[d] - 1) * w.base_dilation + 1;
    return {reach(w.padding_low - last * w.stride), std::min(w.size, reach(extent + w.padding_low - first * w.stride))};
  }
  void FindWholeWindows();
  // The lanes at an offset along the lane dimension.
  WindowLanes LanesOf(int64_t offset) const;

  std::vector<WindowDimension> window_;
  size_t rank_, lane_dimension_ = 0;
  size_t row_dimension_ = 0;  // the innermost one in which rows differ; rank_ if there is none
  OffsetRange whole_{0, 0};   // windows along it whose elements are all real; none if the base is dilated
  DimensionVector base_sizes_, base_strides_, window_counts_;
  std::vector<size_t> walked_;  // dimensions whose windows have more than one offset
  int64_t row_count_ = 1, window_size_ = 1;
  std::vector<WindowLanes> lanes_;  // by offset along the lane dimension; empty if those are too many
};

template <typename Body>
void WindowWalk::ForEachOffset(int64_t row, Body&& body) const {
  int64_t origin = 0;
  // Plain arrays: a row has few offsets, and finding the elements of a vector takes as long as using them.
  DimensionVector numbers(rank_, 0);
  int64_t* const number = numbers.data();  // of the row's windows
  for (size_t d = rank_; d-- > 0;) {
    const int64_t count = window_counts_[d];
    if (d == lane_dimension_ || (count == 1 && window_[d].size != 1)) continue;
    const int64_t before = row / count;
    number[d] = row - before * count;
    row = before;
    if (window_[d].size != 1) continue;
    const int64_t position = BasePosition(window_[d], base_sizes_[d], number[d], 0);
    if (position < 0) return;
    origin += position * base_strides_[d];
  }
  // A depth-first walk over the offsets of the other dimensions.
  constexpr int64_t kFruitlessOffsets = 1 << 14;
  int64_t fruitless = 0;
  WindowLanes made;  // where there is no table
  const auto lanes_at = [&](int64_t at) {
    if (!lanes_.empty()) return &lanes_[static_cast<size_t>(at)];
    made = LanesOf(at);
    return static_cast<const WindowLanes*>(&made);
  };
  const WindowLanes* lanes = lanes_at(0);
  const size_t levels = walked_.size();
  if (levels == 0) {
    if (lanes->count > 0) body(origin, *lanes);
    return;
  }
  DimensionVector places(3 * levels + 1, origin);
  int64_t *const offset = places.data(), *const end = offset + levels, *const base = end + levels;  // base: one more
  const auto enter = [&](size_t level) {
    const size_t d = walked_[level];
    const OffsetRange range =
        d == lane_dimension_ ? RealOffsets(d, 0, window_counts_[d] - 1) : RealOffsets(d, number[d], number[d]);
    offset[level] = range.begin;
    end[level] = range.end;
  };
  // Finds the base element of the offset that a level is at; false if there is none.
  const auto find = [&](size_t level) {
    const size_t d = walked_[level];
    if (d == lane_dimension_) {
      lanes = lanes_at(offset[level]);
      base[level + 1] = base[level];
      return lanes->count > 0;
    }
    const WindowDimension& w = window_[d];
    const int64_t position = w.base_dilation == 1
                                 ? number[d] * w.stride + offset[level] * w.window_dilation - w.padding_low
                                 : BasePosition(w, base_sizes_[d], number[d], offset[level]);
    base[level + 1] = base[level] + position * base_strides_[d];
    return position >= 0;
  };
  size_t level = 0;
  enter(0);
  while (true) {
    if (offset[level] >= end[level]) {
      if (level == 0) return;
      ++offset[--level];
    } else if (!find(level)) {
      ++offset[level];
      if (++fruitless % kFruitlessOffsets == 0 && !body(base[0], WindowLanes())) return;
    } else if (level + 1 < levels) {
      enter(++level);
    } else {
      if (!body(base[levels], *lanes)) return;
      ++offset[level];
    }
  }
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_WINDOWS_WINDOW_WALK_H_
