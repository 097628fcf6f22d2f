// SPDX-License-Identifier: Apache-2.0
// Functions of rows of numbers that compilers do not make fast loops of, of f32 and of bf16 (as stored, each step
// rounded). Bits are those of the function objects of numerics/elements, element by element; `result` may be `x`.
#ifndef HLOSCOPE_NUMERICS_ROWS_ROW_FUNCTIONS_H_
#define HLOSCOPE_NUMERICS_ROWS_ROW_FUNCTIONS_H_

#include <cstdint>

namespace hloscope::numerics {

// result[i] = e^x[i].
void ExpOfRow(const float* x, int64_t count, float* result);
void ExpOfRow(const uint16_t* x, int64_t count, uint16_t* result);
// result[i] = 1 / (1 + e^-x[i]), and the hyperbolic tangent of x[i].
void LogisticOfRow(const uint16_t* x, int64_t count, uint16_t* result);
void TanhOfRow(const uint16_t* x, int64_t count, uint16_t* result);

// result[r * columns + i] = e^(x[r * columns + i] - of_rows[r]), and x[r * columns + i] / of_rows[r].
void ExpOfDifferences(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns);
void ExpOfDifferences(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns);
void QuotientsOfRows(const float* x, const float* of_rows, float* result, int64_t rows, int64_t columns);
void QuotientsOfRows(const uint16_t* x, const uint16_t* of_rows, uint16_t* result, int64_t rows, int64_t columns);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_ROWS_ROW_FUNCTIONS_H_
