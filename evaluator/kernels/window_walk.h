// Walking the windows of reduce-window and select-and-scatter (spec/ops-b-tensor.md 0.6), many windows at a time.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_WINDOW_WALK_H_
#define HLOSCOPE_EVALUATOR_KERNELS_WINDOW_WALK_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/attribute_values.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// Base position that window number `number` touches at `offset` in one dimension; -1 if that is padding or a hole.
inline int64_t BasePosition(const WindowDimension& window, int64_t base_size, int64_t number, int64_t offset) {
  const int64_t p = number * window.stride + offset * window.window_dilation - window.padding_low;
  if (p < 0) return -1;
  // Without holes: divisions would take longer than what the windows are for.
  if (window.base_dilation == 1) return p < base_size ? p : -1;
  if (p % window.base_dilation != 0) return -1;
  return p / window.base_dilation < base_size ? p / window.base_dilation : -1;
}

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
  // `base` gives sizes and strides; `window_counts` the number of windows in each dimension, all positive.
  WindowWalk(const std::vector<WindowDimension>& window, const Tensor& base, absl::Span<const int64_t> window_counts);

  size_t lane_dimension() const { return lane_dimension_; }
  int64_t lane_count() const { return window_counts_.empty() ? 1 : window_counts_[lane_dimension_]; }
  int64_t row_count() const { return row_count_; }
  // Offsets in a window.
  int64_t window_size() const { return window_size_; }
  // Offset of the first window of a row in an array of the window counts with the given strides.
  int64_t RowOffset(int64_t row, absl::Span<const int64_t> strides) const;

  // Calls `body(base offset, lanes)` for the window offsets in row-major order at which some window of the row has a
  // real element.
  template <typename Body>
  void ForEachOffset(int64_t row, Body&& body) const;

 private:
  std::vector<WindowDimension> window_;
  size_t rank_, lane_dimension_ = 0;
  DimensionVector base_sizes_, base_strides_, window_counts_;
  int64_t row_count_ = 1, window_size_ = 1;
  std::vector<WindowLanes> lanes_;  // by offset along the lane dimension
};

template <typename Body>
void WindowWalk::ForEachOffset(int64_t row, Body&& body) const {
  DimensionVector number(rank_, 0);  // of the row's windows
  for (size_t d = rank_; d-- > 0;) {
    if (d == lane_dimension_) continue;
    number[d] = row % window_counts_[d];
    row /= window_counts_[d];
  }
  if (rank_ == 0) {
    body(int64_t{0}, lanes_[0]);
    return;
  }
  // A depth-first walk over the offsets; a dimension whose position is not real cuts off everything below it.
  DimensionVector offset(rank_, 0), base_offset(rank_ + 1, 0);
  size_t d = 0;
  while (true) {
    bool descend = false;
    if (offset[d] < window_[d].size) {
      if (d == lane_dimension_) {
        descend = lanes_[static_cast<size_t>(offset[d])].count > 0;
        base_offset[d + 1] = base_offset[d];
      } else {
        const int64_t position = BasePosition(window_[d], base_sizes_[d], number[d], offset[d]);
        descend = position >= 0;
        base_offset[d + 1] = base_offset[d] + position * base_strides_[d];
      }
      if (!descend) {
        ++offset[d];
        continue;
      }
      if (d + 1 < rank_) {
        offset[++d] = 0;
        continue;
      }
      body(base_offset[rank_], lanes_[static_cast<size_t>(offset[lane_dimension_])]);
      ++offset[d];
      continue;
    }
    if (d == 0) return;
    ++offset[--d];
  }
}

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_WINDOW_WALK_H_
