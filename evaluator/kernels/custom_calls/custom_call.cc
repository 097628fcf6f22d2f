// SPDX-License-Identifier: Apache-2.0
// custom-call (docs/ops/control.md 3).
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/custom_calls/custom_call_registry.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/kernels/interface/custom_call_provider.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateCustomCall(const KernelContext& context) {
  if (const CustomCallHandler handler = CustomCallRegistry::Get().Find(CustomCallTarget(context))) {
    return handler(context);
  }
  if (CustomCallProvider* const provider = context.runtime.custom_calls()) {
    absl::StatusOr<std::optional<Value>> provided = provider->Provide(context);
    if (!provided.ok()) return provided.status();
    if (provided->has_value()) {
      if (!ValueFits(**provided, context.shape())) {
        return CustomCallError(
            context, absl::StrCat("the value given for it has shape ", ShapeOf(**provided).ToString(false), ", not ",
                                  context.shape().ToString(false)));
      }
      return **std::move(provided);
    }
  }
  return absl::UnimplementedError(absl::StrCat("custom-call ", context.module.InstructionName(context.id),
                                               ": the evaluator does not know the target \"", CustomCallTarget(context),
                                               "\"; a plug-in can compute it, or a given value stand in for it"));
}

}  // namespace hloscope::evaluator
