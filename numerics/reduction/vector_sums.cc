// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/vector_sums.h"

#include <algorithm>
#include <type_traits>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

template <typename X>
double Wide(X x) {
  return static_cast<double>(Widened(x));
}

// --- For any processor ---

// Eight numbers, as wide as the widest vectors.
typedef double Doubles __attribute__((vector_size(64)));
constexpr int64_t kLanes = 8;

[[gnu::always_inline]] inline void Load(const float* x, Doubles& wide) {
  typedef float Floats __attribute__((vector_size(32)));
  Floats numbers;
  __builtin_memcpy(&numbers, x, sizeof numbers);
  wide = __builtin_convertvector(numbers, Doubles);
}

[[gnu::always_inline]] inline void Load(const Bf16* x, Doubles& wide) {
  float numbers[kLanes];
  for (int64_t l = 0; l < kLanes; ++l) numbers[l] = Widened(x[l]);
  Load(numbers, wide);
}

constexpr int64_t kVectors = 4, kWays = kVectors * kLanes;

// The sum of `vectors`, and of the `count` < kWays numbers that are left over. Halves are added to each other, down to
// one number.
template <typename X>
[[gnu::always_inline]] inline double SumOfWays(Doubles* vectors, const X* x, int64_t count) {
  if (count > 0) {
    double ways[kWays];
    __builtin_memcpy(ways, vectors, sizeof ways);
    for (int64_t w = 0; w < count; ++w) ways[w] += Wide(x[w]);
    __builtin_memcpy(vectors, ways, sizeof ways);
  }
  vectors[0] += vectors[2];
  vectors[1] += vectors[3];
  vectors[0] += vectors[1];
  double lanes[kLanes];
  __builtin_memcpy(lanes, &vectors[0], sizeof lanes);
  for (int64_t l = 0; l < 4; ++l) lanes[l] += lanes[l + 4];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

template <typename X>
[[gnu::always_inline]] inline double Sum(const X* x, int64_t count) {
  // Enough sums side by side that an addition need not wait for the one before.
  Doubles vectors[kVectors] = {};
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    FetchAhead(x + i, kWays);
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      Doubles wide;
      Load(x + i + v * kLanes, wide);
      vectors[v] += wide;
    }
  }
  return SumOfWays(vectors, x + i, count - i);
}

template <typename X>
[[gnu::always_inline]] inline void AddRows(const X* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  int64_t r = 0;
  // Four rows for each time that the sums go through memory.
  for (; r + 4 <= rows; r += 4) {
    const X* const a = x + r * stride;
    const X* const b = a + stride;
    const X* const c = b + stride;
    const X* const d = c + stride;
    constexpr int64_t kLine = 64 / sizeof(X);
    int64_t l = 0;
    for (; l + kLine <= lanes; l += kLine) {
      // The rows that come next: the processor itself does not look across pages.
      for (int64_t ahead = 4; ahead < 8; ++ahead) FetchLine(a + ahead * stride + l);
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = l; i < l + kLine; ++i) sums[i] += (Wide(a[i]) + Wide(b[i])) + (Wide(c[i]) + Wide(d[i]));
    }
    for (; l < lanes; ++l) sums[l] += (Wide(a[l]) + Wide(b[l])) + (Wide(c[l]) + Wide(d[l]));
  }
  for (; r < rows; ++r) {
    const X* const a = x + r * stride;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) sums[l] += Wide(a[l]);
  }
}

// Sums of 8 bf16 side by side: in a block of 128, two neighbours of each of four rows of 32, the first of which lie at
// twice the lane.
constexpr int64_t kBlock = 128, kBlockRow = 32;

// What a block adds to two vectors, lanes [0, 8) and [8, 16), in f64.
[[gnu::always_inline]] inline void AddBlock(const Bf16* x, Doubles (&ways)[2]) {
  typedef uint32_t Words __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(32)));
  for (int64_t half = 0; half < 2; ++half) {
    Doubles pairs[4];
    for (int64_t row = 0; row < 4; ++row) {
      Words words;
      __builtin_memcpy(&words, x + row * kBlockRow + half * 2 * kLanes, sizeof words);
      pairs[row] = __builtin_convertvector(reinterpret_cast<Floats>(words << 16), Doubles) +
                   __builtin_convertvector(reinterpret_cast<Floats>(words & 0xffff0000u), Doubles);
    }
    ways[half] += (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
  }
}

// The sum of the ways of all blocks, and of the `count` < kBlock numbers that are left over.
[[gnu::always_inline]] inline double SumOfBlocks(const Doubles (&ways)[2], const Bf16* x, int64_t count) {
  Doubles vectors[kVectors] = {ways[0], ways[1]};
  const double blocks = SumOfWays<Bf16>(vectors, nullptr, 0);
  return count > 0 ? blocks + Sum(x, count) : blocks;
}

[[gnu::always_inline]] inline double SumBlocks(const Bf16* x, int64_t count) {
  if (count < kBlock) return Sum(x, count);
  Doubles ways[2] = {};
  int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    FetchAhead(x + i, kBlock);
    AddBlock(x + i, ways);
  }
  return SumOfBlocks(ways, x + i, count - i);
}

// The same sums, in the same order, where the compiler would take vectors apart and put them together again to convert
// them: vector_sums.def for each instruction set, with eight numbers of f64 as its vectors hold them.
#ifdef HLOSCOPE_AVX2_FUNCTION
// Numbers of 8 bits whose exponents differ by d are multiples of one unit, and sums of eight have 8 + 3 + d bits of it.
// Exponents as magnitudes times two have them in their upper halves, so the difference and the first one too large are:
constexpr int kMostDifference = (24 - 8 - 3) << 8, kOverflows = (255 - 4) << 8;
#endif

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace sums512 {
#define HLOSCOPE_SUMS_FUNCTION HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_SUMS_INLINE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline
typedef uint32_t PairWords __attribute__((vector_size(64)));
using EightDoubles = Doubles;
constexpr __mmask8 kAllLanes = 0xff;
constexpr __mmask16 kAllPairs = 0xffff;

HLOSCOPE_SUMS_INLINE EightDoubles Widen(__m256 x) {
  return reinterpret_cast<EightDoubles>(_mm512_maskz_cvtps_pd(kAllLanes, x));
}
HLOSCOPE_SUMS_INLINE EightDoubles LoadSums(const double* sums) {
  return reinterpret_cast<EightDoubles>(_mm512_loadu_pd(sums));
}
HLOSCOPE_SUMS_INLINE void StoreSums(EightDoubles x, double* sums) {
  _mm512_storeu_pd(sums, reinterpret_cast<__m512d>(x));
}
// Up to eight numbers, and zeros.
HLOSCOPE_SUMS_INLINE EightDoubles LoadSome(const float* x, int64_t count) {
  const __mmask8 mask = static_cast<__mmask8>((1u << count) - 1);
  return Widen(_mm256_maskz_loadu_ps(mask, x));
}
HLOSCOPE_SUMS_INLINE EightDoubles LoadSome(const Bf16* x, int64_t count) {
  const __mmask8 mask = static_cast<__mmask8>((1u << count) - 1);
  const __m256i words = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(mask, x));
  return Widen(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
}

// AddBlock, if sums of eight numbers are exact in f32: nearly always. It takes half of the time: most of what
// conversions to f64 take is saved. Returns false, and adds nothing, if they might not be.
HLOSCOPE_SUMS_INLINE bool AddExactBlock(const Bf16* x, EightDoubles (&ways)[2]) {
  // Of magnitudes times two the largest and, less 1 each, the smallest one; of zeros that is the largest number.
  __m512i most = _mm512_setzero_si512(), least = _mm512_set1_epi16(-1);
  const __m512i one = _mm512_set1_epi16(1);
  __m512 pairs[4];
#pragma GCC unroll 4
  for (int64_t row = 0; row < 4; ++row) {
    const __m512i bits = _mm512_loadu_si512(x + row * kBlockRow);
    const __m512i doubled = _mm512_add_epi16(bits, bits);
    most = _mm512_max_epu16(most, doubled);
    least = _mm512_min_epu16(least, _mm512_sub_epi16(doubled, one));
    const PairWords words = reinterpret_cast<PairWords>(bits);
    pairs[row] = reinterpret_cast<__m512>(words << 16) + reinterpret_cast<__m512>(words & 0xffff0000u);
  }
  most = _mm512_max_epu16(most, _mm512_maskz_rol_epi32(kAllPairs, most, 16));
  least = _mm512_min_epu16(least, _mm512_maskz_rol_epi32(kAllPairs, least, 16));
  const __m512i difference = _mm512_sub_epi16(_mm512_sub_epi16(most, least), one);
  if (__builtin_expect((_mm512_cmpgt_epu16_mask(difference, _mm512_set1_epi16(kMostDifference)) |
                        _mm512_cmpge_epu16_mask(most, _mm512_set1_epi16(static_cast<int16_t>(kOverflows)))) != 0,
                       0)) {
    return false;
  }
  const __m512 sums = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
  ways[0] += Widen(_mm512_maskz_extractf32x8_ps(kAllLanes, sums, 0));
  ways[1] += Widen(_mm512_maskz_extractf32x8_ps(kAllLanes, sums, 1));
  return true;
}

#include "numerics/reduction/vector_sums.def"
}  // namespace sums512
#endif

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace sums256 {
#define HLOSCOPE_SUMS_FUNCTION HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_SUMS_INLINE HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline
struct EightDoubles {
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] EightDoubles& operator+=(const EightDoubles& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] EightDoubles operator+(const EightDoubles& other) const {
    return {low + other.low, high + other.high};
  }

  __m256d low, high;
};

HLOSCOPE_SUMS_INLINE EightDoubles Widen(__m256 x) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1))};
}
HLOSCOPE_SUMS_INLINE EightDoubles LoadSums(const double* sums) {
  return {_mm256_loadu_pd(sums), _mm256_loadu_pd(sums + 4)};
}
HLOSCOPE_SUMS_INLINE void StoreSums(const EightDoubles& x, double* sums) {
  _mm256_storeu_pd(sums, x.low);
  _mm256_storeu_pd(sums + 4, x.high);
}
HLOSCOPE_SUMS_INLINE EightDoubles LoadSome(const float* x, int64_t count) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return Widen(_mm256_maskload_ps(x, _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes)));
}
HLOSCOPE_SUMS_INLINE EightDoubles LoadSome(const Bf16* x, int64_t count) {
  float numbers[8] = {};
  for (int64_t l = 0; l < count; ++l) numbers[l] = Widened(x[l]);
  return Widen(_mm256_loadu_ps(numbers));
}

HLOSCOPE_SUMS_INLINE __m256i OtherHalves(__m256i x) {
  return _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_srli_epi32(x, 16));
}

HLOSCOPE_SUMS_INLINE bool AddExactBlock(const Bf16* x, EightDoubles (&ways)[2]) {
  __m256i most = _mm256_setzero_si256(), least = _mm256_set1_epi16(-1);
  const __m256i one = _mm256_set1_epi16(1);
  __m256 sums[2];
#pragma GCC unroll 2
  for (int64_t half = 0; half < 2; ++half) {
    __m256 pairs[4];
#pragma GCC unroll 4
    for (int64_t row = 0; row < 4; ++row) {
      const __m256i bits =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + row * kBlockRow + half * 2 * kLanes));
      const __m256i doubled = _mm256_add_epi16(bits, bits);
      most = _mm256_max_epu16(most, doubled);
      least = _mm256_min_epu16(least, _mm256_sub_epi16(doubled, one));
      pairs[row] = _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16)) +
                   _mm256_castsi256_ps(_mm256_and_si256(bits, _mm256_set1_epi32(~0xffff)));
    }
    sums[half] = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
  }
  // Those of all eight numbers, and of as many more: what is exact for more is exact for each.
  most = _mm256_max_epu16(most, OtherHalves(most));
  least = _mm256_min_epu16(least, OtherHalves(least));
  const __m256i difference = _mm256_sub_epi16(_mm256_sub_epi16(most, least), one);
  const __m256i above =
      _mm256_or_si256(_mm256_subs_epu16(difference, _mm256_set1_epi16(kMostDifference)),
                      _mm256_subs_epu16(most, _mm256_set1_epi16(static_cast<int16_t>(kOverflows - 1))));
  if (__builtin_expect(_mm256_testz_si256(above, above) == 0, 0)) return false;
  ways[0] += Widen(sums[0]);
  ways[1] += Widen(sums[1]);
  return true;
}

#include "numerics/reduction/vector_sums.def"
}  // namespace sums256
#endif

// The loops for this processor.
#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_SUMS_512(Call) \
  if (BestCpuLevel() == CpuLevel::kAvx512) return sums512::Call
#else
#define HLOSCOPE_SUMS_512(Call)
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_SUMS_256(Call) \
  if (BestCpuLevel() == CpuLevel::kAvx2) return sums256::Call
#else
#define HLOSCOPE_SUMS_256(Call)
#endif

double SumAnywhere(const float* x, int64_t count) { return Sum(x, count); }
double SumAnywhere(const Bf16* x, int64_t count) { return SumBlocks(x, count); }

double SumOf(const auto* x, int64_t count) {
  HLOSCOPE_SUMS_512(Sum(x, count));
  HLOSCOPE_SUMS_256(Sum(x, count));
  return SumAnywhere(x, count);
}
void AddRowsOf(const auto* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  HLOSCOPE_SUMS_512(AddRowsWide(x, stride, rows, lanes, sums));
  HLOSCOPE_SUMS_256(AddRowsWide(x, stride, rows, lanes, sums));
  AddRows(x, stride, rows, lanes, sums);
}
void AddRunsOf(const auto* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  if (sizeof(*x) == sizeof(float) || count < kBlock) {
    HLOSCOPE_SUMS_512(AddShortRuns(x, run_stride, runs, count, sums));
    HLOSCOPE_SUMS_256(AddShortRuns(x, run_stride, runs, count, sums));
  }
  for (int64_t r = 0; r < runs; ++r) sums[r] += SumOf(x + r * run_stride, count);
}
#undef HLOSCOPE_SUMS_512
#undef HLOSCOPE_SUMS_256

}  // namespace

double SumFloats(const float* x, int64_t count) { return SumOf(x, count); }
double SumFloats(const Bf16* x, int64_t count) { return SumOf(x, count); }

void AddRunsOfFloats(const float* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  AddRunsOf(x, run_stride, runs, count, sums);
}
void AddRunsOfFloats(const Bf16* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  AddRunsOf(x, run_stride, runs, count, sums);
}

void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsOf(x, stride, rows, lanes, sums);
}
void AddRowsOfFloats(const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsOf(x, stride, rows, lanes, sums);
}

}  // namespace hloscope::numerics
