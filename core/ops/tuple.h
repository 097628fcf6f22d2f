// SPDX-License-Identifier: Apache-2.0
// Tuples, tokens and the operations that pass their operand through: tuple, get-tuple-element, after-all,
// add-dependency, opt-barrier, domain (docs/ops/control.md 1.2, 1.3, 1.11, 1.12).
#ifndef HLOSCOPE_CORE_OPS_TUPLE_H_
#define HLOSCOPE_CORE_OPS_TUPLE_H_

#include "core/ops/rule_context.h"

namespace hloscope {

// Report, at the operand, unless operand `k` is a token, or a tuple.
bool CheckTokenOperand(RuleContext& context, size_t k);
bool CheckTupleOperand(RuleContext& context, size_t k);
// The same for an operand that is to be a token though compilers accept every shape.
void CheckToleratedTokenOperand(RuleContext& context, size_t k);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_TUPLE_H_
