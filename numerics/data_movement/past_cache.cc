// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/past_cache.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#endif

namespace hloscope::numerics {

#if defined(__x86_64__)
void CopyPastCache(const uint8_t* from, uint8_t* to, int64_t bytes) {
  constexpr int64_t kLine = 64, kVector = 16;
  const int64_t before =
      std::min(bytes, (kLine - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLine)) % kLine);
  std::memcpy(to, from, static_cast<size_t>(before));
  int64_t at = before;
  for (; at + kLine <= bytes; at += kLine) {
    for (int64_t v = at; v < at + kLine; v += kVector) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + v), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + v)));
    }
  }
  std::memcpy(to + at, from + at, static_cast<size_t>(bytes - at));
}
void FinishPastCache() { _mm_sfence(); }
#else
void CopyPastCache(const uint8_t* from, uint8_t* to, int64_t bytes) {
  std::memcpy(to, from, static_cast<size_t>(bytes));
}
void FinishPastCache() {}
#endif

}  // namespace hloscope::numerics
