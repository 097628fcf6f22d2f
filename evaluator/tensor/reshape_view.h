// SPDX-License-Identifier: Apache-2.0
// Reshapes that need no copy.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_RESHAPE_VIEW_H_
#define HLOSCOPE_EVALUATOR_TENSOR_RESHAPE_VIEW_H_

#include <optional>

#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The elements of `tensor` in row-major order as an array of `dimensions`, which must have as many, without copying;
// nothing if the strides do not allow it.
std::optional<Tensor> ReshapeView(const Tensor& tensor, absl::Span<const int64_t> dimensions);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_RESHAPE_VIEW_H_
