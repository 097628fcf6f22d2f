// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dead_code.h"

#include <cstdint>
#include <numeric>

namespace hloscope {
namespace {

std::vector<bool> MarkLive(const Module& module, const SideEffects& effects) {
  std::vector<bool> live(module.instruction_count(), false);
  std::vector<InstructionId> open;
  const auto mark = [&](InstructionId id) {
    if (!id.has_value() || live[id.index()]) return;
    live[id.index()] = true;
    open.push_back(id);
  };
  for (const Computation& computation : module.computations()) mark(computation.root);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) == Opcode::kParameter || effects.Has(id)) mark(id);
  }
  while (!open.empty()) {
    const InstructionId id = open.back();
    open.pop_back();
    for (InstructionId operand : module.operands(id)) mark(operand);
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) mark(before);
  }
  return live;
}

// Disjoint sets of instructions.
class Sets {
 public:
  explicit Sets(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
  uint32_t Find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The smaller number represents the set, so that groups are known by their first instruction.
  void Join(uint32_t a, uint32_t b) {
    a = Find(a), b = Find(b);
    if (a < b) {
      parent_[b] = a;
    } else {
      parent_[a] = b;
    }
  }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

std::vector<DeadGroup> FindDeadCode(const Module& module, const UserIndex& users, const SideEffects& effects) {
  const std::vector<bool> live = MarkLive(module, effects);
  Sets sets(module.instruction_count());
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (live[i]) continue;
    for (InstructionId operand : module.operands(InstructionId(i))) {
      if (operand.has_value() && !live[operand.index()]) sets.Join(i, operand.value);
    }
  }
  std::vector<DeadGroup> groups;
  std::vector<uint32_t> group_of(module.instruction_count());
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (live[i]) continue;
    const uint32_t first = sets.Find(i);
    if (first == i) {
      group_of[i] = static_cast<uint32_t>(groups.size());
      groups.emplace_back();
    }
    DeadGroup& group = groups[group_of[first]];
    group.instructions.push_back(InstructionId(i));
    if (users.users(InstructionId(i)).empty()) group.tops.push_back(InstructionId(i));
  }
  return groups;
}

std::vector<ComputationId> FindUnreachableComputations(const Module& module, const CallGraph& calls) {
  std::vector<bool> reached(module.computations().size(), false);
  std::vector<ComputationId> open;
  if (module.entry().has_value()) {
    reached[module.entry().index()] = true;
    open.push_back(module.entry());
  }
  while (!open.empty()) {
    const ComputationId at = open.back();
    open.pop_back();
    for (const CallGraph::Call& call : calls.calls(at)) {
      if (reached[call.callee.index()]) continue;
      reached[call.callee.index()] = true;
      open.push_back(call.callee);
    }
  }
  std::vector<ComputationId> unreachable;
  for (uint32_t c = 0; c < reached.size(); ++c) {
    if (!reached[c]) unreachable.push_back(ComputationId(c));
  }
  return unreachable;
}

}  // namespace hloscope
