// SPDX-License-Identifier: Apache-2.0
#include "core/print/omissions.h"

#include "core/print/string_printer.h"

namespace hloscope {
namespace {

bool IsFromText(const Computation& computation) { return computation.syntax != Computation().syntax; }
bool IsFromText(const Instruction& instruction) { return instruction.syntax.has_value() && !instruction.synthesized; }

}  // namespace

bool LeavesOutRoot(const Computation& computation, const PrintOptions& options) {
  return options.keep_written_omissions && IsFromText(computation) && !computation.root_is_marked;
}

bool LeavesOutSignature(const Computation& computation, const PrintOptions& options) {
  return options.keep_written_signatures && IsFromText(computation) && !computation.has_signature;
}

std::string WrittenThread(const Computation& computation, const PrintOptions& options) {
  const std::vector<std::string>* threads = options.written_threads.get();
  if (threads != nullptr && IsFromText(computation) && computation.syntax < threads->size()) {
    return (*threads)[computation.syntax];
  }
  std::string thread;
  if (computation.execution_thread != "main") AppendQuotedName(computation.execution_thread, &thread);
  return thread;
}

bool LeavesOutShape(const Instruction& instruction, const PrintOptions& options) {
  return options.keep_written_omissions && IsFromText(instruction) && !instruction.shape_declared &&
         InfoOf(instruction.opcode).shape_can_be_omitted;
}

OperandForms::Form FormOfOperand(const Instruction& user, size_t k, const PrintOptions& options) {
  if (const OperandForms* forms = options.operand_forms.get(); forms != nullptr && IsFromText(user)) {
    const size_t node = user.syntax.index();
    const size_t first = forms->first[node];
    if (forms->first[node + 1] - first == user.operand_count) return forms->forms[first + k];
  }
  return options.operand_shapes ? OperandForms::Form::kShape : OperandForms::Form::kName;
}

}  // namespace hloscope
