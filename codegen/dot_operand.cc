// SPDX-License-Identifier: Apache-2.0
#include "codegen/dot_operand.h"

#include <optional>

#include "codegen/index_map.h"
#include "core/ops/dot.h"
#include "numerics/contraction/gemm.h"
#include "numerics/contraction/narrow_gemm.h"

namespace hloscope::codegen {
namespace {

// The stride of dimensions that can be walked as one; none if they cannot, or not forwards.
std::optional<int64_t> JointStride(const Shape& shape, absl::Span<const int64_t> strides,
                                   absl::Span<const int64_t> dimensions) {
  std::optional<int64_t> stride;
  int64_t size = 1;
  for (size_t k = dimensions.size(); k-- > 0;) {
    const int64_t d = dimensions[k], own = strides[static_cast<size_t>(d)];
    if (shape.dimension(d) == 1) continue;
    if (own <= 0) return std::nullopt;
    if (!stride) {
      stride = own;
    } else if (own != *stride * size) {
      return std::nullopt;
    }
    size *= shape.dimension(d);
  }
  return stride.value_or(1);
}

}  // namespace

ElementType SumType(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kFloat:
      return type == ElementType::kF64 ? type : ElementType::kF32;
    case ElementKind::kComplex:
      return type;
    case ElementKind::kPredicate:
    case ElementKind::kSigned:
    case ElementKind::kUnsigned:
    case ElementKind::kOther:
      break;
  }
  return ElementType::kU64;
}

int64_t SizeOf(const Shape& shape, absl::Span<const int64_t> dimensions) {
  int64_t size = 1;
  for (int64_t d : dimensions) size *= shape.dimension(d);
  return size;
}

namespace {

numerics::GemmSizes DotSizes(const Module& module, InstructionId dot) {
  const DotDimensions dims = DotDimensionsOf(module, dot);
  const Shape& lhs = module.shape(module.operand(dot, 0));
  const Shape& rhs = module.shape(module.operand(dot, 1));
  return {SizeOf(lhs, FreeDimensions(lhs.rank(), dims.lhs_batch, dims.lhs_contracting)),
          SizeOf(rhs, FreeDimensions(rhs.rank(), dims.rhs_batch, dims.rhs_contracting)),
          SizeOf(lhs, dims.lhs_contracting)};
}

}  // namespace

ElementType DotSumType(const Module& module, InstructionId dot) {
  const ElementType type = module.shape(dot).element_type();
  const ElementType lhs = module.shape(module.operand(dot, 0)).element_type();
  const ElementType rhs = module.shape(module.operand(dot, 1)).element_type();
  if (numerics::IsBf16Product(lhs, rhs, type)) return ElementType::kBF16;
  return IsInteger(type) ? numerics::IntegerSumType(lhs, rhs, type, DotSizes(module, dot)) : SumType(type);
}

std::vector<ElementType> DotOperandTypes(const Module& module, InstructionId dot, size_t side) {
  const ElementType type = module.shape(dot).element_type(), sum_type = DotSumType(module, dot);
  if (sum_type == ElementType::kBF16) return {sum_type};
  const ElementType operand = module.shape(module.operand(dot, side)).element_type();
  if (sum_type == ElementType::kU32 && IsInteger(operand)) {
    // Of integers the low bits count, which need not be converted.
    const numerics::WideOperand wide = numerics::WideOperandOf(DotSizes(module, dot), numerics::kThinIntegers);
    const bool is_wide = wide == (side == 0 ? numerics::WideOperand::kLeft : numerics::WideOperand::kRight);
    if (BitWidth(operand) == 32 || (is_wide && numerics::IsStoredForU32(operand))) return {operand};
  }
  return {type, sum_type};
}

DotOperand DotOperandOf(const Module& module, InstructionId dot, size_t side) {
  const InstructionId operand = module.operand(dot, side);
  const Shape& shape = module.shape(operand);
  for (ElementType type : DotOperandTypes(module, dot, side)) {
    if (type != shape.element_type()) return {operand};
  }
  const DotDimensions dims = DotDimensionsOf(module, dot);
  const absl::Span<const int64_t> batch = side == 0 ? dims.lhs_batch : dims.rhs_batch;
  const absl::Span<const int64_t> contracting = side == 0 ? dims.lhs_contracting : dims.rhs_contracting;
  const DimensionVector free = FreeDimensions(shape.rank(), batch, contracting);
  const absl::Span<const int64_t> rows = side == 0 ? absl::Span<const int64_t>(free) : contracting;
  const absl::Span<const int64_t> columns = side == 0 ? contracting : absl::Span<const int64_t>(free);
  const int64_t row_count = SizeOf(shape, rows), column_count = SizeOf(shape, columns);
  // The elements of a row or of a column must be neighbours.
  const auto in_place = [&](InstructionId array, const LinearIndex& index) -> std::optional<DotOperand> {
    const auto b = JointStride(shape, index.strides, batch), r = JointStride(shape, index.strides, rows),
               c = JointStride(shape, index.strides, columns);
    if (!b || !r || !c || (column_count != 1 && *c != 1 && row_count != 1 && *r != 1)) return std::nullopt;
    return DotOperand{array, true, index.offset, *b, row_count == 1 ? column_count : *r, column_count == 1 ? 1 : *c};
  };
  const size_t rank = static_cast<size_t>(shape.rank());
  IndexMap map = IdentityMap(rank);
  std::optional<DotOperand> found = in_place(operand, LinearIndexOf(map, shape.dimensions(), rank));
  // As far down as the product can follow.
  for (InstructionId array = operand; IsView(module, array);) {
    map = OperandMap(module, array, map);
    array = module.operand(array, 0);
    if (module.shape(array).element_type() != shape.element_type()) break;
    const auto below = in_place(array, LinearIndexOf(map, module.shape(array).dimensions(), rank));
    if (below) found = below;
  }
  return found.value_or(DotOperand{operand});
}

}  // namespace hloscope::codegen
