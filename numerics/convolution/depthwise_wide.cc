// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/depthwise_wide.h"

#include <algorithm>

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/rows/avx2_vectors.h"
#include "numerics/rows/wide_vectors.h"

namespace hloscope::numerics {

// Windows of three, five and seven columns, at each place or at every second one.
bool HasPlaceWindows(int64_t columns, int64_t place_step, int64_t lanes) {
  return (columns == 3 || columns == 5 || columns == 7) && (place_step == lanes || place_step == 2 * lanes);
}

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace {

// Sums that stay in registers.
constexpr int kPlaces = 8;

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace places512 {
using namespace wide;  // NOLINT: the vocabulary of these loops

HLOSCOPE_WIDE Floats LoadWidened(const float* x, FloatLanes lanes) { return LoadFloats(x, lanes); }
HLOSCOPE_WIDE Floats LoadWidened(const Bf16* x, FloatLanes lanes) {
  const __m512i words = _mm512_maskz_cvtepu16_epi32(kAll, _mm256_maskz_loadu_epi16(lanes, x));
  return reinterpret_cast<Floats>(_mm512_maskz_slli_epi32(kAll, words, 16));
}
HLOSCOPE_WIDE void StoreRounded(Floats x, FloatLanes lanes, float* to) { StoreFloats(to, lanes, x); }
HLOSCOPE_WIDE void StoreRounded(Floats x, FloatLanes lanes, Bf16* to) {
  const Words rounded = QuietNans(x, RoundUpperHalves(x)) >> 16;
  _mm512_mask_cvtepi32_storeu_epi16(to, lanes, reinterpret_cast<__m512i>(rounded));
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "numerics/convolution/depthwise_wide.def"
}  // namespace places512
#endif

namespace places256 {
using namespace avx2;  // NOLINT: the vocabulary of these loops

HLOSCOPE_AVX2_INLINE Floats LoadWidened(const float* x, FloatLanes lanes) { return LoadFloats(x, lanes); }
HLOSCOPE_AVX2_INLINE Floats LoadWidened(const Bf16* x, FloatLanes lanes) {
  Bf16 some[kFloats] = {};
  if (lanes < kAll) {
    std::copy_n(x, lanes, some);
    x = some;
  }
  const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  return reinterpret_cast<Floats>(_mm256_slli_epi32(words, 16));
}
HLOSCOPE_AVX2_INLINE void StoreRounded(Floats x, FloatLanes lanes, float* to) { StoreFloats(to, lanes, x); }
HLOSCOPE_AVX2_INLINE void StoreRounded(Floats x, FloatLanes lanes, Bf16* to) {
  const __m256i rounded = reinterpret_cast<__m256i>(QuietNans(x, RoundUpperHalves(x)) >> 16);
  const __m128i halves = _mm_packus_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
  if (lanes == kAll) return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), halves);
  Bf16 all[kFloats];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(all), halves);
  std::copy_n(all, lanes, to);
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "numerics/convolution/depthwise_wide.def"
}  // namespace places256

}  // namespace

bool HasPlaceLoops() { return BestCpuLevel() != CpuLevel::kBaseline; }

#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_SUM_PLACES(...)             \
  if (BestCpuLevel() == CpuLevel::kAvx512) { \
    places512::SumPlaces(__VA_ARGS__);       \
  } else {                                   \
    places256::SumPlaces(__VA_ARGS__);       \
  }
#else
#define HLOSCOPE_SUM_PLACES(...) places256::SumPlaces(__VA_ARGS__);
#endif

template <typename In, typename Out>
void SumPlaceTaps(const PlaceTaps<In>& taps, int64_t places, int64_t lanes, Out* sums) {
  HLOSCOPE_SUM_PLACES(taps, places, lanes, sums)
}

template <typename In, typename Out>
void SumPlaceWindows(const PlaceWindows<In>& windows, int64_t places, int64_t lanes, Out* sums) {
  HLOSCOPE_SUM_PLACES(windows, places, lanes, sums)
}
#else
bool HasPlaceLoops() { return false; }
template <typename In, typename Out>
void SumPlaceTaps(const PlaceTaps<In>&, int64_t, int64_t, Out*) {}
template <typename In, typename Out>
void SumPlaceWindows(const PlaceWindows<In>&, int64_t, int64_t, Out*) {}
#endif

#define HLOSCOPE_PLACE_LOOPS(In, Out)                                                \
  template void SumPlaceTaps<In, Out>(const PlaceTaps<In>&, int64_t, int64_t, Out*); \
  template void SumPlaceWindows<In, Out>(const PlaceWindows<In>&, int64_t, int64_t, Out*);
HLOSCOPE_PLACE_LOOPS(float, float)
HLOSCOPE_PLACE_LOOPS(Bf16, float)
HLOSCOPE_PLACE_LOOPS(Bf16, Bf16)
#undef HLOSCOPE_PLACE_LOOPS

}  // namespace hloscope::numerics
