// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/async_threads.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/ops/asynchronous.h"

namespace hloscope {
namespace {

absl::string_view ThreadOfStart(const Module& module, InstructionId start) {
  const bool is_written = module.HasAttribute(start, AttributeKind::kAsyncExecutionThread);
  return is_written ? module.StringAttribute(start, AttributeKind::kAsyncExecutionThread) : "main";
}

void SetThread(Module& module, InstructionId start, absl::string_view thread) {
  if (ThreadOfStart(module, start) == thread) return;
  const Instruction old = module.instruction(start);
  const absl::Span<const InstructionId> listed = module.operands(start);
  const std::vector<InstructionId> operands(listed.begin(), listed.end());
  const absl::Span<const Attribute> written = module.attributes(start);
  const std::vector<Attribute> attributes(written.begin(), written.end());
  module.ReplaceInstruction(start, old.opcode, old.name, old.shape, operands);
  uint32_t number = Module::kNoSyntax;
  for (const Attribute& attribute : attributes) {
    if (attribute.kind == AttributeKind::kAsyncExecutionThread) {
      number = attribute.syntax;
    } else {
      module.AddShared(start, attribute, attribute.syntax);
    }
  }
  module.AddString(start, AttributeKind::kAsyncExecutionThread, thread, number);
  Instruction& instruction = module.mutable_instruction(start);
  instruction.shape_declared = old.shape_declared;
  instruction.synthesized = old.synthesized;
  instruction.has_reading_errors = old.has_reading_errors;
  instruction.is_named = old.is_named;
  instruction.is_marked_root = old.is_marked_root;
  instruction.syntax = old.syntax;
}

}  // namespace

void AssignThreads(Module& module) {
  if (!module.MayHave(Opcode::kAsyncStart)) return;
  std::vector<InstructionId> starts;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (module.opcode(InstructionId(i)) == Opcode::kAsyncStart) starts.push_back(InstructionId(i));
  }
  // The last start that reaches a computation decides.
  std::vector<bool> is_assigned(module.computations().size(), false);
  std::vector<ComputationId> work;
  const auto add = [&](ComputationId callee) {
    if (!callee.has_value() || is_assigned[callee.index()]) return;
    is_assigned[callee.index()] = true;
    work.push_back(callee);
  };
  std::reverse(starts.begin(), starts.end());
  for (InstructionId start : starts) {
    const std::string thread(ThreadOfStart(module, start));
    add(module.ComputationAttribute(start, AttributeKind::kCalls));
    while (!work.empty()) {
      const ComputationId computation = work.back();
      work.pop_back();
      if (module.computation(computation).execution_thread != thread) {
        module.mutable_computation(computation).execution_thread = thread;
      }
      for (InstructionId id : module.computation(computation).instructions) {
        if (module.attributes(id).empty()) continue;
        module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) { add(callee); });
        if (module.opcode(id) == Opcode::kAsyncStart) SetThread(module, id, thread);
      }
    }
  }
}

void CheckThreadOfLink(const Module& module, InstructionId link, const AnchorResolver& resolver, DiagnosticSink& sink) {
  if (!module.HasAttribute(link, AttributeKind::kAsyncExecutionThread)) return;
  const InstructionId start = FindAsyncStart(module, link);
  if (!start.has_value()) return;
  const absl::string_view thread = module.StringAttribute(link, AttributeKind::kAsyncExecutionThread);
  const absl::string_view thread_of_start = ThreadOfStart(module, start);
  if (thread == thread_of_start) return;
  sink.Report(DiagnosticKind::kAsyncThread,
              resolver.Resolve(link, Anchor::Attribute(AttributeKind::kAsyncExecutionThread)),
              OpcodeName(module.opcode(link)), thread, module.InstructionName(start), thread_of_start)
      .Related(resolver.Resolve(start, Anchor::Opcode()), "the start is here");
}

}  // namespace hloscope
