// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/vector_sums.h"

#include <algorithm>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

template <typename X>
double Wide(X x) {
  return static_cast<double>(Widened(x));
}

// Eight numbers, as wide as the widest vectors; narrower instruction sets take several of their own.
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
typedef uint32_t PairWords __attribute__((vector_size(64)));

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

HLOSCOPE_VECTOR_CLONES double SumInClones(const float* x, int64_t count) { return Sum(x, count); }
HLOSCOPE_VECTOR_CLONES double SumInClones(const Bf16* x, int64_t count) { return SumBlocks(x, count); }
HLOSCOPE_VECTOR_CLONES void AddRowsInClones(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}
HLOSCOPE_VECTOR_CLONES void AddRowsInClones(const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRows(x, stride, rows, lanes, sums);
}

#ifdef HLOSCOPE_AVX512_FUNCTION
// The same sums, in the same order, where the compiler would take vectors apart and put them together again to convert
// them.
#define HLOSCOPE_WIDE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline
constexpr __mmask8 kAllLanes = 0xff;
constexpr __mmask16 kAllPairs = 0xffff;

HLOSCOPE_WIDE Doubles Widen(__m256 x) { return reinterpret_cast<Doubles>(_mm512_maskz_cvtps_pd(kAllLanes, x)); }
HLOSCOPE_WIDE Doubles LoadWide(const float* x) { return Widen(_mm256_loadu_ps(x)); }
HLOSCOPE_WIDE Doubles LoadWide(const Bf16* x) {
  const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  return Widen(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
}

// Up to eight numbers, and zeros.
HLOSCOPE_WIDE Doubles LoadSome(const float* x, int64_t count) {
  const __mmask8 mask = static_cast<__mmask8>((1u << count) - 1);
  return Widen(_mm256_maskz_loadu_ps(mask, x));
}
HLOSCOPE_WIDE Doubles LoadSome(const Bf16* x, int64_t count) {
  const __mmask8 mask = static_cast<__mmask8>((1u << count) - 1);
  const __m256i words = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(mask, x));
  return Widen(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
}

// As Sum, but for what it does with the ways that get no number.
template <typename X>
HLOSCOPE_WIDE double SumRun(const X* x, int64_t count) {
  Doubles vectors[kVectors] = {};
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    FetchAhead(x + i, kWays);
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) vectors[v] += LoadWide(x + i + v * kLanes);
  }
#pragma GCC unroll 4
  for (int64_t v = 0; v < kVectors; ++v) {
    const int64_t left = count - i - v * kLanes;
    if (left > 0) vectors[v] += LoadSome(x + i + v * kLanes, std::min(left, kLanes));
  }
  return SumOfWays<X>(vectors, nullptr, 0);
}

HLOSCOPE_AVX512_FUNCTION double SumWide(const float* x, int64_t count) { return SumRun(x, count); }

// AddBlock, whose conversions the compiler would make of halves of vectors.
HLOSCOPE_WIDE void AddWideBlock(const Bf16* x, Doubles (&ways)[2]) {
#pragma GCC unroll 2
  for (int64_t half = 0; half < 2; ++half) {
    Doubles pairs[4];
#pragma GCC unroll 4
    for (int64_t row = 0; row < 4; ++row) {
      const __m256i words =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + row * kBlockRow + half * 2 * kLanes));
      pairs[row] = Widen(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16))) +
                   Widen(_mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(~0xffff))));
    }
    ways[half] += (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
  }
}

// AddBlock, if sums of eight numbers are exact in f32: nearly always. It takes half of the time: most of what
// conversions to f64 take is saved. Returns false, and adds nothing, if they might not be.
HLOSCOPE_WIDE bool AddExactBlock(const Bf16* x, Doubles (&ways)[2]) {
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
  // Numbers of 8 bits whose exponents differ by d are multiples of one unit, and sums of eight have 8 + 3 + d bits of
  // it. Exponents are in the upper halves of words.
  constexpr int kMostDifference = (24 - 8 - 3) << 8, kOverflows = (255 - 4) << 8;
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

HLOSCOPE_AVX512_FUNCTION double SumWide(const Bf16* x, int64_t count) {
  if (count < kBlock) return SumRun(x, count);
  Doubles ways[2] = {};
  int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    FetchAhead(x + i, kBlock);
    if (!AddExactBlock(x + i, ways)) AddWideBlock(x + i, ways);
  }
  const double blocks = SumOfBlocks(ways, nullptr, 0);
  return i < count ? blocks + SumRun(x + i, count - i) : blocks;
}

// Eight rows for each time that the sums go through memory, four of them at a time.
template <typename X>
HLOSCOPE_AVX512_FUNCTION void AddRowsWide(const X* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  constexpr int64_t kRows = 8;
  const int64_t whole = lanes - lanes % kLanes;
  int64_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    const X* const first = x + r * stride;
    for (int64_t l = 0; l < whole; l += kLanes) {
      const X* const a = first + l;
      for (int64_t ahead = kRows; ahead < 2 * kRows && l % 16 == 0; ++ahead) FetchLine(a + ahead * stride);
      Doubles sum;
      __builtin_memcpy(&sum, sums + l, sizeof sum);
#pragma GCC unroll 2
      for (int64_t row = 0; row < kRows; row += 4) {
        const X* const b = a + row * stride;  // rows may follow each other downwards
        sum += (LoadWide(b) + LoadWide(b + stride)) + (LoadWide(b + 2 * stride) + LoadWide(b + 3 * stride));
      }
      __builtin_memcpy(sums + l, &sum, sizeof sum);
    }
    if (whole < lanes) AddRows(first + whole, stride, kRows, lanes - whole, sums + whole);
  }
  AddRows(x + r * stride, stride, rows - r, lanes, sums);
}

// Runs, of bf16 of fewer numbers than a block has.
template <typename X>
HLOSCOPE_AVX512_FUNCTION void AddShortRuns(const X* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  for (int64_t r = 0; r < runs; ++r, x += run_stride) sums[r] += SumRun(x, count);
}
#undef HLOSCOPE_WIDE

bool IsWide() { return BestCpuLevel() == CpuLevel::kAvx512; }

double SumOf(const auto* x, int64_t count) { return IsWide() ? SumWide(x, count) : SumInClones(x, count); }
void AddRowsOf(const auto* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  IsWide() ? AddRowsWide(x, stride, rows, lanes, sums) : AddRowsInClones(x, stride, rows, lanes, sums);
}
void AddRunsOf(const auto* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  if (IsWide() && (sizeof(*x) == sizeof(float) || count < kBlock))
    return AddShortRuns(x, run_stride, runs, count, sums);
  for (int64_t r = 0; r < runs; ++r) sums[r] += SumOf(x + r * run_stride, count);
}
#else
double SumOf(const auto* x, int64_t count) { return SumInClones(x, count); }
void AddRunsOf(const auto* x, int64_t run_stride, int64_t runs, int64_t count, double* sums) {
  for (int64_t r = 0; r < runs; ++r) sums[r] += SumOf(x + r * run_stride, count);
}
void AddRowsOf(const auto* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsInClones(x, stride, rows, lanes, sums);
}
#endif

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
