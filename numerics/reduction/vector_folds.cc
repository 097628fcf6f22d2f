// SPDX-License-Identifier: Apache-2.0
#include "numerics/reduction/vector_folds.h"

#include <algorithm>
#include <type_traits>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/rounding_step.h"
#include "numerics/parallel/bf16_vectors.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
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
                                         Number* results, int64_t /*ahead*/) {                                         \
    for (int64_t r = 0; r < row_count; ++r) {                                                                          \
      const X* const a = rows[r];                                                                                      \
      const Number* const before = r == 0 ? starts : results;                                                          \
      HLOSCOPE_INDEPENDENT_LANES                                                                                       \
      for (int64_t l = 0; l < lanes; ++l)                                                                              \
        results[l] = Narrowed<Number>(RoundingStep<X, elementwise::Name>()(Widened(before[l]), Widened(a[l])));        \
    }                                                                                                                  \
  }
HLOSCOPE_FOLD_ROWS(Add, float, float)
HLOSCOPE_FOLD_ROWS(Maximum, float, float)
HLOSCOPE_FOLD_ROWS(Minimum, float, float)
HLOSCOPE_FOLD_ROWS(Add, Bf16, float)
HLOSCOPE_FOLD_ROWS(Maximum, Bf16, Bf16)
HLOSCOPE_FOLD_ROWS(Minimum, Bf16, Bf16)
#undef HLOSCOPE_FOLD_ROWS

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
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512i ChosenIntegers(elementwise::Maximum, __m512i a,
                                                                              __m512i b) {
  return _mm512_max_epi16(a, b);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512i ChosenIntegers(elementwise::Minimum, __m512i a,
                                                                              __m512i b) {
  return _mm512_min_epi16(a, b);
}

// bf16 as integers that are in order: of negative ones the other bits are inverted.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline __m512i InOrder(__m512i bits) {
  return _mm512_xor_si512(bits, _mm512_srli_epi16(_mm512_srai_epi16(bits, 15), 1));
}

// The same of 32 bf16 at a time, as integers. Returns false as well if the result is a zero, whose sign follows another
// rule.
template <typename Op>
HLOSCOPE_AVX512_FUNCTION bool FoldNumbers(Op op, const Bf16* x, int64_t count, float& result) {
  constexpr int64_t kBf16s = 32;
  __m512i ways[2], largest[2];  // largest: magnitudes times two
  for (int64_t v = 0; v < 2; ++v) {
    const __m512i bits = _mm512_loadu_si512(x + v * kBf16s);
    ways[v] = InOrder(bits);
    largest[v] = _mm512_add_epi16(bits, bits);
  }
  for (int64_t i = kWideWays; i < count; i += kWideWays) {
    const Bf16* const from = x + std::min(i, count - kWideWays);  // at the end some of the others again
    FetchAhead(from, kWideWays);
#pragma GCC unroll 2
    for (int64_t v = 0; v < 2; ++v) {
      const __m512i bits = _mm512_loadu_si512(from + v * kBf16s);
      ways[v] = ChosenIntegers(op, ways[v], InOrder(bits));
      largest[v] = _mm512_max_epu16(largest[v], _mm512_add_epi16(bits, bits));
    }
  }
  const __m512i infinity = _mm512_set1_epi16(static_cast<int16_t>(0xff00));  // times two
  const bool has_nan = _mm512_cmpgt_epu16_mask(_mm512_max_epu16(largest[0], largest[1]), infinity) != 0;
  int16_t lanes[kBf16s];
  _mm512_storeu_si512(lanes, ChosenIntegers(op, ways[0], ways[1]));
  for (int64_t half = kBf16s / 2; half > 0; half /= 2) {
    for (int64_t l = 0; l < half; ++l) {
      const bool is_chosen =
          std::is_same_v<Op, elementwise::Maximum> ? lanes[l + half] > lanes[l] : lanes[l + half] < lanes[l];
      lanes[l] = is_chosen ? lanes[l + half] : lanes[l];
    }
  }
  const uint16_t bits = static_cast<uint16_t>(lanes[0] < 0 ? lanes[0] ^ 0x7fff : lanes[0]);
  result = Bf16ToFloat(bits);
  return !has_nan && result != 0;
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
                                                                         int64_t lanes, const float* starts,
                                                                         float* results, int64_t ahead) {
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
      for (int64_t r = 0; r < row_count; ++r) {
        const X* const from = rows[r] + l;
        for (int64_t at = 0; at < kBlock && ahead != 0; at += kLine) FetchLine(from + ahead + at);
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v)
          ways[v] = Folded<X>(op, ways[v], NumbersAt(from + v * kLanes, 0xffff), nans);
      }
    } else {
      for (int64_t r = 0; r < row_count; ++r) {
        const X* const from = rows[r] + l;
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
      const X* const row = rows[r] + l;
      fold(&row, 1, count, (r == 0 ? starts : results) + l, results + l, ahead);
    }
  }
}

// The same of bf16 as integers.
template <typename Op>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void FoldSomeRows(Op op, FoldRowsOf<Bf16, Bf16> fold,
                                                                         const Bf16* const* rows, int64_t row_count,
                                                                         int64_t lanes, const Bf16* starts,
                                                                         Bf16* results, int64_t ahead) {
  constexpr int64_t kVectors = 2, kLanes = 32, kBlock = kVectors * kLanes;
  const __m512i infinity = _mm512_set1_epi16(static_cast<int16_t>(0xff00));  // times two
  const __m512i negative_zero = _mm512_set1_epi16(static_cast<int16_t>(0x8000));
  for (int64_t l = 0; l < lanes; l += kBlock) {
    const int64_t count = std::min(kBlock, lanes - l);
    __mmask32 masks[kVectors], strange = 0;
    __m512i ways[kVectors], largest = _mm512_setzero_si512();  // largest: magnitudes times two
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t some = std::clamp(count - v * kLanes, int64_t{0}, kLanes);
      masks[v] = static_cast<__mmask32>((uint64_t{1} << some) - 1);
      const __m512i bits = _mm512_maskz_loadu_epi16(masks[v], starts + l + v * kLanes);
      ways[v] = InOrder(bits);
      largest = _mm512_max_epu16(largest, _mm512_add_epi16(bits, bits));
      strange |= _mm512_cmpeq_epi16_mask(bits, negative_zero);
    }
    for (int64_t r = 0; r < row_count; ++r) {
      const Bf16* const from = rows[r] + l;
      for (int64_t at = 0; at < kBlock && ahead != 0; at += kLanes) FetchLine(from + ahead + at);
#pragma GCC unroll 2
      for (int64_t v = 0; v < kVectors; ++v) {
        const __m512i bits = _mm512_maskz_loadu_epi16(masks[v], from + v * kLanes);
        ways[v] = ChosenIntegers(op, ways[v], InOrder(bits));
        largest = _mm512_max_epu16(largest, _mm512_add_epi16(bits, bits));
        strange |= _mm512_cmpeq_epi16_mask(bits, negative_zero);
      }
    }
    // NaN and signs of zeros follow other rules.
    strange |= _mm512_cmpgt_epu16_mask(largest, infinity);
    if (strange == 0) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < kVectors; ++v)
        _mm512_mask_storeu_epi16(results + l + v * kLanes, masks[v], InOrder(ways[v]));
      continue;
    }
    for (int64_t r = 0; r < row_count; ++r) {
      const Bf16* const row = rows[r] + l;
      fold(&row, 1, count, (r == 0 ? starts : results) + l, results + l, ahead);
    }
  }
}

template <typename X, typename Number, typename Op>
HLOSCOPE_AVX512_FUNCTION void FoldRowsOfNumbers(Op op, FoldRowsOf<X, Number> fold, const X* const* rows,
                                                int64_t row_count, int64_t lanes, const Number* starts, Number* results,
                                                int64_t ahead) {
  // Long rows a few at a time: the processor follows some runs of memory, not hundreds of short pieces.
  constexpr int64_t kShort = 64, kRows = 8;
  const int64_t at_once = lanes <= kShort ? row_count : kRows;
  for (int64_t r = 0; r < row_count; r += at_once) {
    FoldSomeRows(op, fold, rows + r, std::min(at_once, row_count - r), lanes, r == 0 ? starts : results, results,
                 ahead);
  }
}

#define HLOSCOPE_WIDE_ROWS(Name, X, Number)                                                                            \
  void Wide##Name##Rows(const X* const* rows, int64_t row_count, int64_t lanes, const Number* starts, Number* results, \
                        int64_t ahead) {                                                                               \
    const FoldRowsOf<X, Number> fold = &Name##Rows;                                                                    \
    FoldRowsOfNumbers<X, Number>(elementwise::Name(), fold, rows, row_count, lanes, starts, results, ahead);           \
  }
HLOSCOPE_WIDE_ROWS(Add, float, float)
HLOSCOPE_WIDE_ROWS(Maximum, float, float)
HLOSCOPE_WIDE_ROWS(Minimum, float, float)
HLOSCOPE_WIDE_ROWS(Add, Bf16, float)
HLOSCOPE_WIDE_ROWS(Maximum, Bf16, Bf16)
HLOSCOPE_WIDE_ROWS(Minimum, Bf16, Bf16)
#undef HLOSCOPE_WIDE_ROWS
#endif

float FoldFloats(auto op, const auto* x, int64_t count) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  float result;
  const bool is_wide = count >= kWideWays && BestCpuLevel() == CpuLevel::kAvx512;
  if (is_wide && FoldNumbers(op, x, count, result)) return result;
#endif
  return FoldInClones(op, x, count);
}

}  // namespace

float FoldFloatRun(elementwise::Maximum op, const float* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Minimum op, const float* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Maximum op, const Bf16* x, int64_t count) { return FoldFloats(op, x, count); }
float FoldFloatRun(elementwise::Minimum op, const Bf16* x, int64_t count) { return FoldFloats(op, x, count); }

#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_ROW_FOLD(Name, X, Number)                             \
  FoldRowsOf<X, Number> RowFold(elementwise::Name, const X*) {         \
    if (BestCpuLevel() == CpuLevel::kAvx512) return &Wide##Name##Rows; \
    return &Name##Rows;                                                \
  }
#else
#define HLOSCOPE_ROW_FOLD(Name, X, Number) \
  FoldRowsOf<X, Number> RowFold(elementwise::Name, const X*) { return &Name##Rows; }
#endif
HLOSCOPE_ROW_FOLD(Add, float, float)
HLOSCOPE_ROW_FOLD(Maximum, float, float)
HLOSCOPE_ROW_FOLD(Minimum, float, float)
HLOSCOPE_ROW_FOLD(Add, Bf16, float)
HLOSCOPE_ROW_FOLD(Maximum, Bf16, Bf16)
HLOSCOPE_ROW_FOLD(Minimum, Bf16, Bf16)
#undef HLOSCOPE_ROW_FOLD

}  // namespace hloscope::numerics
