// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/line_products.h"

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>

#include <algorithm>
#endif

namespace hloscope::numerics {

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace {

// Bytes that are asked for ahead of what is read of each line: the processor itself does not look across pages.
constexpr int64_t kAhead = 512;

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace lines512 {
struct Floats {
  using Element = float;
  typedef __m512 Vector;
  static constexpr int kLanes = 16, kVectors = 1, kLines = kLanes * kVectors;

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
  // Four lines' elements from `from` on, `apart` from each other, one after the other.
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Fours(const float* from, int64_t apart) {
    Vector fours = _mm512_maskz_broadcast_f32x4(0xffff, _mm_loadu_ps(from));
    fours = _mm512_mask_broadcast_f32x4(fours, 0x00f0, _mm_loadu_ps(from + apart));
    fours = _mm512_mask_broadcast_f32x4(fours, 0x0f00, _mm_loadu_ps(from + 2 * apart));
    return _mm512_mask_broadcast_f32x4(fours, 0xf000, _mm_loadu_ps(from + 3 * apart));
  }
  // As Turn of what is loaded from lines `stride` apart. Loads bring most of the elements to their place: there are
  // more of them at a time than exchanges.
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void LoadTurned(const float* from, int64_t stride,
                                                                                Vector (&v)[kLanes]) {
#pragma GCC unroll 4
    for (int k = 0; k < kLanes; k += 4) {
      const Vector a = Fours(from + k, 4 * stride), b = Fours(from + stride + k, 4 * stride);
      const Vector c = Fours(from + 2 * stride + k, 4 * stride), d = Fours(from + 3 * stride + k, 4 * stride);
      const __m512d low_ab = Pairs(_mm512_maskz_unpacklo_ps(0xffff, a, b));
      const __m512d low_cd = Pairs(_mm512_maskz_unpacklo_ps(0xffff, c, d));
      const __m512d high_ab = Pairs(_mm512_maskz_unpackhi_ps(0xffff, a, b));
      const __m512d high_cd = Pairs(_mm512_maskz_unpackhi_ps(0xffff, c, d));
      v[k] = reinterpret_cast<Vector>(_mm512_maskz_unpacklo_pd(0xff, low_ab, low_cd));
      v[k + 1] = reinterpret_cast<Vector>(_mm512_maskz_unpackhi_pd(0xff, low_ab, low_cd));
      v[k + 2] = reinterpret_cast<Vector>(_mm512_maskz_unpacklo_pd(0xff, high_ab, high_cd));
      v[k + 3] = reinterpret_cast<Vector>(_mm512_maskz_unpackhi_pd(0xff, high_ab, high_cd));
    }
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline __m512d Pairs(Vector v) {
    return reinterpret_cast<__m512d>(v);
  }
  // Lane l of the results: that of `a`, and that of `b` kApart lanes lower, where l has not and where it has the bit
  // kApart; then that of `a` kApart lanes higher, and that of `b`.
  template <int kApart>
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Exchange(Vector& a, Vector& b) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i bit = _mm512_set1_epi32(kApart);
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
  static constexpr int kLanes = 8, kVectors = 1, kLines = kLanes * kVectors;

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Load(const double* from, int64_t count) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>((uint32_t{1} << count) - 1), from);
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Store(Vector v, double* to) {
    _mm512_storeu_pd(to, v);
  }
  // As of Floats.
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline Vector Twos(const double* from, int64_t apart) {
    Vector twos = _mm512_maskz_broadcast_f64x2(0xff, _mm_loadu_pd(from));
    twos = _mm512_mask_broadcast_f64x2(twos, 0x0c, _mm_loadu_pd(from + apart));
    twos = _mm512_mask_broadcast_f64x2(twos, 0x30, _mm_loadu_pd(from + 2 * apart));
    return _mm512_mask_broadcast_f64x2(twos, 0xc0, _mm_loadu_pd(from + 3 * apart));
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void LoadTurned(const double* from, int64_t stride,
                                                                                Vector (&v)[kLanes]) {
#pragma GCC unroll 4
    for (int k = 0; k < kLanes; k += 2) {
      const Vector a = Twos(from + k, 2 * stride), b = Twos(from + stride + k, 2 * stride);
      v[k] = _mm512_maskz_unpacklo_pd(0xff, a, b);
      v[k + 1] = _mm512_maskz_unpackhi_pd(0xff, a, b);
    }
  }
  template <int kApart>
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline void Exchange(Vector& a, Vector& b) {
    const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i bit = _mm512_set1_epi64(kApart);
    const __mmask8 has_bit = _mm512_test_epi64_mask(lanes, bit);
    const __m512i of_b = _mm512_set1_epi64(kLanes);
    const __m512i low = _mm512_mask_xor_epi64(lanes, has_bit, lanes, bit | of_b);
    const __m512i high = _mm512_mask_xor_epi64(lanes | of_b, static_cast<__mmask8>(~has_bit), lanes, bit);
    const Vector first = _mm512_permutex2var_pd(a, low, b);
    b = _mm512_permutex2var_pd(a, high, b);
    a = first;
  }
};

#define HLOSCOPE_LINES_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "numerics/contraction/line_products.def"
}  // namespace lines512
#endif

namespace lines256 {
// Lanes before `count`.
HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] inline __m256i FirstLanes(int64_t count) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes);
}

struct Floats {
  using Element = float;
  typedef __m256 Vector;
  static constexpr int kLanes = 8, kVectors = 2, kLines = kLanes * kVectors;

  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline Vector Load(const float* from, int64_t count) {
    return count == kLanes ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, FirstLanes(count));
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline Vector Load(const Bf16* from, int64_t count) {
    Bf16 some[kLanes] = {};
    if (count < kLanes) {
      std::copy_n(from, count, some);
      from = some;
    }
    const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(words, 16));
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline void Store(Vector v, float* to) {
    _mm256_storeu_ps(to, v);
  }
  template <int kApart>
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline void Exchange(Vector& a, Vector& b) {
    Vector first;
    if constexpr (kApart == 4) {
      first = _mm256_permute2f128_ps(a, b, 0x20);
      b = _mm256_permute2f128_ps(a, b, 0x31);
    } else if constexpr (kApart == 2) {
      first = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
      b = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
    } else {
      first = _mm256_blend_ps(a, _mm256_moveldup_ps(b), 0xaa);
      b = _mm256_blend_ps(_mm256_movehdup_ps(a), b, 0xaa);
    }
    a = first;
  }
};

struct Doubles {
  using Element = double;
  typedef __m256d Vector;
  static constexpr int kLanes = 4, kVectors = 2, kLines = kLanes * kVectors;

  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline Vector Load(const double* from, int64_t count) {
    return count == kLanes ? _mm256_loadu_pd(from) : _mm256_maskload_pd(from, FirstLanes(2 * count));
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline void Store(Vector v, double* to) {
    _mm256_storeu_pd(to, v);
  }
  template <int kApart>
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline void Exchange(Vector& a, Vector& b) {
    Vector first;
    if constexpr (kApart == 2) {
      first = _mm256_permute2f128_pd(a, b, 0x20);
      b = _mm256_permute2f128_pd(a, b, 0x31);
    } else {
      first = _mm256_unpacklo_pd(a, b);
      b = _mm256_unpackhi_pd(a, b);
    }
    a = first;
  }
};

#define HLOSCOPE_LINES_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "numerics/contraction/line_products.def"
}  // namespace lines256

#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_OF_LEVEL(V, Member)                        \
  BestCpuLevel() == CpuLevel::kAvx512 ? lines512::V::Member \
  : BestCpuLevel() == CpuLevel::kAvx2 ? lines256::V::Member \
                                      : 0
#define HLOSCOPE_SUM_LINES(V, ...)                                                                             \
  BestCpuLevel() == CpuLevel::kAvx512 ? lines512::SumProducts<lines512::V, lines512::V::kVectors>(__VA_ARGS__) \
                                      : lines256::SumProducts<lines256::V, lines256::V::kVectors>(__VA_ARGS__)
#define HLOSCOPE_LINES_CALL(Function, V, ...)                                        \
  BestCpuLevel() == CpuLevel::kAvx512 ? lines512::Function<lines512::V>(__VA_ARGS__) \
                                      : lines256::Function<lines256::V>(__VA_ARGS__)
#else
#define HLOSCOPE_OF_LEVEL(V, Member) BestCpuLevel() == CpuLevel::kBaseline ? 0 : lines256::V::Member
#define HLOSCOPE_SUM_LINES(V, ...) lines256::SumProducts<lines256::V, lines256::V::kVectors>(__VA_ARGS__)
#define HLOSCOPE_LINES_CALL(Function, V, ...) lines256::Function<lines256::V>(__VA_ARGS__)
#endif

}  // namespace

template <>
int64_t LinesTogether<float>() {
  return HLOSCOPE_OF_LEVEL(Floats, kLines);
}
template <>
int64_t LinesTogether<double>() {
  return HLOSCOPE_OF_LEVEL(Doubles, kLines);
}

template <>
int64_t ChainsTogether<float>() {
  return HLOSCOPE_OF_LEVEL(Floats, kLanes);
}
template <>
int64_t ChainsTogether<double>() {
  return HLOSCOPE_OF_LEVEL(Doubles, kLanes);
}

void SumLineProducts(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums) {
  HLOSCOPE_SUM_LINES(Floats, factors, lines, stride, count, sums);
}
void SumLineProducts(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums) {
  HLOSCOPE_SUM_LINES(Doubles, factors, lines, stride, count, sums);
}
void SumLineProducts(const float* factors, const Bf16* lines, int64_t stride, int64_t count, float* sums) {
  HLOSCOPE_SUM_LINES(Floats, factors, lines, stride, count, sums);
}
void TurnFactors(const float* factors, int64_t chain, float* turned) {
  HLOSCOPE_LINES_CALL(TurnChains, Floats, factors, chain, turned);
}
void TurnFactors(const double* factors, int64_t chain, double* turned) {
  HLOSCOPE_LINES_CALL(TurnChains, Doubles, factors, chain, turned);
}
void SumChainProducts(const float* turned, const float* line, const float* next, int64_t chain, float* sums) {
  HLOSCOPE_LINES_CALL(SumChains, Floats, turned, line, next, chain, sums);
}
void SumChainProducts(const float* turned, const Bf16* line, const Bf16* next, int64_t chain, float* sums) {
  HLOSCOPE_LINES_CALL(SumChains, Floats, turned, line, next, chain, sums);
}
void SumChainProducts(const double* turned, const double* line, const double* next, int64_t chain, double* sums) {
  HLOSCOPE_LINES_CALL(SumChains, Doubles, turned, line, next, chain, sums);
}

int64_t LinesInStep() { return BestCpuLevel() == CpuLevel::kAvx2 ? 8 : 0; }
void SumLinesInStep(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums) {
  lines256::SumProducts<lines256::Floats, 1>(factors, lines, stride, count, sums);
}
void SumLinesInStep(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums) {
  lines256::SumProducts<lines256::Doubles, 2>(factors, lines, stride, count, sums);
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
template <>
int64_t ChainsTogether<float>() {
  return 0;
}
template <>
int64_t ChainsTogether<double>() {
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

int64_t LinesInStep() { return 0; }
void SumLinesInStep(const float*, const float*, int64_t, int64_t, float*) {}
void SumLinesInStep(const double*, const double*, int64_t, int64_t, double*) {}

#endif

}  // namespace hloscope::numerics
