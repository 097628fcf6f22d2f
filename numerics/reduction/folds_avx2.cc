// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/folds_avx2.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>

#include <algorithm>
#include <type_traits>

#include "numerics/data_movement/run_ahead.h"

// Before a function of a few instructions that becomes part of a loop.
#define HLOSCOPE_FOLD_INLINE HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static inline

namespace hloscope::numerics {
namespace {

constexpr int64_t kFloatLanes = 8, kBf16Lanes = 16;
// From so many on as many are folded side by side, of fewer kMinFoldedRun.
constexpr int64_t kManyNumbers = 64;

// --- Numbers as floats ---

// Of two numbers, and of two zeros, the processor's instruction chooses as the function does, of NaN and another one it
// may not.
HLOSCOPE_FOLD_INLINE __m256 Preferred(elementwise::Maximum, __m256 a, __m256 b) { return _mm256_max_ps(b, a); }
HLOSCOPE_FOLD_INLINE __m256 Preferred(elementwise::Minimum, __m256 a, __m256 b) { return _mm256_min_ps(b, a); }
HLOSCOPE_FOLD_INLINE __m128 Preferred(elementwise::Maximum, __m128 a, __m128 b) { return _mm_max_ps(b, a); }
HLOSCOPE_FOLD_INLINE __m128 Preferred(elementwise::Minimum, __m128 a, __m128 b) { return _mm_min_ps(b, a); }

HLOSCOPE_FOLD_INLINE __m256 EightNumbers(const float* x) { return _mm256_loadu_ps(x); }
HLOSCOPE_FOLD_INLINE __m256 EightNumbers(const Bf16* x) {
  const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  return _mm256_castsi256_ps(_mm256_slli_epi32(words, 16));
}

// The lanes of one of two vectors that are NaN.
HLOSCOPE_FOLD_INLINE __m256 NansOf(__m256 a, __m256 b) { return _mm256_cmp_ps(a, b, _CMP_UNORD_Q); }

// The next value of accumulators; `nans` collects where this is not what the function gives.
template <typename X, typename Op>
HLOSCOPE_FOLD_INLINE __m256 NextOf(Op op, __m256 a, __m256 b, __m256& nans) {
  if constexpr (!std::is_same_v<Op, elementwise::Add>) {
    nans = _mm256_or_ps(nans, NansOf(a, b));
    return Preferred(op, a, b);
  } else if constexpr (std::is_same_v<X, Bf16>) {
    const __m256i bits = _mm256_castps_si256(_mm256_add_ps(a, b));
    const __m256i is_odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(is_odd, _mm256_set1_epi32(0x7fff)));
    return _mm256_castsi256_ps(_mm256_and_si256(rounded, _mm256_set1_epi32(~0xffff)));
  } else {
    return _mm256_add_ps(a, b);
  }
}

// Vectors of halves with each other, as the plain loop does, down to the first one.
template <int kVectors, typename Op>
HLOSCOPE_FOLD_INLINE void FoldHalves(Op op, __m256* ways) {
  if constexpr (kVectors > 1) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors / 2; ++v) ways[v] = Preferred(op, ways[v], ways[v + kVectors / 2]);
    FoldHalves<kVectors / 2>(op, ways);
  }
}

template <int kVectors, typename Op>
HLOSCOPE_AVX2_FUNCTION bool FoldNumbers(Op op, const float* x, int64_t count, float& result) {
  constexpr int64_t kWays = kVectors * kFloatLanes;
  __m256 ways[kVectors], nans = _mm256_setzero_ps();
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    ways[v] = _mm256_loadu_ps(x + v * kFloatLanes);
    nans = _mm256_or_ps(nans, NansOf(ways[v], ways[v]));
  }
  for (int64_t i = kWays; i < count; i += kWays) {
    const float* const from = x + std::min(i, count - kWays);  // at the end some of the others again
    FetchAhead(from, kWays);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; v += 2) {
      const __m256 a = _mm256_loadu_ps(from + v * kFloatLanes), b = _mm256_loadu_ps(from + (v + 1) * kFloatLanes);
      nans = _mm256_or_ps(nans, NansOf(a, b));
      ways[v] = Preferred(op, ways[v], a);
      ways[v + 1] = Preferred(op, ways[v + 1], b);
    }
  }
  FoldHalves<kVectors>(op, ways);
  const __m128 four = Preferred(op, _mm256_castps256_ps128(ways[0]), _mm256_extractf128_ps(ways[0], 1));
  const __m128 two = Preferred(op, _mm_shuffle_ps(four, four, _MM_SHUFFLE(2, 0, 2, 0)),
                               _mm_shuffle_ps(four, four, _MM_SHUFFLE(3, 1, 3, 1)));
  result = _mm_cvtss_f32(Preferred(op, two, _mm_movehdup_ps(two)));
  return _mm256_movemask_ps(nans) == 0;
}

// --- Numbers of bf16 as integers ---

// Extremes of the bits of bf16, from which their maxima and minima follow: signed integers are in the order of numbers
// that are not negative, and in the opposite one of those that are, which unsigned ones put after all others.
struct BitExtremesAvx2 {
  __m256i largest, smallest, last;  // signed, signed, unsigned

  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static BitExtremesAvx2 Of(__m256i bits) { return {bits, bits, bits}; }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] static BitExtremesAvx2 At(const Bf16* x) {
    return Of(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] void Add(const BitExtremesAvx2& other) {
    largest = _mm256_max_epi16(largest, other.largest);
    smallest = _mm256_min_epi16(smallest, other.smallest);
    last = _mm256_max_epu16(last, other.last);
  }

  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] __m256i Result(elementwise::Maximum) const {
    return _mm256_blendv_epi8(largest, smallest, _mm256_srai_epi16(largest, 15));
  }
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] __m256i Result(elementwise::Minimum) const {
    return _mm256_blendv_epi8(smallest, last, _mm256_srai_epi16(smallest, 15));
  }
  // Bits where the result may be another one: NaN and signs of zeros follow other rules.
  template <typename Op>
  HLOSCOPE_AVX2_FUNCTION [[gnu::always_inline]] __m256i Strange(Op) const {
    const __m256i infinity = _mm256_set1_epi16(0x7f80), negative = _mm256_set1_epi16(static_cast<int16_t>(0xff80));
    const __m256i negative_zero = _mm256_set1_epi16(static_cast<int16_t>(0x8000));
    const __m256i nans = _mm256_or_si256(_mm256_cmpgt_epi16(largest, infinity), _mm256_subs_epu16(last, negative));
    if constexpr (std::is_same_v<Op, elementwise::Minimum>) {
      return _mm256_or_si256(nans, _mm256_cmpeq_epi16(last, negative_zero));
    }
    return _mm256_or_si256(nans, _mm256_and_si256(_mm256_cmpeq_epi16(smallest, negative_zero),
                                                  _mm256_cmpeq_epi16(largest, _mm256_setzero_si256())));
  }
};

HLOSCOPE_FOLD_INLINE bool IsZero(__m256i x) { return _mm256_testz_si256(x, x) != 0; }

template <int kVectors, typename Op>
HLOSCOPE_AVX2_FUNCTION bool FoldNumbers(Op op, const Bf16* x, int64_t count, float& result) {
  constexpr int64_t kWays = kVectors * kBf16Lanes;
  BitExtremesAvx2 ways[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) ways[v] = BitExtremesAvx2::At(x + v * kBf16Lanes);
  for (int64_t i = kWays; i < count; i += kWays) {
    const Bf16* const from = x + std::min(i, count - kWays);  // at the end some of the others again
    FetchAhead(from, kWays);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) ways[v].Add(BitExtremesAvx2::At(from + v * kBf16Lanes));
  }
#pragma GCC unroll 3
  for (int v = 1; v < kVectors; ++v) ways[0].Add(ways[v]);
  // Lanes with others of their vector; those that get no new ones meet themselves.
  BitExtremesAvx2 folded = ways[0];
  const auto with = [&](__m256i largest, __m256i smallest, __m256i last) HLOSCOPE_AVX2_FUNCTION {
    folded.Add({largest, smallest, last});
  };
  with(_mm256_permute2x128_si256(folded.largest, folded.largest, 1),
       _mm256_permute2x128_si256(folded.smallest, folded.smallest, 1),
       _mm256_permute2x128_si256(folded.last, folded.last, 1));
  with(_mm256_shuffle_epi32(folded.largest, 0x4e), _mm256_shuffle_epi32(folded.smallest, 0x4e),
       _mm256_shuffle_epi32(folded.last, 0x4e));
  with(_mm256_shuffle_epi32(folded.largest, 0xb1), _mm256_shuffle_epi32(folded.smallest, 0xb1),
       _mm256_shuffle_epi32(folded.last, 0xb1));
  with(_mm256_shufflelo_epi16(folded.largest, 0xb1), _mm256_shufflelo_epi16(folded.smallest, 0xb1),
       _mm256_shufflelo_epi16(folded.last, 0xb1));
  const int lowest = _mm_cvtsi128_si32(_mm256_castsi256_si128(folded.Result(op)));
  result = Bf16ToFloat(static_cast<uint16_t>(lowest));
  // The first lane has met all others, and knows of all that is strange.
  return (_mm_cvtsi128_si32(_mm256_castsi256_si128(folded.Strange(op))) & 0xffff) == 0;
}

// --- Rows ---

// kVectors vectors of floats from lane `l` on; false if the results are those of `fold`.
template <int kVectors, typename X, typename Op>
HLOSCOPE_FOLD_INLINE bool FoldLanes(Op op, const X* const* rows, int64_t row_count, int64_t l, const float* starts,
                                    float* results, int64_t ahead) {
  // A sum that is NaN stays NaN: its lower half is 0, so that rounding it does not carry into the upper one.
  constexpr bool kKeepsNans = std::is_same_v<Op, elementwise::Add> && std::is_same_v<X, Bf16>;
  __m256 ways[kVectors], nans = _mm256_setzero_ps();
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    ways[v] = _mm256_loadu_ps(starts + v * kFloatLanes);
    if constexpr (kKeepsNans) nans = _mm256_or_ps(nans, NansOf(ways[v], ways[v]));
  }
  for (int64_t r = 0; r < row_count; ++r) {
    const X* const from = rows[r] + l;
    constexpr int64_t kLine = 64 / sizeof(X);
    for (int64_t at = 0; at < kVectors * kFloatLanes && ahead != 0; at += kLine) FetchLine(from + ahead + at);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) ways[v] = NextOf<X>(op, ways[v], EightNumbers(from + v * kFloatLanes), nans);
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors && kKeepsNans; ++v) nans = _mm256_or_ps(nans, NansOf(ways[v], ways[v]));
  if (_mm256_movemask_ps(nans) != 0) return false;
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(results + v * kFloatLanes, ways[v]);
  return true;
}

template <int kVectors, typename Op>
HLOSCOPE_FOLD_INLINE bool FoldLanes(Op op, const Bf16* const* rows, int64_t row_count, int64_t l, const Bf16* starts,
                                    Bf16* results, int64_t ahead) {
  BitExtremesAvx2 ways[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) ways[v] = BitExtremesAvx2::At(starts + v * kBf16Lanes);
  for (int64_t r = 0; r < row_count; ++r) {
    const Bf16* const from = rows[r] + l;
    constexpr int64_t kLine = 64 / sizeof(Bf16);
    for (int64_t at = 0; at < kVectors * kBf16Lanes && ahead != 0; at += kLine) FetchLine(from + ahead + at);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) ways[v].Add(BitExtremesAvx2::At(from + v * kBf16Lanes));
  }
  __m256i strange = _mm256_setzero_si256();
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) strange = _mm256_or_si256(strange, ways[v].Strange(op));
  if (!IsZero(strange)) return false;
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(results + v * kBf16Lanes), ways[v].Result(op));
  }
  return true;
}

// Lanes whose accumulators stay in registers over `row_count` rows, and what is left over.
template <typename X, typename Number, typename Op>
HLOSCOPE_FOLD_INLINE void FoldSomeRows(Op op, const RowFoldAvx2<X, Number>& fold, const X* const* rows,
                                       int64_t row_count, int64_t offset, const Number* starts, Number* results) {
  constexpr bool kByBits = std::is_same_v<Number, Bf16>;
  constexpr int kVectors = kByBits ? 4 : 8;
  constexpr int64_t kLanes = kByBits ? kBf16Lanes : kFloatLanes;
  const auto plainly = [&](int64_t l, int64_t count) {
    for (int64_t r = 0; r < row_count; ++r) {
      const X* const row = rows[r] + offset + l;
      fold.fold(&row, 1, count, (r == 0 ? starts : results) + l, results + l, fold.ahead, {});
    }
  };
  int64_t l = 0;
  for (; l + kVectors * kLanes <= fold.lanes; l += kVectors * kLanes) {
    if (!FoldLanes<kVectors>(op, rows, row_count, offset + l, starts + l, results + l, fold.ahead)) {
      plainly(l, kVectors * kLanes);
    }
  }
  for (; l + kLanes <= fold.lanes; l += kLanes) {
    if (!FoldLanes<1>(op, rows, row_count, offset + l, starts + l, results + l, fold.ahead)) plainly(l, kLanes);
  }
  if (l < fold.lanes) plainly(l, fold.lanes - l);
}

template <typename X, typename Number, typename Op>
HLOSCOPE_AVX2_FUNCTION void FoldRows(Op op, const RowFoldAvx2<X, Number>& fold) {
  // Long rows a few at a time: the processor follows some runs of memory, not hundreds of short pieces.
  constexpr int64_t kShort = 64, kRows = 8;
  const int64_t at_once = fold.lanes <= kShort ? fold.row_count : kRows;
  Number* results = fold.results;
  for (int64_t n = 0; n < fold.repeats.count; ++n, results += fold.repeats.to_step) {
    for (int64_t r = 0; r < fold.row_count; r += at_once) {
      FoldSomeRows(op, fold, fold.rows + r, std::min(at_once, fold.row_count - r), n * fold.repeats.from_step,
                   r == 0 ? fold.starts : results, results);
    }
  }
}

}  // namespace

bool FoldNumbersAvx2(elementwise::Maximum op, const float* x, int64_t count, float& result) {
  return count >= kManyNumbers ? FoldNumbers<8>(op, x, count, result) : FoldNumbers<2>(op, x, count, result);
}
bool FoldNumbersAvx2(elementwise::Minimum op, const float* x, int64_t count, float& result) {
  return count >= kManyNumbers ? FoldNumbers<8>(op, x, count, result) : FoldNumbers<2>(op, x, count, result);
}
bool FoldNumbersAvx2(elementwise::Maximum op, const Bf16* x, int64_t count, float& result) {
  return count >= kManyNumbers ? FoldNumbers<4>(op, x, count, result) : FoldNumbers<1>(op, x, count, result);
}
bool FoldNumbersAvx2(elementwise::Minimum op, const Bf16* x, int64_t count, float& result) {
  return count >= kManyNumbers ? FoldNumbers<4>(op, x, count, result) : FoldNumbers<1>(op, x, count, result);
}

void FoldRowsAvx2(elementwise::Add op, const RowFoldAvx2<float, float>& rows) { FoldRows(op, rows); }
void FoldRowsAvx2(elementwise::Maximum op, const RowFoldAvx2<float, float>& rows) { FoldRows(op, rows); }
void FoldRowsAvx2(elementwise::Minimum op, const RowFoldAvx2<float, float>& rows) { FoldRows(op, rows); }
void FoldRowsAvx2(elementwise::Add op, const RowFoldAvx2<Bf16, float>& rows) { FoldRows(op, rows); }
void FoldRowsAvx2(elementwise::Maximum op, const RowFoldAvx2<Bf16, Bf16>& rows) { FoldRows(op, rows); }
void FoldRowsAvx2(elementwise::Minimum op, const RowFoldAvx2<Bf16, Bf16>& rows) { FoldRows(op, rows); }

}  // namespace hloscope::numerics
#endif
