// SPDX-License-Identifier: Apache-2.0
// The slice sizes that dynamic-slice and gather take.
#ifndef HLOSCOPE_CORE_OPS_SLICE_SIZE_RULES_H_
#define HLOSCOPE_CORE_OPS_SLICE_SIZE_RULES_H_

#include "absl/strings/str_cat.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Reports that `size`, entry `d` of the attribute, is negative or larger than dimension `d` of operand 0 (DSL-7, DSL-8,
// GATH-14); offers the whole dimension.
inline void ReportSliceSize(RuleContext& context, AttributeKind attribute, int64_t d, int64_t size) {
  const int64_t whole = context.operand_shape(0).dimension(d);
  const Anchor entry = Anchor::Entry(attribute, static_cast<size_t>(d));
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kSliceSize, entry, context.opcode_name(), size, d,
                                          whole == kUnboundedSize ? "" : absl::StrCat(" and at most ", whole));
  if (whole == kUnboundedSize) return;
  context.RelateOperand(diagnostic, 0, d);
  if (size > whole)
    diagnostic.Fix(absl::StrCat("take the whole dimension, ", whole), context.RangeOf(entry), absl::StrCat(whole));
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_SLICE_SIZE_RULES_H_
