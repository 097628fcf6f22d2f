// SPDX-License-Identifier: Apache-2.0
#include "numerics/pooling/window_lanes.h"

#include <algorithm>

#include "numerics/elements/element_bits.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Windows at a stride of two are the most frequent ones.
#define HLOSCOPE_EVERY_SECOND(T)                                                                               \
  HLOSCOPE_VECTOR_CLONES void CopyEverySecond(const T* __restrict__ from, T* __restrict__ to, int64_t count) { \
    for (int64_t i = 0; i < count; ++i) to[i] = from[2 * i];                                                   \
  }
HLOSCOPE_EVERY_SECOND(uint8_t)
HLOSCOPE_EVERY_SECOND(uint16_t)
HLOSCOPE_EVERY_SECOND(uint32_t)
HLOSCOPE_EVERY_SECOND(uint64_t)
HLOSCOPE_EVERY_SECOND(Bits128)
#undef HLOSCOPE_EVERY_SECOND

}  // namespace

void CopySteps(int64_t element_bytes, const uint8_t* from, int64_t from_step, uint8_t* to, int64_t to_step,
               int64_t count) {
  VisitElementBytes(element_bytes, [&](auto bits) {
    using T = decltype(bits);
    const T* const x = reinterpret_cast<const T*>(from);
    T* const out = reinterpret_cast<T*>(to);
    if (to_step == 1 && from_step == 1) {
      std::copy_n(x, count, out);
    } else if (to_step == 1 && from_step == 2) {
      CopyEverySecond(x, out, count);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i * to_step] = x[i * from_step];
    }
  });
}

void FillElements(int64_t element_bytes, const uint8_t* value, uint8_t* to, int64_t count) {
  VisitElementBytes(element_bytes, [&](auto bits) {
    using T = decltype(bits);
    T* const elements = reinterpret_cast<T*>(to);
    const T filled = *reinterpret_cast<const T*>(value);
    if (count == 1) {  // the lane beside a border
      *elements = filled;
    } else {
      std::fill_n(elements, count, filled);
    }
  });
}

}  // namespace hloscope::numerics
