#include "core/ops/element_type_rules.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

// Compares the floating-point leaves of operand `k` with the first one seen, which it stores in `first`.
bool CheckFloatLeaves(RuleContext& context, size_t k, const Shape& shape, ElementType* first) {
  if (IsFloat(shape.element_type())) {
    if (*first == ElementType::kInvalid) *first = shape.element_type();
    if (*first == shape.element_type()) return true;
    context.Report(DiagnosticKind::kMixedPrecision, Anchor::Operand(k), context.opcode_name(), ElementTypeName(*first),
                   ElementTypeName(shape.element_type()));
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

std::string CountOf(size_t count, absl::string_view singular, absl::string_view plural) {
  return absl::StrCat(count, " ", count == 1 ? singular : plural);
}

bool CheckArrayOperands(RuleContext& context, size_t first) {
  bool ok = true;
  for (size_t k = first; k < context.operand_count(); ++k) {
    if (context.operand_shape(k).IsArray()) continue;
    ok = false;
    context.Report(DiagnosticKind::kOperandNotArray, Anchor::Operand(k), context.opcode_name(), k,
                   context.operand_shape(k).ToString());
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
  context.Report(DiagnosticKind::kOperandElementType, Anchor::Operand(k), context.opcode_name(), k, allowed.Describe(),
                 ElementTypeName(type));
  return false;
}

bool CheckScalarOperand(RuleContext& context, size_t k, absl::string_view role) {
  if (context.operand_shape(k).rank() == 0) return true;
  context.Report(DiagnosticKind::kOperandNotScalar, Anchor::Operand(k), context.opcode_name(), role, k,
                 context.operand_shape(k).ToString());
  return false;
}

bool CheckSameOperandTypes(RuleContext& context, size_t a, size_t b) {
  const ElementType type_a = context.operand_shape(a).element_type();
  const ElementType type_b = context.operand_shape(b).element_type();
  if (SameUpToFloatPrecision(type_a, type_b)) return true;
  context.Report(DiagnosticKind::kOperandTypesDiffer, Anchor::Operand(b), context.opcode_name(),
                 ElementTypeName(type_a), ElementTypeName(type_b));
  return false;
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
  context.Report(DiagnosticKind::kResultElementType, Anchor::Shape(), context.opcode_name(), ElementTypeName(operand),
                 ElementTypeName(result));
  return false;
}

bool HasRequiredAttributes(const RuleContext& context) {
  for (AttributeKind kind : InfoOf(context.opcode()).required) {
    if (!context.Has(kind)) return false;
  }
  return true;
}

}  // namespace hloscope
