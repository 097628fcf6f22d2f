// SPDX-License-Identifier: Apache-2.0
// Convolutions: the evaluator's loops (numerics/convolution/convolution.h).
#ifndef HLO_CONVOLUTION_H_
#define HLO_CONVOLUTION_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hlo_runtime.h"

namespace hlo {

// Elements are of the accumulator type: f32, f64, c64, c128 or u64. Sizes of spatial dimensions and windows have `rank`
// entries.
struct Convolution {
  ElementType type;
  int64_t rank;
  const int64_t* lhs_sizes;     // [batch, spatial..., feature]
  const int64_t* kernel_sizes;  // [spatial..., input feature, output feature]
  const int64_t* output_spatial;
  // Window: stride, low padding, dilation of the base, dilation of the window, and whether it is reversed.
  const int64_t *stride, *padding_low, *base_dilation, *window_dilation, *reversal;
  int64_t feature_group_count, batch_group_count;
};

// Arrays are dense, in the orders above or, where the window is wide, those of OrdersOfWideWindows
// (numerics/convolution/convolution_wide.h). The result is dense: [batch, spatial..., feature].
void Convolve(const Convolution& convolution, const void* lhs, const void* kernel, void* result);

// The same of arrays with these strides, of the orders above.
void ConvolveStrided(const Convolution& convolution, const int64_t* lhs_strides, const int64_t* kernel_strides,
                     const void* lhs, const void* kernel, void* result);

// The same as Convolve of arrays of bf16, summed in f32; the result is f32 or bf16
// (numerics/convolution/convolution_bf16.h).
void ConvolveBf16(const Convolution& convolution, ElementType result_type, const void* lhs, const void* kernel,
                  void* result);

// Convolutions of images whose planes lie in one piece (numerics/convolution/convolution_planar.h): `lhs` and the
// kernel have the given strides, of the orders above; `lhs` is of the accumulator type or bf16, and so is the result,
// which is dense: [batch, feature, spatial...].
struct Planes {
  ElementType lhs_type, result_type;
  const int64_t *lhs_strides, *kernel_strides;
};
void ConvolvePlanes(const Convolution& convolution, const Planes& planes, const void* lhs, const void* kernel,
                    void* result);

// Integer results saturate (decision D4).
template <typename T>
T SaturatedSum(uint64_t sum) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  constexpr Wide kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(static_cast<Wide>(sum), kLow, kHigh));
}

}  // namespace hlo

#endif  // HLO_CONVOLUTION_H_
