// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/vector_folds.h"

#include <algorithm>
#include <type_traits>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/rounding_step.h"
#include "numerics/parallel/bf16_vectors.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/reduction/folds_avx2.h"
#include "numerics/reduction/wide_numbers.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

// One operation at a time: of a chain of comparisons the compiler makes branches. What the rows add to stays in the
// first cache level.
#define HLOSCOPE_FOLD_ROWS(Name, X, Number)                                                                            \
  HLOSCOPE_VECTOR_CLONES void Name##Rows(const X* const* rows, int64_t row_count, int64_t lanes, const Number* starts, \
                                         Number* results, int64_t /*ahead*/, const RowRepeats& repeats) {              \
    for (int64_t n = 0; n < repeats.count; ++n, results += repeats.to_step) {                                          \
      for (int64_t r = 0; r < row_count; ++r) {                                                                        \
        const X* const a = rows[r] + n * repeats.from_step;                                                            \
        const Number* const before = r == 0 ? starts : results;                                                        \
        HLOSCOPE_INDEPENDENT_LANES                                                                                     \
        for (int64_t l = 0; l < lanes; ++l)                                                                            \
          results[l] = Narrowed<Number>(RoundingStep<X, elementwise::Name>()(Widened(before[l]), Widened(a[l])));      \
      }                                                                                                                \
    }                                                                                                                  \
  }
HLOSCOPE_FOLD_ROWS(Add, float, float)
HLOSCOPE_FOLD_ROWS(Maximum, float, float)
HLOSCOPE_FOLD_ROWS(Minimum, float, float)
HLOSCOPE_FOLD_ROWS(Add, Bf16, float)
HLOSCOPE_FOLD_ROWS(Maximum, Bf16, Bf16)
HLOSCOPE_FOLD_ROWS(Minimum, Bf16, Bf16)
#undef HLOSCOPE_FOLD_ROWS

HLOSCOPE_VECTOR_CLONES void NarrowInClones(const float* numbers, Bf16* to, int64_t count) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) to[l] = Narrowed<Bf16>(numbers[l]);
}

// ways[l] = op(ways[l], x[l]).
template <int64_t kLanes, typename X, typename Op>
[[gnu::always_inline]] inline void FoldLanes(Op op, const X* x, float* ways) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < kLanes; ++l) ways[l] = op(ways[l], Widened(x[l]));
}

template <int64_t kWays, typename X, typename Op>
[[gnu::always_inline]] inline float FoldRun(const X* x, int64_t count, Op op) {
  float ways[kWays];
  for (int64_t w = 0; w < kWays; ++w) ways[w] = Widened(x[w]);
  for (int64_t i = kWays; i + kWays <= count; i += kWays) {
    FetchAhead(x + i, kWays);
    FoldLanes<kWays>(op, x + i, ways);
  }
  FoldLanes<kWays>(op, x + count - kWays, ways);  // the rest, and some of the others again
  if constexpr (kWays > 32) FoldLanes<32>(op, ways + 32, ways);
  if constexpr (kWays > 16) FoldLanes<16>(op, ways + 16, ways);
  FoldLanes<8>(op, ways + 8, ways);
  FoldLanes<4>(op, ways + 4, ways);
  return op(op(ways[0], ways[1]), op(ways[2], ways[3]));
}

template <typename X, typename Op>
[[gnu::always_inline]] inline float FoldRun(const X* x, int64_t count, Op op) {
  return count >= 64 ? FoldRun<64>(x, count, op) : FoldRun<kMinFoldedRun>(x, count, op);
}

#define HLOSCOPE_FLOAT_RUN(Name, X)                                                            \
  HLOSCOPE_VECTOR_CLONES float FoldInClones(elementwise::Name op, const X* x, int64_t count) { \
    return FoldRun(x, count, op);                                                              \
  }
HLOSCOPE_FLOAT_RUN(Maximum, float)
HLOSCOPE_FLOAT_RUN(Minimum, float)
HLOSCOPE_FLOAT_RUN(Maximum, Bf16)
HLOSCOPE_FLOAT_RUN(Minimum, Bf16)
#undef HLOSCOPE_FLOAT_RUN

#ifdef HLOSCOPE_AVX512_FUNCTION
// Of two numbers, and of two zeros, the processor's instruction chooses as the function does, of NaN and another one it
// may not.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512 Chosen(elementwise::Maximum, __m512 a, __m512 b) {
  return _mm512_maskz_max_ps(0xffff, b, a);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512 Chosen(elementwise::Minimum, __m512 a, __m512 b) {
  return _mm512_maskz_min_ps(0xffff, b, a);
}

constexpr int64_t kWideWays = 64;

// What FoldRun makes of count >= kWideWays numbers without NaN; returns whether there was none.
template <typename Op>
HLOSCOPE_AVX512_FUNCTION bool FoldNumbers(Op op, const float* x, int64_t count, float& result) {
  constexpr int64_t kVectors = 4, kLanes = 16;
  __m512 ways[kVectors];
  for (int64_t v = 0; v < kVectors; ++v) ways[v] = _mm512_loadu_ps(x + v * kLanes);
  uint32_t nans =
      _mm512_cmp_ps_mask(ways[0], ways[1], _CMP_UNORD_Q) | _mm512_cmp_ps_mask(ways[2], ways[3], _CMP_UNORD_Q);
  for (int64_t i = kWideWays; i < count; i += kWideWays) {
    const float* const from = x + std::min(i, count - kWideWays);  // at the end some of the others again
    FetchAhead(from, kWideWays);
#pragma GCC unroll 2
    for (int64_t v = 0; v < kVectors; v += 2) {
      const __m512 a = _mm512_loadu_ps(from + v * kLanes), b = _mm512_loadu_ps(from + (v + 1) * kLanes);
      nans |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
      ways[v] = Chosen(op, ways[v], a);
      ways[v + 1] = Chosen(op, ways[v + 1], b);
    }
  }
  const __m512 half = Chosen(op, Chosen(op, ways[0], ways[2]), Chosen(op, ways[1], ways[3]));
  float lanes[kLanes];
  _mm512_storeu_ps(lanes, half);
  FoldLanes<8>(op, lanes + 8, lanes);
  FoldLanes<4>(op, lanes + 4, lanes);
  result = op(op(lanes[0], lanes[1]), op(lanes[2], lanes[3]));
  return nans == 0;
}
#endif

#ifdef HLOSCOPE_AVX512_FUNCTION
// Extremes of the bits of bf16, from which their maxima and minima follow: signed integers are in the order of numbers
// that are not negative, and in the opposite one of those that are, which unsigned ones put after all others.
struct BitExtremes {
  __m512i largest, smallest, last;  // signed, signed, unsigned

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static BitExtremes Of(__m512i bits) { return {bits, bits, bits}; }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] void Add(__m512i bits) { Add(BitExtremes::Of(bits)); }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] void Add(const BitExtremes& other) {
    largest = _mm512_max_epi16(largest, other.largest);
    smallest = _mm512_min_epi16(smallest, other.smallest);
    last = _mm512_max_epu16(last, other.last);
  }

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] __m512i Result(elementwise::Maximum) const {
    return _mm512_mask_mov_epi16(largest, _mm512_movepi16_mask(largest), smallest);
  }
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] __m512i Result(elementwise::Minimum) const {
    return _mm512_mask_mov_epi16(smallest, _mm512_movepi16_mask(smallest), last);
  }
  // Lanes where the result may be another one: NaN and signs of zeros follow other rules.
  template <typename Op>
  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] __mmask32 Strange(Op) const {
    const __m512i infinity = _mm512_set1_epi16(0x7f80), negative = _mm512_set1_epi16(static_cast<int16_t>(0xff80));
    const __m512i negative_zero = _mm512_set1_epi16(static_cast<int16_t>(0x8000));
    const __mmask32 nans = _mm512_cmpgt_epi16_mask(largest, infinity) | _mm512_cmpgt_epu16_mask(last, negative);
    if constexpr (std::is_same_v<Op, elementwise::Minimum>) return nans | _mm512_cmpeq_epi16_mask(last, negative_zero);
    return nans | _mm512_mask_testn_epi16_mask(_mm512_cmpeq_epi16_mask(smallest, negative_zero), largest, largest);
  }
};

// The same of 32 bf16 at a time, as integers. Returns false as well if the sign of a zero is in doubt.
template <typename Op>
HLOSCOPE_AVX512_FUNCTION bool FoldNumbers(Op op, const Bf16* x, int64_t count, float& result) {
  constexpr int64_t kBf16s = 32;
  BitExtremes ways[2] = {BitExtremes::Of(_mm512_loadu_si512(x)), BitExtremes::Of(_mm512_loadu_si512(x + kBf16s))};
  for (int64_t i = kWideWays; i < count; i += kWideWays) {
    const Bf16* const from = x + std::min(i, count - kWideWays);  // at the end some of the others again
    FetchAhead(from, kWideWays);
    ways[0].Add(_mm512_loadu_si512(from));
    ways[1].Add(_mm512_loadu_si512(from + kBf16s));
  }
  BitExtremes all = ways[0];
  all.Add(ways[1]);
  // Lane l with lane l + 16, then l + 8 and so on, around the end.
  const __m512i lane = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12,
                                        11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (int16_t half = kBf16s / 2; half > 0; half = static_cast<int16_t>(half / 2)) {
    const __m512i other = _mm512_add_epi16(lane, _mm512_set1_epi16(half));
    all.Add({_mm512_maskz_permutexvar_epi16(~__mmask32{0}, other, all.largest),
             _mm512_maskz_permutexvar_epi16(~__mmask32{0}, other, all.smallest),
             _mm512_maskz_permutexvar_epi16(~__mmask32{0}, other, all.last)});
  }
  result =
      Bf16ToFloat(static_cast<uint16_t>(_mm_cvtsi128_si32(_mm512_maskz_extracti32x4_epi32(0xf, all.Result(op), 0))));
  return all.Strange(op) == 0;
}

// The next value of accumulators; `nans` collects where this is not what the function gives.
template <typename X, typename Op>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512 Folded(Op op, __m512 a, __m512 b, uint32_t& nans) {
  if constexpr (!std::is_same_v<Op, elementwise::Add>) {
    nans |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return Chosen(op, a, b);
  } else if constexpr (std::is_same_v<X, Bf16>) {
    const FloatVector sum = a + b;
    const WordVector rounded = RoundUpperHalves(sum) & 0xffff0000u;
    nans |= _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);
    return reinterpret_cast<__m512>(rounded);
  } else {
    return a + b;
  }
}

// Lanes whose accumulators stay in registers over all rows.
template <typename X, typename Op>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void FoldSomeRows(Op op, FoldRowsOf<X> fold,
                                                                         const X* const* rows, int64_t row_count,
                                                                         int64_t offset, int64_t lanes,
                                                                         const float* starts, float* results,
                                                                         int64_t ahead) {
  constexpr int64_t kVectors = 4, kLanes = 16, kBlock = kVectors * kLanes;
  constexpr int64_t kLine = 64 / sizeof(X);
  for (int64_t l = 0; l < lanes; l += kBlock) {
    const int64_t count = std::min(kBlock, lanes - l);
    __mmask16 masks[kVectors];
    __m512 ways[kVectors];
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t some = std::clamp(count - v * kLanes, int64_t{0}, kLanes);
      masks[v] = static_cast<__mmask16>((uint32_t{1} << some) - 1);
      ways[v] = _mm512_maskz_loadu_ps(masks[v], starts + l + v * kLanes);
    }
    uint32_t nans = 0;
    if (count == kBlock) {
#pragma GCC unroll 3
      for (int64_t r = 0; r < row_count; ++r) {
        const X* const from = rows[r] + offset + l;
        for (int64_t at = 0; at < kBlock && ahead != 0; at += kLine) FetchLine(from + ahead + at);
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v)
          ways[v] = Folded<X>(op, ways[v], NumbersAt(from + v * kLanes, 0xffff), nans);
      }
    } else {
      for (int64_t r = 0; r < row_count; ++r) {
        const X* const from = rows[r] + offset + l;
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v)
          ways[v] = Folded<X>(op, ways[v], NumbersAt(from + v * kLanes, masks[v]), nans);
      }
    }
    if (nans == 0) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < kVectors; ++v) _mm512_mask_storeu_ps(results + l + v * kLanes, masks[v], ways[v]);
      continue;
    }
    for (int64_t r = 0; r < row_count; ++r) {
      const X* const row = rows[r] + offset + l;
      fold(&row, 1, count, (r == 0 ? starts : results) + l, results + l, ahead, {});
    }
  }
}

// The same of bf16 as integers, 64 lanes or as many as there are.
template <typename Op, typename Load>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline bool FoldBlock(Op op, const Bf16* const* rows, int64_t row_count,
                                                                      int64_t offset, const Bf16* starts, int64_t ahead,
                                                                      __m512i (&results)[2], Load load) {
  constexpr int64_t kLanes = 32;
  BitExtremes ways[2] = {BitExtremes::Of(load(starts, 0)), BitExtremes::Of(load(starts + kLanes, 1))};
#pragma GCC unroll 3
  for (int64_t r = 0; r < row_count; ++r) {
    const Bf16* const from = rows[r] + offset;
    if (ahead != 0) {
      FetchLine(from + ahead);
      FetchLine(from + ahead + kLanes);
    }
    ways[0].Add(load(from, 0));
    ways[1].Add(load(from + kLanes, 1));
  }
  for (size_t v = 0; v < 2; ++v) results[v] = ways[v].Result(op);
  return (ways[0].Strange(op) | ways[1].Strange(op)) == 0;
}

template <typename Op>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void FoldSomeRows(Op op, FoldRowsOf<Bf16, Bf16> fold,
                                                                         const Bf16* const* rows, int64_t row_count,
                                                                         int64_t offset, int64_t lanes,
                                                                         const Bf16* starts, Bf16* results,
                                                                         int64_t ahead) {
  constexpr int64_t kLanes = 32, kBlock = 2 * kLanes;
  for (int64_t l = 0; l < lanes; l += kBlock) {
    const int64_t count = std::min(kBlock, lanes - l);
    const __mmask32 masks[2] = {static_cast<__mmask32>((uint64_t{1} << std::min(count, kLanes)) - 1),
                                static_cast<__mmask32>((uint64_t{1} << std::max(count - kLanes, int64_t{0})) - 1)};
    __m512i folded[2];
    const bool is_exact =
        count == kBlock ? FoldBlock(op, rows, row_count, offset + l, starts + l, ahead, folded,
                                    [&](const Bf16* x, int) HLOSCOPE_AVX512_FUNCTION { return _mm512_loadu_si512(x); })
                        : FoldBlock(op, rows, row_count, offset + l, starts + l, 0, folded,
                                    [&](const Bf16* x, int v)
                                        HLOSCOPE_AVX512_FUNCTION { return _mm512_maskz_loadu_epi16(masks[v], x); });
    if (is_exact) {
      for (int v = 0; v < 2; ++v) _mm512_mask_storeu_epi16(results + l + v * kLanes, masks[v], folded[v]);
      continue;
    }
    for (int64_t r = 0; r < row_count; ++r) {
      const Bf16* const row = rows[r] + offset + l;
      fold(&row, 1, count, (r == 0 ? starts : results) + l, results + l, ahead, {});
    }
  }
}

template <typename X, typename Number, typename Op>
HLOSCOPE_AVX512_FUNCTION void FoldRowsOfNumbers(Op op, FoldRowsOf<X, Number> fold, const X* const* rows,
                                                int64_t row_count, int64_t lanes, const Number* starts, Number* results,
                                                int64_t ahead, const RowRepeats& repeats) {
  // Long rows a few at a time: the processor follows some runs of memory, not hundreds of short pieces.
  constexpr int64_t kShort = 64, kRows = 8;
  const int64_t at_once = lanes <= kShort ? row_count : kRows;
  for (int64_t n = 0; n < repeats.count; ++n, results += repeats.to_step) {
    for (int64_t r = 0; r < row_count; r += at_once) {
      FoldSomeRows(op, fold, rows + r, std::min(at_once, row_count - r), n * repeats.from_step, lanes,
                   r == 0 ? starts : results, results, ahead);
    }
  }
}

#define HLOSCOPE_WIDE_ROWS(Name, X, Number)                                                                            \
  void Wide##Name##Rows(const X* const* rows, int64_t row_count, int64_t lanes, const Number* starts, Number* results, \
                        int64_t ahead, const RowRepeats& repeats) {                                                    \
    const FoldRowsOf<X, Number> fold = &Name##Rows;                                                                    \
    FoldRowsOfNumbers<X, Number>(elementwise::Name(), fold, rows, row_count, lanes, starts, results, ahead, repeats);  \
  }
HLOSCOPE_WIDE_ROWS(Add, float, float)
HLOSCOPE_WIDE_ROWS(Maximum, float, float)
HLOSCOPE_WIDE_ROWS(Minimum, float, float)
HLOSCOPE_WIDE_ROWS(Add, Bf16, float)
HLOSCOPE_WIDE_ROWS(Maximum, Bf16, Bf16)
HLOSCOPE_WIDE_ROWS(Minimum, Bf16, Bf16)
#undef HLOSCOPE_WIDE_ROWS
#endif

#ifdef HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_AVX2_ROWS(Name, X, Number)                                                                          \
  void Name##RowsAvx2(const X* const* rows, int64_t row_count, int64_t lanes, const Number* starts, Number* results, \
                      int64_t ahead, const RowRepeats& repeats) {                                                    \
    FoldRowsAvx2(elementwise::Name(),                                                                                \
                 RowFoldAvx2<X, Number>{&Name##Rows, rows, row_count, lanes, starts, results, ahead, repeats});      \
  }
HLOSCOPE_AVX2_ROWS(Add, float, float)
HLOSCOPE_AVX2_ROWS(Maximum, float, float)
HLOSCOPE_AVX2_ROWS(Minimum, float, float)
HLOSCOPE_AVX2_ROWS(Add, Bf16, float)
HLOSCOPE_AVX2_ROWS(Maximum, Bf16, Bf16)
HLOSCOPE_AVX2_ROWS(Minimum, Bf16, Bf16)
#undef HLOSCOPE_AVX2_ROWS
#endif

float FoldFloats(auto op, const auto* x, int64_t count) {
  [[maybe_unused]] float result;
#ifdef HLOSCOPE_AVX512_FUNCTION
  const bool is_wide = count >= kWideWays && BestCpuLevel() == CpuLevel::kAvx512;
  if (is_wide && FoldNumbers(op, x, count, result)) return result;
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
  if (BestCpuLevel() == CpuLevel::kAvx2 && FoldNumbersAvx2(op, x, count, result)) return result;
#endif
  return FoldInClones(op, x, count);
}

}  // namespace

float FoldFloatRun(elementwise::Maximum op, const float* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Minimum op, const float* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Maximum op, const Bf16* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Minimum op, const Bf16* x, int64_t count) { return FoldFloats(op, x, count); }

#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_WIDE_ROW_FOLD(Name) \
  if (BestCpuLevel() == CpuLevel::kAvx512) return &Wide##Name##Rows
#else
#define HLOSCOPE_WIDE_ROW_FOLD(Name)
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_AVX2_ROW_FOLD(Name) \
  if (BestCpuLevel() == CpuLevel::kAvx2) return &Name##RowsAvx2
#else
#define HLOSCOPE_AVX2_ROW_FOLD(Name)
#endif
#define HLOSCOPE_ROW_FOLD(Name, X, Number)                     \
  FoldRowsOf<X, Number> RowFold(elementwise::Name, const X*) { \
    HLOSCOPE_WIDE_ROW_FOLD(Name);                              \
    HLOSCOPE_AVX2_ROW_FOLD(Name);                              \
    return &Name##Rows;                                        \
  }
HLOSCOPE_ROW_FOLD(Add, float, float)
HLOSCOPE_ROW_FOLD(Maximum, float, float)
HLOSCOPE_ROW_FOLD(Minimum, float, float)
HLOSCOPE_ROW_FOLD(Add, Bf16, float)
HLOSCOPE_ROW_FOLD(Maximum, Bf16, Bf16)
HLOSCOPE_ROW_FOLD(Minimum, Bf16, Bf16)
#undef HLOSCOPE_ROW_FOLD

void NarrowRow(const float* numbers, Bf16* to, int64_t count) { NarrowInClones(numbers, to, count); }

}  // namespace hloscope::numerics
