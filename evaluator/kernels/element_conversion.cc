#include "evaluator/kernels/element_conversion.h"

#include "evaluator/kernels/lane_function.h"
#include "evaluator/kernels/parallel_loop.h"

namespace hloscope {

absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime) {
  if (tensor.element_type() == type) return tensor;
  absl::StatusOr<LaneFunction> convert = LaneFunction::Convert(tensor.element_type(), type);
  if (!convert.ok()) return convert.status();
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, tensor.dimensions());
  if (!result.ok() || result->element_count() == 0) return result;
  absl::StatusOr<Tensor> dense = tensor.Contiguous();
  if (!dense.ok()) return dense;
  const uint8_t* const from = dense->data();
  uint8_t* const to = result->mutable_data();
  const int64_t from_bytes = dense->element_bytes(), to_bytes = result->element_bytes();
  absl::Status status = ParallelLoop(runtime, result->element_count(), convert->nanoseconds_per_lane(),
                                     [&](int64_t begin, int64_t end) {
                                       const LaneOperand operand = {from + begin * from_bytes, false};
                                       (*convert)(&operand, to + begin * to_bytes, end - begin);
                                     });
  if (!status.ok()) return status;
  return result;
}

}  // namespace hloscope
