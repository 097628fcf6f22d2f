// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/tensor.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/tensor/arena.h"
#include "evaluator/tensor/reshape_view.h"
#include "numerics/data_movement/strided_copy.h"

namespace hloscope::evaluator {

absl::StatusOr<int64_t> CheckedElementCount(absl::Span<const int64_t> dimensions, int64_t element_bytes) {
  bool empty = false, overflow = false;
  int64_t product = element_bytes;
  for (int64_t size : dimensions) {
    if (size < 0) return absl::InvalidArgumentError(absl::StrCat("an array cannot have a dimension of size ", size));
    empty |= size == 0;
    overflow |= !empty && __builtin_mul_overflow(product, size, &product);
  }
  if (empty) return 0;
  if (overflow) {
    return absl::InvalidArgumentError(
        absl::StrCat("an array of dimensions [", absl::StrJoin(dimensions, ","), "] is too large to address"));
  }
  return product / element_bytes;
}

DimensionVector RowMajorStrides(absl::Span<const int64_t> dimensions) {
  DimensionVector strides(dimensions.size());
  int64_t stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    strides[i] = stride;
    // Only the strides of an empty array can overflow, and nobody multiplies with them.
    if (__builtin_mul_overflow(stride, std::max<int64_t>(dimensions[i], 1), &stride)) stride = 0;
  }
  return strides;
}

absl::StatusOr<std::shared_ptr<Buffer>> Buffer::Allocate(int64_t bytes) {
  absl::StatusOr<uint8_t*> block = Arena::Global().Allocate(bytes);
  if (!block.ok()) return block.status();
  return std::shared_ptr<Buffer>(new Buffer(*block, bytes));
}

Buffer::~Buffer() { Arena::Global().Free(data_, size_); }

int64_t Buffer::LiveBytes() { return Arena::Global().live_bytes(); }
int64_t Buffer::PeakBytes() { return Arena::Global().peak_bytes(); }
void Buffer::ResetPeak() { Arena::Global().ResetPeak(); }
void Buffer::SetLimit(int64_t bytes) { Arena::Global().SetLimit(bytes); }
int64_t Buffer::UsualLimit() { return Arena::Global().usual_limit(); }
int64_t Buffer::Limit() { return Arena::Global().limit(); }

Tensor& Tensor::operator=(Tensor&&) noexcept = default;

absl::StatusOr<Tensor> Tensor::Allocate(ElementType type, absl::Span<const int64_t> dimensions) {
  if (!IsArrayElement(type)) {
    return absl::InvalidArgumentError(absl::StrCat("there is no array of element type ", ElementTypeName(type)));
  }
  absl::StatusOr<int64_t> count = CheckedElementCount(dimensions, StorageBytes(type));
  if (!count.ok()) return count.status();
  absl::StatusOr<std::shared_ptr<Buffer>> buffer = Buffer::Allocate(*count * StorageBytes(type));
  if (!buffer.ok()) return buffer.status();
  Tensor tensor;
  tensor.type_ = type;
  tensor.dimensions_.assign(dimensions.begin(), dimensions.end());
  tensor.strides_ = RowMajorStrides(dimensions);
  tensor.buffer_ = *std::move(buffer);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Zeros(ElementType type, absl::Span<const int64_t> dimensions) {
  absl::StatusOr<Tensor> tensor = Allocate(type, dimensions);
  if (tensor.ok()) std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->byte_size()));
  return tensor;
}

absl::StatusOr<Tensor> Tensor::FromLiteral(const Literal& literal) {
  if (literal.IsElided()) return absl::FailedPreconditionError("the text leaves the constant's value out: {...}");
  const Shape& shape = literal.shape();
  if (shape.HasUnboundedDimension()) {
    return absl::InvalidArgumentError(absl::StrCat("a constant cannot have the unbounded shape ", shape.ToString()));
  }
  const int64_t stored = literal.StoredElementCount();
  if (stored == 0) {
    absl::StatusOr<Tensor> zero = Zeros(shape.element_type(), {});
    if (!zero.ok()) return zero;
    absl::StatusOr<int64_t> count = CheckedElementCount(shape.dimensions(), StorageBytes(shape.element_type()));
    if (!count.ok()) return count.status();
    return zero->View(shape.dimensions(), DimensionVector(static_cast<size_t>(shape.rank()), 0), 0);
  }
  absl::StatusOr<Tensor> tensor = Allocate(shape.element_type(), shape.dimensions());
  if (!tensor.ok()) return tensor;
  const int64_t bytes = tensor->byte_size();
  const int64_t copied = std::min(bytes, stored * tensor->element_bytes());
  std::memcpy(tensor->mutable_data(), literal.bytes().data(), static_cast<size_t>(copied));
  std::memset(tensor->mutable_data() + copied, 0, static_cast<size_t>(bytes - copied));
  return tensor;
}

int64_t Tensor::element_count() const {
  int64_t count = 1;
  for (int64_t size : dimensions_) {
    if (size == 0) return 0;
  }
  for (int64_t size : dimensions_) count *= size;
  return count;
}

bool Tensor::IsContiguous() const {
  int64_t expected = 1;
  bool dense = true;
  for (size_t i = dimensions_.size(); i-- > 0;) {
    if (dimensions_[i] == 0) return true;
    if (dimensions_[i] == 1) continue;
    dense &= strides_[i] == expected;
    if (dense) expected *= dimensions_[i];
  }
  return dense;
}

const uint8_t* Tensor::At(absl::Span<const int64_t> index) const {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides_[i];
  return data() + offset * element_bytes();
}

absl::StatusOr<Tensor> Tensor::Contiguous() const {
  if (IsContiguous()) return *this;
  return Copy();
}

absl::StatusOr<Tensor> Tensor::Copy() const {
  absl::StatusOr<Tensor> copy = Allocate(type_, dimensions_);
  if (!copy.ok()) return copy;
  numerics::CopyStrided(element_bytes(), dimensions_, data(), strides_, copy->mutable_data(), copy->strides_);
  copy->dynamic_sizes_ = dynamic_sizes_;
  return copy;
}

Tensor Tensor::View(absl::Span<const int64_t> dimensions, absl::Span<const int64_t> strides, int64_t offset) const {
  Tensor view;
  view.type_ = type_;
  view.dimensions_.assign(dimensions.begin(), dimensions.end());
  view.strides_.assign(strides.begin(), strides.end());
  view.offset_bytes_ = offset_bytes_ + offset * element_bytes();
  view.buffer_ = buffer_;
  return view;
}

Tensor Tensor::WithElementType(ElementType type) const {
  Tensor view = *this;
  view.type_ = type;
  return view;
}

namespace {

// Strides for `dimensions` over the elements of a view, if they exist: every new dimension must lie inside a run of old
// dimensions that one stride walks.
std::optional<DimensionVector> ReshapedStrides(absl::Span<const int64_t> old_dimensions,
                                               absl::Span<const int64_t> old_strides,
                                               absl::Span<const int64_t> dimensions) {
  DimensionVector strides(dimensions.size(), 0);
  size_t old_i = old_dimensions.size(), new_i = dimensions.size();
  while (new_i > 0) {
    if (dimensions[new_i - 1] == 1) {
      --new_i;
      continue;
    }
    while (old_i > 0 && old_dimensions[old_i - 1] == 1) --old_i;
    // Equal products of trailing dimensions: old [old_begin, old_i) against new [new_begin, new_i).
    size_t old_begin = old_i - 1, new_begin = new_i - 1;
    int64_t old_size = old_dimensions[old_begin], new_size = dimensions[new_begin];
    while (old_size != new_size) {
      if (old_size < new_size) {
        old_size *= old_dimensions[--old_begin];
      } else {
        new_size *= dimensions[--new_begin];
      }
    }
    int64_t stride = old_strides[old_i - 1];
    int64_t walked = stride * old_dimensions[old_i - 1];
    for (size_t k = old_i - 1; k-- > old_begin;) {
      if (old_dimensions[k] == 1) continue;
      if (old_strides[k] != walked) return std::nullopt;
      walked *= old_dimensions[k];
    }
    for (size_t k = new_i; k-- > new_begin;) {
      strides[k] = stride;
      stride *= dimensions[k];
    }
    old_i = old_begin;
    new_i = new_begin;
  }
  return strides;
}

}  // namespace

std::optional<Tensor> ReshapeView(const Tensor& tensor, absl::Span<const int64_t> dimensions) {
  if (tensor.element_count() == 0 || tensor.IsContiguous()) {
    return tensor.View(dimensions, RowMajorStrides(dimensions), 0);
  }
  const std::optional<DimensionVector> strides = ReshapedStrides(tensor.dimensions(), tensor.strides(), dimensions);
  if (!strides) return std::nullopt;
  return tensor.View(dimensions, *strides, 0);
}

absl::StatusOr<Tensor> Tensor::Reshape(absl::Span<const int64_t> dimensions) const {
  absl::StatusOr<int64_t> count = CheckedElementCount(dimensions, element_bytes());
  if (!count.ok()) return count.status();
  if (*count != element_count()) {
    return absl::InvalidArgumentError(absl::StrCat("cannot reshape [", absl::StrJoin(dimensions_, ","), "] to [",
                                                   absl::StrJoin(dimensions, ","), "]: the element counts differ"));
  }
  if (std::optional<Tensor> view = ReshapeView(*this, dimensions)) return *std::move(view);
  absl::StatusOr<Tensor> copy = Copy();
  if (!copy.ok()) return copy;
  return copy->View(dimensions, RowMajorStrides(dimensions), 0);
}

Tensor Tensor::WithRunTimeSizes() const { return dynamic_sizes_.empty() ? *this : View(dynamic_sizes_, strides_, 0); }

bool Tensor::BitwiseEqual(const Tensor& other) const {
  if (type_ != other.type_ || dimensions_ != other.dimensions_ || has_buffer() != other.has_buffer()) return false;
  if (dynamic_sizes_ != other.dynamic_sizes_) return false;
  if (!has_buffer() || element_count() == 0) return true;
  const absl::StatusOr<Tensor> a = Contiguous(), b = other.Contiguous();
  return a.ok() && b.ok() && std::memcmp(a->data(), b->data(), static_cast<size_t>(a->byte_size())) == 0;
}

}  // namespace hloscope::evaluator
