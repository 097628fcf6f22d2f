// SPDX-License-Identifier: Apache-2.0
// sort and topk (docs/ops/tensor.md 7).
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/called_computation.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// SORT-5..7.
void CheckComparator(RuleContext& context) {
  const CalledComputation comparator(context, AttributeKind::kToApply);
  if (!comparator.IsReadable()) return;
  if (!comparator.result().IsScalar() || comparator.result().element_type() != ElementType::kPred) {
    ReportResult(context, comparator, "pred[]");
  }
  if (!CheckParameterCount(context, comparator, 2 * context.operand_count())) return;
  for (size_t k = 0; k < comparator.parameter_count(); ++k) {
    const ElementType type = context.operand_shape(k / 2).element_type();
    const Shape& parameter = comparator.parameter_shape(k);
    if (parameter.IsScalar() && SameUpToFloatPrecision(parameter.element_type(), type)) continue;
    ReportParameter(context, comparator, k,
                    absl::StrCat("it receives elements of operand ", k / 2, ", of type ", ElementTypeName(type)));
  }
}

// sort (7.1).
InferredShape InferSort(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "at least 1 operand",
                   "none");
    return std::nullopt;
  }
  const Shape& first = context.operand_shape(0);
  const absl::Span<const int64_t> dimensions = context.Ints(AttributeKind::kDimensions);
  if (CheckEntryCount(context, AttributeKind::kDimensions, dimensions.size(), 1, "the dimension to sort along")) {
    CheckDimension(context, AttributeKind::kDimensions, dimensions[0], first.rank(), "operand 0", 0);
  }
  bool same_sizes = true;
  for (size_t k = 1; k < context.operand_count(); ++k) {
    if (SameSizes(first, context.operand_shape(k))) continue;
    ReportShapesDiffer(context, 0, k, "");
    same_sizes = false;
  }
  CheckComparator(context);
  if (!same_sizes) return std::nullopt;
  if (context.operand_count() == 1) return first;
  std::vector<Shape> results;
  results.reserve(context.operand_count());
  for (size_t k = 0; k < context.operand_count(); ++k) results.push_back(context.operand_shape(k));
  return Shape::Tuple(std::move(results));
}

// topk (7.2).
InferredShape InferTopk(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  // TOPK-4: compilers accept complex numbers, which have no order; a run stops there.
  if (IsComplex(operand.element_type())) {
    context.ReportTolerated(DiagnosticKind::kOperandElementType, Anchor::Operand(0), context.opcode_name(), 0,
                            (kPredicateTypes | kIntegerTypes | kFloatTypes).Describe(),
                            ElementTypeName(operand.element_type()));
  }
  if (operand.rank() == 0) {
    context.Report(DiagnosticKind::kTopkScalar, Anchor::Operand(0), operand.ToString(false));
    return std::nullopt;
  }
  const int64_t k = context.Int(AttributeKind::kK), last = operand.rank() - 1;
  const int64_t size = operand.dimension(last);
  if (k < 0 || (size != kUnboundedSize && k > size)) {
    const Anchor value = Anchor::AttributeValue(AttributeKind::kK);
    Diagnostic& diagnostic = context.Report(
        DiagnosticKind::kTopkCount, value, k,
        size == kUnboundedSize ? "" : absl::StrCat(" and at most ", size, ", the last dimension's size"));
    context.RelateOperand(diagnostic, 0, last);
    if (k > 0) diagnostic.Fix(absl::StrCat("take all ", size), context.RangeOf(value), absl::StrCat(size));
    return std::nullopt;
  }
  Shape values = operand;
  values.clear_layout();
  values.set_dimension(last, k);
  values.set_dynamic_dimension(last, false);
  Shape indices = WithElementType(values, ElementType::kS32);
  return Shape::Tuple({std::move(values), std::move(indices)});
}

}  // namespace

InferredShape InferSorting(RuleContext& context) {
  if (!CheckArrayOperands(context) || !HasRequiredAttributes(context)) return std::nullopt;
  return context.opcode() == Opcode::kSort ? InferSort(context) : InferTopk(context);
}

}  // namespace hloscope
