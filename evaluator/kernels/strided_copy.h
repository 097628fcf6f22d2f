// Copying and filling strided regions of elements, whatever their type.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_
#define HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// Copies every element of `source` to the places that start at `destination` and are `strides` (in elements) apart. The
// regions must not overlap.
void CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides);
// The same on the session's threads. Errors: Cancelled.
absl::Status CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides,
                          KernelRuntime& runtime);

// Calls `body` with a C++ unsigned integer (or 16-byte struct) of the given element size: a carrier for bits.
struct Bits128 {
  uint64_t low, high;
};
template <typename Body>
auto VisitElementBytes(int64_t element_bytes, Body&& body) {
  switch (element_bytes) {
    case 1: return body(uint8_t{});
    case 2: return body(uint16_t{});
    case 4: return body(uint32_t{});
    case 8: return body(uint64_t{});
    default: return body(Bits128{});
  }
}

// Sets `count` consecutive elements of `element_bytes` bytes to the one at `element`.
void FillElements(uint8_t* destination, int64_t count, const uint8_t* element, int64_t element_bytes);

// A dense tensor of the given sizes whose elements all equal the scalar `value`.
absl::StatusOr<Tensor> FilledTensor(const Tensor& value, absl::Span<const int64_t> dimensions);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_KERNELS_STRIDED_COPY_H_
