// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/normalization/batch_norm_lanes.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// Of a run: enough sums side by side that an addition need not wait for the one before.
constexpr int64_t kWays = 32;

// What all lanes share.
struct Same {
  double value;
  double operator[](int64_t) const { return value; }
};

template <typename Means>
[[gnu::always_inline]] inline void AddSquares(const float* x, int64_t stride, int64_t rows, int64_t lanes, Means means,
                                              double* squares) {
  for (int64_t r = 0; r < rows; ++r, x += stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      const double difference = static_cast<double>(x[l]) - means[l];
      squares[l] += difference * difference;
    }
  }
}

template <typename Means>
[[gnu::always_inline]] inline void AddGradients(const float* x, const float* g, int64_t stride, int64_t rows,
                                                int64_t lanes, Means means, double* sums, double* weighted) {
  for (int64_t r = 0; r < rows; ++r, x += stride, g += stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      const double gradient = static_cast<double>(g[l]);
      sums[l] += gradient;
      weighted[l] += gradient * (static_cast<double>(x[l]) - means[l]);
    }
  }
}

template <typename Numbers>
[[gnu::always_inline]] inline void Normalize(const float* x, int64_t count, Numbers means, Numbers factors,
                                             Numbers offsets, float* y) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) {
    y[l] = static_cast<float>(factors[l] * (static_cast<double>(x[l]) - means[l]) + offsets[l]);
  }
}

template <typename Numbers>
[[gnu::always_inline]] inline void Gradients(const float* x, const float* g, int64_t count, Numbers means,
                                             Numbers factors, Numbers shares, Numbers slopes, float* y) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) {
    const double difference = static_cast<double>(x[l]) - means[l];
    y[l] = static_cast<float>(factors[l] * (static_cast<double>(g[l]) - shares[l] - difference * slopes[l]));
  }
}

[[gnu::always_inline]] inline double Folded(double (&ways)[kWays]) {
  for (int64_t half = kWays / 2; half > 0; half /= 2) {
    for (int64_t w = 0; w < half; ++w) ways[w] += ways[w + half];
  }
  return ways[0];
}

}  // namespace

HLOSCOPE_VECTOR_CLONES void AddSquareRows(const float* x, const FloatRows& rows, const double* means, double* squares) {
  AddSquares(x, rows.stride, rows.rows, rows.lanes, means, squares);
}

HLOSCOPE_VECTOR_CLONES double SumSquares(const float* x, int64_t count, double mean) {
  double ways[kWays] = {};
  const int64_t whole = count / kWays * kWays;
  AddSquares(x, kWays, count / kWays, kWays, Same{mean}, ways);
  AddSquares(x + whole, 0, 1, count - whole, Same{mean}, ways);
  return Folded(ways);
}

HLOSCOPE_VECTOR_CLONES void AddGradientRows(const float* x, const float* g, const FloatRows& rows, const double* means,
                                            double* sums, double* weighted) {
  AddGradients(x, g, rows.stride, rows.rows, rows.lanes, means, sums, weighted);
}

HLOSCOPE_VECTOR_CLONES void SumGradients(const float* x, const float* g, int64_t count, double mean, double* sum,
                                         double* weighted) {
  double sums[kWays] = {}, products[kWays] = {};
  const int64_t whole = count / kWays * kWays;
  AddGradients(x, g, kWays, count / kWays, kWays, Same{mean}, sums, products);
  AddGradients(x + whole, g + whole, 0, 1, count - whole, Same{mean}, sums, products);
  *sum = Folded(sums);
  *weighted = Folded(products);
}

HLOSCOPE_VECTOR_CLONES void NormalizeRows(const float* x, const FloatRows& rows, const double* means,
                                          const double* factors, const double* offsets, float* y) {
  for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, y += rows.stride) {
    Normalize(x, rows.lanes, means, factors, offsets, y);
  }
}

HLOSCOPE_VECTOR_CLONES void NormalizeRun(const float* x, int64_t count, double mean, double factor, double offset,
                                         float* y) {
  Normalize(x, count, Same{mean}, Same{factor}, Same{offset}, y);
}

HLOSCOPE_VECTOR_CLONES void GradientRows(const float* x, const float* g, const FloatRows& rows, const double* means,
                                         const double* factors, const double* shares, const double* slopes, float* y) {
  for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, g += rows.stride, y += rows.stride) {
    Gradients(x, g, rows.lanes, means, factors, shares, slopes, y);
  }
}

HLOSCOPE_VECTOR_CLONES void GradientRun(const float* x, const float* g, int64_t count, double mean, double factor,
                                        double share, double slope, float* y) {
  Gradients(x, g, count, Same{mean}, Same{factor}, Same{share}, Same{slope}, y);
}

}  // namespace hloscope::evaluator
