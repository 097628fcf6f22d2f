// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/past_cache.h"

#include <cstring>

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#endif

namespace hloscope::numerics {

#if defined(__x86_64__)
namespace {

constexpr int64_t kLine = 64;

// `to` is where a cache line begins, and `lines` are copied.
void CopyLines(const uint8_t* from, uint8_t* to, int64_t lines) {
  constexpr int64_t kVector = 16;
  for (const uint8_t* const end = from + lines * kLine; from < end; from += kVector, to += kVector) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
}

#ifdef HLOSCOPE_AVX512_FUNCTION
// Whole lines: a quarter of the stores wait for memory.
HLOSCOPE_AVX512_FUNCTION void CopyWideLines(const uint8_t* from, uint8_t* to, int64_t lines) {
  for (const uint8_t* const end = from + lines * kLine; from < end; from += kLine, to += kLine) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
  }
}
#endif

}  // namespace

void CopyPastCache(const uint8_t* from, uint8_t* to, int64_t bytes) {
  const int64_t before =
      std::min(bytes, (kLine - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLine)) % kLine);
  std::memcpy(to, from, static_cast<size_t>(before));
  const int64_t lines = (bytes - before) / kLine, done = before + lines * kLine;
#ifdef HLOSCOPE_AVX512_FUNCTION
  static const bool is_wide = BestCpuLevel() == CpuLevel::kAvx512;
  is_wide ? CopyWideLines(from + before, to + before, lines) : CopyLines(from + before, to + before, lines);
#else
  CopyLines(from + before, to + before, lines);
#endif
  std::memcpy(to + done, from + done, static_cast<size_t>(bytes - done));
}
void FinishPastCache() { _mm_sfence(); }
#else
void CopyPastCache(const uint8_t* from, uint8_t* to, int64_t bytes) {
  std::memcpy(to, from, static_cast<size_t>(bytes));
}
void FinishPastCache() {}
#endif

}  // namespace hloscope::numerics
