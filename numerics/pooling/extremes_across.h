// SPDX-License-Identifier: Apache-2.0
// Maxima and minima of windows whose rows lie along memory: first across the rows of a window, which reads each element
// once for all windows that have it in the same row, then along them. Nine elements of a window become three.
#ifndef HLOSCOPE_NUMERICS_POOLING_EXTREMES_ACROSS_H_
#define HLOSCOPE_NUMERICS_POOLING_EXTREMES_ACROSS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"
#include "numerics/pooling/window_lanes.h"

namespace hloscope::numerics {

// to[i] = op(... op(rows[0][i], rows[1][i]) ..., rows[row_count - 1][i]). Returns whether the order does not matter for
// all that was read: there was no NaN and no negative zero. Requires row_count > 0.
template <typename T>
using FoldAcrossOf = bool (*)(const T* const* rows, int64_t row_count, int64_t count, T* to);
FoldAcrossOf<float> FoldAcross(elementwise::Maximum, const float* x);
FoldAcrossOf<float> FoldAcross(elementwise::Minimum, const float* x);
FoldAcrossOf<Bf16> FoldAcross(elementwise::Maximum, const Bf16* x);
FoldAcrossOf<Bf16> FoldAcross(elementwise::Minimum, const Bf16* x);

// What is left of the places of a row of windows once they are folded across.
class ExtremesAcross {
 public:
  // `fold` is a FoldAcrossOf of elements of so many bytes; `neutral` is one that changes nothing.
  using Fold = bool (*)(const uint8_t* const* rows, int64_t row_count, int64_t count, uint8_t* to);
  ExtremesAcross(Fold fold, int64_t element_bytes, const std::array<uint8_t, 8>& neutral, int64_t lane_count)
      : fold_(fold), bytes_(element_bytes), neutral_(neutral), lane_count_(lane_count) {}

  // Folds `places` of elements at `base`, all windows of a row; then rows() is what to fold of lane_count elements
  // each. False if places are not as here, or their order matters.
  bool Take(const std::vector<WindowPlace>& places, const uint8_t* base);
  const std::vector<const uint8_t*>& rows() const { return rows_; }

 private:
  // How the places of one row of a window lie: the same for all rows of windows.
  bool FindLayout(const std::vector<WindowPlace>& places);

  const Fold fold_;
  const int64_t bytes_;
  const std::array<uint8_t, 8> neutral_;
  const int64_t lane_count_;
  // Of a row of a window: its places; the first element that is met and how many there are from there on; how far the
  // elements of neighbouring windows are apart.
  size_t places_in_row_ = 0;
  int64_t low_ = 0, span_ = 0, step_ = 0;
  bool is_suitable_ = true;
  LaneBuffer folded_;                 // `span_` elements
  LaneBuffer packed_;                 // every step_-th element of them, from each of the first step_ ones on
  std::vector<uint8_t*> phases_;      // where those lie in packed_, after neutral elements for windows at a border
  std::vector<const uint8_t*> rows_;  // in packed_, by place
  std::vector<const uint8_t*> across_;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_POOLING_EXTREMES_ACROSS_H_
