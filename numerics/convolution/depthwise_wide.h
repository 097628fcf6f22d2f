// SPDX-License-Identifier: Apache-2.0
// The innermost loops of depthwise convolutions of f32 and bf16 by hand, for processors of CpuLevel::kAvx2 and up: an
// input is loaded, and widened, once for all places of a run whose windows have it.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_WIDE_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_WIDE_H_

#include <cstddef>
#include <cstdint>

#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// Taps of neighbouring places: tap t meets inputs[t][p * place_step + l] at place p, lane l.
template <typename In>
struct PlaceTaps {
  const In* const* inputs;
  const float* const* weights;
  size_t count;
  int64_t place_step;
};

// The same where the taps are whole windows: each is the first of `columns` ones, `lanes` elements apart both in the
// inputs and in the weights.
template <typename In>
struct PlaceWindows {
  PlaceTaps<In> rows;
  int64_t columns;
};
bool HasPlaceWindows(int64_t columns, int64_t place_step, int64_t lanes);

// sums[p * lanes + l] = sum over taps, 0 <= p < places, 0 <= l < lanes, in the order of the taps (of windows, row by
// row), in f32; rounded once to Out. Windows only if HasPlaceWindows. In, Out: both float, or Bf16 and either.
template <typename In, typename Out>
void SumPlaceTaps(const PlaceTaps<In>& taps, int64_t places, int64_t lanes, Out* sums);
template <typename In, typename Out>
void SumPlaceWindows(const PlaceWindows<In>& windows, int64_t places, int64_t lanes, Out* sums);
// Whether there are these loops, and the processor can execute them.
bool HasPlaceLoops();

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_WIDE_H_
