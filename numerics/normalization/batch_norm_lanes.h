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

// The loops for elements of X: float or Bf16. Sums are f64; those of bf16 are f32 over few elements.
template <typename X>
struct BatchNormLanes {
  using Number = BatchNormNumber<X>;

  // sums[l] += sum over rows of x[l].
  static void AddRows(const X* x, const LaneRows& rows, double* sums);
  // squares[l] += sum over rows of (x[l] - means[l])^2.
  static void AddSquareRows(const X* x, const LaneRows& rows, const double* means, double* squares);
  // Sum of (x - mean)^2.
  static double SumSquares(const X* x, int64_t count, double mean);

  // sums[l] += sum over rows of g[l]; weighted[l] += sum over rows of g[l] * (x[l] - means[l]).
  static void AddGradientRows(const X* x, const X* g, const LaneRows& rows, const double* means, double* sums,
                              double* weighted);
  static void SumGradients(const X* x, const X* g, int64_t count, double mean, double* sum, double* weighted);

  // y = factor * (x - mean) + offset.
  static void NormalizeRows(const X* x, const LaneRows& rows, const Number* means, const Number* factors,
                            const Number* offsets, X* y);
  static void NormalizeRun(const X* x, int64_t count, Number mean, Number factor, Number offset, X* y);

  // y = factor * (g - share - (x - mean) * slope).
  static void GradientRows(const X* x, const X* g, const LaneRows& rows, const Number* means, const Number* factors,
                           const Number* shares, const Number* slopes, X* y);
  static void GradientRun(const X* x, const X* g, int64_t count, Number mean, Number factor, Number share, Number slope,
                          X* y);
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_LANES_H_
