// SPDX-License-Identifier: Apache-2.0
// The order in which an array's dimensions lie in memory.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_MEMORY_ORDER_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_MEMORY_ORDER_H_

#include <optional>

#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// The dimensions of `tensor`, outermost first, in the order in which all of its elements lie densely in memory; none if
// they do not (views with gaps, repeated elements).
std::optional<DimensionVector> DenseOrder(const Tensor& tensor);

// The view whose dimension i is dimension order[i] of `tensor`.
Tensor InOrder(const Tensor& tensor, const DimensionVector& order);
// The view of which InOrder(view, order) is `tensor`.
Tensor BackInOrder(const Tensor& tensor, const DimensionVector& order);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_MEMORY_ORDER_H_
