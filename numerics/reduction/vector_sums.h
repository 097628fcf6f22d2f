// SPDX-License-Identifier: Apache-2.0
// Sums of f32 and bf16 in f64 (decision D3), compiled for several instruction sets.
#ifndef HLOSCOPE_NUMERICS_REDUCTION_VECTOR_SUMS_H_
#define HLOSCOPE_NUMERICS_REDUCTION_VECTOR_SUMS_H_

#include <cstdint>

#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// The sum of `count` neighbouring numbers. The order of the additions depends on `count` alone.
double SumFloats(const float* x, int64_t count);
double SumFloats(const Bf16* x, int64_t count);

// sums[r] += SumFloats(x + r * run_stride, count) for each of `runs` runs.
void AddRunsOfFloats(const float* x, int64_t run_stride, int64_t runs, int64_t count, double* sums);
void AddRunsOfFloats(const Bf16* x, int64_t run_stride, int64_t runs, int64_t count, double* sums);

// sums[l] += the numbers at x[r * stride + l] for r in [0, rows), lane by lane.
void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums);
void AddRowsOfFloats(const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_REDUCTION_VECTOR_SUMS_H_
