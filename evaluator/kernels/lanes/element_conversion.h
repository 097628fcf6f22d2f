// SPDX-License-Identifier: Apache-2.0
// Converting whole arrays between element types, as `convert` does (docs/ops/elementwise.md 9.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// `tensor` itself if it has the type already, else an array of converted elements: dense where `tensor` is, repeating
// itself where `tensor` does (stride 0). Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime);

// From type to type in the order in which the elements lie in memory, which is the fastest. The array of the last type
// has the dimensions of `tensor`, and where that is dense in some order, its order.
absl::StatusOr<Tensor> ConvertInMemoryOrder(const Tensor& tensor, absl::Span<const ElementType> types,
                                            KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_
