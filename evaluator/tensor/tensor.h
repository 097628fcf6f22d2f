// SPDX-License-Identifier: Apache-2.0
// Tensors: strided views of reference-counted buffers.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_
#define HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/literal.h"
#include "core/ir/shape.h"

namespace hloscope::evaluator {

using DimensionVector = absl::InlinedVector<int64_t, 6>;

// Product of the sizes. Error InvalidArgument if one is negative or if the product times `element_bytes` does not fit
// 63 bits.
absl::StatusOr<int64_t> CheckedElementCount(absl::Span<const int64_t> dimensions, int64_t element_bytes = 1);

// Strides of the dense row-major order.
DimensionVector RowMajorStrides(absl::Span<const int64_t> dimensions);

// Owned bytes, 64-byte aligned. Shared between tensors; written only while a single tensor holds it.
class Buffer {
 public:
  // Not initialised. Errors: ResourceExhausted when the bytes cannot be had or the process-wide limit is exceeded.
  static absl::StatusOr<std::shared_ptr<Buffer>> Allocate(int64_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  int64_t size() const { return size_; }

  // Bytes held by all living buffers, and the highest that ever was.
  static int64_t LiveBytes();
  static int64_t PeakBytes();
  static void ResetPeak();
  // Half of the machine's memory: the limit until SetLimit.
  static int64_t UsualLimit();
  // 0: no limit but the machine's memory. Allocate fails beyond it.
  static void SetLimit(int64_t bytes);
  static int64_t Limit();

 private:
  Buffer(uint8_t* data, int64_t size) : data_(data), size_(size) {}
  uint8_t* data_;
  int64_t size_;
};

// An array value. Elements have StorageBytes(type) bytes, little-endian; types below a byte take one byte: integers
// sign- or zero-extended to the byte, floats as their bit pattern in the low bits, pred as 0 or 1.
// Strides are in elements, may be 0 (broadcast) or negative (reverse). Views share the buffer.
class Tensor {
 public:
  Tensor() = default;  // empty: no buffer
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  Tensor& operator=(const Tensor&) = default;
  // Not inline: g++ 12 takes the empty vectors of a moved temporary for uninitialised memory.
  Tensor& operator=(Tensor&&) noexcept;
  ~Tensor() = default;

  // A dense row-major tensor with unspecified contents. Errors: ResourceExhausted, InvalidArgument (size overflow).
  static absl::StatusOr<Tensor> Allocate(ElementType type, absl::Span<const int64_t> dimensions);
  static absl::StatusOr<Tensor> Zeros(ElementType type, absl::Span<const int64_t> dimensions);
  // A literal of which only one value was written may come out as a view with zero strides. Errors: FailedPrecondition
  // if the literal is elided, InvalidArgument if a size is unbounded. Requires literal.shape().IsArray().
  static absl::StatusOr<Tensor> FromLiteral(const Literal& literal);
  // Requires sizeof(T) == StorageBytes(type). Error InvalidArgument if there are more or fewer values than elements.
  template <typename T>
  static absl::StatusOr<Tensor> FromValues(ElementType type, absl::Span<const int64_t> dimensions,
                                           absl::Span<const T> values);

  ElementType element_type() const { return type_; }
  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  int64_t dimension(int64_t i) const { return dimensions_[static_cast<size_t>(i)]; }
  absl::Span<const int64_t> strides() const { return strides_; }
  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  int64_t element_count() const;
  int64_t element_bytes() const { return StorageBytes(type_); }
  // Bytes of a dense copy.
  int64_t byte_size() const { return element_count() * element_bytes(); }
  bool has_buffer() const { return buffer_ != nullptr; }

  // True if the elements are densely in row-major order.
  bool IsContiguous() const;
  // Address of element (0,...,0).
  const uint8_t* data() const { return buffer_->data() + offset_bytes_; }
  template <typename T>
  const T* data_as() const {
    return reinterpret_cast<const T*>(data());
  }
  // Requires that no other tensor shares the buffer.
  uint8_t* mutable_data() { return buffer_->data() + offset_bytes_; }
  template <typename T>
  T* mutable_data_as() {
    return reinterpret_cast<T*>(mutable_data());
  }
  bool SharesBuffer() const { return buffer_.use_count() > 1; }
  const std::shared_ptr<Buffer>& buffer() const { return buffer_; }

  // Address of the element at a multi-index.
  const uint8_t* At(absl::Span<const int64_t> index) const;

  // This tensor if contiguous, else a dense copy.
  absl::StatusOr<Tensor> Contiguous() const;
  // A dense copy in a buffer of its own.
  absl::StatusOr<Tensor> Copy() const;

  // --- Views, without copying ---
  // Any strides over the same buffer. `offset` in elements from this tensor's origin. The caller guarantees bounds.
  Tensor View(absl::Span<const int64_t> dimensions, absl::Span<const int64_t> strides, int64_t offset) const;
  // The same bytes as another type of equal storage size.
  Tensor WithElementType(ElementType type) const;
  // A view if the strides allow it, else a copy. Element counts must agree.
  absl::StatusOr<Tensor> Reshape(absl::Span<const int64_t> dimensions) const;

  // Run-time sizes of dynamic dimensions (docs/ops/tensor.md 10.3): size of each dimension, or empty if all are full.
  absl::Span<const int64_t> dynamic_sizes() const { return dynamic_sizes_; }
  void set_dynamic_sizes(DimensionVector sizes) { dynamic_sizes_ = std::move(sizes); }

  // A view of the valid elements: this tensor if no dimension is dynamic.
  Tensor WithRunTimeSizes() const;

  // Same type, dimensions and bits.
  bool BitwiseEqual(const Tensor& other) const;
  // "f32[2,3]".
  Shape shape() const { return Shape::Array(type_, dimensions_); }

 private:
  ElementType type_ = ElementType::kInvalid;
  DimensionVector dimensions_;
  DimensionVector strides_;
  DimensionVector dynamic_sizes_;
  int64_t offset_bytes_ = 0;
  std::shared_ptr<Buffer> buffer_;
};

template <typename T>
absl::StatusOr<Tensor> Tensor::FromValues(ElementType type, absl::Span<const int64_t> dimensions,
                                          absl::Span<const T> values) {
  absl::StatusOr<Tensor> tensor = Allocate(type, dimensions);
  if (!tensor.ok()) return tensor;
  if (static_cast<int64_t>(values.size()) != tensor->element_count() ||
      static_cast<int64_t>(sizeof(T)) != tensor->element_bytes()) {
    return absl::InvalidArgumentError("the values do not fill the tensor");
  }
  if (!values.empty()) std::memcpy(tensor->mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_TENSOR_H_
