// SPDX-License-Identifier: Apache-2.0
// copy-start and copy-done (docs/ops/control.md 1.15). Generic asynchronous chains are run by the engine
// (evaluator/engine/async_chain.h).
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateAsynchronous(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kCopyStart: {
      // (destination, source, context); contents of the context are undefined.
      std::vector<Value> parts = {context.operands[0], context.operands[0]};
      for (int64_t i = 2; i < context.shape().tuple_size(); ++i) {
        absl::StatusOr<Value> undefined = ZeroValue(context.shape().element(i));
        if (!undefined.ok()) return undefined;
        parts.push_back(*std::move(undefined));
      }
      return Value::Tuple(std::move(parts));
    }
    case Opcode::kCopyDone:
      if (context.operands[0].elements().empty()) {
        return absl::InvalidArgumentError("the operand of copy-done is not the value of a copy-start");
      }
      return context.operands[0].elements()[0];
    default:
      return absl::UnimplementedError(
          absl::StrCat(OpcodeName(context.opcode()), " is executed by the engine, not by a kernel"));
  }
}

}  // namespace hloscope::evaluator
