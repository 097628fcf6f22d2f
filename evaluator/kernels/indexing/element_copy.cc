// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/element_copy.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/tensor/reshape_view.h"
#include "numerics/data_movement/parallel_copy.h"

namespace hloscope::evaluator {

absl::Status CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides,
                          KernelRuntime& runtime) {
  return StatusOf(numerics::CopyStridedInParallel(source.element_bytes(), source.dimensions(), source.data(),
                                                  source.strides(), destination, strides, runtime),
                  runtime);
}

absl::StatusOr<Tensor> DenseElements(const Tensor& tensor, KernelRuntime& runtime) {
  return tensor.IsContiguous() ? tensor : CopyOfElements(tensor, runtime);
}

absl::StatusOr<Tensor> ElementsInRows(const Tensor& tensor, KernelRuntime& runtime) {
  constexpr int64_t kLeastBytes = 1 << 17, kLeastRun = 8;
  if (tensor.element_count() * tensor.element_bytes() < kLeastBytes) return tensor;
  int64_t last_stride = 1;
  bool has_run = false;
  for (int64_t d = 0; d < tensor.rank(); ++d) {
    if (tensor.dimension(d) == 1) continue;
    last_stride = tensor.strides()[static_cast<size_t>(d)];
    if (last_stride == 0) return tensor;  // a copy would be larger
    has_run |= last_stride == 1 && tensor.dimension(d) >= kLeastRun;
  }
  if (!has_run || last_stride == 1) return tensor;
  absl::StatusOr<Tensor> copy = DenseElements(tensor, runtime);
  return absl::IsResourceExhausted(copy.status()) ? tensor : copy;
}

absl::StatusOr<Tensor> CopyOfElements(const Tensor& tensor, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> dense = Tensor::Allocate(tensor.element_type(), tensor.dimensions());
  if (!dense.ok()) return dense;
  absl::Status status = CopyElements(tensor, dense->mutable_data(), dense->strides(), runtime);
  if (!status.ok()) return status;
  dense->set_dynamic_sizes(DimensionVector(tensor.dynamic_sizes().begin(), tensor.dynamic_sizes().end()));
  return dense;
}

absl::StatusOr<Tensor> ReshapeElements(const Tensor& tensor, absl::Span<const int64_t> dimensions,
                                       KernelRuntime& runtime) {
  if (std::optional<Tensor> view = ReshapeView(tensor, dimensions)) return *std::move(view);
  absl::StatusOr<Tensor> dense = DenseElements(tensor, runtime);
  return dense.ok() ? dense->Reshape(dimensions) : dense;
}

absl::StatusOr<Tensor> FilledTensor(const Tensor& value, absl::Span<const int64_t> dimensions, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> filled = Tensor::Allocate(value.element_type(), dimensions);
  if (!filled.ok()) return filled;
  const int64_t bytes = value.element_bytes();
  const absl::Status status = numerics::VisitElementBytes(bytes, [&](auto bits) {
    using T = decltype(bits);
    T element;
    std::memcpy(&element, value.data(), sizeof element);
    T* const to = reinterpret_cast<T*>(filled->mutable_data());
    return ParallelLoop(runtime, filled->element_count(), 0.2 * static_cast<double>(bytes),
                        [&](int64_t begin, int64_t end) { std::fill(to + begin, to + end, element); });
  });
  if (!status.ok()) return status;
  return filled;
}

absl::StatusOr<Tensor> ZeroTensor(ElementType type, absl::Span<const int64_t> dimensions, KernelRuntime& runtime) {
  const absl::StatusOr<Tensor> zero = Tensor::Zeros(type, {});
  return zero.ok() ? FilledTensor(*zero, dimensions, runtime) : zero;
}

}  // namespace hloscope::evaluator
