// SPDX-License-Identifier: Apache-2.0
// Custom calls: what can be checked without knowing the target, and the targets with rules of their own
// (docs/ops/control.md 3.1, 6.8).
#ifndef HLOSCOPE_CORE_OPS_CUSTOM_CALL_H_
#define HLOSCOPE_CORE_OPS_CUSTOM_CALL_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Name of the target of a custom call.
inline absl::string_view CustomCallTarget(const Module& module, InstructionId id) {
  return module.StringAttribute(id, AttributeKind::kCustomCallTarget);
}

// Targets that only annotate a value: the result is operand 0 itself (docs/ops/control.md 3.2).
absl::Span<const absl::string_view> IdentityCustomCallTargets();
bool IsIdentityCustomCall(const Module& module, InstructionId id);

// Calls visit(index, leaf) for every buffer inside the shape, in depth-first order.
void ForEachBufferLeaf(const Shape& shape, absl::FunctionRef<void(const ShapeIndex&, const Shape&)> visit);

// V090-V093: the signatures of the targets that make, take or return buffers, and that every buffer that goes in or out
// of another call is aliased to one on the other side.
void CheckBuffersOfCustomCall(RuleContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_CUSTOM_CALL_H_
