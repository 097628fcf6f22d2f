// SPDX-License-Identifier: Apache-2.0
// Custom calls that annotate a value and pass it on (docs/ops/control.md 3.2).
#include "core/ops/custom_call.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<Value> PassOperand(const KernelContext& context) {
  if (context.operands.empty()) return CustomCallError(context, "needs an operand");
  return context.operands[0];
}

// Storage without contents, or a result nobody uses.
absl::StatusOr<Value> PassZeros(const KernelContext& context) { return ZeroValue(context.shape()); }

absl::StatusOr<Value> PassNothing(const KernelContext&) { return Value::Tuple({}); }

}  // namespace

void RegisterAnnotationCalls(CustomCallRegistry& registry) {
  for (absl::string_view target : IdentityCustomCallTargets()) registry.Register(target, PassOperand);
  for (absl::string_view target : {"CreateBuffer", "AllocateBuffer", "xla.sdy.ShardingGroup"}) {
    registry.Register(target, PassZeros);
  }
  registry.Register("control_dep", PassNothing);
}

}  // namespace hloscope::evaluator
