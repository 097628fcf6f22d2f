// SPDX-License-Identifier: Apache-2.0
// The innermost loops of depthwise convolution, compiled for several instruction sets.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_LANES_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_LANES_H_

#include <cstddef>
#include <cstdint>

#include "numerics/elements/complex_functions.h"

namespace hloscope::numerics {

// sums[p * lanes + l] = sum over taps of inputs[t][p * step + l] * weights[t][l], 0 <= p < places, 0 <= l < lanes, in
// the order of the taps.
void SumLaneTaps(const float* const* inputs, const float* const* weights, size_t tap_count, int64_t step,
                 int64_t places, float* sums, int64_t lanes);
void SumLaneTaps(const double* const* inputs, const double* const* weights, size_t tap_count, int64_t step,
                 int64_t places, double* sums, int64_t lanes);

template <typename T>
void SumLaneTaps(const T* const* inputs, const T* const* weights, size_t tap_count, int64_t step, int64_t places,
                 T* sums, int64_t lanes) {
  for (int64_t p = 0; p < places; ++p, sums += lanes) {
    for (int64_t l = 0; l < lanes; ++l) sums[l] = T();
    for (size_t t = 0; t < tap_count; ++t) {
      const T* const input = inputs[t] + p * step;
      for (int64_t l = 0; l < lanes; ++l) sums[l] += complex_functions::Product(input[l], weights[t][l]);
    }
  }
}

// sums[l] += sum over x < count of a[x * a_step + l] * b[x * b_step + l], 0 <= l < lanes.
void SumProductRows(const float* a, int64_t a_step, const float* b, int64_t b_step, int64_t count, float* sums,
                    int64_t lanes);
void SumProductRows(const double* a, int64_t a_step, const double* b, int64_t b_step, int64_t count, double* sums,
                    int64_t lanes);

// A run of inputs that is multiplied by one element of the kernel.
template <typename T>
struct ScaledRow {
  const T* inputs;     // what the first sum takes
  int64_t begin, end;  // the sums that take any
  T scale;
};

// sums[x] = sum over rows of scale * inputs[(x - begin) * step], begin <= x < end, in the order of the rows.
void SumScaledRows(const ScaledRow<float>* rows, size_t row_count, int64_t step, float* sums, int64_t count);
void SumScaledRows(const ScaledRow<double>* rows, size_t row_count, int64_t step, double* sums, int64_t count);

// sums[x] = sum over taps of scales[t] * taps[t][x], in the order of the taps. Reads up to kTapSlack elements of each
// tap beyond `count`.
constexpr int64_t kTapSlack = 64;
void SumTaps(const float* const* taps, const float* scales, size_t tap_count, float* sums, int64_t count);
void SumTaps(const double* const* taps, const double* scales, size_t tap_count, double* sums, int64_t count);

// to[row * pitch + x] = from[row * row_size + x], 0 <= x < row_size; from bf16, widened.
void CopyRows(const uint16_t* from, int64_t rows, int64_t row_size, float* to, int64_t pitch);
void CopyRows(const float* from, int64_t rows, int64_t row_size, float* to, int64_t pitch);
void CopyRows(const double* from, int64_t rows, int64_t row_size, double* to, int64_t pitch);

// to[i] = from[i * step], 0 <= i < count; and to[i * step] = from[i].
void CopyEach(const float* from, int64_t step, int64_t count, float* to);
void CopyEach(const double* from, int64_t step, int64_t count, double* to);
void SpreadElements(const float* from, int64_t count, int64_t step, float* to);
void SpreadElements(const double* from, int64_t count, int64_t step, double* to);
// even[i] = from[2 * i] and odd[i] = from[2 * i + 1], 0 <= i < count.
void SplitPairs(const float* from, int64_t count, float* even, float* odd);
void SplitPairs(const double* from, int64_t count, double* even, double* odd);

// Sums of products, each of a row of lanes: sums[s * kSumLanes + i % kSumLanes] += factors[i] * inputs[s][i], 0 <= i <
// count, which is a multiple of the lanes.
template <typename T>
constexpr int64_t kSumLanes = 32 / int64_t{sizeof(T)};
void AddShiftedProducts(const float* factors, const float* const* inputs, int64_t sum_count, int64_t count,
                        float* sums);
void AddShiftedProducts(const double* factors, const double* const* inputs, int64_t sum_count, int64_t count,
                        double* sums);

// kBandRows neighbouring rows of sums, which share most of their inputs:
// sums[r * sums_pitch + x] = sum over k, c < side of weights[k * side + c] * inputs[r + k][x + c], 0 <= x < count, in
// the order of the weights. Reads up to kTapSlack elements beyond the last input, and writes as many beyond each row of
// sums before the row after it. `side` is one that HasBand says; there are kBandRows + side - 1 inputs.
constexpr int64_t kBandRows = 4;
constexpr bool HasBand(int64_t side) { return side == 3 || side == 5 || side == 7; }
void SumBand(const float* const* inputs, const float* weights, int64_t side, float* sums, int64_t sums_pitch,
             int64_t count);
void SumBand(const double* const* inputs, const double* weights, int64_t side, double* sums, int64_t sums_pitch,
             int64_t count);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_DEPTHWISE_LANES_H_
