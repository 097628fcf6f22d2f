// SPDX-License-Identifier: Apache-2.0
// Fused computations (docs/ops/control.md 6.7, V003).
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/shape_matching.h"
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
    } else if (users.empty() && !v.effects.Has(id) && !v.MayHaveLostUses(fused)) {
      v.Report(DiagnosticKind::kFusedUnused, id, Anchor::Name(), module.InstructionName(id),
               module.ComputationName(fused));
    }
  }
}

// V076 in layout-sensitive mode: parts that share memory have equal layouts. Inside of other fusions and in dead
// computations tiles and memory spaces have no meaning; the shape rule has compared the rest.
void CheckSharedLayouts(Verification& v, InstructionId fusion, const std::vector<bool>& reached) {
  const Module& module = v.module;
  const auto* entries = module.AliasingAttribute(fusion, AttributeKind::kOutputToOperandAliasing);
  if (entries == nullptr || !v.HasReadableOperands(fusion) || v.IsFused(fusion)) return;
  if (!reached[module.instruction(fusion).computation.index()]) return;
  for (size_t i = 0; i < entries->size(); ++i) {
    const AliasEntry& entry = (*entries)[i];
    const auto operands = module.operands(fusion);
    if (entry.operand < 0 || entry.operand >= static_cast<int64_t>(operands.size())) continue;
    const Shape* output = SubshapeAt(module.shape(fusion), entry.output_index);
    const Shape* operand = SubshapeAt(module.shape(operands[static_cast<size_t>(entry.operand)]), entry.operand_index);
    LayoutMatching loose;
    loose.ignore_memory_space = loose.ignore_tiles = true;
    if (output == nullptr || operand == nullptr || !ShapesMatch(*output, *operand, v.options, loose) ||
        ShapesMatch(*output, *operand, v.options)) {
      continue;
    }
    v.Report(DiagnosticKind::kOperandAliasing, fusion, Anchor::Entry(AttributeKind::kOutputToOperandAliasing, i),
             "fusion", ShapeIndexText(entry.output_index), entry.operand, ShapeIndexText(entry.operand_index),
             absl::StrCat("the output part is ", ShapeText(*output, true), ", the operand part ",
                          ShapeText(*operand, true)));
  }
}

}  // namespace

void VerifyFusions(Verification& v) {
  const Module& module = v.module;
  const std::vector<bool> reached = v.options.layout_sensitive ? ReachedComputations(v) : std::vector<bool>();
  v.ForEachComputation([&](ComputationId computation) {
    const auto callers = v.users.callers(computation);
    InstructionId fusion;
    for (InstructionId caller : callers) {
      if (module.opcode(caller) == Opcode::kFusion && !fusion.has_value()) fusion = caller;
    }
    if (!fusion.has_value()) return;
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
    if (v.options.layout_sensitive) CheckSharedLayouts(v, fusion, reached);
  });
}

}  // namespace hloscope
