// SPDX-License-Identifier: Apache-2.0
// scatter (docs/ops/tensor.md 2.2) and select-and-scatter (2.3).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_SCATTER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_SCATTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// The exactly sized results of a scatter instruction, one for each scattered operand. Windows that do not fit into the
// operand are left out as a whole (D1). Errors: Cancelled, ResourceExhausted, those of the computation.
absl::StatusOr<std::vector<Tensor>> Scatter(const KernelContext& context);

// The exactly sized result of a select-and-scatter instruction. Errors: as above.
absl::StatusOr<Tensor> SelectAndScatter(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_SCATTER_H_
