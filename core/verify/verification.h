// SPDX-License-Identifier: Apache-2.0
// What the checks of one verification share, and the checks. Internal to core/verify.
#ifndef HLOSCOPE_CORE_VERIFY_VERIFICATION_H_
#define HLOSCOPE_CORE_VERIFY_VERIFICATION_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/analysis/module_index.h"
#include "core/analysis/side_effects.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/verify/checks.h"
#include "core/verify/verify_scope.h"

namespace hloscope {

// Ids from `first` to before `end`; all of them by default.
struct IdRange {
  uint32_t first = 0;
  uint32_t end = std::numeric_limits<uint32_t>::max();
};

class Verification {
 public:
  // Without a scope everything is checked.
  Verification(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
               const AnchorResolver& resolver, DiagnosticSink& sink, const VerifyScope* scope = nullptr)
      : module(module),
        options(options),
        users(*index.users),
        calls(*index.calls),
        effects(module, *index.first_effects),
        resolver_(resolver),
        sink_(sink),
        scope_(scope) {}

  const Module& module;
  const VerifyOptions& options;
  const UserIndex& users;
  const CallGraph& calls;
  const SideEffects effects;

  const AnchorResolver& resolver() const { return resolver_; }
  DiagnosticSink& sink() const { return sink_; }

  // Starts a check; false if the scope leaves it out. Its diagnostics have no owner unless one of the loops below runs.
  bool Begin(const Check& check) {
    stage_ = check.stage;
    sink_.SetSource(stage_);
    if (scope_ == nullptr) return true;
    return check.owner == CheckOwner::kNothing ? scope_->Includes(stage_) : !scope_->owners(stage_).empty();
  }
  // ForEachInstruction goes through these instructions alone.
  void SetInstructions(IdRange range) { instructions_ = range; }
  // No further check runs: they could not rely on the module.
  void Stop() { is_stopped_ = true; }
  bool is_stopped() const { return is_stopped_; }

  // Calls visit(InstructionId) for every instruction that the check is to look at, in id order. Diagnostics belong to
  // the one visited.
  template <typename Visit>
  void ForEachInstruction(Visit visit) {
    const uint32_t count = static_cast<uint32_t>(module.instruction_count());
    ForEach<InstructionId>({instructions_.first, std::min(instructions_.end, count)}, visit);
  }
  // The same for computations.
  template <typename Visit>
  void ForEachComputation(Visit visit) {
    ForEach<ComputationId>({0, static_cast<uint32_t>(module.computations().size())}, visit);
  }

  // False for what could not be read without errors: follow-up diagnostics would only distract.
  bool IsReadable(InstructionId id) const {
    const Instruction& instruction = module.instruction(id);
    return instruction.opcode != Opcode::kInvalid && !instruction.has_reading_errors;
  }
  // Readable, with operands of known shapes.
  bool HasReadableOperands(InstructionId id) const {
    if (!IsReadable(id)) return false;
    for (InstructionId operand : module.operands(id)) {
      if (!operand.has_value() || !module.shape(operand).IsValid()) return false;
    }
    return true;
  }
  // Part of the computation of a fusion.
  bool IsFused(InstructionId id) const {
    for (InstructionId caller : users.callers(module.instruction(id).computation)) {
      if (module.opcode(caller) == Opcode::kFusion) return true;
    }
    return false;
  }
  // An instruction of the computation could not be read: it may have used what now looks unused.
  bool MayHaveLostUses(ComputationId id) {
    LostUses& lost = lost_uses_[id];
    if (lost == LostUses::kUnknown) {
      lost = LostUses::kNo;
      for (InstructionId instruction : module.computation(id).instructions) {
        if (module.instruction(instruction).has_reading_errors) lost = LostUses::kYes;
      }
    }
    return lost == LostUses::kYes;
  }
  bool IsRoot(InstructionId id) const { return module.computation(module.instruction(id).computation).root == id; }

  template <typename... Args>
  Diagnostic& Report(DiagnosticKind kind, InstructionId id, Anchor anchor, const Args&... args) {
    return sink_.Add(kind, SeverityOf(kind, options.strict), RangeOf(id, anchor), {absl::StrCat(args)...});
  }
  template <typename... Args>
  Diagnostic& ReportComputation(DiagnosticKind kind, ComputationId id, const Args&... args) {
    return sink_.Report(kind, resolver_.ResolveComputation(id), args...);
  }
  template <typename... Args>
  Diagnostic& ReportHeader(DiagnosticKind kind, const HeaderPart& part, const Args&... args) {
    return sink_.Report(kind, resolver_.ResolveHeader(part), args...);
  }
  SourceRange RangeOf(InstructionId id, Anchor anchor) const { return resolver_.Resolve(id, anchor); }

  // "computation::instruction".
  std::string QualifiedName(InstructionId id) const {
    return absl::StrCat(module.ComputationName(module.instruction(id).computation), "::", module.InstructionName(id));
  }

 private:
  template <typename Id, typename Visit>
  void ForEach(IdRange range, Visit visit) {
    if (scope_ == nullptr) {
      for (uint32_t i = range.first; i < range.end; ++i) {
        sink_.SetSource(stage_, i);
        visit(Id(i));
      }
      return;
    }
    for (uint32_t i : scope_->owners(stage_)) {
      sink_.SetSource(stage_, i);
      visit(Id(i));
    }
  }

  enum class LostUses : uint8_t { kUnknown, kNo, kYes };

  const AnchorResolver& resolver_;
  DiagnosticSink& sink_;
  const VerifyScope* scope_;
  IdRange instructions_;
  CheckStage stage_ = CheckStage::kStructure;
  bool is_stopped_ = false;
  absl::flat_hash_map<ComputationId, LostUses> lost_uses_;  // of those that were asked for
};

// Compares the shape that the text declares with the inferred one; reports a difference with a fix (V210, V226).
void CheckDeclaredShape(Verification& v, InstructionId id, const Shape& inferred);

// Whether the transfers of the schedule are examined for deadlocks (V203-V208).
inline bool ChecksDeadlocks(const Verification& v) {
  return v.options.check_deadlocks && v.module.header().is_scheduled;
}

// By computation: the entry and what it calls, directly or through others.
std::vector<bool> ReachedComputations(const Verification& v);

// The checks: void VerifyShapes(Verification& v) and so on. VerifyStructure stops the verification if the graph is not
// one.
#define HLO_CHECK(stage, owner, looks_at, traits, option) void Verify##stage(Verification& v);
#include "core/verify/checks.def"

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_VERIFICATION_H_
