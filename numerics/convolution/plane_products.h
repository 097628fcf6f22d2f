// SPDX-License-Identifier: Apache-2.0
// Products of a packed kernel with the inputs of a convolution where they lie: of planes with zeros around them,
// neighbouring outputs meet neighbouring inputs, also from one row to the next but for the padding between. What is
// computed there is dropped.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_PLANE_PRODUCTS_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_PLANE_PRODUCTS_H_

#include <cstdint>
#include <span>

#include "numerics/contraction/gemm_micro.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// Outputs of one image: rows of `row_size` that meet neighbours, and where what each row meets starts.
struct OutputRows {
  int64_t row_size;
  std::span<const int64_t> starts;
};

// Columns from the first output to the last one, with what lies between rows.
inline int64_t PlaneColumnsOf(const OutputRows& outputs) { return outputs.starts.back() + outputs.row_size; }

// Elements that are read after the last one that an output meets.
constexpr int64_t kPlaneSlack = 64;

// Output feature `row`, image i and output p are at data[row * row_stride + i * image_stride + p].
template <typename T>
struct PlaneResults {
  T* data;
  int64_t row_stride, image_stride;
};

// The sums over elements of the window for one input feature after the other. `kernel`: panels of
// BestMicroKernel<T>().rows output features, the last with zeros, as PackPanel of packed_gemm.h says; `inputs`: of the
// first image, readable for kPlaneSlack elements more. T: float or double. Errors: kCancelled.
template <typename T>
Outcome MultiplyPlanes(const T* kernel, int64_t rows, const PlaneColumns<T>& inputs, const OutputRows& outputs,
                       int64_t images, int64_t image_stride, const PlaneResults<T>& results, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_PLANE_PRODUCTS_H_
