// SPDX-License-Identifier: Apache-2.0
// Opcodes that only route values: tuple, get-tuple-element, opt-barrier, domain, after-all, add-dependency
// (docs/ops/control.md 1.3, 1.11, 1.12).
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {

absl::StatusOr<Value> EvaluateTuple(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kTuple:
      return Value::Tuple(std::vector<Value>(context.operands.begin(), context.operands.end()));
    case Opcode::kGetTupleElement: {
      const int64_t index = context.module.IntAttribute(context.id, AttributeKind::kIndex);
      const absl::Span<const Value> elements = context.operands[0].elements();
      if (index < 0 || index >= static_cast<int64_t>(elements.size())) {
        return absl::InvalidArgumentError(
            absl::StrCat("get-tuple-element: index ", index, " of a tuple of ", elements.size(), " elements"));
      }
      return elements[static_cast<size_t>(index)];
    }
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
      return context.operands[0];
    case Opcode::kAfterAll:
      return Value::Token();
    default:
      return absl::UnimplementedError(
          absl::StrCat(OpcodeName(context.opcode()), " is not an opcode of the tuple family"));
  }
}

}  // namespace hloscope::evaluator
