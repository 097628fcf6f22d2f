#include "evaluator/kernels/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "evaluator/kernels/parallel_loop.h"
#include "evaluator/kernels/strided_iteration.h"

namespace hloscope {
namespace {

template <typename T>
void CopyRow(const T* source, int64_t source_stride, T* destination, int64_t destination_stride, int64_t count) {
  if (source_stride == 1 && destination_stride == 1) {
    std::memcpy(destination, source, static_cast<size_t>(count) * sizeof(T));
  } else if (source_stride == 0 && destination_stride == 1) {
    std::fill_n(destination, count, *source);
  } else {
    for (int64_t i = 0; i < count; ++i) destination[i * destination_stride] = source[i * source_stride];
  }
}

void CopyRange(const StridedPlan<2>& plan, const uint8_t* source, uint8_t* destination, int64_t element_bytes,
               int64_t begin, int64_t end) {
  VisitElementBytes(element_bytes, [&](auto bits) {
    using T = decltype(bits);
    const T* from = reinterpret_cast<const T*>(source);
    T* to = reinterpret_cast<T*>(destination);
    ForEachRow(plan, begin, end, [&](const std::array<int64_t, 2>& offsets, int64_t count) {
      CopyRow(from + offsets[0], plan.row_stride(0), to + offsets[1], plan.row_stride(1), count);
    });
  });
}

}  // namespace

void CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides) {
  if (source.element_count() == 0) return;
  const StridedPlan<2> plan = CollapseDimensions<2>(source.dimensions(), {source.strides(), strides});
  CopyRange(plan, source.data(), destination, source.element_bytes(), 0, plan.element_count());
}

absl::Status CopyElements(const Tensor& source, uint8_t* destination, absl::Span<const int64_t> strides,
                          KernelRuntime& runtime) {
  if (source.element_count() == 0) return absl::OkStatus();
  const StridedPlan<2> plan = CollapseDimensions<2>(source.dimensions(), {source.strides(), strides});
  const bool is_dense = plan.row_stride(0) == 1 && plan.row_stride(1) == 1;
  const double nanoseconds = static_cast<double>(source.element_bytes()) * (is_dense ? 0.1 : 0.5);
  return ParallelLoop(runtime, plan.element_count(), nanoseconds, [&](int64_t begin, int64_t end) {
    CopyRange(plan, source.data(), destination, source.element_bytes(), begin, end);
  });
}

void FillElements(uint8_t* destination, int64_t count, const uint8_t* element, int64_t element_bytes) {
  VisitElementBytes(element_bytes, [&](auto bits) {
    std::memcpy(&bits, element, sizeof(bits));
    std::fill_n(reinterpret_cast<decltype(bits)*>(destination), count, bits);
  });
}

absl::StatusOr<Tensor> FilledTensor(const Tensor& value, absl::Span<const int64_t> dimensions) {
  absl::StatusOr<Tensor> result = Tensor::Allocate(value.element_type(), dimensions);
  if (result.ok() && result->element_count() > 0) {
    FillElements(result->mutable_data(), result->element_count(), value.data(), value.element_bytes());
  }
  return result;
}

}  // namespace hloscope
