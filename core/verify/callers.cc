// SPDX-License-Identifier: Apache-2.0
// Rules between an instruction and the computations it calls, beyond their signatures (docs/ops/control.md 1.9, 6.6).
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/ops/asynchronous.h"
#include "core/ops/collective.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

bool ChangesThread(Opcode opcode) { return IsAsyncLink(opcode) || opcode == Opcode::kAsyncDone; }

// Fusions, loops and conditionals run on the thread of their computation; others only if that is asked for.
bool StaysOnThread(Opcode opcode) {
  return opcode == Opcode::kFusion || opcode == Opcode::kWhile || opcode == Opcode::kConditional;
}

// By computation: whether a fusion, loop or conditional calls it, itself or through others on the way. All that is
// called there is on the thread as well.
std::vector<bool> ComputationsOfOneThread(const Verification& v) {
  std::vector<bool> result(v.module.computations().size());
  const auto& callees_first = v.calls.callees_first();
  for (auto c = callees_first.rbegin(); c != callees_first.rend(); ++c) {
    for (const CallGraph::Call& call : v.calls.calls(*c)) {
      const Opcode opcode = v.module.opcode(call.caller);
      if (StaysOnThread(opcode) || (result[c->index()] && !ChangesThread(opcode))) result[call.callee.index()] = true;
    }
  }
  return result;
}

// The computation is meant to be compiled into a loop over elements (table 1.9): it must not block.
bool AppliesToElements(Opcode opcode) {
  switch (opcode) {
    case Opcode::kMap:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kSort:
    case Opcode::kScan:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kReduceScatter:
      return true;
    default:
      return false;
  }
}

// By computation: the first instruction that communicates or has a side effect, itself or in what it calls; none if
// there is none.
std::vector<InstructionId> FirstBlocking(const Verification& v) {
  std::vector<InstructionId> first(v.module.computations().size());
  for (ComputationId computation : v.calls.callees_first()) {
    absl::flat_hash_set<InstructionId> callers;
    for (const CallGraph::Call& call : v.calls.calls(computation)) {
      if (first[call.callee.index()].has_value()) callers.insert(call.caller);
    }
    const InstructionId effect = v.effects.First(computation);
    for (InstructionId id : v.module.computation(computation).instructions) {
      if (id != effect && !IsCollective(v.module.opcode(id)) && !callers.contains(id)) continue;
      first[computation.index()] = id;
      break;
    }
  }
  return first;
}

}  // namespace

void VerifyCallers(Verification& v) {
  const Module& module = v.module;
  const std::vector<bool> one_thread = ComputationsOfOneThread(v);
  const std::vector<InstructionId> first_blocking = FirstBlocking(v);
  std::vector<bool> examined(module.computations().size());  // for V067
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId computation(c);
    const std::string& thread = module.computation(computation).execution_thread;
    for (const CallGraph::Call& call : v.calls.calls(computation)) {
      const Opcode opcode = module.opcode(call.caller);
      const std::string& callee_thread = module.computation(call.callee).execution_thread;
      // V065. An inline computation has no thread of its own.
      const bool stays =
          StaysOnThread(opcode) || ((one_thread[c] || v.options.check_call_threads) && !ChangesThread(opcode));
      if (stays && thread != callee_thread && !module.computation(call.callee).is_anonymous) {
        v.Report(DiagnosticKind::kThreadMismatch, call.caller, Anchor::Attribute(call.attribute), OpcodeName(opcode),
                 thread, module.ComputationName(call.callee), callee_thread);
      }
      // V067, once for each computation.
      if (!AppliesToElements(opcode) || examined[call.callee.index()]) continue;
      examined[call.callee.index()] = true;
      const InstructionId blocking = first_blocking[call.callee.index()];
      if (!blocking.has_value() || !v.IsReadable(blocking)) continue;
      v.Report(DiagnosticKind::kBlockingReducer, call.caller, Anchor::Attribute(call.attribute),
               module.ComputationName(call.callee), OpcodeName(opcode), OpcodeName(module.opcode(blocking)))
          .Related(v.RangeOf(blocking, Anchor::Instruction()), "the operation");
    }
  }
}

}  // namespace hloscope
