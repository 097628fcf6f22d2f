// SPDX-License-Identifier: Apache-2.0
#include "numerics/normalization/batch_norm_lanes.h"

#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Of a run: enough sums side by side that an addition need not wait for the one before.
constexpr int64_t kSumsOfRun = 32;

// What all lanes share.
template <typename Number>
struct SameForLanes {
  Number value;
  Number operator[](int64_t) const { return value; }
};

template <typename X, typename Means>
[[gnu::always_inline]] inline void AddSquares(const X* x, int64_t stride, int64_t rows, int64_t lanes, Means means,
                                              double* squares) {
  for (int64_t r = 0; r < rows; ++r, x += stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      const double difference = static_cast<double>(Widened(x[l])) - means[l];
      squares[l] += difference * difference;
    }
  }
}

template <typename X, typename Means>
[[gnu::always_inline]] inline void AddGradients(const X* x, const X* g, int64_t stride, int64_t rows, int64_t lanes,
                                                Means means, double* sums, double* weighted) {
  for (int64_t r = 0; r < rows; ++r, x += stride, g += stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < lanes; ++l) {
      const double gradient = static_cast<double>(Widened(g[l]));
      sums[l] += gradient;
      weighted[l] += gradient * (static_cast<double>(Widened(x[l])) - means[l]);
    }
  }
}

template <typename X, typename Numbers>
[[gnu::always_inline]] inline void Normalize(const X* x, int64_t count, Numbers means, Numbers factors, Numbers offsets,
                                             X* y) {
  using Number = BatchNormNumber<X>;
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) {
    y[l] = Narrowed<X>(static_cast<float>(factors[l] * (static_cast<Number>(Widened(x[l])) - means[l]) + offsets[l]));
  }
}

template <typename X, typename Numbers>
[[gnu::always_inline]] inline void Gradients(const X* x, const X* g, int64_t count, Numbers means, Numbers factors,
                                             Numbers shares, Numbers slopes, X* y) {
  using Number = BatchNormNumber<X>;
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) {
    const Number difference = static_cast<Number>(Widened(x[l])) - means[l];
    y[l] = Narrowed<X>(
        static_cast<float>(factors[l] * (static_cast<Number>(Widened(g[l])) - shares[l] - difference * slopes[l])));
  }
}

[[gnu::always_inline]] inline double FoldedSums(double (&sums)[kSumsOfRun]) {
  for (int64_t half = kSumsOfRun / 2; half > 0; half /= 2) {
    for (int64_t w = 0; w < half; ++w) sums[w] += sums[w + half];
  }
  return sums[0];
}

}  // namespace

// A function that is cloned for instruction sets cannot be a template's.
#define HLOSCOPE_BATCH_NORM_LANES(X)                                                                                  \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::AddSquareRows(const X* x, const LaneRows& rows, const double* means, \
                                                               double* squares) {                                     \
    AddSquares(x, rows.stride, rows.rows, rows.lanes, means, squares);                                                \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES double BatchNormLanes<X>::SumSquares(const X* x, int64_t count, double mean) {               \
    double sums[kSumsOfRun] = {};                                                                                     \
    const int64_t whole = count / kSumsOfRun * kSumsOfRun;                                                            \
    AddSquares(x, kSumsOfRun, count / kSumsOfRun, kSumsOfRun, SameForLanes<double>{mean}, sums);                      \
    AddSquares(x + whole, 0, 1, count - whole, SameForLanes<double>{mean}, sums);                                     \
    return FoldedSums(sums);                                                                                          \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::AddGradientRows(                                                     \
      const X* x, const X* g, const LaneRows& rows, const double* means, double* sums, double* weighted) {            \
    AddGradients(x, g, rows.stride, rows.rows, rows.lanes, means, sums, weighted);                                    \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::SumGradients(const X* x, const X* g, int64_t count, double mean,     \
                                                              double* sum, double* weighted) {                        \
    double sums[kSumsOfRun] = {}, products[kSumsOfRun] = {};                                                          \
    const int64_t whole = count / kSumsOfRun * kSumsOfRun;                                                            \
    AddGradients(x, g, kSumsOfRun, count / kSumsOfRun, kSumsOfRun, SameForLanes<double>{mean}, sums, products);       \
    AddGradients(x + whole, g + whole, 0, 1, count - whole, SameForLanes<double>{mean}, sums, products);              \
    *sum = FoldedSums(sums);                                                                                          \
    *weighted = FoldedSums(products);                                                                                 \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::NormalizeRows(const X* x, const LaneRows& rows, const Number* means, \
                                                               const Number* factors, const Number* offsets, X* y) {  \
    for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, y += rows.stride) {                                     \
      Normalize(x, rows.lanes, means, factors, offsets, y);                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::NormalizeRun(const X* x, int64_t count, Number mean, Number factor,  \
                                                              Number offset, X* y) {                                  \
    using Same = SameForLanes<Number>;                                                                                \
    Normalize(x, count, Same{mean}, Same{factor}, Same{offset}, y);                                                   \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::GradientRows(const X* x, const X* g, const LaneRows& rows,           \
                                                              const Number* means, const Number* factors,             \
                                                              const Number* shares, const Number* slopes, X* y) {     \
    for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, g += rows.stride, y += rows.stride) {                   \
      Gradients(x, g, rows.lanes, means, factors, shares, slopes, y);                                                 \
    }                                                                                                                 \
  }                                                                                                                   \
  template <>                                                                                                         \
  HLOSCOPE_VECTOR_CLONES void BatchNormLanes<X>::GradientRun(const X* x, const X* g, int64_t count, Number mean,      \
                                                             Number factor, Number share, Number slope, X* y) {       \
    using Same = SameForLanes<Number>;                                                                                \
    Gradients(x, g, count, Same{mean}, Same{factor}, Same{share}, Same{slope}, y);                                    \
  }

HLOSCOPE_BATCH_NORM_LANES(float)
HLOSCOPE_BATCH_NORM_LANES(Bf16)
#undef HLOSCOPE_BATCH_NORM_LANES

}  // namespace hloscope::numerics
