// SPDX-License-Identifier: Apache-2.0
#include "core/print/print_order.h"

namespace hloscope {

void ForEachCalleeInOrder(const Module& module, InstructionId id, bool body_before_condition,
                          absl::FunctionRef<void(ComputationId)> visit) {
  const Opcode opcode = module.opcode(id);
  const auto visit_attribute = [&](AttributeKind kind) {
    for (ComputationId callee : module.ComputationsAttribute(id, kind)) {
      if (callee.has_value()) visit(callee);
    }
  };
  if (opcode == Opcode::kWhile && body_before_condition) {
    visit_attribute(AttributeKind::kBody);
    visit_attribute(AttributeKind::kCondition);
    return;
  }
  for (AttributeKind kind : InfoOf(opcode).attributes) {
    const AttributeType type = InfoOf(kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) visit_attribute(kind);
  }
}

std::vector<ComputationId> ComputationPrintOrder(const Module& module, PrintOrder print_order) {
  const size_t count = module.computations().size();
  // Callees of each computation, each once, in the order of its instructions.
  std::vector<std::vector<ComputationId>> callees(count);
  std::vector<bool> is_called(count, false);
  std::vector<size_t> last_caller(count, count);  // the computation that listed the callee last
  for (size_t c = 0; c < count; ++c) {
    for (InstructionId id : module.computations()[c].instructions) {
      if (module.attributes(id).empty()) continue;
      ForEachCalleeInOrder(module, id, /*body_before_condition=*/true, [&](ComputationId callee) {
        is_called[callee.index()] = true;
        if (last_caller[callee.index()] == c) return;
        last_caller[callee.index()] = c;
        callees[c].push_back(callee);
      });
    }
  }
  std::vector<ComputationId> order;
  order.reserve(count);
  std::vector<bool> visited(count, false);
  struct Visit {
    ComputationId computation;
    size_t next_callee = 0;
  };
  std::vector<Visit> stack;
  const auto visit_from = [&](ComputationId start) {
    if (visited[start.index()]) return;
    visited[start.index()] = true;
    stack.push_back({start});
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::vector<ComputationId>& list = callees[top.computation.index()];
      if (top.next_callee == list.size()) {
        order.push_back(top.computation);
        stack.pop_back();
        continue;
      }
      const ComputationId callee = list[top.next_callee++];
      if (visited[callee.index()]) continue;
      visited[callee.index()] = true;
      stack.push_back({callee});
    }
  };
  for (size_t c = 0; c < count; ++c) {
    if (!is_called[c] && print_order == PrintOrder::kXla) visit_from(ComputationId(c));
  }
  // In the order of the reference, only those that call each other are left. They cannot come from text, but print.
  for (size_t c = 0; c < count; ++c) visit_from(ComputationId(c));
  return order;
}

InstructionOrder::InstructionOrder(const Module& module, PrintOrder order)
    : module_(module), starts_search_(module.instruction_count(), true), state_(module.instruction_count(), 0) {
  is_fused_.assign(module.computations().size(), false);
  is_stored_so_.assign(module.computations().size(), order == PrintOrder::kText);
  for (size_t c = 0; c < module.computations().size(); ++c) {
    InstructionId last;
    bool ascends = true;  // and what each needs comes before it
    for (InstructionId id : module.computations()[c].instructions) {
      ascends = ascends && (!last.has_value() || last.index() < id.index());
      last = id;
      for (InstructionId operand : module.operands(id)) {
        if (!operand.has_value()) continue;
        if (order == PrintOrder::kXla) starts_search_[operand.index()] = false;
        ascends = ascends && operand.index() < id.index();
      }
      if (!module.attributes(id).empty()) {
        for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
          ascends = ascends && (!before.has_value() || before.index() < id.index());
        }
      }
      if (module.opcode(id) != Opcode::kFusion) continue;
      const ComputationId fused = module.ComputationAttribute(id, AttributeKind::kCalls);
      if (fused.has_value()) is_fused_[fused.index()] = true;
    }
    if (!ascends) is_stored_so_[c] = false;
  }
}

std::vector<InstructionId> InstructionOrder::Of(ComputationId computation) const {
  const std::vector<InstructionId>& stored = module_.computation(computation).instructions;
  if (is_stored_so_[computation.index()]) return stored;
  if (module_.header().is_scheduled && !is_fused_[computation.index()]) return stored;

  enum State : uint8_t { kNew, kVisiting, kDone };
  for (InstructionId id : stored) state_[id.index()] = kNew;
  std::vector<InstructionId> order, stack;
  order.reserve(stored.size());
  const auto visit_from = [&](InstructionId start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const InstructionId id = stack.back();
      if (state_[id.index()] != kNew) {
        stack.pop_back();
        if (state_[id.index()] == kVisiting) {
          state_[id.index()] = kDone;
          order.push_back(id);
        }
        continue;
      }
      state_[id.index()] = kVisiting;
      // Pushed last, visited first: control predecessors from the last, then operands from the first.
      const absl::Span<const InstructionId> operands = module_.operands(id);
      for (size_t k = operands.size(); k-- > 0;) {
        if (operands[k].has_value() && state_[operands[k].index()] == kNew) stack.push_back(operands[k]);
      }
      if (module_.attributes(id).empty()) continue;
      for (InstructionId before : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
        if (before.has_value() && state_[before.index()] == kNew) stack.push_back(before);
      }
    }
  };
  for (InstructionId id : stored) {
    if (starts_search_[id.index()] && state_[id.index()] == kNew) visit_from(id);
  }
  return order;
}

}  // namespace hloscope
