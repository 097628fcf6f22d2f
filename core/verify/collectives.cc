// SPDX-License-Identifier: Apache-2.0
// What the collectives of a module must agree in (docs/ops/control.md 6.11); each by itself is checked by its shape
// rule.
#include "core/verify/verification.h"

namespace hloscope {

// V150.
void VerifyCollectives(Verification& v) {
  const Module& module = v.module;
  if (!module.MayHave(Opcode::kAllReduce) && !module.MayHave(Opcode::kAllReduceStart)) return;
  InstructionId first;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Opcode opcode = module.opcode(id);
    if ((opcode != Opcode::kAllReduce && opcode != Opcode::kAllReduceStart) || !v.IsReadable(id)) continue;
    if (!first.has_value()) first = id;
    const bool constrained = module.BoolAttribute(id, AttributeKind::kConstrainLayout);
    if (constrained == module.BoolAttribute(first, AttributeKind::kConstrainLayout)) continue;
    v.Report(DiagnosticKind::kConstrainLayoutMix, id, Anchor::Attribute(AttributeKind::kConstrainLayout),
             module.InstructionName(id), constrained ? "true" : "false", module.InstructionName(first),
             constrained ? "false" : "true")
        .Related(v.RangeOf(first, Anchor::Instruction()), "the first all-reduce");
    return;
  }
}

}  // namespace hloscope
