// SPDX-License-Identifier: Apache-2.0
// Refactoring: a call is replaced by what it calls.
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/editing/instruction_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/statement_edits.h"
#include "core/source/line_text.h"

namespace hloscope {

EditsOr InlineCall(const Document& document, InstructionId call) {
  const Module& module = document.module();
  if (module.opcode(call) != Opcode::kCall && module.opcode(call) != Opcode::kFusion)
    return absl::FailedPreconditionError("only a call or a fusion can be inlined");
  const AttributeKind attribute =
      module.opcode(call) == Opcode::kCall ? AttributeKind::kToApply : AttributeKind::kCalls;
  const ComputationId callee = module.ComputationAttribute(call, attribute);
  if (!callee.has_value() || !module.computation(callee).root.has_value())
    return absl::FailedPreconditionError("the computation that is called could not be read");
  if (module.HasAttribute(call, AttributeKind::kControlPredecessors))
    return absl::FailedPreconditionError("it has control-predecessors, which its instructions cannot take over");
  if (module.computation(callee).is_anonymous)
    return absl::FailedPreconditionError("its computation is written in place: give it a name first");
  const InstructionText call_text(document, call);
  if (call_text.node().name == kNoToken) return absl::FailedPreconditionError("the call is inside another instruction");
  const ComputationId caller = module.instruction(call).computation;
  const std::string percent = WritesPercent(document, caller) ? "%" : "";
  const bool callee_percent = WritesPercent(document, callee);

  // Names inside the caller: those of parameters become the operands, others stay if they are free.
  absl::flat_hash_set<std::string> taken;
  for (InstructionId id : module.computation(caller).instructions) taken.emplace(module.InstructionName(id));
  absl::flat_hash_map<std::string, std::string> names;
  const InstructionId root = module.computation(callee).root;
  const std::vector<InstructionId> statements = StatementsOf(document, callee);
  const std::string call_name(module.InstructionName(call));
  const auto spelled = [&](absl::string_view name) {
    return absl::StrCat(callee_percent ? "" : percent, name);  // a `%` of the callee stays before the new name
  };
  for (InstructionId id : statements) {
    const std::string name(module.InstructionName(id));
    if (module.opcode(id) == Opcode::kParameter) {
      const size_t number = module.instruction(id).parameter_number;
      if (number >= call_text.node().operand_count)
        return absl::FailedPreconditionError("the call has too few operands");
      const OperandSyntax& operand = call_text.operand(number);
      if (operand.name == kNoToken || operand.path_begin < operand.tokens.end)
        return absl::FailedPreconditionError("an operand of the call is no plain name");
      names[name] = spelled(module.InstructionName(module.operand(call, number)));
    } else if (id == root) {
      names[name] = spelled(call_name);
    } else {
      std::string free = name;
      for (size_t i = 1; taken.contains(free); ++i) free = absl::StrCat(name, ".", i);
      taken.insert(free);
      names[name] = spelled(free);
    }
  }
  const SourceRange range = document.InstructionRange(call);
  const absl::string_view indentation = IndentationOf(document.source(), range.begin);
  const bool is_root = call_text.node().is_root;
  std::string text;
  for (InstructionId id : statements) {
    if (module.opcode(id) == Opcode::kParameter) continue;
    const auto statement = StatementText(document, id, names);
    if (!statement.ok()) return statement.status();
    if (!text.empty()) absl::StrAppend(&text, "\n", indentation);
    absl::StrAppend(&text, id == root && is_root ? "ROOT " : "", *statement);
  }
  if (module.opcode(root) == Opcode::kParameter) {
    // The computation returns what it is given.
    const size_t number = module.instruction(root).parameter_number;
    if (!text.empty()) absl::StrAppend(&text, "\n", indentation);
    absl::StrAppend(&text, is_root ? "ROOT " : "", percent, call_name, " = ", module.shape(call).ToString(), " copy(",
                    percent, module.InstructionName(module.operand(call, number)), ")");
  }
  return CheckedEdits(document, {{range, text}}, "inlining");
}

}  // namespace hloscope
