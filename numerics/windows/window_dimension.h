// SPDX-License-Identifier: Apache-2.0
// The windows of convolution, reduce-window and select-and-scatter (docs/ops/tensor.md 0.6).
#ifndef HLOSCOPE_NUMERICS_WINDOWS_WINDOW_DIMENSION_H_
#define HLOSCOPE_NUMERICS_WINDOWS_WINDOW_DIMENSION_H_

#include <cstdint>

namespace hloscope::numerics {

// One dimension of a window (docs/text-format.md 6.10).
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t base_dilation = 1;    // lhs_dilate
  int64_t window_dilation = 1;  // rhs_dilate
  bool reversal = false;        // rhs_reversal
  friend bool operator==(const WindowDimension&, const WindowDimension&) = default;
};

// Base position that window number `number` touches at `offset` in one dimension; -1 if that is padding or a hole.
inline int64_t BasePosition(const WindowDimension& window, int64_t base_size, int64_t number, int64_t offset) {
  const int64_t p = number * window.stride + offset * window.window_dilation - window.padding_low;
  if (p < 0) return -1;
  // Without holes: divisions would take longer than what the windows are for.
  if (window.base_dilation == 1) return p < base_size ? p : -1;
  if (p % window.base_dilation != 0) return -1;
  return p / window.base_dilation < base_size ? p / window.base_dilation : -1;
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_WINDOWS_WINDOW_DIMENSION_H_
