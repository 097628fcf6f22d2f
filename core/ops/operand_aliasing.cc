// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operand_aliasing.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/ops/shape_matching.h"

namespace hloscope {

void ReportOperandAliasing(RuleContext& context, const AliasEntry& entry, absl::string_view reason) {
  const auto* entries = context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  const size_t i = static_cast<size_t>(&entry - entries->data());
  context.Report(DiagnosticKind::kOperandAliasing, Anchor::Entry(AttributeKind::kOutputToOperandAliasing, i),
                 context.opcode_name(), ShapeIndexText(entry.output_index), entry.operand,
                 ShapeIndexText(entry.operand_index), reason);
}

void CheckOperandAliasing(RuleContext& context, const Shape& result, absl::Span<const Shape> operands,
                          absl::FunctionRef<bool(const Shape&, const Shape&)> match) {
  const std::vector<AliasEntry>* entries =
      context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  if (entries == nullptr) return;
  for (const AliasEntry& entry : *entries) {
    if (entry.operand < 0 || entry.operand >= static_cast<int64_t>(operands.size())) {
      ReportOperandAliasing(context, entry, absl::StrCat("the instruction has ", CountOf(operands.size(), "operand")));
      continue;
    }
    const Shape& operand = operands[static_cast<size_t>(entry.operand)];
    const Shape* output_part = SubshapeAt(result, entry.output_index);
    const Shape* operand_part = SubshapeAt(operand, entry.operand_index);
    if (output_part == nullptr) {
      ReportOperandAliasing(context, entry, absl::StrCat("the result, ", ShapeText(result), ", has no such part"));
    } else if (operand_part == nullptr) {
      ReportOperandAliasing(context, entry, absl::StrCat("the operand, ", ShapeText(operand), ", has no such part"));
    } else if (!match(*output_part, *operand_part)) {
      const bool with_layout = context.options().layout_sensitive;
      ReportOperandAliasing(context, entry,
                            absl::StrCat("the output part is ", ShapeText(*output_part, with_layout),
                                         ", the operand part ", ShapeText(*operand_part, with_layout)));
    }
  }
}

void CheckOperandAliasing(RuleContext& context, const Shape& result,
                          absl::FunctionRef<bool(const Shape&, const Shape&)> match) {
  if (!context.Has(AttributeKind::kOutputToOperandAliasing)) return;
  std::vector<Shape> operands;
  for (size_t k = 0; k < context.operand_count(); ++k) operands.push_back(context.operand_shape(k));
  CheckOperandAliasing(context, result, operands, match);
}

}  // namespace hloscope
