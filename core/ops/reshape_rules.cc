#include "core/ops/reshape_rules.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/factor_groups.h"

namespace hloscope {
namespace {

// RESH-1, DRSH-1: both shapes have as many elements (up to their bounds).
bool CheckElementCounts(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& result = context.declared_shape();
  const int64_t operand_count = operand.ElementCount(), result_count = result.ElementCount();
  if (operand_count < 0 || result_count < 0) return true;
  if (operand_count == std::numeric_limits<int64_t>::max() || result_count == operand_count) {
    if (operand_count != std::numeric_limits<int64_t>::max()) return true;
    context.Report(DiagnosticKind::kElementCountOverflow, Anchor::Operand(0), context.opcode_name(),
                   operand.ToString(false));
    return false;
  }
  Diagnostic& diagnostic = context.ReportShapePart(
      DiagnosticKind::kElementCount, ShapePart{ShapePart::Kind::kDimensions}, context.opcode_name(),
      operand.ToString(false), operand_count, result.ToString(false), result_count);
  context.RelateOperand(diagnostic, 0);
  return false;
}

// RESH-3. False if nothing can be said about the sizes.
bool CheckBoundedReshape(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& result = context.declared_shape();
  bool ok = true;
  for (int64_t d = 0; d < result.rank(); ++d) {
    if (!result.IsUnboundedDimension(d)) continue;
    context.ReportShapePart(DiagnosticKind::kReshapeUnbounded, ShapePart{ShapePart::Kind::kDimension, d},
                            absl::StrCat("the result dimension ", d, " is unbounded"));
    ok = false;
  }
  bool bounded = false;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    bounded = bounded || (operand.IsDynamicDimension(d) && !operand.IsUnboundedDimension(d));
  }
  if (bounded && operand.HasUnboundedDimension()) {
    context.Report(DiagnosticKind::kReshapeUnbounded, Anchor::Operand(0),
                   absl::StrCat("the operand ", operand.ToString(false), " mixes bounded and unbounded dimensions"));
    ok = false;
  }
  return ok;
}

// The result dimension that carries the dynamic size of operand dimension `d`, or -1 if it has none (1.2, RESH-5,
// RESH-6).
int64_t DynamicResultDimension(RuleContext& context, int64_t d, absl::Span<const FactorGroup> groups) {
  const Shape& operand = context.operand_shape(0);
  const Shape& result = context.declared_shape();
  const auto group = std::find_if(groups.begin(), groups.end(),
                                  [d](const FactorGroup& g) { return d >= g.input_begin && d < g.input_end; });
  if (group == groups.end()) return -1;
  if (group->input_end - group->input_begin > 1 && group->output_end - group->output_begin > 1) {
    context.Report(DiagnosticKind::kReshapeSplitAndCombine, Anchor::Operand(0), d, operand.ToString(false),
                   result.ToString(false));
    return -1;
  }
  if (operand.dimension(d) == 1 && result.rank() > 0) {
    if (d == operand.rank() - 1) return result.rank() - 1;
    if (d == 0) return 0;
    context.Report(DiagnosticKind::kReshapeDynamicOne, Anchor::Operand(0), d);
    return -1;
  }
  // Size-1 result dimensions at the group's edges belong to it as well.
  int64_t begin = group->output_begin, end = group->output_end;
  for (const FactorGroup& other : groups) {
    if (other.input_begin != other.input_end) continue;
    if (other.input_begin == group->input_begin) begin = std::min(begin, other.output_begin);
    if (other.input_end == group->input_end) end = std::max(end, other.output_end);
  }
  if (end - begin == 1) return begin;
  const int64_t inferred = context.Int(AttributeKind::kInferredDimension, -1);
  if (inferred >= 0 && inferred < result.rank()) return inferred;
  for (int64_t o = begin; o < end; ++o) {
    if (result.dimension(o) != 1) return o;
  }
  return -1;
}

}  // namespace

InferredShape InferReshape(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& declared = context.declared_shape();
  CheckResultKeepsType(context);
  if (context.Has(AttributeKind::kInferredDimension)) {
    const int64_t inferred = context.Int(AttributeKind::kInferredDimension, -1);
    if (inferred != -1) {
      CheckDimension(context, AttributeKind::kInferredDimension, inferred, declared.rank(), "the result");
    }
  }
  if (!CheckElementCounts(context)) return std::nullopt;
  if (!operand.IsDynamic() && !declared.HasUnboundedDimension()) return declared;
  if (!CheckBoundedReshape(context) || operand.HasUnboundedDimension()) return std::nullopt;

  Shape result = Shape::Array(declared.element_type(), declared.dimensions());
  if (declared.has_layout()) result.set_layout(declared.layout());
  const absl::InlinedVector<FactorGroup, 6> groups = FactorGroups(operand.dimensions(), declared.dimensions());
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (!operand.IsDynamicDimension(d)) continue;
    const int64_t target = DynamicResultDimension(context, d, groups);
    if (target >= 0) result.set_dynamic_dimension(target, true);
  }
  return result;
}

InferredShape InferDynamicReshape(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  CheckResultKeepsType(context);
  CheckElementCounts(context);
  const size_t sizes = context.operand_count() - 1;
  if (sizes != static_cast<size_t>(declared.rank())) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   absl::StrCat("an array and ", CountOf(static_cast<size_t>(declared.rank()), "size", "sizes"),
                                " (one for each result dimension)"),
                   CountOf(context.operand_count(), "operand", "operands"));
  }
  for (size_t k = 1; k <= sizes; ++k) {
    CheckSizeOperand(context, k);
  }
  return declared;
}

}  // namespace hloscope
