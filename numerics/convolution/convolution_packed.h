// Convolution of f32 and f64 at the speed of the machine.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_

#include "absl/status/status.h"
#include "evaluator/kernels/convolution/convolution.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope {

// As ConvolveByPatches, but the input is read where it is: the innermost loop follows a pointer for each output
// position and element of the kernel; padding and holes point at zeros. T: float, double. Errors: Cancelled.
template <typename T>
absl::Status ConvolvePacked(const ConvolutionProblem& problem, T* result, KernelRuntime& runtime);

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_CONVOLUTION_PACKED_H_
