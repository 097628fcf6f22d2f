// SPDX-License-Identifier: Apache-2.0
// get-dimension-size and set-dimension-size (docs/ops/tensor.md 10).
#include <limits>
#include <utility>

#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// GDS-1..3, SDS-1, 3: the one dimension that `dimensions` names, or nothing if it is in error.
std::optional<int64_t> CheckSizedDimension(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const absl::Span<const int64_t> dimensions = context.Ints(AttributeKind::kDimensions);
  if (!CheckEntryCount(context, AttributeKind::kDimensions, dimensions.size(), 1, "the dimension") ||
      !CheckDimension(context, AttributeKind::kDimensions, dimensions[0], operand.rank(), "the operand", 0)) {
    return std::nullopt;
  }
  const int64_t d = dimensions[0];
  if (operand.dimension(d) > std::numeric_limits<int32_t>::max()) {
    context.Report(DiagnosticKind::kDimensionSizeTooLarge, Anchor::Entry(AttributeKind::kDimensions, 0),
                   context.opcode_name(), d, operand.dimension(d));
    return std::nullopt;
  }
  return d;
}

// True if operand 1 is a constant with the value `size`.
bool IsConstantSize(const RuleContext& context, int64_t size) {
  const InstructionId id = context.operand(1);
  if (context.module().opcode(id) != Opcode::kConstant || !context.module().instruction(id).literal.has_value()) {
    return false;
  }
  const Literal& literal = context.module().literal(id);
  if (literal.IsElided() || literal.shape().element_type() != ElementType::kS32) return false;
  const uint8_t* bytes = literal.ElementBytes(0);
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | bytes[i];
  return static_cast<int32_t>(value) == size;
}

// set-dimension-size (10.2). The dimension becomes dynamic, except where the text declares it static and the size is a
// constant equal to the bound, which removes the dynamic size.
InferredShape InferSetDimensionSize(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  CheckSizeOperand(context, 1);
  const std::optional<int64_t> d = CheckSizedDimension(context);
  if (!d.has_value()) return std::nullopt;
  const Shape& declared = context.declared_shape();
  const bool declared_static =
      declared.IsArray() && declared.rank() == operand.rank() && !declared.IsDynamicDimension(*d);
  Shape result = operand;
  result.set_dynamic_dimension(*d, !(declared_static && IsConstantSize(context, operand.dimension(*d))));
  return result;
}

}  // namespace

InferredShape InferDynamicDimension(RuleContext& context) {
  if (!CheckArrayOperands(context) || !HasRequiredAttributes(context)) return std::nullopt;
  if (context.opcode() == Opcode::kSetDimensionSize) return InferSetDimensionSize(context);
  CheckSizedDimension(context);
  return Shape::Scalar(ElementType::kS32);
}

}  // namespace hloscope
