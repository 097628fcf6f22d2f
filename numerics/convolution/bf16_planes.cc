// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/bf16_planes.h"

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <algorithm>

#include "numerics/convolution/depthwise_lanes.h"
#include "numerics/parallel/bf16_vectors.h"
#endif

namespace hloscope::numerics {

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

#define HLOSCOPE_WIDE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline

constexpr int64_t kFloatsOfPlane = 16, kBf16sOfPlane = 32;
constexpr __mmask32 kUpperHalves = 0xaaaaaaaa;

// Words at the places of upper halves, from `first` on: what widens 16 bf16 that begin there.
HLOSCOPE_WIDE __m512i PlacesFrom(int first) {
  WordVector places;
  for (int l = 0; l < kFloatsOfPlane; ++l) places[l] = static_cast<uint32_t>(l + first) << 16;
  return reinterpret_cast<__m512i>(places);
}

// Of the words of two vectors, one after the other, those of upper halves.
HLOSCOPE_WIDE __m512i OddPlaces() {
  typedef uint16_t Halves __attribute__((vector_size(64)));
  Halves places;
  for (int l = 0; l < kBf16sOfPlane; ++l) places[l] = static_cast<uint16_t>(2 * l + 1);
  return reinterpret_cast<__m512i>(places);
}

// Of 32 lanes from `begin` on those in [0, end).
__mmask32 LanesBetween(int64_t begin, int64_t end) {
  const auto below = [](int64_t n) { return (uint64_t{1} << std::clamp<int64_t>(n, 0, kBf16sOfPlane)) - 1; };
  return static_cast<__mmask32>(below(end - begin) & ~below(-begin));
}

constexpr int kRows = static_cast<int>(kBandRows), kVectors = 2;

// A block of columns of the result.
struct Block {
  const uint16_t* input;      // of the first row: what the first sum meets first, in the row or beside it
  uint16_t* output;           // of the first row
  __mmask32 lanes[kVectors];  // of the words there, and from 16 further on, those in the row
  __mmask32 stored;           // sums that are there

  Block(const Bf16Plane& plane, int64_t x, uint16_t* to)
      : input(plane.input + (x - plane.zeros_left)), output(to + x), stored(LanesBetween(0, plane.output_columns - x)) {
    for (int v = 0; v < kVectors; ++v) {
      lanes[v] = LanesBetween(x - plane.zeros_left + v * kFloatsOfPlane, plane.columns);
    }
  }
};

// kRows rows of sums from `y` on, the weights of which are vectors of equal numbers, or numbers. kIsInside: all rows of
// the input and of the result are there.
template <int kSide, bool kIsInside, typename Weight>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void SumBlock(const Bf16Plane& plane, const Block& block,
                                                                     int64_t y, const Weight* weights) {
  const int64_t first_row = y - plane.zeros_above, rows = plane.rows, pitch = plane.columns;
  const uint16_t* from = block.input + first_row * pitch;
  FloatVector sums[kRows][kVectors] = {};
#pragma GCC unroll 16
  for (int i = 0; i < kRows + kSide - 1; ++i, from += pitch) {
    const bool is_there = kIsInside || (first_row + i >= 0 && first_row + i < rows);
    __m512i words[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      words[v] = _mm512_maskz_loadu_epi16(is_there ? block.lanes[v] : 0, from + v * kFloatsOfPlane);
    }
#pragma GCC unroll 8
    for (int c = 0; c < kSide; ++c) {
      FloatVector in[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        in[v] = reinterpret_cast<FloatVector>(_mm512_maskz_permutexvar_epi16(kUpperHalves, PlacesFrom(c), words[v]));
      }
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        if (i < r || i - r >= kSide) continue;
        const FloatVector weight = weights[(i - r) * kSide + c] - FloatVector{};
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          sums[r][v] = reinterpret_cast<FloatVector>(_mm512_fmadd_ps(
              reinterpret_cast<__m512>(weight), reinterpret_cast<__m512>(in[v]), reinterpret_cast<__m512>(sums[r][v])));
        }
      }
    }
  }
  __mmask16 nans = 0;
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    nans |=
        _mm512_cmp_ps_mask(reinterpret_cast<__m512>(sums[r][0]), reinterpret_cast<__m512>(sums[r][1]), _CMP_UNORD_Q);
  }
  uint16_t* to = block.output + y * plane.output_columns;
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r, to += plane.output_columns) {
    if (!kIsInside && y + r >= plane.output_rows) break;
    WordVector low = RoundUpperHalves(sums[r][0]), high = RoundUpperHalves(sums[r][1]);
    if (__builtin_expect(nans != 0, 0)) {
      low = QuietNans(sums[r][0], low);
      high = QuietNans(sums[r][1], high);
    }
    const __m512i rounded =
        _mm512_permutex2var_epi16(reinterpret_cast<__m512i>(low), OddPlaces(), reinterpret_cast<__m512i>(high));
    _mm512_mask_storeu_epi16(to, block.stored, rounded);
  }
}

template <int kSide, typename Weight>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void Convolve(const Bf16Plane& plane, const Weight* weights,
                                                                     uint16_t* output) {
  for (int64_t x = 0; x < plane.output_columns; x += kBf16sOfPlane) {
    const Block block(plane, x, output);
    for (int64_t y = 0; y < plane.output_rows; y += kRows) {
      const bool is_inside = y >= plane.zeros_above && y - plane.zeros_above + kRows + kSide - 1 <= plane.rows &&
                             y + kRows <= plane.output_rows;
      is_inside ? SumBlock<kSide, true>(plane, block, y, weights) : SumBlock<kSide, false>(plane, block, y, weights);
    }
  }
}

HLOSCOPE_AVX512_FUNCTION void ConvolveBy3(const Bf16Plane& plane, uint16_t* output) {
  FloatVector spread[9];  // as many as stay in registers
  for (int k = 0; k < 9; ++k) spread[k] = plane.weights[k] - FloatVector{};
  Convolve<3>(plane, spread, output);
}
HLOSCOPE_AVX512_FUNCTION void ConvolveBy5(const Bf16Plane& plane, uint16_t* output) {
  Convolve<5>(plane, plane.weights, output);
}

#undef HLOSCOPE_WIDE

}  // namespace

bool ConvolveBf16Plane(const Bf16Plane& plane, uint16_t* output) {
  if (BestCpuLevel() != CpuLevel::kAvx512 || (plane.side != 3 && plane.side != 5)) return false;
  plane.side == 3 ? ConvolveBy3(plane, output) : ConvolveBy5(plane, output);
  return true;
}
#else
bool ConvolveBf16Plane(const Bf16Plane&, uint16_t*) { return false; }
#endif

}  // namespace hloscope::numerics
