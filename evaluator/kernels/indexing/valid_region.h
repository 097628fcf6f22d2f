// SPDX-License-Identifier: Apache-2.0
// Run-time sizes of dynamic dimensions (docs/ops/tensor.md 10.3).
//
// A tensor op has to produce the valid region that it would produce on exactly sized operands. So kernels compute on
// exactly sized views of their operands (ValidRegion), derive the sizes of the result from those, and enlarge the
// result to the bounds of the declared shape at the end (EnlargeToBounds).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_VALID_REGION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_VALID_REGION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The valid elements of `tensor`: a view whose sizes are the run-time sizes. The tensor itself if all dimensions are
// full.
Tensor ValidRegion(const Tensor& tensor);

// The valid regions of the operands [first, first + count), which must be tensors.
std::vector<Tensor> ValidOperands(const KernelContext& context, size_t first, size_t count);

// Error InvalidArgument unless all have the same sizes, as the rules ask of the declared shapes: dynamic dimensions may
// turn out otherwise. For what walks several arrays with the sizes of the first.
absl::Status CheckSameSizes(absl::string_view opcode, absl::Span<const Tensor> valid);

// Run-time size of a dimension.
int64_t ValidSize(const Tensor& tensor, int64_t dimension);

// `valid` as a value of the declared `shape`: as it is if the sizes agree, else in the corner of a zero-filled tensor
// of the bounds that remembers the run-time sizes. Error InvalidArgument if a size exceeds its bound or a static
// dimension does not have its size.
absl::StatusOr<Tensor> EnlargeToBounds(Tensor valid, const Shape& shape);

// The value of an instruction from its exactly sized results: an array, or a tuple of arrays if `shape` is a tuple.
// Errors: as above.
absl::StatusOr<Value> BoundedValue(std::vector<Tensor> valid, const Shape& shape);
absl::StatusOr<Value> BoundedValue(absl::StatusOr<Tensor> valid, const Shape& shape);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_VALID_REGION_H_
