// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/bf16_arrays.h"

#include <algorithm>
#include <bit>

#include "numerics/elements/numeric.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {

HLOSCOPE_VECTOR_CLONES bool IsSafeForPairs(const uint16_t* values, int64_t count) {
  constexpr uint16_t kLeast = (127 - 50) << 7;  // 2^-50
  constexpr int64_t kBlock = 4096;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t end = std::min(count, first + kBlock);
    uint16_t small = 0;
    for (int64_t i = first; i < end; ++i) {
      const uint16_t size = values[i] & 0x7fff;
      small |= static_cast<uint16_t>(size != 0 && size < kLeast ? 1 : 0);
    }
    if (small != 0) return false;
  }
  return true;
}

HLOSCOPE_VECTOR_CLONES void RoundToBf16(const float* numbers, int64_t count, uint16_t* result) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) result[i] = FloatToBf16(numbers[i]);
}

HLOSCOPE_VECTOR_CLONES void WidenBf16(const uint16_t* values, int64_t count, float* result) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) result[i] = std::bit_cast<float>(static_cast<uint32_t>(values[i]) << 16);
}

}  // namespace hloscope::numerics
