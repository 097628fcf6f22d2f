// Fused computations (spec/ops-c 6.7, V003).
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// V075.
void CheckFusedComputation(Verification& v, ComputationId fused) {
  const Module& module = v.module;
  for (InstructionId id : module.computation(fused).instructions) {
    if (!v.IsReadable(id)) continue;
    const auto users = v.users.users(id);
    if (v.IsRoot(id)) {
      if (users.empty()) continue;
      v.Report(DiagnosticKind::kFusedRootUsed, id, Anchor::Name(), module.InstructionName(id),
               module.ComputationName(fused), module.InstructionName(users[0]))
          .Related(v.RangeOf(users[0], Anchor::Instruction()), "the user");
    } else if (users.empty() && !v.effects.Has(id)) {
      v.Report(DiagnosticKind::kFusedUnused, id, Anchor::Name(), module.InstructionName(id),
               module.ComputationName(fused));
    }
  }
}

}  // namespace

void VerifyFusions(Verification& v) {
  const Module& module = v.module;
  for (uint32_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId computation(c);
    const auto callers = v.users.callers(computation);
    InstructionId fusion;
    for (InstructionId caller : callers) {
      if (module.opcode(caller) == Opcode::kFusion && !fusion.has_value()) fusion = caller;
    }
    if (!fusion.has_value()) continue;
    const Anchor at = Anchor::Attribute(AttributeKind::kCalls);
    if (computation == module.entry()) {
      v.Report(DiagnosticKind::kEntryIsFused, fusion, at, module.ComputationName(computation));
    }
    // V070.
    for (InstructionId caller : callers) {
      if (caller == fusion) continue;
      v.Report(DiagnosticKind::kSharedFusion, module.opcode(caller) == Opcode::kFusion ? caller : fusion, at,
               module.ComputationName(computation), module.InstructionName(fusion))
          .Related(v.RangeOf(module.opcode(caller) == Opcode::kFusion ? fusion : caller, Anchor::Instruction()),
                   "it is also called here");
    }
    CheckFusedComputation(v, computation);
  }
}

}  // namespace hloscope
