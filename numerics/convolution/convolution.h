// SPDX-License-Identifier: Apache-2.0
// Convolution (docs/ops/tensor.md 4).
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "numerics/contraction/gemm.h"
#include "numerics/elements/element_type.h"
#include "numerics/parallel/executor.h"
#include "numerics/parallel/small_vector.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::numerics {

// An array in memory that somebody else owns; strides in elements.
struct StridedArray {
  ElementType type = ElementType::kInvalid;
  const uint8_t* data = nullptr;
  DimensionVector sizes, strides;

  size_t rank() const { return sizes.size(); }
  int64_t element_count() const {
    int64_t count = 1;
    for (int64_t size : sizes) count *= size;
    return count;
  }
  template <typename T>
  const T* elements() const {
    return reinterpret_cast<const T*>(data);
  }
};
// Elements in row-major order without gaps.
StridedArray DenseArray(ElementType type, const void* data, DimensionVector sizes);

// A convolution brought to one arrangement of dimensions and to the accumulator type (gemm.h). All arrays are dense,
// unless a function says that it takes others.
struct ConvolutionProblem {
  ElementType type;                     // of the accumulator: f32, f64, c64, c128 or u64
  StridedArray lhs;                     // [batch, spatial..., feature]
  StridedArray kernel;                  // [spatial..., input feature, output feature]
  std::vector<WindowDimension> window;  // by spatial dimension
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  DimensionVector output_spatial;  // sizes of the output's spatial dimensions
  // Elements from one position of the input to the next where positions overlap (joined_columns.h), else 0.
  int64_t input_pitch = 0;

  int64_t output_batch() const { return lhs.sizes.front() / batch_group_count; }
  int64_t input_features() const { return kernel.sizes[kernel.rank() - 2]; }  // of one feature group
  int64_t output_features() const { return kernel.sizes.back(); }
  // No product is summed, and other sizes may be so large that their product is no number.
  bool IsEmpty() const;
};

// All write the result in the accumulator type, dense [output batch, output spatial..., output feature], to `result`.
// Errors: kCancelled, kNoMemory.
//
// The formula of section 4, one output element after the other.
Outcome ConvolveReference(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);
// Products of matrices of patches with the kernel; padding and holes are multiplied as zeros. Equal to the reference up
// to the order of the sums if all elements of the kernel are finite.
Outcome ConvolveByPatches(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);
// The fastest way that gives the right result; what both the evaluator and compiled programs call. Arrays of a problem
// with wide windows may have any strides (convolution_wide.h).
Outcome Convolve(const ConvolutionProblem& problem, uint8_t* result, Executor& executor);

// Bytes that Convolve takes beside the arrays, about: for who counts memory. (Not counted: copies of arrays whose
// strides are not those that it reads, and what is small whatever the sizes are.)
int64_t ScratchBytes(const ConvolutionProblem& problem);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_H_
