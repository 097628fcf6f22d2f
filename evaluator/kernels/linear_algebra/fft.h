// SPDX-License-Identifier: Apache-2.0
// Fourier transforms (docs/ops/tensor.md 6.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_FFT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_FFT_H_

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// The fft instruction. Computes in c128 and rounds once. Errors: Cancelled, ResourceExhausted, InvalidArgument.
absl::StatusOr<Tensor> EvaluateFft(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_FFT_H_
