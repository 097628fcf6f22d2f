// SPDX-License-Identifier: Apache-2.0
#include "insight/blame/passed_on.h"

#include <algorithm>
#include <cstddef>

#include "core/print/print_order.h"

namespace hloscope::insight {

bool PassedOn::Has(InstructionId id, InstructionId carrier) const {
  const absl::Span<const InstructionId> carriers = flow_.carriers(id);
  return std::find(carriers.begin(), carriers.end(), carrier) != carriers.end();
}

InstructionId PassedOn::Before(InstructionId id, InstructionId carrier) const {
  const Module& module = flow_.module();
  InstructionId found;
  const auto look_at = [&](InstructionId other) {
    if (!found.has_value() && other.has_value() && other != id && Has(other, carrier)) found = other;
  };
  ForEachCalleeInOrder(module, id, false, [&](ComputationId callee) {
    if (callee.has_value()) look_at(module.computation(callee).root);
  });
  for (InstructionId operand : module.operands(id)) look_at(operand);
  if (module.opcode(id) != Opcode::kParameter) return found;
  const size_t number = module.instruction(id).parameter_number;
  for (InstructionId caller : calls_.callers(module.instruction(id).computation)) {
    const absl::Span<const InstructionId> operands = module.operands(caller);
    if (number < operands.size()) look_at(operands[number]);
    for (InstructionId operand : operands) look_at(operand);  // a conditional gives its branches other numbers
  }
  return found;
}

std::vector<InstructionId> PassedOn::Chain(InstructionId id, InstructionId carrier) const {
  std::vector<InstructionId> chain;
  while (id.has_value() && id != carrier && std::find(chain.begin(), chain.end(), id) == chain.end()) {
    chain.push_back(id);
    id = Before(id, carrier);
  }
  return chain;
}

InstructionId PassedOn::OperandOf(InstructionId carrier, size_t number) const {
  size_t first = 0;
  for (InstructionId operand : flow_.module().operands(carrier)) {
    if (!operand.has_value()) continue;
    const size_t count = flow_.carriers(operand).size();
    if (number < first + count) return operand;
    first += count;
  }
  return InstructionId();
}

}  // namespace hloscope::insight
