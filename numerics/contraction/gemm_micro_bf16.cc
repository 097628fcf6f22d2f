// SPDX-License-Identifier: Apache-2.0
// Products of bf16 with the instruction that multiplies pairs: twice the multiply-adds of f32.
#include "numerics/contraction/gemm_micro.h"

#if defined(__AVX512BF16__)
#include <immintrin.h>
#endif

namespace hloscope::numerics {
#if defined(__AVX512BF16__)
namespace {

constexpr int kRows = 12, kVectors = 2, kLanes = 16;

template <int kHeight>
using Sums = __m512[kHeight][kVectors];

// Adds the products of one pair of each row, `pair(r)`, with the vectors of pairs at `b`.
template <int kHeight, typename Pair>
[[gnu::always_inline]] inline void AddPairs(const uint32_t* b, Pair&& pair, Sums<kHeight>& sums) {
  const __m512i first = _mm512_loadu_si512(b), second = _mm512_loadu_si512(b + kLanes);
#pragma GCC unroll 16
  for (int r = 0; r < kHeight; ++r) {
    const __m512i factor = _mm512_set1_epi32(static_cast<int>(pair(r)));
    sums[r][0] = _mm512_dpbf16_ps(sums[r][0], reinterpret_cast<__m512bh>(factor), reinterpret_cast<__m512bh>(first));
    sums[r][1] = _mm512_dpbf16_ps(sums[r][1], reinterpret_cast<__m512bh>(factor), reinterpret_cast<__m512bh>(second));
  }
}

// visit(sum, where it goes) for every vector of the tile.
template <int kHeight, typename Visit>
[[gnu::always_inline]] inline void ForEachVector(Sums<kHeight>& sums, float* c, int64_t c_stride, Visit&& visit) {
#pragma GCC unroll 16
  for (int r = 0; r < kHeight; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) visit(sums[r][v], c + r * c_stride + v * kLanes);
  }
}

// As MicroKernel::multiply, of kHeight rows.
template <int kHeight>
void MultiplyPairRows(int64_t inner, const uint32_t* a, const uint32_t* b, float* c, int64_t c_stride,
                      bool accumulate) {
  Sums<kHeight> sums;
  ForEachVector<kHeight>(sums, c, c_stride, [](__m512& sum, float*) { sum = _mm512_setzero_ps(); });
  for (int64_t k = 0; k < inner; ++k, a += kRows, b += kVectors * kLanes) {
    AddPairs<kHeight>(
        b, [a](int r) { return a[r]; }, sums);
  }
  ForEachVector<kHeight>(sums, c, c_stride, [accumulate](__m512& sum, float* to) {
    _mm512_storeu_ps(to, accumulate ? _mm512_add_ps(_mm512_loadu_ps(to), sum) : sum);
  });
}

// `inner` counts pairs. The instruction takes subnormal numbers for zeros (bf16_arrays.h).
void MultiplyPairs(int64_t height, int64_t inner, const uint32_t* a, const uint32_t* b, float* c, int64_t c_stride,
                   bool accumulate) {
  constexpr int kThird = static_cast<int>(ComputedRows(kRows, 1));
  const int64_t computed = ComputedRows(kRows, height);
  if (computed == kThird) {
    MultiplyPairRows<kThird>(inner, a, b, c, c_stride, accumulate);
  } else if (computed == 2 * kThird) {
    MultiplyPairRows<2 * kThird>(inner, a, b, c, c_stride, accumulate);
  } else {
    MultiplyPairRows<kRows>(inner, a, b, c, c_stride, accumulate);
  }
}

void MultiplyPairLines(int64_t groups, int64_t first, int64_t run, const uint32_t* const* lines, const uint32_t* b,
                       float* c, int64_t c_stride, bool accumulate) {
  Sums<kRows> sums;
  ForEachVector<kRows>(sums, c, c_stride, [accumulate](__m512& sum, float* to) {
    sum = accumulate ? _mm512_loadu_ps(to) : _mm512_setzero_ps();
  });
  for (int64_t g = 0; g < groups; ++g, lines += kRows) {
    const uint32_t* line[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) line[r] = lines[r] + first;
    for (int64_t k = 0; k < run; ++k, b += kVectors * kLanes) {
      AddPairs<kRows>(
          b, [&line, k](int r) { return line[r][k]; }, sums);
    }
  }
  ForEachVector<kRows>(sums, c, c_stride, [](__m512& sum, float* to) { _mm512_storeu_ps(to, sum); });
}

}  // namespace

MicroKernel<float, uint32_t> PairMicroKernel() {
  return {kRows, kVectors * kLanes, &MultiplyPairs, &MultiplyPairLines};
}

#else
MicroKernel<float, uint32_t> PairMicroKernel() { return {}; }
#endif

}  // namespace hloscope::numerics
