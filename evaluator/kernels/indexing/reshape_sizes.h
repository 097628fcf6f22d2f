// SPDX-License-Identifier: Apache-2.0
// Run-time sizes of a reshaped dynamic array (docs/ops/tensor.md 1.2).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_RESHAPE_SIZES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_RESHAPE_SIZES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The run-time sizes of `result` when an array of the given bounds and run-time sizes is reshaped to it. Error
// InvalidArgument if no choice of sizes holds exactly the valid elements.
absl::StatusOr<DimensionVector> ReshapedDynamicSizes(absl::Span<const int64_t> bounds, absl::Span<const int64_t> sizes,
                                                     const Shape& result);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_RESHAPE_SIZES_H_
