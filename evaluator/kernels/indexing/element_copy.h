// SPDX-License-Identifier: Apache-2.0
// Copying and filling regions of elements of any type.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_ELEMENT_COPY_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_ELEMENT_COPY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"
#include "numerics/elements/element_bits.h"

namespace hloscope::evaluator {

// Copies every element of `source` to the places that start at `destination` and are `strides` (in elements) apart, on
// the runtime's threads. The regions must not overlap. Errors: Cancelled.
absl::Status CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides,
                          KernelRuntime& runtime);

// This tensor if its elements are dense in row-major order, else a dense copy, made on the runtime's threads.
// Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> DenseElements(const Tensor& tensor, KernelRuntime& runtime);
// This tensor, or a dense copy if it is large and lies in memory in another order, so that a loop over its rows would
// jump at each element: copying it tile by tile takes a fraction of the time. Errors: Cancelled.
absl::StatusOr<Tensor> ElementsInRows(const Tensor& tensor, KernelRuntime& runtime);
// Always a dense copy of the tensor's own, made on the runtime's threads. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> CopyOfElements(const Tensor& tensor, KernelRuntime& runtime);
// A view if the strides allow it, else of a dense copy. Element counts must agree. Errors as DenseElements.
absl::StatusOr<Tensor> ReshapeElements(const Tensor& tensor, absl::Span<const int64_t> dimensions,
                                       KernelRuntime& runtime);

// A dense tensor of the given sizes whose elements all equal the scalar `value`, or are zero. Filled on the runtime's
// threads: the first touch of large memory takes long. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> FilledTensor(const Tensor& value, absl::Span<const int64_t> dimensions, KernelRuntime& runtime);
absl::StatusOr<Tensor> ZeroTensor(ElementType type, absl::Span<const int64_t> dimensions, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_ELEMENT_COPY_H_
