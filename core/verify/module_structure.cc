// SPDX-License-Identifier: Apache-2.0
// Structure of the module and its graphs (docs/ops/control.md 6.3).
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/asynchronous.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_matching.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Calls visit(operand) for every operand.
template <typename Visit>
void ForEachOperand(const Module& module, InstructionId id, Visit visit) {
  for (InstructionId operand : module.operands(id)) {
    if (operand.has_value()) visit(operand);
  }
}

// Calls visit(predecessor) for every operand and control predecessor.
template <typename Visit>
void ForEachPredecessor(const Module& module, InstructionId id, Visit visit) {
  ForEachOperand(module, id, visit);
  for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
    if (before.has_value()) visit(before);
  }
}

// Reports a cycle through `start` that a depth-first walk along predecessors finds; V013.
class CycleSearch {
 public:
  explicit CycleSearch(Verification& v) : v_(v), state_(v.module.instruction_count(), State::kNew) {}

  // True if a cycle was reported.
  bool Visit(InstructionId start) {
    if (state_[start.index()] != State::kNew) return false;
    Open(start);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      if (frame.next == frame.predecessors.size()) {
        state_[frame.id.index()] = State::kDone;
        path_.pop_back();
        continue;
      }
      const InstructionId before = frame.predecessors[frame.next++];
      if (state_[before.index()] == State::kOpen) {
        ReportCycle(before);
        return true;
      }
      if (state_[before.index()] == State::kNew) Open(before);
    }
    return false;
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    InstructionId id;
    std::vector<InstructionId> predecessors;
    size_t next = 0;
  };

  void Open(InstructionId id) {
    state_[id.index()] = State::kOpen;
    Frame& frame = path_.emplace_back();
    frame.id = id;
    ForEachPredecessor(v_.module, id, [&](InstructionId before) { frame.predecessors.push_back(before); });
  }

  void ReportCycle(InstructionId closing) {
    std::vector<std::string> names;
    for (auto frame = path_.rbegin(); frame != path_.rend(); ++frame) {
      names.emplace_back(v_.module.InstructionName(frame->id));
      if (frame->id == closing) break;
    }
    std::reverse(names.begin(), names.end());
    names.push_back(names.front());
    v_.Report(DiagnosticKind::kDependencyCycle, closing, Anchor::Name(), absl::StrJoin(names, " <- "));
  }

  Verification& v_;
  std::vector<State> state_;
  std::vector<Frame> path_;
};

bool CheckGraph(Verification& v) {
  const Module& module = v.module;
  bool good = true;
  bool in_order = true;
  const bool has_control = module.MayHave(AttributeKind::kControlPredecessors);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const ComputationId computation = module.instruction(id).computation;
    const auto check = [&](InstructionId before) {
      // Ids grow along the text, where definitions come first; a module that keeps to that has no cycle.
      in_order = in_order && before < id;
      if (module.instruction(before).computation == computation) return;
      v.Report(DiagnosticKind::kOperandElsewhere, id, Anchor::OperandList(), module.InstructionName(id),
               v.QualifiedName(before));
      good = false;
    };
    if (has_control) {
      ForEachPredecessor(module, id, check);
    } else {
      ForEachOperand(module, id, check);
    }
  }
  if (in_order) return good;
  CycleSearch search(v);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (search.Visit(InstructionId(i))) return false;
  }
  return good;
}

bool CheckCalls(Verification& v) {
  for (const CallGraph::Call& call : v.calls.recursive_calls()) {
    v.Report(DiagnosticKind::kRecursiveCall, call.caller, Anchor::Attribute(call.attribute),
             v.module.ComputationName(v.module.instruction(call.caller).computation),
             v.module.ComputationName(call.callee));
  }
  return v.calls.recursive_calls().empty();
}

// Walks the preorder nodes from `*next` along the shape; false where the structures part.
bool OriginMatches(const Origin& origin, size_t* next, const Shape& shape) {
  if (*next >= origin.nodes.size()) return false;
  const Origin::Node& node = origin.nodes[(*next)++];
  if (!shape.IsTuple()) return !node.is_tuple;
  if (!node.is_tuple || static_cast<int64_t>(node.child_count) != shape.tuple_size()) return false;
  for (const Shape& element : shape.elements()) {
    if (!OriginMatches(origin, next, element)) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> ReachedComputations(const Verification& v) {
  std::vector<bool> reached(v.module.computations().size());
  if (v.module.entry().has_value()) reached[v.module.entry().index()] = true;
  const auto callees_first = v.calls.callees_first();
  for (auto c = callees_first.rbegin(); c != callees_first.rend(); ++c) {
    if (!reached[c->index()]) continue;
    for (const CallGraph::Call& call : v.calls.calls(*c)) {
      if (call.callee.has_value()) reached[call.callee.index()] = true;
    }
  }
  return reached;
}

void VerifyStructure(Verification& v) {
  const bool calls = CheckCalls(v);
  if (!CheckGraph(v) || !calls) v.Stop();
}

// V018: reported where an unbounded dimension comes up, not at every instruction that it reaches.
void VerifyUnbounded(Verification& v) {
  const Module& module = v.module;
  std::vector<bool> unbounded(module.shape_count());
  bool any = false;
  for (size_t s = 0; s < unbounded.size(); ++s) {
    unbounded[s] = module.shape(ShapeId(s)).HasUnboundedDimension();
    any = any || unbounded[s];
  }
  if (!any) return;
  v.ForEachInstruction([&](InstructionId id) {
    if (!unbounded[module.instruction(id).shape.index()] || !v.IsReadable(id)) return;
    const auto operands = module.operands(id);
    const bool inherited = std::any_of(operands.begin(), operands.end(), [&](InstructionId operand) {
      return operand.has_value() && unbounded[module.instruction(operand).shape.index()];
    });
    if (inherited) return;
    v.Report(DiagnosticKind::kUnboundedDimension, id, Anchor::Shape(), OpcodeName(module.opcode(id)),
             ShapeText(module.shape(id)));
  });
}

void VerifyOrigins(Verification& v) {
  if (!v.module.MayHave(AttributeKind::kOrigin)) return;
  v.ForEachInstruction([&](InstructionId id) {
    if (v.module.instruction(id).attribute_count == 0) return;
    const Origin* origin = v.module.OriginOf(id);
    if (origin == nullptr || origin->synthetic_call || !v.module.shape(id).IsValid()) return;
    size_t next = 0;
    if (OriginMatches(*origin, &next, v.module.shape(id)) && next == origin->nodes.size()) return;
    const size_t leaves = static_cast<size_t>(
        std::count_if(origin->nodes.begin(), origin->nodes.end(), [](const auto& node) { return !node.is_tuple; }));
    const size_t expected = static_cast<size_t>(v.module.shape(id).LeafCount());
    v.Report(DiagnosticKind::kOriginLeaves, id, Anchor::Attribute(AttributeKind::kOrigin),
             CountOf(leaves, "leaf", "leaves"), ShapeText(v.module.shape(id)), expected,
             leaves == expected ? "; they are nested in another way" : "");
  });
}

namespace {

// What VerifyDeadCode asks of a whole computation; few instructions need it.
class ComputationUses {
 public:
  ComputationUses(const Verification& v, ComputationId id) {
    for (InstructionId caller : v.users.callers(id)) {
      is_fused = is_fused || v.module.opcode(caller) == Opcode::kFusion;
    }
    for (InstructionId instruction : v.module.computation(id).instructions) {
      if (v.module.instruction(instruction).attribute_count == 0) continue;
      const auto before = v.module.InstructionsAttribute(instruction, AttributeKind::kControlPredecessors);
      ordered_before.insert(before.begin(), before.end());
    }
  }

  bool is_fused = false;                              // the diagnostics are those of VerifyFusions
  absl::flat_hash_set<InstructionId> ordered_before;  // control predecessors
};

}  // namespace

void VerifyDeadCode(Verification& v) {
  const Module& module = v.module;
  std::optional<ComputationUses> uses;
  ComputationId computation;
  v.ForEachInstruction([&](InstructionId id) {
    const Instruction& instruction = module.instruction(id);
    if (!v.users.users(id).empty() || instruction.opcode == Opcode::kParameter || v.IsRoot(id)) return;
    if (!v.IsReadable(id)) return;
    if (!uses || computation != instruction.computation) {
      computation = instruction.computation;
      uses.emplace(v, computation);
    }
    if (uses->is_fused || v.MayHaveLostUses(computation) || uses->ordered_before.contains(id)) return;
    // Starts that nothing finishes are diagnostics of VerifyAsyncPairs.
    if (DoneOf(instruction.opcode) != Opcode::kInvalid || instruction.opcode == Opcode::kAsyncUpdate) return;
    if (v.effects.Has(id)) {
      // Every program ends with an effect that nothing waits for: only for those who ask.
      if (v.options.check_unused_effects) {
        v.Report(DiagnosticKind::kUnusedEffect, id, Anchor::Name(), module.InstructionName(id));
      }
      return;
    }
    // Frameworks unpack whole tuples and use what they need of them: hundreds of hints about nothing.
    if (instruction.opcode == Opcode::kGetTupleElement) return;
    Diagnostic& diagnostic = v.Report(DiagnosticKind::kDeadCode, id, Anchor::Name(), module.InstructionName(id));
    const SourceRange range = v.RangeOf(id, Anchor::Instruction());
    if (!range.empty()) diagnostic.Fix("remove it", range, "");
  });
}

namespace {

// One diagnostic for all computations that may well be called by an entry that is not in the text.
void ReportUnmarkedEntry(Verification& v, const std::vector<bool>& reached) {
  const Module& module = v.module;
  std::optional<ComputationId> first;
  size_t count = 0;
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    if (reached[c] || !v.users.callers(ComputationId(c)).empty()) continue;
    if (!first) first = ComputationId(c);
    ++count;
  }
  if (!first) return;
  v.ReportComputation(DiagnosticKind::kUnmarkedEntry, module.entry(), module.ComputationName(module.entry()),
                      CountOf(count, "other is", "others are"))
      .Related(v.resolver().ResolveComputation(*first), "never called");
}

}  // namespace

void VerifyUncalled(Verification& v) {
  const Module& module = v.module;
  const std::vector<bool> reached = ReachedComputations(v);
  if (std::find(reached.begin(), reached.end(), false) == reached.end()) return;
  // An instruction that could not be read may be the caller.
  const bool calls_lost = std::any_of(module.instructions().begin(), module.instructions().end(),
                                      [](const Instruction& instruction) { return instruction.has_reading_errors; });
  if (calls_lost) return;
  if (module.entry_is_assumed()) return ReportUnmarkedEntry(v, reached);
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId id(c);
    if (reached[c]) continue;
    if (v.users.callers(id).empty()) {
      v.ReportComputation(DiagnosticKind::kUncalledComputation, id, module.ComputationName(id));
      continue;
    }
    const InstructionId caller = v.users.callers(id)[0];
    v.ReportComputation(DiagnosticKind::kUnreachableComputation, id, module.ComputationName(id),
                        module.ComputationName(module.instruction(caller).computation))
        .Related(v.RangeOf(caller, Anchor::Instruction()), "a call that never happens");
  }
}

}  // namespace hloscope
