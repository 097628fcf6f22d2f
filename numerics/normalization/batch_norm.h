// SPDX-License-Identifier: Apache-2.0
// The batch-norm operations, feature by feature (docs/ops/tensor.md 8).
#ifndef HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_H_
#define HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_H_

#include <array>
#include <cmath>
#include <cstdint>

namespace hloscope::numerics {

enum class BatchNorm { kTraining, kInference, kGradient };

// An array of the operand's shape as [outer, feature, inner], dense.
struct FeatureExtent {
  int64_t outer = 1, features = 1, inner = 1;

  int64_t per_feature() const { return outer * inner; }
  // Calls `visit(linear index)` for the elements of one feature.
  template <typename Visit>
  void ForEachOf(int64_t feature, Visit&& visit) const {
    for (int64_t o = 0; o < outer; ++o) {
      const int64_t first = (o * features + feature) * inner;
      for (int64_t i = 0; i < inner; ++i) visit(first + i);
    }
  }
};

// Dense operands and results of one of the operations; all of them have the features of `extent`.
template <typename T>
struct BatchNormArrays {
  FeatureExtent extent;
  float epsilon = 0;
  std::array<const T*, 5> operands{};
  std::array<T*, 3> results{};
};

// In the type of the computation. The functions compute the results of one feature.
template <typename T>
struct BatchNormFeatures : BatchNormArrays<T> {
  using BatchNormArrays<T>::extent, BatchNormArrays<T>::epsilon, BatchNormArrays<T>::operands,
      BatchNormArrays<T>::results;

  void Compute(BatchNorm kind, int64_t c) const {
    if (kind == BatchNorm::kTraining) return Training(c);
    return kind == BatchNorm::kInference ? Inference(c) : Gradient(c);
  }

  void Inference(int64_t c) const { Normalize(c, operands[3][c], operands[4][c], operands[2][c]); }

  void Normalize(int64_t c, T mean, T variance, T offset) const {
    const T* const x = operands[0];
    T* const y = results[0];
    const T scale = operands[1][c], deviation = std::sqrt(variance + static_cast<T>(epsilon));
    extent.ForEachOf(c, [&](int64_t i) { y[i] = scale * (x[i] - mean) / deviation + offset; });
  }

  void Training(int64_t c) const {
    const T* const x = operands[0];
    const T count = static_cast<T>(extent.per_feature());
    T sum = 0, squares = 0;
    extent.ForEachOf(c, [&](int64_t i) { sum += x[i]; });
    const T mean = sum / count;
    extent.ForEachOf(c, [&](int64_t i) { squares += (x[i] - mean) * (x[i] - mean); });
    const T variance = squares / count;  // D11: in two passes
    results[1][c] = mean;
    results[2][c] = variance;
    Normalize(c, mean, variance, operands[2][c]);
  }

  void Gradient(int64_t c) const {
    const T* const x = operands[0];
    const T* const g = operands[4];
    T* const dx = results[0];
    const T scale = operands[1][c], mean = operands[2][c], variance = operands[3][c] + static_cast<T>(epsilon);
    const T count = static_cast<T>(extent.per_feature());
    T sum = 0, weighted = 0;
    extent.ForEachOf(c, [&](int64_t i) {
      sum += g[i];
      weighted += g[i] * (x[i] - mean);
    });
    results[1][c] = weighted / std::sqrt(variance);
    results[2][c] = sum;
    const T factor = scale / std::sqrt(variance);
    extent.ForEachOf(
        c, [&](int64_t i) { dx[i] = factor * (g[i] - sum / count - (x[i] - mean) * weighted / (count * variance)); });
  }
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_H_
