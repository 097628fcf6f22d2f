// SPDX-License-Identifier: Apache-2.0
// Converting whole arrays between element types, as `convert` does (docs/ops/elementwise.md 9.1).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// `tensor` itself if it has the type already, else an array of converted elements: dense where `tensor` is, repeating
// itself where `tensor` does (stride 0). Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> ConvertElements(const Tensor& tensor, ElementType type, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_ELEMENT_CONVERSION_H_
