// SPDX-License-Identifier: Apache-2.0
#include "numerics/windows/window_walk.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hloscope::numerics {
namespace {

// Tables of more offsets cost more than they save.
constexpr int64_t kMaxTable = 1 << 12;

__extension__ typedef __int128 Int128;

int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

// x with a * x = 1 modulo m. Requires that a and m have no common divisor, m > 0.
int64_t Inverse(int64_t a, int64_t m) {
  Int128 r = m, next_r = a % m, t = 0, next_t = 1;
  while (next_r != 0) {
    const Int128 quotient = r / next_r;
    r = std::exchange(next_r, r - quotient * next_r);
    t = std::exchange(next_t, t - quotient * next_t);
  }
  return static_cast<int64_t>((t % m + m) % m);
}

// The windows that have a real element at `offset`. They form a progression: positions hit the dilated base where
// number * stride is congruent to `shift`.
WindowLanes LanesAt(const WindowDimension& window, int64_t base_size, int64_t base_stride, int64_t window_count,
                    int64_t offset) {
  WindowLanes lanes;
  const int64_t divisor = std::gcd(window.stride, window.base_dilation);
  lanes.window_step = window.base_dilation / divisor;
  lanes.offset_step = window.stride / divisor * base_stride;
  const int64_t shift = window.padding_low - offset * window.window_dilation;  // position = number * stride - shift
  if (shift % divisor != 0) return lanes;
  const int64_t first_inside = shift <= 0 ? 0 : (shift - 1) / window.stride + 1;
  int64_t number = first_inside;
  if (const int64_t step = lanes.window_step; step > 1) {
    const Int128 residue =
        ((static_cast<Int128>(shift) / divisor % step + step) % step) * Inverse(window.stride / divisor, step) % step;
    number += static_cast<int64_t>((residue - first_inside % step + step) % step);
  }
  if (number >= window_count) return lanes;
  const int64_t position = BasePosition(window, base_size, number, offset);
  if (position < 0) return lanes;
  const int64_t last_position = (base_size - 1) * window.base_dilation;
  const int64_t last_number = std::min(window_count - 1, (last_position + shift) / window.stride);
  lanes.first_window = number;
  lanes.first_offset = position * base_stride;
  lanes.count = (last_number - number) / lanes.window_step + 1;
  return lanes;
}

}  // namespace

DimensionVector DenseStrides(std::span<const int64_t> sizes) {
  DimensionVector strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

WindowWalk::WindowWalk(std::span<const WindowDimension> window, std::span<const int64_t> base_sizes,
                       std::span<const int64_t> base_strides, std::span<const int64_t> window_counts,
                       int64_t enough_lanes)
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
  lane_dimension_ = rank_ - 1;
  if (window_counts_[lane_dimension_] < enough_lanes) {
    lane_dimension_ =
        static_cast<size_t>(std::max_element(window_counts_.begin(), window_counts_.end()) - window_counts_.begin());
  }
  row_dimension_ = rank_;
  for (size_t d = 0; d < rank_; ++d) {
    if (d != lane_dimension_ && window_counts_[d] > 1) row_dimension_ = d;
    window_size_ = SaturatingProduct(window_size_, window_[d].size);
    if (window_[d].size != 1) walked_.push_back(d);
    if (d != lane_dimension_) row_count_ *= window_counts_[d];
  }
  if (row_dimension_ < rank_) FindWholeWindows();
  if (window_[lane_dimension_].size > kMaxTable) return;
  for (int64_t k = 0; k < window_[lane_dimension_].size; ++k) lanes_.push_back(LanesOf(k));
}

void WindowWalk::FindWholeWindows() {
  const WindowDimension& w = window_[row_dimension_];
  if (w.base_dilation != 1) return;
  const auto rounded_up = [&](int64_t distance) { return distance <= 0 ? 0 : (distance - 1) / w.stride + 1; };
  whole_.begin = rounded_up(w.padding_low);
  const int64_t reach = SaturatingProduct(w.size - 1, w.window_dilation), size = base_sizes_[row_dimension_];
  whole_.end = std::min(window_counts_[row_dimension_], rounded_up(size - reach + w.padding_low));
}

WindowLanes WindowWalk::LanesOf(int64_t offset) const {
  return LanesAt(window_[lane_dimension_], base_sizes_[lane_dimension_], base_strides_[lane_dimension_],
                 window_counts_[lane_dimension_], offset);
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
