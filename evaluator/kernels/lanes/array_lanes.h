// SPDX-License-Identifier: Apache-2.0
// Applying a lane function to whole tensors.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_LANES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_LANES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// One result element per index of `dimensions`. Operands have these dimensions in any strides, or rank 0 and serve
// every index. Dimensions along which every operand repeats itself are computed once: the result repeats itself there
// too (stride 0). Run-time sizes of dynamic dimensions are combined (docs/ops/tensor.md 10.3). Errors: Cancelled,
// ResourceExhausted, InvalidArgument (run-time sizes differ).
absl::StatusOr<Tensor> ApplyToArrays(const LaneFunction& function, absl::Span<const Tensor* const> operands,
                                     absl::Span<const int64_t> dimensions, KernelRuntime& runtime);

// An instruction that LaneFunction handles, on its operands.
absl::StatusOr<Value> EvaluateLanes(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_LANES_H_
