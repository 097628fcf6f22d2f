// SPDX-License-Identifier: Apache-2.0
// Sums of f32 and bf16 in f64 (decision D3), compiled for several instruction sets.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_SUMS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_SUMS_H_

#include <cstdint>

#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {

// The sum of `count` neighbouring numbers. The order of the additions depends on `count` alone.
double SumFloats(const float* x, int64_t count);
double SumFloats(const numerics::Bf16* x, int64_t count);

// sums[l] += the numbers at x[r * stride + l] for r in [0, rows), lane by lane.
void AddRowsOfFloats(const float* x, int64_t stride, int64_t rows, int64_t lanes, double* sums);
void AddRowsOfFloats(const numerics::Bf16* x, int64_t stride, int64_t rows, int64_t lanes, double* sums);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_VECTOR_SUMS_H_
