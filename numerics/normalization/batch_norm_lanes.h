// SPDX-License-Identifier: Apache-2.0
// The innermost loops of batch normalization, compiled for several instruction sets. What a feature's statistics are
// comes in two forms: one number for a run of elements of one feature, or an array with one number for each lane of
// rows that are `stride` elements apart.
#ifndef HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_LANES_H_
#define HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_LANES_H_

#include <cstdint>
#include <type_traits>

#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// Rows of lanes of arrays that all have the same strides.
struct LaneRows {
  int64_t stride, rows, lanes;
};

// What results are computed in: more than their type, so that they are rounded once.
template <typename X>
using BatchNormNumber = std::conditional_t<std::is_same_v<X, float>, double, float>;

// Loops over rows of elements of X: float or Bf16. Sums are f64; those of bf16 are f32 over few elements. Numbers of
// lanes are `Number`s.
template <typename X>
struct BatchNormRows {
  using Number = BatchNormNumber<X>;

  // sums[l] += sum over rows of x[l] - pivots[l]; squares[l] += sum over rows of (x[l] - pivots[l])^2.
  void (*add_moments)(const X* x, const LaneRows& rows, const Number* pivots, double* sums, double* squares);
  // sums[l] += sum over rows of g[l]; weighted[l] += sum over rows of g[l] * (x[l] - means[l]).
  void (*add_gradients)(const X* x, const X* g, const LaneRows& rows, const Number* means, double* sums,
                        double* weighted);
  // y = factor * (x - mean) + offset.
  void (*normalize)(const X* x, const LaneRows& rows, const Number* means, const Number* factors, const Number* offsets,
                    X* y);
  // y = factor * (g - share - (x - mean) * slope).
  void (*gradients)(const X* x, const X* g, const LaneRows& rows, const Number* means, const Number* factors,
                    const Number* shares, const Number* slopes, X* y);
};

// The fastest ones that the processor can execute. X: float, Bf16.
template <typename X>
BatchNormRows<X> BestBatchNormRows();

// The same of a run, whose elements share the numbers.
template <typename X>
struct BatchNormRun {
  using Number = BatchNormNumber<X>;

  static void SumMoments(const X* x, int64_t count, Number pivot, double* sum, double* square);
  static void SumGradients(const X* x, const X* g, int64_t count, Number mean, double* sum, double* weighted);
  static void Normalize(const X* x, int64_t count, Number mean, Number factor, Number offset, X* y);
  static void Gradients(const X* x, const X* g, int64_t count, Number mean, Number factor, Number share, Number slope,
                        X* y);
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_LANES_H_
