// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/value_flow.h"

#include <algorithm>
#include <utility>

#include "core/ir/default_layout.h"
#include "core/print/print_order.h"

namespace hloscope {
namespace {

// Lists of carriers end here: nested tuples can stand for more elements than any reader wants.
constexpr size_t kMaxListed = size_t{1} << 16;

// The computations that run as a whole, once or several times, when the instruction runs.
bool RunsCallees(Opcode opcode) {
  return opcode == Opcode::kCall || opcode == Opcode::kFusion || opcode == Opcode::kWhile ||
         opcode == Opcode::kConditional || opcode == Opcode::kAsyncStart;
}

bool IsCollectiveDone(Opcode opcode) {
  return opcode == Opcode::kAllReduceDone || opcode == Opcode::kAllGatherDone ||
         opcode == Opcode::kCollectivePermuteDone;
}

bool KeepsShape(const Module& module, InstructionId id) {
  const InstructionId operand = module.operand(id, 0);
  return module.instruction(id).shape == module.instruction(operand).shape ||
         WithDefaultLayouts(module.shape(id)) == WithDefaultLayouts(module.shape(operand));
}

}  // namespace

ValueFlow::ValueFlow(const Module& module)
    : module_(module),
      calls_(module),
      value_(module.instruction_count(), kUnknown),
      walked_(module.computations().size(), false),
      opener_(module.computations().size()),
      operands_(module.instruction_count()),
      users_(module.instruction_count()),
      initial_(module.instruction_count()),
      results_(module.instruction_count()),
      carriers_(module.instruction_count()) {
  if (!module.entry().has_value()) return;
  Walk();
  for (uint32_t i = 0; i < value_.size(); ++i) {
    if (value_[i] == kUnknown) continue;
    std::vector<InstructionId> list;
    AppendCarriers(value_[i], &list);
    carriers_[i] = Store(list);
  }
  IndexUsers();
}

absl::Span<const InstructionId> ValueFlow::carriers(InstructionId id) const { return Listed(carriers_[id.index()]); }
absl::Span<const InstructionId> ValueFlow::operands(InstructionId carrier) const {
  return Listed(operands_[carrier.index()]);
}
absl::Span<const InstructionId> ValueFlow::users(InstructionId carrier) const {
  return Listed(users_[carrier.index()]);
}
absl::Span<const InstructionId> ValueFlow::initial_values(InstructionId carrier) const {
  return Listed(initial_[carrier.index()]);
}
absl::Span<const InstructionId> ValueFlow::callee_results(InstructionId carrier) const {
  return Listed(results_[carrier.index()]);
}

void ValueFlow::Walk() {
  const InstructionOrder order(module_);
  std::vector<Open> stack;
  const auto open = [&](ComputationId computation) {
    walked_[computation.index()] = true;
    Open one;
    one.computation = computation;
    one.instructions = order.Of(computation);
    return one;
  };
  stack.push_back(open(module_.entry()));
  while (!stack.empty()) {
    if (stack.back().next == stack.back().instructions.size()) {
      stack.pop_back();
      continue;
    }
    const InstructionId id = stack.back().instructions[stack.back().next];
    if (!stack.back().entered) {
      stack.back().entered = true;
      const size_t depth = stack.size();
      if (RunsCallees(module_.opcode(id))) {
        ForEachCalleeInOrder(module_, id, /*body_before_condition=*/true, [&](ComputationId callee) {
          if (walked_[callee.index()]) return;
          opener_[callee.index()] = id;
          stack.push_back(open(callee));
        });
      }
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(depth), stack.end());
      continue;  // with the first callee, if there is one
    }
    Resolve(id);
    ++stack.back().next;
    stack.back().entered = false;
  }
}

void ValueFlow::Resolve(InstructionId id) {
  const int64_t passed_on = PassedOn(id);
  if (passed_on == kUnknown) {
    MakeCarrier(id);
  } else {
    value_[id.index()] = passed_on;
  }
}

int64_t ValueFlow::PassedOn(InstructionId id) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  const auto value_of = [&](InstructionId other) { return other.has_value() ? value_[other.index()] : kUnknown; };
  const bool has_operand = !operands.empty() && operands[0].has_value();
  const auto result_of = [&](ComputationId callee) {
    return callee.has_value() && calls_.callers(callee).size() == 1 ? value_of(module_.computation(callee).root)
                                                                    : kUnknown;
  };
  switch (module_.opcode(id)) {
    case Opcode::kParameter:
      return PassedOnByParameter(id);
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
      return has_operand ? value_of(operands[0]) : kUnknown;
    case Opcode::kBitcast:
    case Opcode::kReshape:
      return has_operand && KeepsShape(module_, id) ? value_of(operands[0]) : kUnknown;
    case Opcode::kCopyDone: {
      if (!has_operand || module_.opcode(operands[0]) != Opcode::kCopyStart) return kUnknown;
      const absl::Span<const InstructionId> copied = module_.operands(operands[0]);
      return copied.empty() ? kUnknown : value_of(copied[0]);
    }
    case Opcode::kTuple: {
      std::vector<int64_t> elements;
      for (InstructionId operand : operands) {
        if (value_of(operand) == kUnknown) return kUnknown;
        elements.push_back(value_of(operand));
      }
      return MakeTuple(std::move(elements));
    }
    case Opcode::kGetTupleElement: {
      if (!has_operand) return kUnknown;
      return ElementOf(value_of(operands[0]), module_.IntAttribute(id, AttributeKind::kIndex));
    }
    case Opcode::kCall:
      return result_of(module_.ComputationAttribute(id, AttributeKind::kToApply));
    case Opcode::kFusion:
      return result_of(module_.ComputationAttribute(id, AttributeKind::kCalls));
    case Opcode::kAsyncDone: {
      // From the end of the chain back to its start.
      InstructionId start = id;
      while (start.has_value() && module_.opcode(start) != Opcode::kAsyncStart && !module_.operands(start).empty()) {
        start = module_.operand(start, 0);
      }
      if (!start.has_value() || module_.opcode(start) != Opcode::kAsyncStart) return kUnknown;
      const ComputationId callee = module_.ComputationAttribute(start, AttributeKind::kCalls);
      return callee.has_value() ? value_of(module_.computation(callee).root) : kUnknown;
    }
    default:
      return kUnknown;
  }
}

int64_t ValueFlow::PassedOnByParameter(InstructionId id) {
  const ComputationId computation = module_.instruction(id).computation;
  const size_t number = module_.instruction(id).parameter_number;
  // The one instruction that runs this computation; the later ones of an asynchronous chain only name it again.
  InstructionId caller;
  for (InstructionId one : calls_.callers(computation)) {
    const Opcode opcode = module_.opcode(one);
    if (opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone) continue;
    if (caller.has_value()) return kUnknown;
    caller = one;
  }
  if (!caller.has_value()) return kUnknown;
  const InstructionId argument = Argument(caller, computation, number);
  return argument.has_value() ? value_[argument.index()] : kUnknown;
}

InstructionId ValueFlow::Argument(InstructionId caller, ComputationId computation, size_t number) const {
  size_t operand = number;
  switch (module_.opcode(caller)) {
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kAsyncStart:
      break;
    case Opcode::kConditional: {
      // Branch k has operand k + 1 as its parameter.
      std::vector<size_t> branches;
      size_t k = 0;
      ForEachCalleeInOrder(module_, caller, false, [&](ComputationId branch) {
        if (branch == computation) branches.push_back(k);
        ++k;
      });
      if (branches.size() != 1) return InstructionId();
      operand = branches[0] + 1;
      break;
    }
    default:
      return InstructionId();
  }
  const absl::Span<const InstructionId> operands = module_.operands(caller);
  return operand < operands.size() ? operands[operand] : InstructionId();
}

void ValueFlow::MakeCarrier(InstructionId id) {
  value_[id.index()] = id.value;
  order_.push_back(id);
  const Opcode opcode = module_.opcode(id);
  InstructionId reader = id;
  if (IsCollectiveDone(opcode) && !module_.operands(id).empty() && module_.operand(id, 0).has_value()) {
    reader = module_.operand(id, 0);  // the operands of the start
  }
  std::vector<InstructionId> list;
  for (InstructionId operand : module_.operands(reader)) {
    if (operand.has_value()) AppendCarriers(value_[operand.index()], &list);
  }
  operands_[id.index()] = Store(list);
  if (RunsCallees(opcode)) {
    std::vector<InstructionId> results;
    ForEachCalleeInOrder(module_, id, /*body_before_condition=*/true, [&](ComputationId callee) {
      const InstructionId root = module_.computation(callee).root;
      if (root.has_value()) AppendCarriers(value_[root.index()], &results);
    });
    results_[id.index()] = Store(results);
  }
  std::vector<InstructionId> initial;
  AppendCarriers(InitialValue(id), &initial);
  initial_[id.index()] = Store(initial);
}

int64_t ValueFlow::InitialValue(InstructionId id) const {
  const Opcode opcode = module_.opcode(id);
  if (opcode == Opcode::kParameter) {
    const ComputationId computation = module_.instruction(id).computation;
    const InstructionId caller = opener_[computation.index()];
    if (!caller.has_value()) return kUnknown;
    if (module_.opcode(caller) == Opcode::kWhile) {
      // A state that was put together is known by its elements.
      const InstructionId state = module_.operands(caller).empty() ? InstructionId() : module_.operand(caller, 0);
      return state.has_value() && value_[state.index()] >= 0 ? value_[state.index()] : kUnknown;
    }
    const InstructionId argument = Argument(caller, computation, module_.instruction(id).parameter_number);
    return argument.has_value() ? value_[argument.index()] : kUnknown;
  }
  if (opcode != Opcode::kGetTupleElement || module_.operands(id).empty()) return kUnknown;
  const InstructionId tuple = module_.operand(id, 0);
  if (!tuple.has_value() || module_.opcode(tuple) != Opcode::kParameter) return kUnknown;
  const InstructionId caller = opener_[module_.instruction(tuple).computation.index()];
  if (!caller.has_value() || module_.opcode(caller) != Opcode::kWhile || module_.operands(caller).empty()) {
    return kUnknown;
  }
  const InstructionId state = module_.operand(caller, 0);
  if (!state.has_value()) return kUnknown;
  return ElementOf(value_[state.index()], module_.IntAttribute(id, AttributeKind::kIndex));
}

int64_t ValueFlow::ElementOf(int64_t value, int64_t index) const {
  if (value >= 0) return kUnknown;  // also kUnknown itself
  const std::vector<int64_t>& elements = tuples_[static_cast<size_t>(~value)];
  if (index < 0 || index >= static_cast<int64_t>(elements.size())) return kUnknown;
  return elements[static_cast<size_t>(index)];
}

int64_t ValueFlow::MakeTuple(std::vector<int64_t> elements) {
  tuples_.push_back(std::move(elements));
  return ~static_cast<int64_t>(tuples_.size() - 1);
}

void ValueFlow::AppendCarriers(int64_t value, std::vector<InstructionId>* out) const {
  if (value == kUnknown) return;
  std::vector<int64_t> open = {value};
  while (!open.empty() && out->size() < kMaxListed) {
    const int64_t next = open.back();
    open.pop_back();
    if (next >= 0) {
      out->push_back(InstructionId(static_cast<size_t>(next)));
      continue;
    }
    const std::vector<int64_t>& elements = tuples_[static_cast<size_t>(~next)];
    open.insert(open.end(), elements.rbegin(), elements.rend());
  }
}

ValueFlow::Range ValueFlow::Store(const std::vector<InstructionId>& list) {
  const Range range{static_cast<uint32_t>(lists_.size()), static_cast<uint32_t>(list.size())};
  lists_.insert(lists_.end(), list.begin(), list.end());
  return range;
}

void ValueFlow::IndexUsers() {
  std::vector<std::vector<InstructionId>> users(value_.size());
  for (InstructionId id : order_) {
    for (InstructionId operand : operands(id)) {
      std::vector<InstructionId>& list = users[operand.index()];
      if (list.empty() || list.back() != id) list.push_back(id);
    }
  }
  for (InstructionId id : order_) users_[id.index()] = Store(users[id.index()]);
}

}  // namespace hloscope
