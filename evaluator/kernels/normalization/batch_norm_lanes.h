// SPDX-License-Identifier: Apache-2.0
// The innermost loops of batch normalization of f32, computed in f64, compiled for several instruction sets. What a
// feature's statistics are comes in two forms: one number for a run of elements of one feature, or an array with one
// number for each lane of rows that are `stride` elements apart.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_LANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_LANES_H_

#include <cstdint>

namespace hloscope::evaluator {

// Rows of lanes of f32 arrays that all have the same strides.
struct FloatRows {
  int64_t stride, rows, lanes;
};

// squares[l] += sum over rows of (x[l] - means[l])^2.
void AddSquareRows(const float* x, const FloatRows& rows, const double* means, double* squares);
// Sum of (x - mean)^2.
double SumSquares(const float* x, int64_t count, double mean);

// sums[l] += sum over rows of g[l]; weighted[l] += sum over rows of g[l] * (x[l] - means[l]).
void AddGradientRows(const float* x, const float* g, const FloatRows& rows, const double* means, double* sums,
                     double* weighted);
void SumGradients(const float* x, const float* g, int64_t count, double mean, double* sum, double* weighted);

// y = factor * (x - mean) + offset.
void NormalizeRows(const float* x, const FloatRows& rows, const double* means, const double* factors,
                   const double* offsets, float* y);
void NormalizeRun(const float* x, int64_t count, double mean, double factor, double offset, float* y);

// y = factor * (g - share - (x - mean) * slope).
void GradientRows(const float* x, const float* g, const FloatRows& rows, const double* means, const double* factors,
                  const double* shares, const double* slopes, float* y);
void GradientRun(const float* x, const float* g, int64_t count, double mean, double factor, double share, double slope,
                 float* y);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_LANES_H_
