// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/element_conversion.h"

#include "evaluator/kernels/lanes/array_lanes.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {

absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime) {
  if (tensor.element_type() == type) return tensor;
  const Tensor* const operands[] = {&tensor};
  return ApplyToArrays(LaneFunction::Convert(tensor.element_type(), type), operands, tensor.dimensions(), runtime);
}

}  // namespace hloscope::evaluator
