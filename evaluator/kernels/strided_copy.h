// Copying and filling strided regions of elements, whatever their type.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_
#define HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_

#include <cstdint>

#include "absl/types/span.h"
#include "evaluator/kernels/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// Copies every element of `source` to the places that start at `destination`, `strides` (in elements) apart. The regions
// must not overlap.
void CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides);
// The same on the session's threads.
void CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides, KernelRuntime& runtime);

// Sets `count` consecutive elements of `element_bytes` bytes to the one at `element`.
void FillElements(uint8_t* destination, int64_t count, const uint8_t* element, int element_bytes);

// A dense tensor of the given type and sizes whose elements all equal the scalar `value`.
absl::StatusOr<Tensor> FilledTensor(const Tensor& value, absl::Span<const int64_t> dimensions);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_
