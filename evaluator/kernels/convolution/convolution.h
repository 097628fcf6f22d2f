// Convolution (spec/ops-b-tensor.md 4).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/ir/attribute_values.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// A convolution brought to one arrangement of dimensions and to the accumulator type (gemm.h). All arrays are dense,
// unless a function says that it takes others.
struct ConvolutionProblem {
  ElementType type;                     // of the accumulator: f32, f64, c64, c128 or u64
  Tensor lhs;                           // [batch, spatial..., feature]
  Tensor kernel;                        // [spatial..., input feature, output feature]
  std::vector<WindowDimension> window;  // by spatial dimension
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  DimensionVector output_spatial;  // sizes of the output's spatial dimensions

  int64_t output_batch() const { return lhs.dimension(0) / batch_group_count; }
  int64_t input_features() const { return kernel.dimension(kernel.rank() - 2); }  // of one feature group
  int64_t output_features() const { return kernel.dimension(kernel.rank() - 1); }
};

// Both write the result in the accumulator type, dense [output batch, output spatial..., output feature], to `result`.
// Errors: Cancelled.
//
// The formula of section 4, one output element after the other.
absl::Status ConvolveReference(const ConvolutionProblem& problem, uint8_t* result, KernelRuntime& runtime);
// Products of matrices of patches with the kernel; padding and holes are multiplied as zeros. Equal to the reference up
// to the order of the sums if all elements of the kernel are finite.
absl::Status ConvolveByPatches(const ConvolutionProblem& problem, uint8_t* result, KernelRuntime& runtime);
// The faster of the two that gives the right result.
absl::Status Convolve(const ConvolutionProblem& problem, uint8_t* result, KernelRuntime& runtime);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONVOLUTION_CONVOLUTION_H_
