// SPDX-License-Identifier: Apache-2.0
// Changes to a module, with users, order and control edges kept right, and a way back.
#ifndef HLOSCOPE_CORE_TRANSFORM_MODULE_EDITOR_H_
#define HLOSCOPE_CORE_TRANSFORM_MODULE_EDITOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/dead_code.h"
#include "core/analysis/side_effects.h"
#include "core/ir/module.h"

namespace hloscope {

// Works on a copy of a module that has no errors. Instructions are never renumbered while it is edited: new ones get
// new ids, erased ones keep theirs and are no longer alive. Each computation is a list in which operands are before
// users, the schedule if the module has one: new instructions are put in front of a given one.
//
// Everything after a mark can be undone.
//
// An instruction may have as many operands as the module has instructions, and all of them may be replaced one after
// the other. What replaces operands of such an instruction ahead of where a walk by first() and next() is, is put into
// its list when the walk comes to it: until then, module() shows the operands that it had before.
class ModuleEditor {
 public:
  explicit ModuleEditor(const Module& module);
  ModuleEditor(const ModuleEditor&) = delete;
  ModuleEditor& operator=(const ModuleEditor&) = delete;

  // Ids, shapes, operands (see above) and attributes are up to date; lists of instructions are not (next()).
  const Module& module() const { return module_; }
  // For the attributes of an instruction that was just added, the header and interning.
  Module& mutable_module() { return module_; }

  // --- What is there ---
  bool IsAlive(InstructionId id) const { return alive_[id.index()]; }
  // None for an empty computation, and after the last.
  InstructionId first(ComputationId id) {
    if (!reached_.empty()) ForgetReached(id);
    return Reach(first_[id.index()]);
  }
  InstructionId next(InstructionId id) { return Reach(next_[id.index()]); }
  bool IsRoot(InstructionId id) const { return module_.computation(module_.instruction(id).computation).root == id; }
  bool HasSideEffect(InstructionId id) const { return effects_.Has(id); }
  // The first instruction of the computation that has one, in text order; none if there is none.
  InstructionId FirstSideEffect(ComputationId id) const { return effects_.First(id); }
  // Operand slots that hold the instruction.
  uint32_t use_count(InstructionId id) const { return use_count_[id.index()]; }
  // Instructions with it as an operand, each once.
  absl::InlinedVector<InstructionId, 4> users(InstructionId id);
  // Instructions that name it as a control predecessor.
  const std::vector<InstructionId>& ControlSuccessors(InstructionId id);
  bool HasControlSuccessors(InstructionId id) { return !ControlSuccessors(id).empty(); }
  bool HasControlEdges(InstructionId id) {
    return module_.HasAttribute(id, AttributeKind::kControlPredecessors) || HasControlSuccessors(id);
  }
  // False for computations whose form matters to who calls them: custom fusions, what runs asynchronously or inside a
  // custom call, and what is applied element by element (there is nothing to gain).
  bool IsRewritable(ComputationId id) const { return rewritable_[id.index()]; }
  // Edited, and not back to what it was.
  bool IsChanged(ComputationId id) const { return changes_[id.index()] > 0; }
  // By computation, of the module as it is now: the entry computation, and what chains of calls lead to from it.
  std::vector<bool> CalledFromEntry() const;
  // Of the module as it was.
  bool HasUncalledComputations() const { return !FindUnreachableComputations(module_, calls_).empty(); }
  bool has_changes() const { return total_changes_ > 0; }
  // Grows with every edit and falls when edits are undone: equal before and after means that nothing changed.
  uint64_t version() const { return journal_.size() + notes_; }

  // --- Edits ---
  // A new instruction in front of `before`, in the same computation. Its name is `name_like` with another number.
  InstructionId Add(InstructionId before, Opcode opcode, absl::string_view name_like, const Shape& shape,
                    absl::Span<const InstructionId> operands);
  // A copy of `source` with another shape and other operands. Attributes for which `keep` is false are left out.
  // Control predecessors are kept or not like the others and must be in front of `before`.
  InstructionId AddCopy(InstructionId before, InstructionId source, const Shape& shape,
                        absl::Span<const InstructionId> operands, absl::FunctionRef<bool(AttributeKind)> keep);
  // A copy of an instruction of another computation with all attributes; control predecessors are those that `map` has.
  InstructionId AddInlined(InstructionId before, InstructionId source, absl::Span<const InstructionId> operands,
                           absl::FunctionRef<InstructionId(InstructionId)> map);
  // The attributes that follow a value to the instruction that makes it now, of the common ones: metadata, frontend
  // attributes, origin, and those that `keep` adds. For an instruction that was just added.
  void CopyCommonAttributes(InstructionId source, InstructionId target, bool sharding, bool origin);
  void SetOperand(InstructionId id, size_t k, InstructionId operand);
  // All at once: each change of an operand list costs as much as the list is long.
  void ChangeOperands(InstructionId id, absl::Span<const InstructionId> operands);
  // Users, the root of the computation and control successors of `old_id` go over to `new_id`, which also must run
  // after what `old_id` had to run after. Users in front of `new_id` must not exist.
  void Replace(InstructionId old_id, InstructionId new_id);
  void SetRoot(ComputationId id, InstructionId root);
  // Erases the instruction if nothing needs it, and its operands with it as far as nothing else needs them. Roots,
  // parameters, side effects and control predecessors are needed.
  void EraseIfUnused(InstructionId id);
  // Erases an instruction that has no users, whatever it does.
  void Erase(InstructionId id);
  void SetName(InstructionId id, StringId name);
  // Puts the living instructions of a computation into another order that respects operands. Cannot be undone.
  void SetOrder(ComputationId id, absl::Span<const InstructionId> order);
  // Drops attributes; for those that say nothing about what is computed.
  void KeepAttributes(InstructionId id, absl::FunctionRef<bool(AttributeKind)> keep);
  // In place of the sharding that the instruction has.
  void SetSharding(InstructionId id, Sharding sharding);
  // Something changed that is not an instruction.
  void NoteChange() { ++total_changes_, ++notes_; }

  // --- The way back ---
  using Mark = size_t;
  Mark mark() const { return journal_.size(); }
  // Instructions that exist now and did not at the mark, and the reverse, in the order of the edits.
  void Difference(Mark since, std::vector<InstructionId>* added, std::vector<InstructionId>* erased) const;
  void UndoTo(Mark mark);
  // Forgets the way back. Marks from before are void.
  void Commit();

  // The module as it is now: no traces of what was erased, ids in order, without connection to the text it was read
  // from. Computations that the entry computation no longer leads to are left out if something led to them before or
  // `drop_uncalled`.
  Module Finish(bool drop_uncalled = false) const;

 private:
  struct Edit {
    enum class Kind : uint8_t { kAdd, kErase, kOperand, kOperands, kRoot, kName, kAttributes };
    Kind kind;
    InstructionId id;
    ComputationId computation;
    InstructionId old_root;     // or operand
    uint32_t operand_slot = 0;  // of kOperand
    StringId old_name;
    uint32_t old_first_attribute = 0;
    uint16_t old_attribute_count = 0;
    absl::InlinedVector<InstructionId, 3> old_operands;
  };

  // A place in a list of operands.
  struct Use {
    InstructionId user;
    uint32_t slot = 0;
    friend bool operator==(const Use&, const Use&) = default;
    friend bool operator<(const Use& a, const Use& b) { return a.user == b.user ? a.slot < b.slot : a.user < b.user; }
  };
  // Longer lists are not copied for every change.
  static constexpr size_t kLongList = 256;

  Edit& Record(Edit::Kind kind, InstructionId id);
  InstructionId Reach(InstructionId id) {
    if (id.has_value() && module_.instruction(id).operand_count > kLongList) ReachLong(id);
    return id;
  }
  void ReachLong(InstructionId id);
  void Settle(InstructionId id);
  void ForgetReached(ComputationId id);
  // Whether a change of its operands can wait until a walk comes to it.
  bool CanWait(InstructionId id) const;
  absl::Span<const InstructionId> Operands(InstructionId id) const;
  void SetSlot(InstructionId id, uint32_t slot, InstructionId operand);
  // The places of it that are operands now, in order.
  absl::Span<const Use> Uses(InstructionId id);
  void CountChange(ComputationId id, int by);
  void Link(InstructionId id, InstructionId before);
  void Unlink(InstructionId id);
  void AddUses(InstructionId user, absl::Span<const InstructionId> operands);
  void DropUses(absl::Span<const InstructionId> operands);
  void SetOperands(InstructionId id, absl::Span<const InstructionId> operands);
  void AppendRow(bool alive);
  void RewriteAttributes(InstructionId id, absl::FunctionRef<bool(AttributeKind)> keep);
  // Replaces the attributes by a copy in which control predecessors are `predecessors`.
  void SetControlPredecessors(InstructionId id, absl::Span<const InstructionId> predecessors);
  std::vector<InstructionId> ControlPredecessors(InstructionId id) const;
  StringId NewName(absl::string_view like);

  Module module_;
  CallGraph calls_;
  SideEffects effects_;
  std::vector<bool> alive_;
  std::vector<InstructionId> first_, last_;  // by computation
  std::vector<InstructionId> next_, previous_;
  std::vector<uint32_t> use_count_;
  // May hold places that have another operand now, and places twice.
  std::vector<absl::InlinedVector<Use, 2>> uses_;
  // Instructions with long lists: the lists that module_ does not have yet, and those that a walk came to.
  absl::flat_hash_map<InstructionId, std::vector<InstructionId>> waiting_;
  absl::flat_hash_set<InstructionId> reached_;
  absl::flat_hash_map<InstructionId, std::vector<InstructionId>> control_successors_;  // as uses_
  InstructionId stand_in_;  // for RewriteAttributes; none before it was needed
  std::vector<bool> rewritable_;
  std::vector<int64_t> changes_;  // by computation
  int64_t total_changes_ = 0;
  uint64_t notes_ = 0;
  std::vector<Edit> journal_;
  absl::flat_hash_map<std::string, int64_t> next_number_;  // by name without number
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_MODULE_EDITOR_H_
