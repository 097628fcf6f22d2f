// SPDX-License-Identifier: Apache-2.0
// constant, parameter and iota (docs/ops/elementwise.md 10.1-10.3, docs/ops/tensor.md 9).
#include <string>

#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// CONST-1. Of the layouts, only the order of dimensions counts, and that only when layouts do.
InferredShape InferConstant(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  if (!context.instruction().literal.has_value()) return declared;
  const Shape& literal = context.module().literal(context.id()).shape();
  bool same = ShapesCompatible(literal, declared);
  if (same && context.options().layout_sensitive && literal.has_layout() && declared.has_layout()) {
    same = literal.layout().minor_to_major == declared.layout().minor_to_major;
  }
  if (!same) {
    context.Report(DiagnosticKind::kConstantShape, Anchor::Shape(), literal.ToString(), declared.ToString());
  }
  return declared;
}

// iota (10.3).
InferredShape InferIota(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  if (!CheckDeclaredArray(context)) return std::nullopt;
  if (declared.element_type() == ElementType::kPred) {
    const TypeSet allowed = kIntegerTypes | kFloatTypes | kComplexTypes;
    // Here compilers refuse what they accept of random numbers.
    Diagnostic& diagnostic = context.sink().Add(DiagnosticKind::kResultTypeUnsupported, Severity::kError,
                                                context.RangeOf(ShapePart{ShapePart::Kind::kElementType}),
                                                {std::string(context.opcode_name()), allowed.Describe(),
                                                 std::string(ElementTypeName(declared.element_type()))});
    diagnostic.is_tolerated = false;
  }
  if (declared.rank() == 0) {
    context.Report(DiagnosticKind::kIotaScalar, Anchor::Shape(), declared.ToString(false));
  } else if (context.Has(AttributeKind::kIotaDimension)) {
    CheckDimension(context, AttributeKind::kIotaDimension, context.Int(AttributeKind::kIotaDimension), declared.rank(),
                   "the result");
  }
  return declared;
}

}  // namespace

InferredShape InferValueSource(RuleContext& context) {
  if (!context.declared_shape().IsValid()) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kConstant:
      return InferConstant(context);
    case Opcode::kIota:
      return InferIota(context);
    case Opcode::kParameter:
      return context.declared_shape();
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
