// SPDX-License-Identifier: Apache-2.0
// Data movement: broadcast ... pad, copy, bitcast (docs/ops/tensor.md 1 and 9). Whatever can be a view is one.
#include "evaluator/kernels/data_movement/data_movement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/kernels/data_movement/bitcast.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/indexing/reshape_sizes.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/element_conversion.h"

namespace hloscope::evaluator {
namespace {

DimensionVector SizesOf(const Tensor& tensor) {
  return DimensionVector(tensor.dimensions().begin(), tensor.dimensions().end());
}
DimensionVector StridesOf(const Tensor& tensor) {
  return DimensionVector(tensor.strides().begin(), tensor.strides().end());
}

// 1.1: r[i] = x[i[d_0], i[d_1], ...].
absl::StatusOr<Tensor> Broadcast(const KernelContext& context) {
  const Tensor x = ValidRegion(context.tensor(0));
  const absl::Span<const int64_t> mapped = context.module.IntsAttribute(context.id, AttributeKind::kDimensions);
  DimensionVector sizes(context.shape().dimensions().begin(), context.shape().dimensions().end());
  DimensionVector strides(sizes.size(), 0);
  for (size_t k = 0; k < mapped.size(); ++k) {
    const size_t d = static_cast<size_t>(mapped[k]);
    sizes[d] = x.dimensions()[k];
    strides[d] += x.strides()[k];  // two operand dimensions may go to one: its diagonal
  }
  return x.View(sizes, strides, 0);
}

// 1.2: the same row-major sequence of elements.
absl::StatusOr<Tensor> Reshape(const KernelContext& context) {
  const Tensor& x = context.tensor(0);
  if (x.dynamic_sizes().empty()) return ReshapeElements(x, context.shape().dimensions(), context.runtime);
  const Tensor valid = ValidRegion(x);
  absl::StatusOr<DimensionVector> sizes = ReshapedDynamicSizes(x.dimensions(), valid.dimensions(), context.shape());
  if (!sizes.ok()) return sizes.status();
  return valid.Reshape(*sizes);
}

// 1.3: the valid elements in row-major order, refilled into an array of the given sizes.
absl::StatusOr<Tensor> DynamicReshape(const KernelContext& context) {
  const Tensor valid = ValidRegion(context.tensor(0));
  const Shape& shape = context.shape();
  DimensionVector sizes;
  int64_t count = 1;
  bool fits = true;
  for (int64_t k = 0; k < shape.rank(); ++k) {
    const Tensor& operand = context.tensor(static_cast<size_t>(k) + 1);
    if (operand.element_count() != 1) return absl::InvalidArgumentError("dynamic-reshape: a size is not one number");
    const int64_t size = ReadIndex(operand.data(), operand.element_type());
    const int64_t bound = shape.dimension(k);
    fits =
        fits && size >= 0 && (shape.IsDynamicDimension(k) ? bound == kUnboundedSize || size <= bound : size == bound);
    sizes.push_back(size);
    fits = fits && !__builtin_mul_overflow(count, size, &count);
  }
  if (!fits || count != valid.element_count()) {
    return absl::InvalidArgumentError(absl::StrCat("dynamic-reshape: sizes ", absl::StrJoin(sizes, ","), " hold ",
                                                   count, " elements, operand has ", valid.element_count()));
  }
  return valid.Reshape(sizes);
}

// 1.4: r[i] = x[j] with j[p_k] = i[k].
absl::StatusOr<Tensor> Transpose(const KernelContext& context) {
  const Tensor x = ValidRegion(context.tensor(0));
  DimensionVector sizes, strides;
  for (int64_t p : context.module.IntsAttribute(context.id, AttributeKind::kDimensions)) {
    sizes.push_back(x.dimension(p));
    strides.push_back(x.strides()[static_cast<size_t>(p)]);
  }
  return x.View(sizes, strides, 0);
}

// 1.5: the listed dimensions run backwards, within their run-time size.
absl::StatusOr<Tensor> Reverse(const KernelContext& context) {
  const Tensor x = ValidRegion(context.tensor(0));
  if (x.element_count() == 0) return x;
  DimensionVector strides = StridesOf(x);
  int64_t offset = 0;
  for (int64_t dimension : context.module.IntsAttribute(context.id, AttributeKind::kDimensions)) {
    const size_t d = static_cast<size_t>(dimension);
    offset += (x.dimensions()[d] - 1) * strides[d];
    strides[d] = -strides[d];
  }
  return x.View(x.dimensions(), strides, offset);
}

// 1.6. At run time operand k starts right after the valid part of operand k-1.
absl::StatusOr<Tensor> Concatenate(const KernelContext& context) {
  return ConcatenateTensors(ValidOperands(context, 0, context.operands.size()),
                            context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0],
                            context.shape().element_type(), context.runtime);
}

// 1.7: r[i] = x[start + i*stride]; the limit is cut at the run-time size.
absl::StatusOr<Tensor> Slice(const KernelContext& context) {
  const Tensor x = ValidRegion(context.tensor(0));
  const std::vector<SliceRange>& ranges = *context.module.SliceRangesAttribute(context.id);
  DimensionVector sizes, strides;
  int64_t offset = 0;
  for (size_t d = 0; d < ranges.size(); ++d) {
    const int64_t limit = std::min(ranges[d].limit, x.dimensions()[d]);
    const int64_t length = std::max<int64_t>(limit - ranges[d].start, 0);
    sizes.push_back(length == 0 ? 0 : (length - 1) / ranges[d].stride + 1);
    strides.push_back(sizes.back() <= 1 ? 0 : x.strides()[d] * ranges[d].stride);
    offset += ranges[d].start * x.strides()[d];
  }
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) offset = 0;  // nothing is read; stay inside the buffer
  return x.View(sizes, strides, offset);
}

// The start indices of dynamic-slice and dynamic-update-slice, in scalar or vector form, moved so that a region of
// `sizes` fits into `x` (1.8).
DimensionVector ClampedStarts(const KernelContext& context, size_t first_index, const Tensor& x,
                              absl::Span<const int64_t> sizes) {
  std::vector<int64_t> indices;
  for (size_t k = first_index; k < context.operands.size(); ++k) {
    for (int64_t index : ReadIndices(context.tensor(k))) indices.push_back(index);
  }
  DimensionVector starts;
  for (size_t d = 0; d < sizes.size(); ++d) {
    starts.push_back(std::clamp<int64_t>(indices[d], 0, std::max<int64_t>(x.dimensions()[d] - sizes[d], 0)));
  }
  return starts;
}

int64_t OffsetOf(absl::Span<const int64_t> index, absl::Span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
  return offset;
}

// 1.8: r[j] = x[s + j].
absl::StatusOr<Tensor> DynamicSlice(const KernelContext& context) {
  const Tensor& operand = context.tensor(0);
  const Tensor x = ValidRegion(operand);
  const absl::Span<const int64_t> slice_sizes =
      context.module.IntsAttribute(context.id, AttributeKind::kDynamicSliceSizes);
  DimensionVector sizes(slice_sizes.begin(), slice_sizes.end());
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (x.dimensions()[d] == operand.dimensions()[d]) continue;
    if (sizes[d] == operand.dimensions()[d]) {
      sizes[d] = x.dimensions()[d];
    } else if (sizes[d] > x.dimensions()[d] || sizes[d] != 1) {
      return absl::InvalidArgumentError(absl::StrCat("dynamic-slice: partial slice of dynamic dimension ", d));
    }
  }
  const DimensionVector starts = ClampedStarts(context, 1, x, sizes);
  const bool is_empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  return x.View(sizes, x.strides(), is_empty ? 0 : OffsetOf(starts, x.strides()));
}

absl::StatusOr<Tensor> FreshCopy(const Tensor& x, KernelRuntime& runtime) {
  absl::StatusOr<Tensor> copy = Tensor::Allocate(x.element_type(), x.dimensions());
  if (!copy.ok()) return copy;
  absl::Status status = CopyElements(x, copy->mutable_data(), copy->strides(), runtime);
  if (!status.ok()) return status;
  return copy;
}

// 1.9: r = x but for r[s + j] = u[j]. A full-size update decides the run-time size of a dynamic dimension.
absl::StatusOr<Tensor> DynamicUpdateSlice(const KernelContext& context) {
  const Tensor& operand = context.tensor(0);
  const Tensor& full_update = context.tensor(1);
  const bool is_only_holder = !operand.SharesBuffer();
  Tensor x = ValidRegion(operand);
  absl::StatusOr<Tensor> update = ConvertElements(ValidRegion(full_update), x.element_type(), context.runtime);
  if (!update.ok()) return update;
  DimensionVector sizes = SizesOf(x);
  bool grows = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_dynamic = context.shape().IsDynamicDimension(static_cast<int64_t>(d));
    if (is_dynamic && full_update.dimensions()[d] == operand.dimensions()[d]) {
      grows = grows || update->dimensions()[d] > sizes[d];
      sizes[d] = update->dimensions()[d];
    }
  }
  x = (grows ? operand : x).View(sizes, x.strides(), 0);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (update->dimensions()[d] <= sizes[d]) continue;
    return absl::InvalidArgumentError(absl::StrCat("dynamic-update-slice: dimension ", d, " of the update has size ",
                                                   update->dimensions()[d], ", the operand at run time ", sizes[d]));
  }
  // Written in place if nobody else holds the operand's memory. The kernel may then be started again after a pause: it
  // writes the same elements once more.
  const bool in_place = is_only_holder && x.IsContiguous() && x.dimensions() == operand.dimensions() &&
                        operand.buffer()->size() == operand.byte_size();
  const DimensionVector starts = ClampedStarts(context, 2, x, update->dimensions());
  absl::StatusOr<Tensor> result = in_place ? x : FreshCopy(x, context.runtime);
  if (!result.ok()) return result;
  if (update->element_count() == 0) return result;
  uint8_t* destination = result->mutable_data() + OffsetOf(starts, result->strides()) * result->element_bytes();
  if (absl::Status s = CopyElements(*update, destination, result->strides(), context.runtime); !s.ok()) return s;
  return result;
}

// 1.10: interior holes first, then the edges are extended or cropped.
absl::StatusOr<Tensor> Pad(const KernelContext& context) {
  const ElementType type = context.shape().element_type();
  absl::StatusOr<Tensor> x = ConvertElements(ValidRegion(context.tensor(0)), type, context.runtime);
  if (!x.ok()) return x;
  absl::StatusOr<Tensor> value = ConvertElements(context.tensor(1), type, context.runtime);
  if (!value.ok()) return value;
  const PaddingConfig* padding = context.module.PaddingAttribute(context.id);
  DimensionVector sizes, strides, source_sizes;
  int64_t source_offset = 0;
  DimensionVector first;  // result index of the first element that is kept
  for (int64_t d = 0; d < x->rank(); ++d) {
    const PaddingDimension& p = (*padding)[static_cast<size_t>(d)];
    const int64_t n = x->dimension(d), step = p.interior + 1;
    const int64_t size = n + p.low + p.high + std::max<int64_t>(n - 1, 0) * p.interior;
    if (size < 0) {
      return absl::InvalidArgumentError(absl::StrCat("pad: dimension ", d, ": result size ", size,
                                                     " is negative (operand ", n, ", low ", p.low, ", high ", p.high,
                                                     ", interior ", p.interior, ")"));
    }
    // Elements i with 0 <= low + i*step < size.
    const int64_t begin = p.low >= 0 ? 0 : (-p.low + step - 1) / step;
    const int64_t end = size <= p.low ? 0 : std::min(n, (size - p.low - 1) / step + 1);
    sizes.push_back(size);
    first.push_back(p.low + begin * step);
    strides.push_back(step);
    source_sizes.push_back(std::max<int64_t>(end - begin, 0));
    source_offset += begin * x->strides()[static_cast<size_t>(d)];
  }
  absl::StatusOr<Tensor> result = FilledTensor(*value, sizes, context.runtime);
  if (!result.ok()) return result;
  if (std::find(source_sizes.begin(), source_sizes.end(), 0) != source_sizes.end()) return result;
  for (size_t d = 0; d < strides.size(); ++d) strides[d] *= result->strides()[d];
  uint8_t* destination = result->mutable_data() + OffsetOf(first, result->strides()) * result->element_bytes();
  const Tensor kept = x->View(source_sizes, x->strides(), source_offset);
  if (absl::Status s = CopyElements(kept, destination, strides, context.runtime); !s.ok()) return s;
  return result;
}

absl::StatusOr<Tensor> EvaluateArray(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kBroadcast:
      return Broadcast(context);
    case Opcode::kReshape:
      return Reshape(context);
    case Opcode::kDynamicReshape:
      return DynamicReshape(context);
    case Opcode::kTranspose:
      return Transpose(context);
    case Opcode::kReverse:
      return Reverse(context);
    case Opcode::kConcatenate:
      return Concatenate(context);
    case Opcode::kSlice:
      return Slice(context);
    case Opcode::kDynamicSlice:
      return DynamicSlice(context);
    case Opcode::kDynamicUpdateSlice:
      return DynamicUpdateSlice(context);
    case Opcode::kPad:
      return Pad(context);
    case Opcode::kBitcast:
      return Bitcast(context.tensor(0), context.module.shape(context.module.operand(context.id, 0)), context.shape());
    default:
      break;
  }
  return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a data movement"));
}

}  // namespace

absl::StatusOr<Tensor> ConcatenateTensors(absl::Span<const Tensor> operands, int64_t dimension, ElementType type,
                                          KernelRuntime& runtime) {
  if (operands.size() == 1) return ConvertElements(operands[0], type, runtime);
  const size_t d = static_cast<size_t>(dimension);
  DimensionVector sizes = SizesOf(operands[0]);
  for (size_t k = 1; k < operands.size(); ++k) {
    DimensionVector others = SizesOf(operands[k]);
    others[d] = operands[0].dimensions()[d];
    if (operands[0].dimensions() != absl::MakeConstSpan(others)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "concatenate: the operands' run-time sizes [", absl::StrJoin(operands[0].dimensions(), ","), "] and [",
          absl::StrJoin(operands[k].dimensions(), ","), "] differ in another dimension than ", dimension));
    }
    if (__builtin_add_overflow(sizes[d], operands[k].dimensions()[d], &sizes[d])) {
      return absl::ResourceExhaustedError("concatenate: the result is too large");
    }
  }
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, sizes);
  if (!result.ok()) return result;
  uint8_t* destination = result->mutable_data();
  const int64_t step = result->strides()[d] * result->element_bytes();
  for (const Tensor& operand : operands) {
    absl::StatusOr<Tensor> converted = ConvertElements(operand, type, runtime);
    if (!converted.ok()) return converted;
    if (absl::Status s = CopyElements(*converted, destination, result->strides(), runtime); !s.ok()) return s;
    destination += step * operand.dimensions()[d];
  }
  return result;
}

Tensor RangeOf(const Tensor& tensor, int64_t dimension, int64_t begin, int64_t size) {
  DimensionVector sizes = SizesOf(tensor);
  sizes[static_cast<size_t>(dimension)] = size;
  return tensor.View(sizes, tensor.strides(), size == 0 ? 0 : begin * tensor.strides()[static_cast<size_t>(dimension)]);
}

absl::StatusOr<Value> EvaluateDataMovement(const KernelContext& context) {
  if (context.opcode() == Opcode::kCopy) {
    // 9: the same value; layouts do not change what a value is. Under mixed precision the type may change.
    const Value& x = context.operands[0];
    if (!x.IsTensor() || x.tensor().element_type() == context.shape().element_type()) return x;
    absl::StatusOr<Tensor> converted = ConvertElements(x.tensor(), context.shape().element_type(), context.runtime);
    if (!converted.ok()) return converted.status();
    return Value(*std::move(converted));
  }
  return BoundedValue(EvaluateArray(context), context.shape());
}

}  // namespace hloscope::evaluator
