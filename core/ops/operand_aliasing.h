// SPDX-License-Identifier: Apache-2.0
// output_to_operand_aliasing of fusion, custom-call and async operations
// (docs/ops/control.md 1.10, 6.7-6.9).
#ifndef HLOSCOPE_CORE_OPS_OPERAND_ALIASING_H_
#define HLOSCOPE_CORE_OPS_OPERAND_ALIASING_H_

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Reports every entry of the attribute that names an output or operand part that does not exist, or two parts for which
// `match` (output part, operand part) is false. `result` is the shape that output indices point into.
void CheckOperandAliasing(RuleContext& context, const Shape& result,
                          absl::FunctionRef<bool(const Shape&, const Shape&)> match);

// The same with the shapes that operand numbers stand for where they are not those of the instruction's operands.
void CheckOperandAliasing(RuleContext& context, const Shape& result, absl::Span<const Shape> operands,
                          absl::FunctionRef<bool(const Shape&, const Shape&)> match);

// Reports one bad entry of the attribute, where it is.
void ReportOperandAliasing(RuleContext& context, const AliasEntry& entry, absl::string_view reason);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_OPERAND_ALIASING_H_
