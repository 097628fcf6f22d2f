// SPDX-License-Identifier: Apache-2.0
// argmax and argmin: reductions of numbers and their positions (core/analysis/position_reducer.h).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_POSITIONS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_POSITIONS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/kernels/reduction/reduce.h"

namespace hloscope::evaluator {

// What ReduceByProgram gives, with every bit of it, where the computation is such a reducer of types that there are
// loops for, and the arrays lie so that the loops can read them; else nothing. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<std::optional<std::vector<Tensor>>> ReducePositions(const Module& module, const Reduction& reduction,
                                                                   KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_REDUCE_POSITIONS_H_
