// SPDX-License-Identifier: Apache-2.0
// Data movement that other families need too (docs/ops/tensor.md 1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_DATA_MOVEMENT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_DATA_MOVEMENT_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// 1.6: the operands (at least one, exactly sized) one after the other along `dimension`, converted to `type`. Errors:
// Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> ConcatenateTensors(absl::Span<const Tensor> operands, int64_t dimension, ElementType type,
                                          KernelRuntime& runtime);

// Positions [begin, begin + size) of a dimension, as a view.
Tensor RangeOf(const Tensor& tensor, int64_t dimension, int64_t begin, int64_t size);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_DATA_MOVEMENT_H_
