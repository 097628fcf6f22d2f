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

// `inner` counts pairs. The instruction takes subnormal numbers for zeros; see narrow_gemm.cc.
void MultiplyPairs(int64_t inner, const uint32_t* a, const uint32_t* b, float* c, int64_t c_stride, bool accumulate) {
  __m512 sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  for (int64_t k = 0; k < inner; ++k, a += kRows, b += kVectors * kLanes) {
    const __m512i first = _mm512_loadu_si512(b), second = _mm512_loadu_si512(b + kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m512i pair = _mm512_set1_epi32(static_cast<int>(a[r]));
      sums[r][0] = _mm512_dpbf16_ps(sums[r][0], reinterpret_cast<__m512bh>(pair), reinterpret_cast<__m512bh>(first));
      sums[r][1] = _mm512_dpbf16_ps(sums[r][1], reinterpret_cast<__m512bh>(pair), reinterpret_cast<__m512bh>(second));
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      float* const to = c + r * c_stride + v * kLanes;
      _mm512_storeu_ps(to, accumulate ? _mm512_add_ps(_mm512_loadu_ps(to), sums[r][v]) : sums[r][v]);
    }
  }
}

}  // namespace

MicroKernel<float, uint32_t> PairMicroKernel() { return {kRows, kVectors * kLanes, &MultiplyPairs, nullptr}; }

#else
MicroKernel<float, uint32_t> PairMicroKernel() { return {}; }
#endif

}  // namespace hloscope::numerics
