// SPDX-License-Identifier: Apache-2.0
#include "core/ops/element_type_rules.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/ops/operand_fixes.h"

namespace hloscope {
namespace {

// Reports that operand `k` mixes `first` and `second`; offers to convert all operands to the widest type.
void ReportMixedPrecision(RuleContext& context, size_t k, ElementType first, ElementType second) {
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kMixedPrecision, Anchor::Operand(k), context.opcode_name(),
                                          ElementTypeName(first), ElementTypeName(second));
  ElementType widest = first;
  for (size_t i = 0; i < context.operand_count(); ++i) {
    const ElementType type = context.operand_shape(i).element_type();
    if (!context.operand_shape(i).IsArray()) return;
    if (IsFloat(type)) widest = WiderType(widest, type);
  }
  absl::InlinedVector<size_t, 4> others;
  for (size_t i = 0; i < context.operand_count(); ++i) {
    const ElementType type = context.operand_shape(i).element_type();
    if (IsFloat(type) && type != widest) others.push_back(i);
  }
  OfferConversion(context, diagnostic, others, widest);
}

// Compares the floating-point leaves of operand `k` with the first one seen, which it stores in `first`.
bool CheckFloatLeaves(RuleContext& context, size_t k, const Shape& shape, ElementType* first) {
  if (IsFloat(shape.element_type())) {
    if (*first == ElementType::kInvalid) *first = shape.element_type();
    if (*first == shape.element_type()) return true;
    ReportMixedPrecision(context, k, *first, shape.element_type());
    return false;
  }
  for (const Shape& element : shape.elements()) {
    if (!CheckFloatLeaves(context, k, element, first)) return false;
  }
  return true;
}

}  // namespace

std::string TypeSet::Describe() const {
  static constexpr std::pair<TypeSet, absl::string_view> kNames[] = {
      {kPredicateTypes, "pred"},        {kIntegerTypes, "integer"},
      {kSignedTypes, "signed integer"}, {kUnsignedTypes, "unsigned integer"},
      {kFloatTypes, "floating-point"},  {kComplexTypes, "complex"}};
  std::vector<absl::string_view> parts;
  uint8_t left = bits_;
  for (const auto& [set, name] : kNames) {
    if ((left & set.bits_) != set.bits_) continue;
    parts.push_back(name);
    left = static_cast<uint8_t>(left & ~set.bits_);
  }
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ", parts[i]);
  }
  return text;
}

bool SameSizes(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) return false;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (a.dimension(i) != b.dimension(i) && !a.IsUnboundedDimension(i) && !b.IsUnboundedDimension(i)) return false;
  }
  return true;
}

Shape WithElementType(Shape shape, ElementType type) {
  if (shape.element_type() == type) return shape;
  shape.set_element_type(type);
  if (shape.has_layout() && shape.layout().element_size_in_bits != 0 && BitWidth(type) >= 8) {
    Layout layout = shape.layout();
    layout.element_size_in_bits = 0;
    shape.set_layout(std::move(layout));
  }
  return shape;
}

bool CheckArrayOperands(RuleContext& context, size_t first, size_t end) {
  bool ok = true;
  for (size_t k = first; k < std::min(end, context.operand_count()); ++k) {
    if (context.operand_shape(k).IsArray()) continue;
    ok = false;
    context.Report(DiagnosticKind::kOperandNotArray, Anchor::Operand(k), context.opcode_name(), k,
                   context.operand_shape(k).ToString(false));
  }
  return ok;
}

bool CheckDeclaredArray(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  if (!declared.IsValid() || declared.IsArray()) return declared.IsValid();
  context.Report(DiagnosticKind::kResultNotArray, Anchor::Shape(), context.opcode_name(), declared.ToString());
  return false;
}

bool CheckOperandType(RuleContext& context, size_t k, TypeSet allowed) {
  const ElementType type = context.operand_shape(k).element_type();
  if (allowed.Contains(type)) return true;
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kOperandElementType, Anchor::Operand(k),
                                          context.opcode_name(), k, allowed.Describe(), ElementTypeName(type));
  context.RelateOperand(diagnostic, k);
  return false;
}

bool CheckSizeOperand(RuleContext& context, size_t k) {
  const Shape& size = context.operand_shape(k);
  if (size.IsScalar() && size.element_type() == ElementType::kS32) return true;
  // DRSH-4: compilers look at the type alone.
  const bool is_tolerated =
      context.opcode() == Opcode::kDynamicReshape && size.IsArray() && size.element_type() == ElementType::kS32;
  const auto report = [&](const auto&... args) -> Diagnostic& {
    return is_tolerated ? context.ReportTolerated(DiagnosticKind::kSizeOperand, Anchor::Operand(k), args...)
                        : context.Report(DiagnosticKind::kSizeOperand, Anchor::Operand(k), args...);
  };
  Diagnostic& diagnostic = report(context.opcode_name(), k, size.ToString(false));
  context.RelateOperand(diagnostic, k);
  if (size.IsScalar()) OfferConversion(context, diagnostic, {k}, ElementType::kS32);
  if (size.element_type() == ElementType::kS32) OfferScalar(context, diagnostic, k);
  return is_tolerated;
}

bool CheckScalarOperand(RuleContext& context, size_t k, absl::string_view role) {
  if (context.operand_shape(k).rank() == 0) return true;
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kOperandNotScalar, Anchor::Operand(k), context.opcode_name(),
                                          role, k, context.operand_shape(k).ToString(false));
  context.RelateOperand(diagnostic, k);
  OfferScalar(context, diagnostic, k);
  return false;
}

bool CheckSameOperandTypes(RuleContext& context, size_t a, size_t b) {
  if (SameUpToFloatPrecision(context.operand_shape(a).element_type(), context.operand_shape(b).element_type())) {
    return true;
  }
  ReportTypesDiffer(context, a, b);
  return false;
}

void ReportTypesDiffer(RuleContext& context, size_t a, size_t b) {
  const ElementType type_a = context.operand_shape(a).element_type();
  const ElementType type_b = context.operand_shape(b).element_type();
  Diagnostic& diagnostic =
      context.Report(DiagnosticKind::kOperandTypesDiffer, Anchor::Operand(b), context.opcode_name(), a,
                     ElementTypeName(type_a), b, ElementTypeName(type_b));
  context.RelateOperand(diagnostic, a);
  context.RelateOperand(diagnostic, b);
  OfferConversion(context, diagnostic, {b}, type_a);
  OfferConversion(context, diagnostic, {a}, type_b);
}

void ReportShapesDiffer(RuleContext& context, size_t first, size_t k, absl::string_view detail, bool is_tolerated) {
  const auto report = [&](const auto&... args) -> Diagnostic& {
    return is_tolerated ? context.ReportTolerated(DiagnosticKind::kOperandShapesDiffer, Anchor::Operand(k), args...)
                        : context.Report(DiagnosticKind::kOperandShapesDiffer, Anchor::Operand(k), args...);
  };
  Diagnostic& diagnostic = report(context.opcode_name(), context.operand_shape(first).ToString(false),
                                  context.operand_shape(k).ToString(false), detail);
  context.RelateOperand(diagnostic, first);
  context.RelateOperand(diagnostic, k);
}

bool CheckMixedPrecision(RuleContext& context) {
  if (context.options().allow_mixed_precision) return true;
  ElementType first = ElementType::kInvalid;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    if (!CheckFloatLeaves(context, k, context.operand_shape(k), &first)) return false;
  }
  return true;
}

bool CheckResultKeepsType(RuleContext& context) {
  const ElementType operand = context.operand_shape(0).element_type();
  const ElementType result = context.declared_shape().element_type();
  if (operand == result) return true;
  if (context.options().allow_mixed_precision && SameUpToFloatPrecision(operand, result)) return true;
  const ShapePart part{ShapePart::Kind::kElementType};
  context
      .ReportShapePart(DiagnosticKind::kResultElementType, part, context.opcode_name(), ElementTypeName(operand),
                       ElementTypeName(result))
      .Fix(absl::StrCat("change the element type to ", ElementTypeName(operand)), context.RangeOf(part),
           std::string(ElementTypeName(operand)));
  return false;
}

bool HasRequiredAttributes(const RuleContext& context) {
  for (AttributeKind kind : InfoOf(context.opcode()).required) {
    if (!context.Has(kind)) return false;
  }
  return true;
}

}  // namespace hloscope
