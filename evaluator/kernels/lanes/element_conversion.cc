// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/element_conversion.h"

#include <optional>
#include <utility>

#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/lanes/array_lanes.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {

absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime) {
  if (tensor.element_type() == type) return tensor;
  const Tensor* const operands[] = {&tensor};
  return ApplyToArrays(LaneFunction::Convert(tensor.element_type(), type), operands, tensor.dimensions(), runtime);
}

absl::StatusOr<Tensor> ConvertInMemoryOrder(const Tensor& tensor, absl::Span<const ElementType> types,
                                            KernelRuntime& runtime) {
  const std::optional<DimensionVector> order = DenseOrder(tensor);
  Tensor converted = order ? InOrder(tensor, *order) : tensor;
  for (ElementType type : types) {
    absl::StatusOr<Tensor> next = ConvertElements(converted, type, runtime);
    if (!next.ok()) return next;
    converted = *std::move(next);
  }
  return order ? BackInOrder(converted, *order) : converted;
}

}  // namespace hloscope::evaluator
