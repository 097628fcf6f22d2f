// SPDX-License-Identifier: Apache-2.0
#include "numerics/rows/row_functions.h"

#include "numerics/elements/float_exp.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/rows/wide_vectors.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <bit>

#include "numerics/data_movement/run_ahead.h"
#endif

namespace hloscope::numerics {
namespace {

float Number(float x) { return x; }
float Number(uint16_t bits) { return Bf16ToFloat(bits); }
void Store(float x, float& to) { to = x; }
void Store(float x, uint16_t& to) { to = FloatToBf16(x); }
// A result that another step takes.
template <typename T>
float Stored(float x) {
  T stored;
  Store(x, stored);
  return Number(stored);
}

// --- For any processor ---

template <typename T>
[[gnu::always_inline]] inline void PlainExpOfRow(const T* x, int64_t count, T* result) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) Store(float_math::ExpSingle(Number(x[i])), result[i]);
}

template <typename T>
[[gnu::always_inline]] inline void PlainExpOfDifference(const T* x, float y, T* result, int64_t count) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) Store(float_math::ExpSingle(Stored<T>(Number(x[i]) - y)), result[i]);
}

template <typename T>
[[gnu::always_inline]] inline void PlainQuotients(const T* x, float y, T* result, int64_t count) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) Store(Number(x[i]) / y, result[i]);
}

#define HLOSCOPE_ROW_FUNCTIONS(T)                                                                                    \
  HLOSCOPE_VECTOR_CLONES void ExpInClones(const T* x, int64_t count, T* result) { PlainExpOfRow(x, count, result); } \
  HLOSCOPE_VECTOR_CLONES void DifferencesInClones(const T* x, const T* of_rows, T* result, int64_t rows,             \
                                                  int64_t columns) {                                                 \
    for (int64_t r = 0; r < rows; ++r, x += columns, result += columns) {                                            \
      PlainExpOfDifference(x, Number(of_rows[r]), result, columns);                                                  \
    }                                                                                                                \
  }                                                                                                                  \
  HLOSCOPE_VECTOR_CLONES void QuotientsInClones(const T* x, const T* of_rows, T* result, int64_t rows,               \
                                                int64_t columns) {                                                   \
    for (int64_t r = 0; r < rows; ++r, x += columns, result += columns) {                                            \
      PlainQuotients(x, Number(of_rows[r]), result, columns);                                                        \
    }                                                                                                                \
  }
HLOSCOPE_ROW_FUNCTIONS(float)
HLOSCOPE_ROW_FUNCTIONS(uint16_t)
#undef HLOSCOPE_ROW_FUNCTIONS

#ifdef HLOSCOPE_AVX512_FUNCTION
// --- For processors of CpuLevel::kAvx512 ---

using namespace wide;  // NOLINT: the vocabulary of these loops

HLOSCOPE_AVX512_FUNCTION void WideExp(const float* x, int64_t count, float* result) {
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    FetchAhead(x + i, kFloats);
    _mm512_mask_storeu_ps(result + i, lanes, Exp(LoadFloats(x + i, lanes)));
  });
}

HLOSCOPE_AVX512_FUNCTION void WideExp(const uint16_t* x, int64_t count, uint16_t* result) {
  EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Pair wide = Widen(LoadBf16s(x + i, lanes));
    StoreBf16s(result + i, lanes, {ExpForBf16(wide.even), ExpForBf16(wide.odd)});
  });
}

// Of divisors and dividends in this range neither the quotient nor what an approximation leaves over is subnormal or
// infinite.
constexpr uint32_t kLeastExponent = 127 - 60, kExponents = 120;

bool IsModerate(float x) {
  const uint32_t exponent = (std::bit_cast<uint32_t>(x) >> 23) & 0xff;
  return exponent >= kLeastExponent && exponent < kLeastExponent + kExponents;
}

// One correction makes a quotient that is less than one unit in the last place off; what that leaves over is exact, and
// with a correctly rounded reciprocal the second one rounds as a division does (Markstein).
HLOSCOPE_AVX512_FUNCTION void DivideByOne(const float* x, float divisor, float* out, int64_t count) {
  const Floats d = Everywhere(divisor), reciprocal = Everywhere(1.0f / divisor);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats a = LoadFloats(x + i, lanes);
    Floats q = a * reciprocal;
    q = reinterpret_cast<Floats>(_mm512_fmadd_ps(_mm512_fnmadd_ps(q, d, a), reciprocal, q));
    q = reinterpret_cast<Floats>(_mm512_fmadd_ps(_mm512_fnmadd_ps(q, d, a), reciprocal, q));
    const Words above_least = (Bits(a) << 1) - Everywhere(kLeastExponent << 24);
    if (__builtin_expect(AnyAbove(above_least, Everywhere(kExponents << 24)), 0)) q = a / d;
    _mm512_mask_storeu_ps(out + i, lanes, q);
  });
}

// The quotient of two numbers of 8 bits is never half-way between two such numbers, and never so close to there that
// two roundings to 24 bits could lead across, unless it is subnormal.
HLOSCOPE_AVX512_FUNCTION void DivideByOne(const uint16_t* x, float divisor, uint16_t* out, int64_t count) {
  const Floats d = Everywhere(divisor), reciprocal = Everywhere(1.0f / divisor);
  const Words sign = Everywhere(0x80000000u), least = Everywhere(uint32_t{7} << 23);
  EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Pair a = Widen(LoadBf16s(x + i, lanes));
    Pair q = {a.even * reciprocal, a.odd * reciprocal};
    const Words even = Bits(q.even) & ~sign, odd = Bits(q.odd) & ~sign;
    if (__builtin_expect(AnyAbove(least, even) || AnyAbove(least, odd), 0)) q = {a.even / d, a.odd / d};
    StoreBf16s(out + i, lanes, q);
  });
}

template <typename T>
void WideQuotients(const T* x, const T* of_rows, T* result, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, x += columns, result += columns) {
    const float divisor = Number(of_rows[r]);
    if (IsModerate(divisor)) {
      DivideByOne(x, divisor, result, columns);
    } else {
      RowsOf<DivideVectors>(x, of_rows + r, result, 1, columns);
    }
  }
}

void WideDifferences(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns) {
  RowsOf<ExponentialOfDifference>(x, of_rows, result, rows, columns);
}
void WideDifferences(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns) {
  RowsOf<ExponentialOfBf16Difference>(x, of_rows, result, rows, columns);
}

bool IsWide() { return BestCpuLevel() == CpuLevel::kAvx512; }
#define HLOSCOPE_CALL(wide_form, plain_form, ...) IsWide() ? wide_form(__VA_ARGS__) : plain_form(__VA_ARGS__)
#else
#define HLOSCOPE_CALL(wide_form, plain_form, ...) plain_form(__VA_ARGS__)
#endif

}  // namespace

void ExpOfRow(const float* x, int64_t count, float* result) { HLOSCOPE_CALL(WideExp, ExpInClones, x, count, result); }
void ExpOfRow(const uint16_t* x, int64_t count, uint16_t* result) {
  HLOSCOPE_CALL(WideExp, ExpInClones, x, count, result);
}
void ExpOfDifferences(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(WideDifferences, DifferencesInClones, x, of_rows, result, rows, columns);
}
void ExpOfDifferences(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(WideDifferences, DifferencesInClones, x, of_rows, result, rows, columns);
}
void QuotientsOfRows(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(WideQuotients, QuotientsInClones, x, of_rows, result, rows, columns);
}
void QuotientsOfRows(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(WideQuotients, QuotientsInClones, x, of_rows, result, rows, columns);
}

}  // namespace hloscope::numerics
