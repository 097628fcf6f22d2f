// SPDX-License-Identifier: Apache-2.0
// get-dimension-size and set-dimension-size (docs/ops/tensor.md 10.1, 10.2).
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<Value> GetDimensionSize(const KernelContext& context, int64_t dimension) {
  absl::StatusOr<Tensor> result = Tensor::Allocate(ElementType::kS32, {});
  if (!result.ok()) return result.status();
  *result->mutable_data_as<int32_t>() = static_cast<int32_t>(ValidSize(context.tensor(0), dimension));
  return Value(*std::move(result));
}

// The same buffer with another run-time size.
absl::StatusOr<Value> SetDimensionSize(const KernelContext& context, int64_t dimension) {
  const Tensor& x = context.tensor(0);
  const int64_t size = ReadIndex(context.tensor(1).data(), context.tensor(1).element_type());
  const int64_t bound = x.dimension(dimension);
  if (size < 0 || size > bound) {
    return absl::InvalidArgumentError(absl::StrCat("set-dimension-size: size ", size, " outside [0,", bound, "]"));
  }
  DimensionVector sizes;
  bool is_full = true;
  for (int64_t d = 0; d < x.rank(); ++d) {
    sizes.push_back(d == dimension ? size : ValidSize(x, d));
    is_full = is_full && sizes.back() == x.dimension(d);
  }
  Tensor result = x;
  result.set_dynamic_sizes(is_full ? DimensionVector() : std::move(sizes));
  return Value(std::move(result));
}

}  // namespace

absl::StatusOr<Value> EvaluateDynamicDimension(const KernelContext& context) {
  const int64_t dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  switch (context.opcode()) {
    case Opcode::kGetDimensionSize:
      return GetDimensionSize(context, dimension);
    case Opcode::kSetDimensionSize:
      return SetDimensionSize(context, dimension);
    default:
      break;
  }
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), " is not an operation on dimension sizes"));
}

}  // namespace hloscope::evaluator
