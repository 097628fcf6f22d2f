// SPDX-License-Identifier: Apache-2.0
// map and scan (docs/ops/tensor.md 3.3, 3.4).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_MAP_SCAN_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_MAP_SCAN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

// The exactly sized result of a map instruction. Errors: Cancelled, ResourceExhausted, InvalidArgument (run-time sizes
// of the operands differ), those of the computation.
absl::StatusOr<std::vector<Tensor>> EvaluateMap(const KernelContext& context);

// The stacked outputs and the final carries of a scan instruction. Errors: as above; InvalidArgument for a dynamic scan
// dimension.
absl::StatusOr<std::vector<Tensor>> EvaluateScan(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_MAP_SCAN_H_
