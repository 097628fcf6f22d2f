#include "numerics/convolution/window_walk.h"

#include <algorithm>
#include <numeric>

namespace hloscope::numerics {
namespace {

// The windows that have a real element at `offset`. They form a progression: the first one is at most one period of the
// base dilation after the first that is not before the base.
WindowLanes LanesAt(const WindowDimension& window, int64_t base_size, int64_t base_stride, int64_t window_count,
                    int64_t offset) {
  WindowLanes lanes;
  lanes.window_step = window.base_dilation / std::gcd(window.stride, window.base_dilation);
  lanes.offset_step = window.stride * lanes.window_step / window.base_dilation * base_stride;
  const int64_t shift = window.padding_low - offset * window.window_dilation;  // position = number * stride - shift
  const int64_t first_inside = shift <= 0 ? 0 : (shift - 1) / window.stride + 1;
  for (int64_t number = first_inside; number < std::min(window_count, first_inside + lanes.window_step); ++number) {
    const int64_t position = BasePosition(window, base_size, number, offset);
    if (position < 0) continue;
    const int64_t last_position = (base_size - 1) * window.base_dilation;
    const int64_t last_number = std::min(window_count - 1, (last_position + shift) / window.stride);
    lanes.first_window = number;
    lanes.first_offset = position * base_stride;
    lanes.count = (last_number - number) / lanes.window_step + 1;
    break;
  }
  return lanes;
}

}  // namespace

WindowWalk::WindowWalk(std::span<const WindowDimension> window, std::span<const int64_t> base_sizes,
                       std::span<const int64_t> base_strides, std::span<const int64_t> window_counts)
    : window_(window.begin(), window.end()),
      rank_(window.size()),
      base_sizes_(base_sizes.begin(), base_sizes.end()),
      base_strides_(base_strides.begin(), base_strides.end()),
      window_counts_(window_counts.begin(), window_counts.end()) {
  if (rank_ == 0) {
    lanes_.push_back({1, 0, 1, 0, 0});
    return;
  }
  // Lanes along the last dimension read neighbours; along another one only if there would be too few of them.
  constexpr int64_t kEnoughLanes = 16;
  lane_dimension_ = rank_ - 1;
  if (window_counts_[lane_dimension_] < kEnoughLanes) {
    lane_dimension_ =
        static_cast<size_t>(std::max_element(window_counts_.begin(), window_counts_.end()) - window_counts_.begin());
  }
  for (size_t d = 0; d < rank_; ++d) {
    window_size_ *= window_[d].size;
    if (window_[d].size != 1) walked_.push_back(d);
    if (d != lane_dimension_) row_count_ *= window_counts_[d];
  }
  for (int64_t k = 0; k < window_[lane_dimension_].size; ++k) {
    lanes_.push_back(LanesAt(window_[lane_dimension_], base_sizes_[lane_dimension_], base_strides_[lane_dimension_],
                             window_counts_[lane_dimension_], k));
  }
}

int64_t WindowWalk::RowOffset(int64_t row, std::span<const int64_t> strides) const {
  int64_t offset = 0;
  for (size_t d = rank_; d-- > 0;) {
    if (d == lane_dimension_) continue;
    offset += row % window_counts_[d] * strides[d];
    row /= window_counts_[d];
  }
  return offset;
}

}  // namespace hloscope::numerics
