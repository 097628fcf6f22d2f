// SPDX-License-Identifier: Apache-2.0
// gather (docs/ops/tensor.md 2.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_GATHER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_GATHER_H_

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// The exactly sized result of a gather instruction: for every batch position the slice at its clamped start.
absl::StatusOr<Tensor> Gather(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_GATHER_H_
