// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kernel_test_support.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope {

SingleInstruction::SingleInstruction(Opcode opcode, absl::Span<const Shape> operands, const Shape& result) {
  const ComputationId computation = module_.AddComputation("entry");
  module_.set_entry(computation);
  std::vector<InstructionId> ids;
  for (size_t k = 0; k < operands.size(); ++k) {
    ids.push_back(module_.AddInstruction(computation, Opcode::kParameter, absl::StrCat("p", k), operands[k], {}));
    module_.mutable_instruction(ids.back()).parameter_number = static_cast<uint32_t>(k);
  }
  id_ = module_.AddInstruction(computation, opcode, "result", result, ids);
  module_.mutable_computation(computation).root = id_;
}

absl::StatusOr<evaluator::Value> SingleInstruction::Evaluate(absl::Span<const evaluator::Value> operands,
                                                             evaluator::KernelRuntime& runtime) const {
  return evaluator::EvaluateInstruction(evaluator::KernelContext{module_, id_, operands, runtime});
}

absl::StatusOr<evaluator::Value> SingleInstruction::Evaluate(absl::Span<const evaluator::Value> operands) const {
  SerialRuntime runtime;
  return Evaluate(operands, runtime);
}

}  // namespace hloscope
