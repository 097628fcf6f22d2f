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
      for (int64_t ahead = 4; ahead < 8; ++ahead) __builtin_prefetch(a + ahead * stride + l);
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

HLOSCOPE_VECTOR_CLONES double SumInClones(const float* x, int64_t count) { return Sum(x, count); }
HLOSCOPE_VECTOR_CLONES double SumInClones(const Bf16* x, int64_t count) { return Sum(x, count); }
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

HLOSCOPE_WIDE Doubles Widen(__m256 x) { return reinterpret_cast<Doubles>(_mm512_maskz_cvtps_pd(kAllLanes, x)); }
HLOSCOPE_WIDE Doubles LoadWide(const float* x) { return Widen(_mm256_loadu_ps(x)); }
HLOSCOPE_WIDE Doubles LoadWide(const Bf16* x) {
  const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  return Widen(_mm256_castsi256_ps(_mm256_slli_epi32(words, 16)));
}

HLOSCOPE_AVX512_FUNCTION double SumWide(const float* x, int64_t count) {
  Doubles vectors[kVectors] = {};
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    FetchAhead(x + i, kWays);
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) vectors[v] += LoadWide(x + i + v * kLanes);
  }
  return SumOfWays(vectors, x + i, count - i);
}

// Four vectors with the numbers at places 4 * lane + v, in order: vector v has places 8 * v + lane.
HLOSCOPE_WIDE void Order(Doubles* vectors) {
  Doubles ordered[kVectors];
  typedef int64_t Places __attribute__((vector_size(64)));
  constexpr Places kFirst = {0, 8, 1, 9, 2, 10, 3, 11}, kSecond = {4, 12, 5, 13, 6, 14, 7, 15};
  constexpr Places kFirstPairs = {0, 1, 8, 9, 2, 3, 10, 11}, kSecondPairs = {4, 5, 12, 13, 6, 7, 14, 15};
  for (int64_t half = 0; half < 2; ++half) {
    const Places& places = half == 0 ? kFirst : kSecond;
    const Doubles low = __builtin_shuffle(vectors[0], vectors[1], places);
    const Doubles high = __builtin_shuffle(vectors[2], vectors[3], places);
    ordered[2 * half] = __builtin_shuffle(low, high, kFirstPairs);
    ordered[2 * half + 1] = __builtin_shuffle(low, high, kSecondPairs);
  }
  std::copy_n(ordered, kVectors, vectors);
}

// The bits of a bf16, moved to where an f64 has sign, exponent and mantissa, are the number times 2^-896, which a
// multiplication undoes exactly: it costs nothing as a part of the addition, where a conversion takes longer than the
// memory. Infinities and NaN would become numbers: then `finite` is false.
HLOSCOPE_AVX512_FUNCTION double SumFinite(const Bf16* x, int64_t count, bool& finite) {
  typedef int64_t Words __attribute__((vector_size(64)));
  constexpr int64_t kSignAndNumber = static_cast<int64_t>(0x8fffe00000000000u);
  constexpr double kScale = 0x1p896;
  Doubles vectors[kVectors] = {};
  __m512i largest = _mm512_setzero_si512();  // magnitudes, times two
  int64_t i = 0;
  for (; i + kWays <= count; i += kWays) {
    FetchAhead(x + i, kWays);
    const __m512i four = _mm512_loadu_si512(x + i);
    largest = _mm512_max_epu16(largest, _mm512_add_epi16(four, four));
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      const Words words = ((reinterpret_cast<Words>(four) << (16 * (kVectors - 1 - v))) >> 3) & kSignAndNumber;
      vectors[v] = reinterpret_cast<Doubles>(_mm512_fmadd_pd(reinterpret_cast<__m512d>(words), _mm512_set1_pd(kScale),
                                                             reinterpret_cast<__m512d>(vectors[v])));
    }
  }
  constexpr int16_t kInfinity = static_cast<int16_t>(0xff00);  // times two
  finite = _mm512_cmpge_epu16_mask(largest, _mm512_set1_epi16(kInfinity)) == 0;
  Order(vectors);
  return SumOfWays(vectors, x + i, count - i);
}
double SumWide(const Bf16* x, int64_t count) {
  bool finite;
  const double sum = SumFinite(x, count, finite);
  return finite ? sum : SumInClones(x, count);
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
      for (int64_t ahead = kRows; ahead < 2 * kRows && l % 16 == 0; ++ahead) __builtin_prefetch(a + ahead * stride);
      Doubles sum;
      __builtin_memcpy(&sum, sums + l, sizeof sum);
#pragma GCC unroll 2
      for (const X* b = a; b < a + kRows * stride; b += 4 * stride) {
        sum += (LoadWide(b) + LoadWide(b + stride)) + (LoadWide(b + 2 * stride) + LoadWide(b + 3 * stride));
      }
      __builtin_memcpy(sums + l, &sum, sizeof sum);
    }
    if (whole < lanes) AddRows(first + whole, stride, kRows, lanes - whole, sums + whole);
  }
  AddRows(x + r * stride, stride, rows - r, lanes, sums);
}
#undef HLOSCOPE_WIDE

bool IsWide() { return BestCpuLevel() == CpuLevel::kAvx512; }

double SumOf(const auto* x, int64_t count) { return IsWide() ? SumWide(x, count) : SumInClones(x, count); }
void AddRowsOf(const auto* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  IsWide() ? AddRowsWide(x, stride, rows, lanes, sums) : AddRowsInClones(x, stride, rows, lanes, sums);
}
#else
double SumOf(const auto* x, int64_t count) { return SumInClones(x, count); }
void AddRowsOf(const auto* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsInClones(x, stride, rows, lanes, sums);
}
#endif

}  // namespace

double SumFloats(const float* x, int64_t count) { return SumOf(x, count); }
double SumFloats(const Bf16* x, int64_t count) { return SumOf(x, count); }

void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsOf(x, stride, rows, lanes, sums);
}
void AddRowsOfFloats(const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums) {
  AddRowsOf(x, stride, rows, lanes, sums);
}

}  // namespace hloscope::numerics
