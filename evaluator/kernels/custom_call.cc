// custom-call (spec/ops-c-control-collectives.md 3).
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/custom_call_registry.h"
#include "evaluator/kernels/custom_call_support.h"
#include "evaluator/kernels/kernel.h"

namespace hloscope {

absl::StatusOr<Value> EvaluateCustomCall(const KernelContext& context) {
  const CustomCallHandler handler = CustomCallRegistry::Get().Find(CustomCallTarget(context));
  if (handler == nullptr) {
    return absl::UnimplementedError(absl::StrCat("custom-call ", context.module.InstructionName(context.id),
                                                 ": the evaluator does not know the target \"",
                                                 CustomCallTarget(context), "\""));
  }
  return handler(context);
}

}  // namespace hloscope
