// SPDX-License-Identifier: Apache-2.0
#include "numerics/rows/row_functions.h"

#include "numerics/elements/float_exp.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/rows/avx2_vectors.h"
#include "numerics/rows/wide_vectors.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
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

#define HLOSCOPE_ROW_FUNCTIONS(T)                                                                                      \
  HLOSCOPE_VECTOR_CLONES void ExponentialsPlain(const T* x, int64_t count, T* result) {                                \
    PlainExpOfRow(x, count, result);                                                                                   \
  }                                                                                                                    \
  HLOSCOPE_VECTOR_CLONES void DifferencesPlain(const T* x, const T* of_rows, T* result, int64_t rows,                  \
                                               int64_t columns) {                                                      \
    for (int64_t r = 0; r < rows; ++r, x += columns, result += columns) {                                              \
      PlainExpOfDifference(x, Number(of_rows[r]), result, columns);                                                    \
    }                                                                                                                  \
  }                                                                                                                    \
  HLOSCOPE_VECTOR_CLONES void QuotientsPlain(const T* x, const T* of_rows, T* result, int64_t rows, int64_t columns) { \
    for (int64_t r = 0; r < rows; ++r, x += columns, result += columns) {                                              \
      PlainQuotients(x, Number(of_rows[r]), result, columns);                                                          \
    }                                                                                                                  \
  }
HLOSCOPE_ROW_FUNCTIONS(float)
HLOSCOPE_ROW_FUNCTIONS(uint16_t)
#undef HLOSCOPE_ROW_FUNCTIONS

HLOSCOPE_VECTOR_CLONES void LogisticsPlain(const uint16_t* x, int64_t count, uint16_t* result) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) Store(1.0f / (1.0f + float_math::ExpSingle(-Number(x[i]))), result[i]);
}
HLOSCOPE_VECTOR_CLONES void TangentsPlain(const uint16_t* x, int64_t count, uint16_t* result) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) Store(float_math::Tanh(Number(x[i])), result[i]);
}

#ifdef HLOSCOPE_AVX2_FUNCTION
// --- By hand: row_functions.def for each instruction set ---

// Of divisors and dividends in this range neither the quotient nor what an approximation leaves over is subnormal or
// infinite.
constexpr uint32_t kLeastExponent = 127 - 60, kExponents = 120;

bool IsModerate(float x) {
  const uint32_t exponent = (std::bit_cast<uint32_t>(x) >> 23) & 0xff;
  return exponent >= kLeastExponent && exponent < kLeastExponent + kExponents;
}

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace rows512 {
using namespace wide;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "numerics/rows/row_functions.def"
}  // namespace rows512
#endif

namespace rows256 {
using namespace avx2;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "numerics/rows/row_functions.def"
}  // namespace rows256
#endif

// Calls the best form of a function.
#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_CALL_512(Name, ...) \
  if (BestCpuLevel() == CpuLevel::kAvx512) return rows512::Name(__VA_ARGS__)
#else
#define HLOSCOPE_CALL_512(Name, ...)
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_CALL_256(Name, ...) \
  if (BestCpuLevel() == CpuLevel::kAvx2) return rows256::Name(__VA_ARGS__)
#else
#define HLOSCOPE_CALL_256(Name, ...)
#endif
#define HLOSCOPE_CALL(Name, ...)        \
  HLOSCOPE_CALL_512(Name, __VA_ARGS__); \
  HLOSCOPE_CALL_256(Name, __VA_ARGS__); \
  Name##Plain(__VA_ARGS__)

}  // namespace

void ExpOfRow(const float* x, int64_t count, float* result) { HLOSCOPE_CALL(Exponentials, x, count, result); }
void ExpOfRow(const uint16_t* x, int64_t count, uint16_t* result) { HLOSCOPE_CALL(Exponentials, x, count, result); }
void LogisticOfRow(const uint16_t* x, int64_t count, uint16_t* result) { HLOSCOPE_CALL(Logistics, x, count, result); }
void TanhOfRow(const uint16_t* x, int64_t count, uint16_t* result) { HLOSCOPE_CALL(Tangents, x, count, result); }
void ExpOfDifferences(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(Differences, x, of_rows, result, rows, columns);
}
void ExpOfDifferences(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(Differences, x, of_rows, result, rows, columns);
}
void QuotientsOfRows(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(Quotients, x, of_rows, result, rows, columns);
}
void QuotientsOfRows(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns) {
  HLOSCOPE_CALL(Quotients, x, of_rows, result, rows, columns);
}

}  // namespace hloscope::numerics
