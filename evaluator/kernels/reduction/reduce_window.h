// SPDX-License-Identifier: Apache-2.0
// reduce-window (docs/ops/tensor.md 3.2).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_WINDOW_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_WINDOW_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

struct WindowReduction {
  std::vector<Tensor> inputs;  // of one shape, exactly sized
  std::vector<Tensor> inits;   // scalars
  std::vector<WindowDimension> window;
  DimensionVector window_counts;
  ComputationId computation;
};

// One array of the window counts for each input, in the type of its init. Padding and holes are left out: the init
// enters once for each window (D2); every step rounds to the types of the computation. Errors: Cancelled,
// ResourceExhausted, those of the computation.
absl::StatusOr<std::vector<Tensor>> ReduceWindow(const Module& module, const WindowReduction& reduction,
                                                 KernelRuntime& runtime);
// The same without the loops for known reducers.
absl::StatusOr<std::vector<Tensor>> ReduceWindowByProgram(const Module& module, const WindowReduction& reduction,
                                                          KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_WINDOW_H_
