// Custom calls that annotate a value and pass it on (spec/ops-c-control-collectives.md 3.2, 3.3).
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/custom_call.h"
#include "evaluator/kernels/custom_call_registry.h"
#include "evaluator/kernels/custom_call_support.h"
#include "evaluator/tensor/value.h"

namespace hloscope {
namespace {

absl::StatusOr<Value> PassOperand(const KernelContext& context) {
  if (context.operands.empty()) return CustomCallError(context, "needs an operand");
  return context.operands[0];
}

// Storage without contents, or a result nobody uses.
absl::StatusOr<Value> PassZeros(const KernelContext& context) { return ZeroValue(context.shape()); }

absl::StatusOr<Value> PassNothing(const KernelContext&) { return Value::Tuple({}); }

// Between global and per-device shapes. Where both are the same there is nothing to do; elsewhere several devices take
// part.
absl::StatusOr<Value> PassIfShapeStays(const KernelContext& context) {
  if (context.operands.empty()) return CustomCallError(context, "needs an operand");
  const Shape operand = context.module.shape(context.module.operand(context.id, 0));
  if (context.operands.size() == 1 && ShapesCompatible(operand, context.shape())) return context.operands[0];
  return absl::UnimplementedError(absl::StrCat("custom-call ", context.module.InstructionName(context.id),
                                               " (target \"", CustomCallTarget(context), "\"): changing ",
                                               operand.ToString(false), " to ", context.shape().ToString(false),
                                               " takes the devices of the sharding"));
}

}  // namespace

void RegisterAnnotationCalls(CustomCallRegistry& registry) {
  for (absl::string_view target : IdentityCustomCallTargets()) registry.Register(target, PassOperand);
  for (absl::string_view target : {"CreateBuffer", "AllocateBuffer", "xla.sdy.ShardingGroup"}) {
    registry.Register(target, PassZeros);
  }
  registry.Register("control_dep", PassNothing);
  for (absl::string_view target : {"SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.GlobalToLocalShape",
                                   "xla.sdy.LocalToGlobalShape", "GlobalToLocalShape", "LocalToGlobalShape"}) {
    registry.Register(target, PassIfShapeStays);
  }
}

}  // namespace hloscope
