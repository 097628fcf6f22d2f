#include "evaluator/kernels/element_conversion.h"

#include "evaluator/kernels/array_lanes.h"
#include "evaluator/kernels/lane_function.h"

namespace hloscope {

absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime) {
  if (tensor.element_type() == type) return tensor;
  absl::StatusOr<LaneFunction> convert = LaneFunction::Convert(tensor.element_type(), type);
  if (!convert.ok()) return convert.status();
  const Tensor* const operands[] = {&tensor};
  return ApplyToArrays(*convert, operands, tensor.dimensions(), runtime);
}

}  // namespace hloscope
