// SPDX-License-Identifier: Apache-2.0
// What the edits changed for the checks, and the index that they use.
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/side_effects.h"
#include "core/document/document_update.h"
#include "core/verify/edit_scope.h"
#include "core/verify/instruction_traits.h"
#include "core/verify/verifier.h"

namespace hloscope {
void DocumentUpdate::UpdateIndex() {
  std::vector<InstructionId> changed;
  for (uint32_t id : read_) changed.push_back(InstructionId(id));
  if (edges_changed_ || calls_changed_ || !ids_.empty()) {
    index_.users = std::make_shared<const UserIndex>(old_users_, ids_, module_, changed);
  }
  if (calls_changed_) {
    index_.calls = std::make_shared<const CallGraph>(module_);
  } else if (!ids_.empty()) {
    index_.calls = std::make_shared<const CallGraph>(*old_.index_.calls, ids_);
  }
  UpdateEffects(calls_changed_);
}

void DocumentUpdate::UpdateEffects(bool calls_changed) {
  const SideEffects before(old_module_, *old_.index_.first_effects);
  if (calls_changed) {
    index_.first_effects =
        std::make_shared<const std::vector<InstructionId>>(SideEffects(module_, *index_.calls).first_by_computation());
  } else {
    std::vector<InstructionId> first = *old_.index_.first_effects;
    for (InstructionId& id : first) id = ids_.ToNew(id);
    // Computations whose first effect must be looked for; callers come later in the order.
    std::set<uint32_t> work;
    for (const auto& [computation, update] : computations_) work.insert(computation);
    while (!work.empty()) {
      const ComputationId computation(*work.begin());
      work.erase(work.begin());
      const SideEffects now(module_, first);
      const InstructionId old_first = (*old_.index_.first_effects)[computation.index()];
      InstructionId found = first[computation.index()];
      const bool lost = found.has_value() ? !now.Has(found) : old_first.has_value();
      if (lost) {
        found = InstructionId::None();
        for (InstructionId id : module_.computation(computation).instructions) {
          if (!now.Has(id)) continue;
          found = id;
          break;
        }
      }
      const auto consider = [&](InstructionId id) {
        if (InComputation(id, computation) && (!found.has_value() || id < found) && now.Has(id)) found = id;
      };
      for (uint32_t id : read_) consider(InstructionId(id));
      for (uint32_t id : callers_of_changed_effects_) consider(InstructionId(id));
      first[computation.index()] = found;
      if (found.has_value() == old_first.has_value()) continue;
      for (InstructionId caller : index_.users->callers(computation)) {
        callers_of_changed_effects_.insert(caller.value);
        work.insert(module_.instruction(caller).computation.value);
      }
    }
    index_.first_effects = std::make_shared<const std::vector<InstructionId>>(std::move(first));
  }
  for (size_t c = 0; c < old_.index_.first_effects->size(); ++c) {
    const InstructionId then = (*old_.index_.first_effects)[c], now = (*index_.first_effects)[c];
    if (then.has_value() == now.has_value()) continue;
    effects_changed_ = true;
    for (InstructionId caller : index_.users->callers(ComputationId(c))) {
      callers_of_changed_effects_.insert(caller.value);
    }
  }
}

void DocumentUpdate::Verify() {
  scope_ = ScopeOfEdit(Checks(), module_, index_, old_.options_.verify, Change());
  VerifyModule(module_, index_, old_.options_.verify, *resolver_, sink_, &scope_);
}

ModuleChange DocumentUpdate::Change() const {
  ModuleChange change;
  change.inputs = ChangedInputs();
  change.instructions.assign(read_.begin(), read_.end());
  change.uses = ChangedUses();
  change.callees = callers_of_changed_signatures_;
  change.effects.assign(callers_of_changed_effects_.begin(), callers_of_changed_effects_.end());
  for (const auto& [computation, update] : computations_) change.computations.push_back(computation);
  change.edited_traits = edited_traits_;
  change.module_traits = state_.traits;
  change.touched = touched_;
  return change;
}

CheckInputs DocumentUpdate::ChangedInputs() const {
  CheckInputs inputs = 0;
  if (calls_changed_) inputs |= kCallers;
  if (!names_.empty()) inputs |= kComputationNames;
  if (effects_changed_) inputs |= kEffects;
  for (const auto& [id, update] : computations_) {
    if (update.readability) inputs |= kReadability;
    if (update.roots || update.parameters || update.signature) {
      inputs |= kCallees;
      if (module_.entry() == ComputationId(id)) inputs |= kEntry;
    }
    if (edited_may_block_ && !index_.users->callers(ComputationId(id)).empty()) inputs |= kEffects;
  }
  if (divided_work_changed_ && (state_.traits & kShardingTrait) != 0 &&
      AnyDividesWork(old_module_) != AnyDividesWork(module_)) {
    inputs |= kWorkDivision;
  }
  return inputs;
}

// Whatever may have gained or lost its last use, or what makes up for one.
std::vector<uint32_t> DocumentUpdate::ChangedUses() const {
  std::vector<uint32_t> changed;
  const auto add_old = [&](InstructionId id) {
    const InstructionId now = ids_.ToNew(id);
    if (now.has_value()) changed.push_back(now.value);
  };
  const auto add_uses = [&](const Module& module, InstructionId id, auto add) {
    for (InstructionId operand : module.operands(id)) {
      if (operand.has_value()) add(operand);
    }
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (before.has_value()) add(before);
    }
  };
  const auto add_new = [&](InstructionId id) { changed.push_back(id.value); };
  absl::flat_hash_set<uint32_t> computations;  // where an unreadable instruction came or went
  for (uint32_t id : read_) {
    const InstructionId now(id), then = ids_.ToOld(now);
    add_uses(module_, now, add_new);
    if (then.has_value()) add_uses(old_module_, then, add_old);
    const bool was = then.has_value() && old_module_.instruction(then).has_reading_errors;
    if (was != module_.instruction(now).has_reading_errors) {
      computations.insert(module_.instruction(now).computation.value);
    }
  }
  for (const EditRegion& region : regions_) {
    const auto& list = old_module_.computation(region.computation).instructions;
    for (size_t k = region.first + region.same_front; k < region.last - region.same_back; ++k) {
      add_uses(old_module_, list[k], add_old);
      if (!ids_.ToNew(list[k]).has_value() && old_module_.instruction(list[k]).has_reading_errors) {
        computations.insert(region.computation.value);
      }
    }
  }
  for (const auto& [computation, update] : computations_) {
    add_old(old_module_.computation(ComputationId(computation)).root);
    if (module_.computation(ComputationId(computation)).root.has_value()) {
      add_new(module_.computation(ComputationId(computation)).root);
    }
  }
  if (calls_changed_) {
    // Whether a computation is fused decides who reports what is not used in it.
    for (uint32_t id : read_) {
      const auto add_callees = [&](const Module& module, InstructionId caller) {
        module.ForEachCalledComputation(
            caller, [&](AttributeKind, ComputationId callee) { computations.insert(callee.value); });
      };
      add_callees(module_, InstructionId(id));
      const InstructionId then = ids_.ToOld(InstructionId(id));
      if (then.has_value()) add_callees(old_module_, then);
    }
    for (const EditRegion& region : regions_) {
      const auto& list = old_module_.computation(region.computation).instructions;
      for (size_t k = region.first; k < region.last; ++k) {
        old_module_.ForEachCalledComputation(
            list[k], [&](AttributeKind, ComputationId callee) { computations.insert(callee.value); });
      }
    }
  }
  for (uint32_t c : computations) {
    if (c >= module_.computations().size()) continue;
    for (InstructionId id : module_.computation(ComputationId(c)).instructions) {
      if (index_.users->users(id).empty()) changed.push_back(id.value);
    }
  }
  return changed;
}

}  // namespace hloscope
