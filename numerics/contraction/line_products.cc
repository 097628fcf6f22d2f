// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/line_products.h"

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <algorithm>
#endif

namespace hloscope::numerics {

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

// Bytes that are asked for ahead of what is read of each line: the processor itself does not look across pages.
constexpr int64_t kAhead = 512;

struct Floats {
  using Element = float;
  typedef __m512 Vector;
  static constexpr int kLanes = 16;

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Load(const float* from, int64_t count) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((uint32_t{1} << count) - 1), from);
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Load(const Bf16* from, int64_t count) {
    const __m256i halves = _mm256_maskz_loadu_epi16(static_cast<__mmask16>((uint32_t{1} << count) - 1), from);
    const __m512i words = _mm512_maskz_cvtepu16_epi32(0xffff, halves);
    return reinterpret_cast<Vector>(_mm512_maskz_slli_epi32(0xffff, words, 16));
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Store(Vector v, float* to) {
    _mm512_storeu_ps(to, v);
  }
  // Lane l of the results: that of `a`, and that of `b` `apart` lanes lower, where l has not and where it has the bit
  // `apart`; then that of `a` `apart` lanes higher, and that of `b`.
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Exchange(int apart, Vector& a, Vector& b) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i bit = _mm512_set1_epi32(apart);
    const __mmask16 has_bit = _mm512_test_epi32_mask(lanes, bit);
    const __m512i of_b = _mm512_set1_epi32(kLanes);
    const __m512i low = _mm512_mask_xor_epi32(lanes, has_bit, lanes, bit | of_b);
    const __m512i high = _mm512_mask_xor_epi32(lanes | of_b, static_cast<__mmask16>(~has_bit), lanes, bit);
    const Vector first = _mm512_permutex2var_ps(a, low, b);
    b = _mm512_permutex2var_ps(a, high, b);
    a = first;
  }
};

struct Doubles {
  using Element = double;
  typedef __m512d Vector;
  static constexpr int kLanes = 8;

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Load(const double* from, int64_t count) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>((uint32_t{1} << count) - 1), from);
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Store(Vector v, double* to) {
    _mm512_storeu_pd(to, v);
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Exchange(int apart, Vector& a, Vector& b) {
    const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i bit = _mm512_set1_epi64(apart);
    const __mmask8 has_bit = _mm512_test_epi64_mask(lanes, bit);
    const __m512i of_b = _mm512_set1_epi64(kLanes);
    const __m512i low = _mm512_mask_xor_epi64(lanes, has_bit, lanes, bit | of_b);
    const __m512i high = _mm512_mask_xor_epi64(lanes | of_b, static_cast<__mmask8>(~has_bit), lanes, bit);
    const Vector first = _mm512_permutex2var_pd(a, low, b);
    b = _mm512_permutex2var_pd(a, high, b);
    a = first;
  }
};

// Element k of line l of a square goes to lane l of vector k.
template <typename V>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void Turn(typename V::Vector (&v)[V::kLanes]) {
#pragma GCC unroll 4
  for (int apart = V::kLanes / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 16
    for (int j = 0; j < V::kLanes; ++j) {
      if ((j & apart) == 0) V::Exchange(apart, v[j], v[j + apart]);
    }
  }
}

// Squares of elements of neighbouring lines are turned in registers, so that each lane sums up a line of its own.
template <typename V, typename X>
HLOSCOPE_AVX512_FUNCTION void SumProducts(const typename V::Element* factors, const X* lines, int64_t stride,
                                          int64_t count, typename V::Element* sums) {
  constexpr int kLanes = V::kLanes;
  typename V::Vector sum = {};
  for (int64_t k = 0; k < count; k += kLanes) {
    const int64_t width = std::min<int64_t>(kLanes, count - k);
    typename V::Vector v[kLanes];
#pragma GCC unroll 16
    for (int j = 0; j < kLanes; ++j) {
      const X* const from = lines + j * stride + k;
      FetchLine(reinterpret_cast<const char*>(from) + kAhead);
      v[j] = V::Load(from, width);
    }
    Turn<V>(v);
    if (width == kLanes) {
#pragma GCC unroll 16
      for (int j = 0; j < kLanes; ++j) sum = sum + (factors[k + j] - typename V::Vector{}) * v[j];
    } else {
      for (int j = 0; j < width; ++j) sum = sum + (factors[k + j] - typename V::Vector{}) * v[j];
    }
  }
  V::Store(sum, sums);
}

template <typename V>
HLOSCOPE_AVX512_FUNCTION void TurnChains(const typename V::Element* factors, int64_t chain,
                                         typename V::Element* turned) {
  constexpr int kLanes = V::kLanes;
  for (int64_t k = 0; k < chain; k += kLanes, turned += kLanes * kLanes) {
    typename V::Vector v[kLanes];
#pragma GCC unroll 16
    for (int j = 0; j < kLanes; ++j) v[j] = V::Load(factors + j * chain + k, kLanes);
    Turn<V>(v);
#pragma GCC unroll 16
    for (int j = 0; j < kLanes; ++j) V::Store(v[j], turned + j * kLanes);
  }
}

template <typename V, typename X>
HLOSCOPE_AVX512_FUNCTION void SumChains(const typename V::Element* turned, const X* line, const X* next, int64_t chain,
                                        typename V::Element* sums) {
  constexpr int kLanes = V::kLanes;
  typename V::Vector sum = {};
  for (int64_t k = 0; k < chain; k += kLanes) {
    typename V::Vector v[kLanes];
#pragma GCC unroll 16
    for (int j = 0; j < kLanes; ++j) {
      FetchLine(next + (k + j) * kLanes);
      v[j] = V::Load(line + j * chain + k, kLanes);
    }
    Turn<V>(v);
#pragma GCC unroll 16
    for (int j = 0; j < kLanes; ++j) sum = sum + V::Load(turned + (k + j) * kLanes, kLanes) * v[j];
  }
  V::Store(sum, sums);
}

}  // namespace

template <>
int64_t LinesTogether<float>() {
  return BestCpuLevel() == CpuLevel::kAvx512 ? Floats::kLanes : 0;
}
template <>
int64_t LinesTogether<double>() {
  return BestCpuLevel() == CpuLevel::kAvx512 ? Doubles::kLanes : 0;
}

void SumLineProducts(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums) {
  SumProducts<Floats>(factors, lines, stride, count, sums);
}
void SumLineProducts(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums) {
  SumProducts<Doubles>(factors, lines, stride, count, sums);
}
void SumLineProducts(const float* factors, const Bf16* lines, int64_t stride, int64_t count, float* sums) {
  SumProducts<Floats>(factors, lines, stride, count, sums);
}
void TurnFactors(const float* factors, int64_t chain, float* turned) { TurnChains<Floats>(factors, chain, turned); }
void TurnFactors(const double* factors, int64_t chain, double* turned) { TurnChains<Doubles>(factors, chain, turned); }
void SumChainProducts(const float* turned, const float* line, const float* next, int64_t chain, float* sums) {
  SumChains<Floats>(turned, line, next, chain, sums);
}
void SumChainProducts(const float* turned, const Bf16* line, const Bf16* next, int64_t chain, float* sums) {
  SumChains<Floats>(turned, line, next, chain, sums);
}
void SumChainProducts(const double* turned, const double* line, const double* next, int64_t chain, double* sums) {
  SumChains<Doubles>(turned, line, next, chain, sums);
}

#else

template <>
int64_t LinesTogether<float>() {
  return 0;
}
template <>
int64_t LinesTogether<double>() {
  return 0;
}
void SumLineProducts(const float*, const float*, int64_t, int64_t, float*) {}
void SumLineProducts(const double*, const double*, int64_t, int64_t, double*) {}
void SumLineProducts(const float*, const Bf16*, int64_t, int64_t, float*) {}
void TurnFactors(const float*, int64_t, float*) {}
void TurnFactors(const double*, int64_t, double*) {}
void SumChainProducts(const float*, const float*, const float*, int64_t, float*) {}
void SumChainProducts(const double*, const double*, const double*, int64_t, double*) {}
void SumChainProducts(const float*, const Bf16*, const Bf16*, int64_t, float*) {}

#endif

}  // namespace hloscope::numerics
