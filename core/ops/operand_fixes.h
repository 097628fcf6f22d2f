// SPDX-License-Identifier: Apache-2.0
// Fixes that several families offer for an operand that does not fit: a conversion or a broadcast in front of it.
#ifndef HLOSCOPE_CORE_OPS_OPERAND_FIXES_H_
#define HLOSCOPE_CORE_OPS_OPERAND_FIXES_H_

#include <cstddef>

#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/shape.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Each function adds a fix to `diagnostic`, which must be the last one reported, or none if the text has no place for
// it.

// Converts operands `operands`, which are arrays, to `type`, each where it is used.
void OfferConversion(const RuleContext& context, Diagnostic& diagnostic, absl::Span<const size_t> operands,
                     ElementType type);
// Reshapes operand `k`, an array of one element, to a scalar where it is used.
void OfferScalar(const RuleContext& context, Diagnostic& diagnostic, size_t k);
// Broadcasts operand `k` to the sizes of `target`: a scalar where it is used, an array by an instruction before this
// one. Its dimension i goes to dimension `dimensions[i]` of the target; those that have size 1 there but not in the
// target are not in `dimensions` and are reshaped away.
void OfferBroadcast(const RuleContext& context, Diagnostic& diagnostic, size_t k, const Shape& target,
                    absl::Span<const int64_t> dimensions);
// "f32[2,3] broadcast(f32[3] reshape(x)), dimensions={1}": the right-hand side of that instruction.
std::string BroadcastText(const RuleContext& context, size_t k, const Shape& target,
                          absl::Span<const int64_t> dimensions);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_OPERAND_FIXES_H_
