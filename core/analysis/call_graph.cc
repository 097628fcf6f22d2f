// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/call_graph.h"

namespace hloscope {

CallGraph::CallGraph(const Module& module) {
  const size_t count = module.computations().size();
  std::vector<Call> found;
  first_.assign(count + 1, 0);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId caller(i);
    if (module.instruction(caller).attribute_count == 0) continue;
    module.ForEachCalledComputation(caller, [&](AttributeKind attribute, ComputationId callee) {
      if (!callee.has_value()) return;
      found.push_back({caller, attribute, callee});
      ++first_[module.instruction(caller).computation.index() + 1];
    });
  }
  for (size_t c = 0; c < count; ++c) first_[c + 1] += first_[c];
  calls_.resize(found.size());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Call& call : found) calls_[next[module.instruction(call.caller).computation.index()]++] = call;

  // Depth-first, without recursion: the depth is the user's.
  enum class State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> state(count, State::kNew);
  std::vector<uint32_t>& position = next;  // next call to follow, by computation
  position.assign(first_.begin(), first_.end() - 1);
  std::vector<ComputationId> stack;
  for (size_t start = 0; start < count; ++start) {
    if (state[start] != State::kNew) continue;
    stack.push_back(ComputationId(start));
    state[start] = State::kOpen;
    while (!stack.empty()) {
      const ComputationId at = stack.back();
      if (position[at.index()] == first_[at.index() + 1]) {
        state[at.index()] = State::kDone;
        callees_first_.push_back(at);
        stack.pop_back();
        continue;
      }
      const Call& call = calls_[position[at.index()]++];
      State& callee = state[call.callee.index()];
      if (callee == State::kOpen) recursive_calls_.push_back(call);
      if (callee != State::kNew) continue;
      callee = State::kOpen;
      stack.push_back(call.callee);
    }
  }
}

CallGraph::CallGraph(const CallGraph& old, const IdMap& ids) : CallGraph(old) {
  for (Call& call : calls_) call.caller = ids.ToNew(call.caller);
  for (Call& call : recursive_calls_) call.caller = ids.ToNew(call.caller);
}

absl::Span<const CallGraph::Call> CallGraph::calls(ComputationId computation) const {
  const uint32_t first = first_[computation.index()];
  return absl::MakeConstSpan(calls_).subspan(first, first_[computation.index() + 1] - first);
}

}  // namespace hloscope
