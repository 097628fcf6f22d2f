// The schedule of a scheduled module is the order of its text (spec/ops-c 6.13).
#include <vector>

#include "core/verify/verification.h"

namespace hloscope {

// V201, V202. In a text every name is defined before its use; modules from elsewhere may be ordered otherwise.
void VerifySchedule(Verification& v) {
  const Module& module = v.module;
  if (!module.header().is_scheduled) return;
  std::vector<uint32_t> position(module.instruction_count(), 0);  // 1-based; 0: not scheduled yet
  for (const Computation& computation : module.computations()) {
    uint32_t next = 0;
    for (InstructionId id : computation.instructions) {
      if (position[id.index()] != 0) {
        v.Report(DiagnosticKind::kScheduledTwice, id, Anchor::Name(), module.InstructionName(id));
      }
      const auto check = [&](InstructionId before) {
        if (!before.has_value() || position[before.index()] != 0) return;
        v.Report(DiagnosticKind::kScheduleOrder, id, Anchor::Name(), module.InstructionName(id),
                 module.InstructionName(before));
      };
      for (InstructionId operand : module.operands(id)) check(operand);
      for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) check(before);
      position[id.index()] = ++next;
    }
  }
}

}  // namespace hloscope
