// SPDX-License-Identifier: Apache-2.0
#include "numerics/normalization/batch_norm_lanes.h"

#include <algorithm>
#include <cstddef>

#include "numerics/normalization/batch_norm_wide.h"
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
  SameForLanes operator+(int64_t) const { return *this; }
};

template <typename X, typename Numbers, typename Sum>
[[gnu::always_inline]] inline void AddMoments(const X* x, const LaneRows& rows, Numbers pivots, Sum* sums,
                                              Sum* squares) {
  for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < rows.lanes; ++l) {
      const Sum difference = static_cast<Sum>(Widened(x[l])) - pivots[l];
      sums[l] += difference;
      squares[l] += difference * difference;
    }
  }
}

template <typename X, typename Numbers, typename Sum>
[[gnu::always_inline]] inline void AddGradients(const X* x, const X* g, const LaneRows& rows, Numbers means, Sum* sums,
                                                Sum* weighted) {
  for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, g += rows.stride) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t l = 0; l < rows.lanes; ++l) {
      const Sum gradient = static_cast<Sum>(Widened(g[l]));
      sums[l] += gradient;
      weighted[l] += gradient * (static_cast<Sum>(Widened(x[l])) - means[l]);
    }
  }
}

// Calls `add(element, lane, rows, sums)` for parts of the rows: of f32 all of them with the sums themselves; of bf16
// few rows and lanes with sums in f32, which are added to the others then. Lane `lane` of the first row of a part is
// `element` elements after the first one of all rows.
template <typename X, size_t kSums, typename AddPart>
[[gnu::always_inline]] inline void AddByParts(const LaneRows& rows, double* const (&sums)[kSums], AddPart add) {
  if constexpr (std::is_same_v<X, float>) {
    add(int64_t{0}, int64_t{0}, rows, sums);
  } else {
    constexpr int64_t kShortRows = 16, kShortLanes = 256;
    float parts[kSums][kShortLanes];
    float* places[kSums];
    for (size_t k = 0; k < kSums; ++k) places[k] = parts[k];
    for (int64_t lane = 0; lane < rows.lanes; lane += kShortLanes) {
      const int64_t lanes = std::min(kShortLanes, rows.lanes - lane);
      for (int64_t row = 0; row < rows.rows; row += kShortRows) {
        for (float* part : places) std::fill_n(part, lanes, 0.0F);
        add(row * rows.stride + lane, lane, LaneRows{rows.stride, std::min(kShortRows, rows.rows - row), lanes},
            places);
        for (size_t k = 0; k < kSums; ++k) {
          double* const to = sums[k] + lane;
          HLOSCOPE_INDEPENDENT_LANES
          for (int64_t l = 0; l < lanes; ++l) to[l] += static_cast<double>(parts[k][l]);
        }
      }
    }
  }
}

template <typename X, typename Numbers>
[[gnu::always_inline]] inline void AddAllMoments(const X* x, const LaneRows& rows, Numbers pivots, double* sums,
                                                 double* squares) {
  AddByParts<X>(rows, {sums, squares}, [&](int64_t element, int64_t lane, const LaneRows& part, auto* const* to) {
    AddMoments(x + element, part, pivots + lane, to[0], to[1]);
  });
}
template <typename X, typename Numbers>
[[gnu::always_inline]] inline void AddAllGradients(const X* x, const X* g, const LaneRows& rows, Numbers means,
                                                   double* sums, double* weighted) {
  AddByParts<X>(rows, {sums, weighted}, [&](int64_t element, int64_t lane, const LaneRows& part, auto* const* to) {
    AddGradients(x + element, g + element, part, means + lane, to[0], to[1]);
  });
}

template <typename X, typename Numbers>
[[gnu::always_inline]] inline void NormalizeLanes(const X* x, int64_t count, Numbers means, Numbers factors,
                                                  Numbers offsets, X* y) {
  using Number = BatchNormNumber<X>;
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t l = 0; l < count; ++l) {
    y[l] = Narrowed<X>(static_cast<float>(factors[l] * (static_cast<Number>(Widened(x[l])) - means[l]) + offsets[l]));
  }
}

template <typename X, typename Numbers>
[[gnu::always_inline]] inline void GradientLanes(const X* x, const X* g, int64_t count, Numbers means, Numbers factors,
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

// A function that is cloned for instruction sets cannot be a template's.
#define HLOSCOPE_BATCH_NORM_ROWS(X)                                                                                   \
  HLOSCOPE_VECTOR_CLONES void MomentsInClones(const X* x, const LaneRows& rows, const BatchNormNumber<X>* pivots,     \
                                              double* sums, double* squares) {                                        \
    AddAllMoments(x, rows, pivots, sums, squares);                                                                    \
  }                                                                                                                   \
  HLOSCOPE_VECTOR_CLONES void GradientSumsInClones(const X* x, const X* g, const LaneRows& rows,                      \
                                                   const BatchNormNumber<X>* means, double* sums, double* weighted) { \
    AddAllGradients(x, g, rows, means, sums, weighted);                                                               \
  }                                                                                                                   \
  HLOSCOPE_VECTOR_CLONES void NormalizeInClones(const X* x, const LaneRows& rows, const BatchNormNumber<X>* means,    \
                                                const BatchNormNumber<X>* factors, const BatchNormNumber<X>* offsets, \
                                                X* y) {                                                               \
    for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, y += rows.stride) {                                     \
      NormalizeLanes(x, rows.lanes, means, factors, offsets, y);                                                      \
    }                                                                                                                 \
  }                                                                                                                   \
  HLOSCOPE_VECTOR_CLONES void GradientsInClones(                                                                      \
      const X* x, const X* g, const LaneRows& rows, const BatchNormNumber<X>* means,                                  \
      const BatchNormNumber<X>* factors, const BatchNormNumber<X>* shares, const BatchNormNumber<X>* slopes, X* y) {  \
    for (int64_t r = 0; r < rows.rows; ++r, x += rows.stride, g += rows.stride, y += rows.stride) {                   \
      GradientLanes(x, g, rows.lanes, means, factors, shares, slopes, y);                                             \
    }                                                                                                                 \
  }                                                                                                                   \
  constexpr BatchNormRows<X> kInClones##X = {MomentsInClones, GradientSumsInClones, NormalizeInClones,                \
                                             GradientsInClones};
HLOSCOPE_BATCH_NORM_ROWS(float)
HLOSCOPE_BATCH_NORM_ROWS(Bf16)
#undef HLOSCOPE_BATCH_NORM_ROWS

}  // namespace

template <>
BatchNormRows<float> BestBatchNormRows<float>() {
  return kInClonesfloat;
}
template <>
BatchNormRows<Bf16> BestBatchNormRows<Bf16>() {
  const BatchNormRows<Bf16>* const wide = WideBatchNormRows();
  return wide != nullptr ? *wide : kInClonesBf16;
}

#define HLOSCOPE_BATCH_NORM_RUN(X)                                                                                   \
  template <>                                                                                                        \
  HLOSCOPE_VECTOR_CLONES void BatchNormRun<X>::SumMoments(const X* x, int64_t count, Number pivot, double* sum,      \
                                                          double* square) {                                          \
    double sums[kSumsOfRun] = {}, squares[kSumsOfRun] = {};                                                          \
    const int64_t whole = count / kSumsOfRun * kSumsOfRun;                                                           \
    AddAllMoments(x, {kSumsOfRun, count / kSumsOfRun, kSumsOfRun}, SameForLanes<Number>{pivot}, sums, squares);      \
    AddAllMoments(x + whole, {0, 1, count - whole}, SameForLanes<Number>{pivot}, sums, squares);                     \
    *sum = FoldedSums(sums);                                                                                         \
    *square = FoldedSums(squares);                                                                                   \
  }                                                                                                                  \
  template <>                                                                                                        \
  HLOSCOPE_VECTOR_CLONES void BatchNormRun<X>::SumGradients(const X* x, const X* g, int64_t count, Number mean,      \
                                                            double* sum, double* weighted) {                         \
    double sums[kSumsOfRun] = {}, products[kSumsOfRun] = {};                                                         \
    const int64_t whole = count / kSumsOfRun * kSumsOfRun;                                                           \
    AddAllGradients(x, g, {kSumsOfRun, count / kSumsOfRun, kSumsOfRun}, SameForLanes<Number>{mean}, sums, products); \
    AddAllGradients(x + whole, g + whole, {0, 1, count - whole}, SameForLanes<Number>{mean}, sums, products);        \
    *sum = FoldedSums(sums);                                                                                         \
    *weighted = FoldedSums(products);                                                                                \
  }                                                                                                                  \
  template <>                                                                                                        \
  HLOSCOPE_VECTOR_CLONES void BatchNormRun<X>::Normalize(const X* x, int64_t count, Number mean, Number factor,      \
                                                         Number offset, X* y) {                                      \
    using Same = SameForLanes<Number>;                                                                               \
    NormalizeLanes(x, count, Same{mean}, Same{factor}, Same{offset}, y);                                             \
  }                                                                                                                  \
  template <>                                                                                                        \
  HLOSCOPE_VECTOR_CLONES void BatchNormRun<X>::Gradients(const X* x, const X* g, int64_t count, Number mean,         \
                                                         Number factor, Number share, Number slope, X* y) {          \
    using Same = SameForLanes<Number>;                                                                               \
    GradientLanes(x, g, count, Same{mean}, Same{factor}, Same{share}, Same{slope}, y);                               \
  }

HLOSCOPE_BATCH_NORM_RUN(float)
HLOSCOPE_BATCH_NORM_RUN(Bf16)
#undef HLOSCOPE_BATCH_NORM_RUN

}  // namespace hloscope::numerics
