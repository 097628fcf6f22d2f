// SPDX-License-Identifier: Apache-2.0
#include "numerics/normalization/batch_norm_wide.h"

#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <algorithm>
#include <cstdint>

#include "numerics/parallel/cpu_level.h"
#include "numerics/rows/avx2_vectors.h"
#include "numerics/rows/wide_vectors.h"

namespace hloscope::numerics {
namespace {

// Sums in f32 are added to those in f64 after so many rows.
constexpr int64_t kRowsOfParts = 64;
// The numbers of lanes are arranged once for so many rows.
constexpr int64_t kRowsOfNumbers = 8;

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace batch_norm512 {
using namespace wide;  // NOLINT: the vocabulary of these loops

// The lanes of a vector of bf16, and of the two halves of their numbers.
struct Lanes {
  __mmask32 all;

  HLOSCOPE_AVX512_FUNCTION static Lanes Of(int64_t count) {
    return {count >= kBf16s ? ~__mmask32{0} : static_cast<__mmask32>((uint32_t{1} << count) - 1)};
  }
  __mmask16 low() const { return static_cast<__mmask16>(all); }
  __mmask16 high() const { return static_cast<__mmask16>(all >> kFloats); }
};

// 32 numbers in the order of Pair: those of even lanes, and those of odd ones.
HLOSCOPE_WIDE Pair LoadPair(const float* numbers, Lanes lanes) {
  const __m512 low = _mm512_maskz_loadu_ps(lanes.low(), numbers);
  const __m512 high = _mm512_maskz_loadu_ps(lanes.high(), numbers + kFloats);
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  return {reinterpret_cast<Floats>(_mm512_permutex2var_ps(low, even, high)),
          reinterpret_cast<Floats>(_mm512_permutex2var_ps(low, odd, high))};
}

// to[l] += x[l], 8 numbers.
HLOSCOPE_WIDE void AddWidened(__m256 x, __mmask8 lanes, double* to) {
  const __m512d sum = _mm512_add_pd(_mm512_maskz_loadu_pd(lanes, to), _mm512_maskz_cvtps_pd(0xff, x));
  _mm512_mask_storeu_pd(to, lanes, sum);
}
HLOSCOPE_WIDE void AddWidened(__m512 x, __mmask16 lanes, double* to) {
  AddWidened(_mm512_maskz_extractf32x8_ps(0xff, x, 0), static_cast<__mmask8>(lanes), to);
  AddWidened(_mm512_maskz_extractf32x8_ps(0xff, x, 1), static_cast<__mmask8>(lanes >> 8), to + 8);
}
HLOSCOPE_WIDE void AddPair(Pair sums, Lanes lanes, double* to) {
  const __m512 even = reinterpret_cast<__m512>(sums.even), odd = reinterpret_cast<__m512>(sums.odd);
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  AddWidened(_mm512_permutex2var_ps(even, low, odd), lanes.low(), to);
  AddWidened(_mm512_permutex2var_ps(even, high, odd), lanes.high(), to + kFloats);
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_WIDE
#include "numerics/normalization/batch_norm_wide.def"
}  // namespace batch_norm512
#endif

namespace batch_norm256 {
using namespace avx2;  // NOLINT: the vocabulary of these loops

struct Lanes {
  Bf16Lanes all;

  static Lanes Of(int64_t count) { return {std::min(count, kBf16s)}; }
  FloatLanes low() const { return std::min(all, kFloats); }
  FloatLanes high() const { return std::max(all - kFloats, int64_t{0}); }
};

// 16 numbers in the order of Pair.
HLOSCOPE_AVX2_INLINE Pair LoadPair(const float* numbers, Lanes lanes) {
  const __m256 low = reinterpret_cast<__m256>(LoadFloats(numbers, lanes.low()));
  const __m256 high = reinterpret_cast<__m256>(LoadFloats(numbers + kFloats, lanes.high()));
  // Within halves of vectors first.
  constexpr int kEven = _MM_SHUFFLE(2, 0, 2, 0), kOdd = _MM_SHUFFLE(3, 1, 3, 1), kInOrder = _MM_SHUFFLE(3, 1, 2, 0);
  const __m256d even = _mm256_castps_pd(_mm256_shuffle_ps(low, high, kEven));
  const __m256d odd = _mm256_castps_pd(_mm256_shuffle_ps(low, high, kOdd));
  return {reinterpret_cast<Floats>(_mm256_permute4x64_pd(even, kInOrder)),
          reinterpret_cast<Floats>(_mm256_permute4x64_pd(odd, kInOrder))};
}

// to[l] += x[l], 8 numbers.
HLOSCOPE_AVX2_INLINE void AddWidened(__m256 x, FloatLanes lanes, double* to) {
  if (lanes == kAll) {
    _mm256_storeu_pd(to, _mm256_loadu_pd(to) + _mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    _mm256_storeu_pd(to + 4, _mm256_loadu_pd(to + 4) + _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
    return;
  }
  float numbers[kFloats];
  _mm256_storeu_ps(numbers, x);
  for (int64_t l = 0; l < lanes; ++l) to[l] += static_cast<double>(numbers[l]);
}
HLOSCOPE_AVX2_INLINE void AddPair(Pair sums, Lanes lanes, double* to) {
  const __m256 even = reinterpret_cast<__m256>(sums.even), odd = reinterpret_cast<__m256>(sums.odd);
  const __m256 first = _mm256_unpacklo_ps(even, odd), second = _mm256_unpackhi_ps(even, odd);
  AddWidened(_mm256_permute2f128_ps(first, second, 0x20), lanes.low(), to);
  AddWidened(_mm256_permute2f128_ps(first, second, 0x31), lanes.high(), to + kFloats);
}

#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_VECTOR_INLINE HLOSCOPE_AVX2_INLINE
#include "numerics/normalization/batch_norm_wide.def"
}  // namespace batch_norm256

}  // namespace

const BatchNormRows<Bf16>* WideBatchNormRows() {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (BestCpuLevel() == CpuLevel::kAvx512) return &batch_norm512::kRows;
#endif
  return BestCpuLevel() == CpuLevel::kAvx2 ? &batch_norm256::kRows : nullptr;
}

}  // namespace hloscope::numerics
#else
namespace hloscope::numerics {

const BatchNormRows<Bf16>* WideBatchNormRows() { return nullptr; }

}  // namespace hloscope::numerics
#endif
