#include "lsp/features/document_view.h"

namespace hloscope::lsp {

InstructionId NamedInstruction(const Module& module, InstructionId id) {
  while (id.has_value() && module.instruction(id).synthesized && module.opcode(id) == Opcode::kGetTupleElement &&
         module.operands(id).size() == 1) {
    id = module.operand(id, 0);
  }
  return id;
}

}  // namespace hloscope::lsp
