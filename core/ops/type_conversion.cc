// SPDX-License-Identifier: Apache-2.0
#include "core/ops/type_conversion.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

// The declared shape with the operand's sizes and flags: what an op whose text decides only the element type implies.
Shape DeclaredTypeWithOperandSizes(const RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& declared = context.declared_shape();
  if (SameSizes(operand, declared) && !operand.IsDynamic()) return declared;
  Shape result = WithElementType(operand, declared.element_type());
  result.clear_layout();
  return result;
}

InferredShape InferBitcastConvert(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& declared = context.declared_shape();
  const ElementType from = operand.element_type(), to = declared.element_type();
  if (IsComplex(from) != IsComplex(to)) {
    context.ReportShapePart(DiagnosticKind::kBitcastConvertTypes, ShapePart{ShapePart::Kind::kElementType},
                            ElementTypeName(from), ElementTypeName(to));
    return std::nullopt;
  }
  const int from_width = BitcastWidth(from), to_width = BitcastWidth(to);
  if (from_width == to_width) return DeclaredTypeWithOperandSizes(context);

  DimensionVector sizes(operand.dimensions().begin(), operand.dimensions().end());
  absl::InlinedVector<bool, 6> dynamic;
  for (int64_t d = 0; d < operand.rank(); ++d) dynamic.push_back(operand.IsDynamicDimension(d));
  if (to_width < from_width) {
    sizes.push_back(from_width / to_width);
    dynamic.push_back(false);
  } else {
    const int64_t expected = to_width / from_width;
    const int64_t last = operand.rank() - 1;
    if (operand.rank() == 0 || (operand.dimension(last) != expected && !operand.IsUnboundedDimension(last))) {
      Diagnostic& diagnostic = context.Report(DiagnosticKind::kBitcastConvertSize, Anchor::Operand(0), expected,
                                              ElementTypeName(from), ElementTypeName(to), operand.ToString(false));
      context.RelateOperand(diagnostic, 0, last >= 0 ? std::optional<int64_t>(last) : std::nullopt);
      return std::nullopt;
    }
    if (operand.IsDynamicDimension(last)) {
      context.Report(DiagnosticKind::kBitcastConvertDynamic, Anchor::Operand(0), last, operand.ToString(false));
    }
    sizes.pop_back();
    dynamic.pop_back();
  }
  Shape result = Shape::Array(to, sizes, dynamic);
  return !result.IsDynamic() && SameSizes(result, declared) ? declared : result;
}

InferredShape InferReducePrecision(RuleContext& context) {
  CheckOperandType(context, 0, kFloatTypes);
  const std::pair<AttributeKind, int64_t> limits[] = {{AttributeKind::kExponentBits, 1},
                                                      {AttributeKind::kMantissaBits, 0}};
  for (const auto& [attribute, least] : limits) {
    const int64_t bits = context.Int(attribute, least);
    if (bits >= least) continue;
    context.Report(DiagnosticKind::kPrecisionBits, Anchor::AttributeValue(attribute), AttributeName(attribute), bits,
                   least);
  }
  return context.operand_shape(0);
}

bool SameDynamicDimensions(const Shape& a, const Shape& b) {
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (a.IsDynamicDimension(d) != b.IsDynamicDimension(d)) return false;
  }
  return true;
}

InferredShape InferStochasticConvert(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& random = context.operand_shape(1);
  const bool float_ok = CheckOperandType(context, 0, kFloatTypes);
  const bool random_ok = CheckOperandType(context, 1, kUnsignedTypes);
  if (float_ok && random_ok && BitWidth(operand.element_type()) != BitWidth(random.element_type())) {
    context.Report(DiagnosticKind::kStochasticWidths, Anchor::Operand(1), ElementTypeName(operand.element_type()),
                   BitWidth(operand.element_type()), ElementTypeName(random.element_type()),
                   BitWidth(random.element_type()));
  }
  const bool same_sizes = SameSizes(operand, random);
  if (!same_sizes) {
    ReportShapesDiffer(context, 0, 1, "");
  } else if (!SameDynamicDimensions(operand, random) || !LayoutsMatch(operand, random, LayoutMatching::Exact())) {
    // SC-4: this operation compares everything but the element type, in every mode.
    context.Report(DiagnosticKind::kOperandShapesDiffer, Anchor::Operand(1), context.opcode_name(),
                   ShapeText(operand, /*with_layout=*/true), ShapeText(random, /*with_layout=*/true), "");
  }
  if (!CheckDeclaredArray(context)) return std::nullopt;
  if (!IsSigned(context.declared_shape().element_type())) {
    context.ReportShapePart(DiagnosticKind::kResultTypeUnsupported, ShapePart{ShapePart::Kind::kElementType},
                            context.opcode_name(), kSignedTypes.Describe(),
                            ElementTypeName(context.declared_shape().element_type()));
  }
  return same_sizes ? InferredShape(DeclaredTypeWithOperandSizes(context)) : std::nullopt;
}

}  // namespace

int BitcastWidth(ElementType type) {
  const int width = BitWidth(type);
  return type == ElementType::kPred || width == 6 ? 8 : width;
}

InferredShape InferTypeConversion(RuleContext& context) {
  if (!CheckArrayOperands(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kReducePrecision:
      return InferReducePrecision(context);
    case Opcode::kStochasticConvert:
      return InferStochasticConvert(context);
    case Opcode::kBitcastConvert:
      return CheckDeclaredArray(context) ? InferBitcastConvert(context) : std::nullopt;
    case Opcode::kConvert:
      return CheckDeclaredArray(context) ? InferredShape(DeclaredTypeWithOperandSizes(context)) : std::nullopt;
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
