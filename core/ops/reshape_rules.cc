// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reshape_rules.h"

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

// A dynamic dimension that lies with others in one group of factors has no dimension of its own in the result (1.2).
// The builder interface refuses that; a text says itself what is dynamic.
void HintAtSplitDimensions(RuleContext& context) {
  const Shape& operand = context.operand_shape(0);
  const Shape& result = context.declared_shape();
  if (!operand.IsDynamic() || operand.HasUnboundedDimension() || result.HasUnboundedDimension()) return;
  for (const FactorGroup& group : FactorGroups(operand.dimensions(), result.dimensions())) {
    if (group.input_end - group.input_begin <= 1 || group.output_end - group.output_begin <= 1) continue;
    for (int64_t d = group.input_begin; d < group.input_end; ++d) {
      if (!operand.IsDynamicDimension(d)) continue;
      context.Report(DiagnosticKind::kReshapeSplitAndCombine, Anchor::Operand(0), d, operand.ToString(false),
                     result.ToString(false));
    }
  }
}

}  // namespace

InferredShape InferReshape(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  CheckResultKeepsType(context);
  if (context.Has(AttributeKind::kInferredDimension)) {
    const int64_t inferred = context.Int(AttributeKind::kInferredDimension, -1);
    if (inferred != -1) {
      CheckDimension(context, AttributeKind::kInferredDimension, inferred, declared.rank(), "the result", std::nullopt,
                     /*is_tolerated=*/true);
    }
  }
  if (!CheckElementCounts(context)) return std::nullopt;
  HintAtSplitDimensions(context);
  return declared;
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
