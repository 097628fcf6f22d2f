// SPDX-License-Identifier: Apache-2.0
// Rules between an instruction and the computations it calls, beyond their signatures (docs/ops/control.md 1.9, 6.6).
#include <vector>

#include "core/ops/collective.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Fusions, loops and conditionals run on the thread of their computation; others only if that is asked for.
// Asynchronous operations change threads.
bool CallsOnOwnThread(Opcode opcode, const VerifyOptions& options) {
  if (opcode == Opcode::kFusion || opcode == Opcode::kWhile || opcode == Opcode::kConditional) return true;
  return options.check_call_threads && opcode != Opcode::kAsyncStart && opcode != Opcode::kAsyncUpdate &&
         opcode != Opcode::kAsyncDone;
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

// The first instruction of the computation that communicates or has a side effect; none if there is none.
InstructionId FirstBlocking(const Verification& v, ComputationId computation) {
  const InstructionId effect = v.effects.First(computation);
  for (InstructionId id : v.module.computation(computation).instructions) {
    if (id == effect || IsCollective(v.module.opcode(id))) return id;
  }
  return InstructionId::None();
}

}  // namespace

void VerifyCallers(Verification& v) {
  const Module& module = v.module;
  std::vector<bool> examined(module.computations().size());  // by FirstBlocking
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId computation(c);
    const std::string& thread = module.computation(computation).execution_thread;
    for (const CallGraph::Call& call : v.calls.calls(computation)) {
      const Opcode opcode = module.opcode(call.caller);
      const std::string& callee_thread = module.computation(call.callee).execution_thread;
      // V065. An inline computation has no thread of its own.
      if (CallsOnOwnThread(opcode, v.options) && thread != callee_thread &&
          !module.computation(call.callee).is_anonymous) {
        v.Report(DiagnosticKind::kThreadMismatch, call.caller, Anchor::Attribute(call.attribute), OpcodeName(opcode),
                 thread, module.ComputationName(call.callee), callee_thread);
      }
      // V067, once for each computation.
      if (!AppliesToElements(opcode) || examined[call.callee.index()]) continue;
      examined[call.callee.index()] = true;
      const InstructionId blocking = FirstBlocking(v, call.callee);
      if (!blocking.has_value() || !v.IsReadable(blocking)) continue;
      v.Report(DiagnosticKind::kBlockingReducer, call.caller, Anchor::Attribute(call.attribute),
               module.ComputationName(call.callee), OpcodeName(opcode), OpcodeName(module.opcode(blocking)))
          .Related(v.RangeOf(blocking, Anchor::Instruction()), "the operation");
    }
  }
}

}  // namespace hloscope
