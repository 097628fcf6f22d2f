// What the checks of one verification share, and the groups of checks. Internal to core/verify.
#ifndef HLOSCOPE_CORE_VERIFY_VERIFICATION_H_
#define HLOSCOPE_CORE_VERIFY_VERIFICATION_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/analysis/module_index.h"
#include "core/analysis/side_effects.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/verify/verify_scope.h"

namespace hloscope {

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

  // Starts a stage whose diagnostics have no owner; false if the scope leaves it out.
  bool Begin(CheckStage stage) {
    sink_.SetSource(stage);
    return scope_ == nullptr || scope_->Includes(stage);
  }
  // Calls visit(InstructionId) for every instruction that the stage is to check, in id order. Diagnostics belong to the
  // one visited.
  template <typename Visit>
  void ForEachInstruction(CheckStage stage, Visit visit) {
    ForEach<InstructionId>(stage, module.instruction_count(), visit);
  }
  // The same for computations.
  template <typename Visit>
  void ForEachComputation(CheckStage stage, Visit visit) {
    ForEach<ComputationId>(stage, module.computations().size(), visit);
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
    return sink_.Report(kind, RangeOf(id, anchor), args...);
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
  void ForEach(CheckStage stage, size_t count, Visit visit) {
    if (scope_ == nullptr) {
      for (uint32_t i = 0; i < count; ++i) {
        sink_.SetSource(stage, i);
        visit(Id(i));
      }
      return;
    }
    for (uint32_t i : scope_->owners(stage)) {
      sink_.SetSource(stage, i);
      visit(Id(i));
    }
  }

  enum class LostUses : uint8_t { kUnknown, kNo, kYes };

  const AnchorResolver& resolver_;
  DiagnosticSink& sink_;
  const VerifyScope* scope_;
  absl::flat_hash_map<ComputationId, LostUses> lost_uses_;  // of those that were asked for
};

// Compares the shape that the text declares with the inferred one; reports a difference with a fix (V210, V226).
void CheckDeclaredShape(Verification& v, InstructionId id, const Shape& inferred);

// By computation: the entry and what it calls, directly or through others.
std::vector<bool> ReachedComputations(const Verification& v);

// False if the graph is not one: later groups then cannot rely on operands, and nothing else is checked.
bool VerifyStructure(Verification& v);
void VerifyUses(Verification& v);  // dead code, unused results, uncalled computations
void VerifyOrigins(Verification& v);
void VerifyStackFrames(Verification& v);
void VerifyEntrySignature(Verification& v);
void VerifyCallers(Verification& v);
void VerifyFusions(Verification& v);
void VerifyBuffers(Verification& v);
void VerifyCustomCalls(Verification& v);
void VerifyAsyncPairs(Verification& v);
void VerifyHostTransfers(Verification& v);
void VerifyCollectives(Verification& v);
void VerifyShardings(Verification& v);
void VerifySchedule(Verification& v);
void VerifyTransferOrder(Verification& v);
void VerifyLayouts(Verification& v);
void VerifyMemorySpaces(Verification& v);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_VERIFICATION_H_
