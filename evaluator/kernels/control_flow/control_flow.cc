// SPDX-License-Identifier: Apache-2.0
// call, while, conditional, fusion (docs/ops/control.md 1.5-1.10): the engine runs them in frames
// (evaluator/engine/frame_stack.h), so no kernel computes them.
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateControlFlow(const KernelContext& context) {
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), " is executed by the engine, not by a kernel"));
}

}  // namespace hloscope::evaluator
