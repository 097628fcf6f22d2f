// SPDX-License-Identifier: Apache-2.0
// The schedule of a scheduled module is the order of its text (docs/ops/control.md 6.13); names that it relies on
// (V023).
#include <vector>

#include "absl/strings/match.h"
#include "core/verify/verification.h"

namespace hloscope {

// V023: metadata finds an instruction by the name that it was scheduled under. Copies and rematerialised instructions
// have names of their own.
static void CheckNames(Verification& v) {
  for (uint32_t i = 0; i < v.module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (v.module.instruction(id).attribute_count == 0) continue;
    const Metadata* metadata = v.module.MetadataOf(id);
    if (metadata == nullptr) continue;
    const absl::string_view scheduled = v.module.string(metadata->scheduling_name);
    const absl::string_view name = v.module.InstructionName(id);
    if (scheduled.empty() || scheduled == name || absl::StrContains(name, ".remat") ||
        absl::StrContains(name, ".clone")) {
      continue;
    }
    v.Report(DiagnosticKind::kRenamedInstruction, id, Anchor::Name(), name, scheduled)
        .Related(v.RangeOf(id, Anchor::Attribute(AttributeKind::kMetadata)), "the metadata");
  }
}

// V201, V202. In a text every name is defined before its use; modules from elsewhere may be ordered otherwise.
void VerifySchedule(Verification& v) {
  const Module& module = v.module;
  if (v.options.check_renamed) CheckNames(v);
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
