// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/depthwise_wide.h"

#include <algorithm>

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/rows/wide_vectors.h"

namespace hloscope::numerics {

// Windows of three, five and seven columns, at each place or at every second one.
bool HasPlaceWindows(int64_t columns, int64_t place_step, int64_t lanes) {
  return (columns == 3 || columns == 5 || columns == 7) && (place_step == lanes || place_step == 2 * lanes);
}

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

using wide::Floats;
constexpr int64_t kLanesOfPlace = wide::kFloats;

// Sums that stay in registers.
constexpr int kPlaces = 8;

HLOSCOPE_WIDE Floats LoadWidened(const float* x, __mmask16 lanes) { return wide::LoadFloats(x, lanes); }
HLOSCOPE_WIDE Floats LoadWidened(const Bf16* x, __mmask16 lanes) {
  const __m512i words = _mm512_maskz_cvtepu16_epi32(wide::kAll, _mm256_maskz_loadu_epi16(lanes, x));
  return reinterpret_cast<Floats>(_mm512_maskz_slli_epi32(wide::kAll, words, 16));
}
HLOSCOPE_WIDE void StoreRounded(Floats x, __mmask16 lanes, float* to) {
  _mm512_mask_storeu_ps(to, lanes, reinterpret_cast<__m512>(x));
}
HLOSCOPE_WIDE void StoreRounded(Floats x, __mmask16 lanes, Bf16* to) {
  const wide::Words rounded = QuietNans(x, RoundUpperHalves(x)) >> 16;
  _mm512_mask_cvtepi32_storeu_epi16(to, lanes, reinterpret_cast<__m512i>(rounded));
}
HLOSCOPE_WIDE Floats MultiplyAdd(Floats a, Floats b, Floats c) {
  return reinterpret_cast<Floats>(
      _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}

// kVectors vectors of lanes at kCount places. Whole ones if there are several.
template <int kCount, int kVectors, typename In, typename Out>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void SumTapsOf(const PlaceTaps<In>& taps, int64_t first,
                                                                      int64_t lane, __mmask16 mask, int64_t lanes,
                                                                      Out* sums) {
  Floats of_places[kCount][kVectors] = {};
  for (size_t t = 0; t < taps.count; ++t) {
    const In* const inputs = taps.inputs[t] + first * taps.place_step + lane;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const Floats weight = LoadWidened(taps.weights[t] + lane + v * kLanesOfPlace, mask);
#pragma GCC unroll 8
      for (int p = 0; p < kCount; ++p) {
        const Floats input = LoadWidened(inputs + p * taps.place_step + v * kLanesOfPlace, mask);
        of_places[p][v] = MultiplyAdd(input, weight, of_places[p][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kCount; ++p) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      StoreRounded(of_places[p][v], mask, sums + (first + p) * lanes + lane + v * kLanesOfPlace);
    }
  }
}

// The same of windows that move by kStride columns.
template <int kCount, int kColumns, int kStride, typename In, typename Out>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void SumWindowsOf(const PlaceTaps<In>& rows, int64_t first,
                                                                         int64_t lane, __mmask16 mask, int64_t lanes,
                                                                         Out* sums) {
  Floats of_places[kCount] = {};
  for (size_t r = 0; r < rows.count; ++r) {
    const In* inputs = rows.inputs[r] + first * rows.place_step + lane;
    const float* const weights = rows.weights[r] + lane;
    Floats of_columns[kColumns];
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c) of_columns[c] = LoadWidened(weights + c * lanes, mask);
#pragma GCC unroll 24
    for (int j = 0; j < (kCount - 1) * kStride + kColumns; ++j, inputs += lanes) {
      const Floats input = LoadWidened(inputs, mask);
#pragma GCC unroll 8
      for (int p = 0; p < kCount; ++p) {
        const int c = j - p * kStride;
        if (c >= 0 && c < kColumns) of_places[p] = MultiplyAdd(input, of_columns[c], of_places[p]);
      }
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kCount; ++p) StoreRounded(of_places[p], mask, sums + (first + p) * lanes + lane);
}

// Calls `sum.template operator()<count>(first place, lane, mask)` for all places, and lanes from `first_lane` on.
template <typename Sum>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void EachPlace(int64_t places, int64_t first_lane, int64_t lanes,
                                                                      Sum sum) {
  int64_t p = 0;
  const auto of_lanes = [&]<int kCount>() HLOSCOPE_AVX512_FUNCTION {
    for (int64_t l = first_lane; l < lanes; l += kLanesOfPlace) {
      sum.template operator()<kCount>(p, l, static_cast<__mmask16>((1u << std::min(kLanesOfPlace, lanes - l)) - 1));
    }
    p += kCount;
  };
  while (places - p >= kPlaces) of_lanes.template operator()<kPlaces>();
  if (places - p >= 4) of_lanes.template operator()<4>();
  if (places - p >= 2) of_lanes.template operator()<2>();
  if (places - p >= 1) of_lanes.template operator()<1>();
}

template <int kColumns, int kStride, typename In, typename Out>
HLOSCOPE_AVX512_FUNCTION void SumWindows(const PlaceTaps<In>& rows, int64_t places, int64_t lanes, Out* sums) {
  EachPlace(places, 0, lanes, [&]<int kCount>(int64_t first, int64_t lane, __mmask16 mask) HLOSCOPE_AVX512_FUNCTION {
    SumWindowsOf<kCount, kColumns, kStride>(rows, first, lane, mask, lanes, sums);
  });
}

template <typename In, typename Out>
HLOSCOPE_AVX512_FUNCTION void SumTaps(const PlaceTaps<In>& taps, int64_t places, int64_t lanes, Out* sums) {
  // A sum at one place waits for the one before it: several vectors of lanes at a time.
  constexpr int64_t kSome = 4 * kLanesOfPlace;
  const int64_t several = places == 1 ? lanes / kSome * kSome : 0;
  for (int64_t l = 0; l < several; l += kSome) SumTapsOf<1, 4>(taps, 0, l, wide::kAll, lanes, sums);
  EachPlace(places, several, lanes,
            [&]<int kCount>(int64_t first, int64_t lane, __mmask16 mask)
                HLOSCOPE_AVX512_FUNCTION { SumTapsOf<kCount, 1>(taps, first, lane, mask, lanes, sums); });
}

template <int kStride, typename In, typename Out>
void SumWindowsBy(const PlaceWindows<In>& windows, int64_t places, int64_t lanes, Out* sums) {
  if (windows.columns == 3) return SumWindows<3, kStride>(windows.rows, places, lanes, sums);
  if (windows.columns == 5) return SumWindows<5, kStride>(windows.rows, places, lanes, sums);
  SumWindows<7, kStride>(windows.rows, places, lanes, sums);
}

}  // namespace

bool HasPlaceLoops() { return BestCpuLevel() == CpuLevel::kAvx512; }

template <typename In, typename Out>
void SumPlaceTaps(const PlaceTaps<In>& taps, int64_t places, int64_t lanes, Out* sums) {
  SumTaps(taps, places, lanes, sums);
}

template <typename In, typename Out>
void SumPlaceWindows(const PlaceWindows<In>& windows, int64_t places, int64_t lanes, Out* sums) {
  if (windows.rows.place_step == lanes) return SumWindowsBy<1>(windows, places, lanes, sums);
  SumWindowsBy<2>(windows, places, lanes, sums);
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
