// SPDX-License-Identifier: Apache-2.0
// The opcodes that work element by element (docs/ops/elementwise.md 4-8).
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/array_lanes.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateElementwise(const KernelContext& context) {
  if (context.opcode() == Opcode::kSelect && context.tensor(0).rank() == 0 &&
      context.tensor(0).dynamic_sizes().empty()) {
    // A scalar predicate chooses a whole operand.
    const size_t chosen = *context.tensor(0).data() != 0 ? 1 : 2;
    if (context.tensor(chosen).element_type() == context.shape().element_type()) return context.operands[chosen];
  }
  return EvaluateLanes(context);
}

}  // namespace hloscope::evaluator
