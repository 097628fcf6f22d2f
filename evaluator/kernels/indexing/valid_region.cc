// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/valid_region.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "numerics/data_movement/strided_copy.h"

namespace hloscope::evaluator {

Tensor ValidRegion(const Tensor& tensor) {
  if (tensor.dynamic_sizes().empty()) return tensor;
  return tensor.View(tensor.dynamic_sizes(), tensor.strides(), 0);
}

std::vector<Tensor> ValidOperands(const KernelContext& context, size_t first, size_t count) {
  std::vector<Tensor> tensors;
  tensors.reserve(count);
  for (size_t k = first; k < first + count; ++k) tensors.push_back(ValidRegion(context.tensor(k)));
  return tensors;
}

absl::Status CheckSameSizes(absl::string_view opcode, absl::Span<const Tensor> valid) {
  for (const Tensor& tensor : valid) {
    if (tensor.dimensions() == valid[0].dimensions()) continue;
    return absl::InvalidArgumentError(absl::StrCat(opcode, ": the operands' run-time sizes [",
                                                   absl::StrJoin(valid[0].dimensions(), ","), "] and [",
                                                   absl::StrJoin(tensor.dimensions(), ","), "] differ"));
  }
  return absl::OkStatus();
}

int64_t ValidSize(const Tensor& tensor, int64_t dimension) {
  return tensor.dynamic_sizes().empty() ? tensor.dimension(dimension)
                                        : tensor.dynamic_sizes()[static_cast<size_t>(dimension)];
}

absl::StatusOr<Tensor> EnlargeToBounds(Tensor valid, const Shape& shape) {
  if (shape.IsBuffer()) return EnlargeToBounds(std::move(valid), shape.element(0));
  if (valid.dimensions() == shape.dimensions()) return valid;
  bool fits = valid.rank() == shape.rank();
  for (int64_t d = 0; fits && d < valid.rank(); ++d) {
    const int64_t size = valid.dimension(d), bound = shape.dimension(d);
    fits = size == bound || bound == kUnboundedSize || (size < bound && shape.IsDynamicDimension(d));
  }
  if (!fits) {
    return absl::InvalidArgumentError(absl::StrCat("the run-time sizes [", absl::StrJoin(valid.dimensions(), ","),
                                                   "] do not fit the declared shape ", shape.ToString(false)));
  }
  if (shape.HasUnboundedDimension()) return valid;
  absl::StatusOr<Tensor> bounded = Tensor::Zeros(valid.element_type(), shape.dimensions());
  if (!bounded.ok()) return bounded.status();
  numerics::CopyStrided(valid.element_bytes(), valid.dimensions(), valid.data(), valid.strides(),
                        bounded->mutable_data(), bounded->strides());
  bounded->set_dynamic_sizes(DimensionVector(valid.dimensions().begin(), valid.dimensions().end()));
  return bounded;
}

absl::StatusOr<Value> BoundedValue(std::vector<Tensor> valid, const Shape& shape) {
  if (!shape.IsTuple()) return BoundedValue(absl::StatusOr<Tensor>(std::move(valid[0])), shape);
  std::vector<Value> elements;
  for (size_t k = 0; k < valid.size(); ++k) {
    absl::StatusOr<Tensor> element = EnlargeToBounds(std::move(valid[k]), shape.element(static_cast<int64_t>(k)));
    if (!element.ok()) return element.status();
    elements.emplace_back(*std::move(element));
  }
  return Value::Tuple(std::move(elements));
}

absl::StatusOr<Value> BoundedValue(absl::StatusOr<Tensor> valid, const Shape& shape) {
  if (!valid.ok()) return valid.status();
  absl::StatusOr<Tensor> result = EnlargeToBounds(*std::move(valid), shape);
  if (!result.ok()) return result.status();
  return Value(*std::move(result));
}

}  // namespace hloscope::evaluator
