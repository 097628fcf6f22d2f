// SPDX-License-Identifier: Apache-2.0
// reduce (docs/ops/tensor.md 3.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

struct Reduction {
  std::vector<Tensor> inputs;  // of one shape, exactly sized
  std::vector<Tensor> inits;   // scalars
  absl::Span<const int64_t> dimensions;
  ComputationId computation;
};

// One array for each input, of the kept dimensions, in the types that the computation returns. A float `add` of one
// input accumulates in f64 (D3). An input of bf16 to a computation of f32 counts as widened. Errors: Cancelled,
// ResourceExhausted, those of the computation.
absl::StatusOr<std::vector<Tensor>> Reduce(const Module& module, const Reduction& reduction, KernelRuntime& runtime);
// The same by the plain formula: acc = f(acc, x) over the reduced elements in row-major order (also for a float `add`).
absl::StatusOr<std::vector<Tensor>> ReduceByProgram(const Module& module, const Reduction& reduction,
                                                    KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_H_
