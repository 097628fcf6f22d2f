// SPDX-License-Identifier: Apache-2.0
// bitcast: another reading of a physical buffer (docs/ops/tensor.md 9).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_BITCAST_H_
#define HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_BITCAST_H_

#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The value of `result_shape` that the bytes of `operand`, laid out as `operand_shape` says, are. A shape without a
// layout is row-major; padding of tiles is zero. Errors: InvalidArgument if the result is larger than the operand or a
// layout cannot be used; Unimplemented for arrays that are split between memories.
absl::StatusOr<Tensor> Bitcast(const Tensor& operand, const Shape& operand_shape, const Shape& result_shape);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_DATA_MOVEMENT_BITCAST_H_
