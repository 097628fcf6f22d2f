// SPDX-License-Identifier: Apache-2.0
#include "core/verify/edit_scope.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "core/verify/instruction_traits.h"

namespace hloscope {
namespace {

using Ids = std::vector<uint32_t>;

void Append(Ids& to, const Ids& from) { to.insert(to.end(), from.begin(), from.end()); }

void SortOnce(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// All ids below `count`.
Ids All(size_t count) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

class EditScope {
 public:
  EditScope(const Module& module, const ModuleIndex& index, const VerifyOptions& options, const ModuleChange& change)
      : module_(module), options_(options), change_(change) {
    for (uint32_t id : change.instructions) {
      for (InstructionId user : index.users->users(InstructionId(id))) users_.push_back(user.value);
    }
    CollectAsyncLinks();
    CollectCallees();
  }

  void Add(const Check& check, VerifyScope& scope) const {
    if (check.owner == CheckOwner::kNothing) {
      if (IsConcerned(check) || IsTouched(check.stage)) scope.Include(check.stage);
      return;
    }
    Ids owners = check.owner == CheckOwner::kInstruction ? Instructions(check) : Computations(check);
    for (const DiagnosticSource& source : change_.touched) {
      if (source.stage == check.stage) owners.push_back(source.owner);
    }
    SortOnce(owners);
    scope.SetOwners(check.stage, std::move(owners));
  }

 private:
  // A chain may run through a whole computation, and its links know what the start calls.
  void CollectAsyncLinks() {
    if ((change_.module_traits & kAsyncTrait) == 0) return;
    Ids computations = change_.computations;
    for (const Ids* ids : std::initializer_list<const Ids*>{&change_.instructions, &users_, &change_.callees}) {
      for (uint32_t id : *ids) computations.push_back(module_.instruction(InstructionId(id)).computation.value);
    }
    SortOnce(computations);
    for (uint32_t computation : computations) {
      for (InstructionId id : module_.computation(ComputationId(computation)).instructions) {
        if ((TraitsOf(module_, id) & kAsyncTrait) != 0) async_links_.push_back(id.value);
      }
    }
  }

  // The computations whose callers, or their operands, changed.
  void CollectCallees() {
    if ((change_.inputs & kCallers) != 0) {
      called_ = All(module_.computations().size());
      return;
    }
    for (const Ids* ids : std::initializer_list<const Ids*>{&change_.instructions, &users_}) {
      for (uint32_t id : *ids) {
        module_.ForEachCalledComputation(InstructionId(id), [&](AttributeKind, ComputationId callee) {
          if (callee.has_value()) called_.push_back(callee.value);
        });
      }
    }
  }

  bool IsConcerned(const Check& check) const {
    if (check.option != nullptr && !(options_.*check.option)) return false;
    if (check.traits != 0 && (change_.module_traits & check.traits) == 0) return false;
    // The neighbours of an instruction may be any others.
    if ((check.looks_at & (kOperands | kUses)) != 0) return true;
    if ((check.looks_at & kInstructions) != 0 && (check.traits == 0 || (change_.edited_traits & check.traits) != 0)) {
      return true;
    }
    return (check.looks_at & change_.inputs) != 0;
  }

  bool IsTouched(CheckStage stage) const {
    return std::any_of(change_.touched.begin(), change_.touched.end(),
                       [stage](const DiagnosticSource& source) { return source.stage == stage; });
  }

  Ids Instructions(const Check& check) const {
    if ((check.looks_at & change_.inputs & (kWorkDivision | kCallers)) != 0) return All(module_.instruction_count());
    Ids owners;
    if ((check.looks_at & kCallers) != 0) {
      for (uint32_t computation : called_) {
        for (InstructionId id : module_.computation(ComputationId(computation)).instructions)
          owners.push_back(id.value);
      }
    }
    if ((check.looks_at & kInstructions) != 0) Append(owners, change_.instructions);
    if ((check.looks_at & kOperands) != 0) Append(owners, users_);
    if ((check.looks_at & kUses) != 0) Append(owners, change_.uses);
    if ((check.looks_at & kCallees) != 0) Append(owners, change_.callees);
    if ((check.looks_at & kEffects) != 0) Append(owners, change_.effects);
    if ((check.looks_at & kAsyncChains) != 0) Append(owners, async_links_);
    return owners;
  }

  Ids Computations(const Check& check) const {
    Ids owners;
    if ((check.looks_at & kInstructions) != 0) Append(owners, change_.computations);
    if ((check.looks_at & kCallers) != 0) Append(owners, called_);
    if ((check.looks_at & kEffects) != 0) {
      for (uint32_t id : change_.effects) {
        owners.push_back(module_.instruction(InstructionId(id)).computation.value);
      }
    }
    return owners;
  }

  const Module& module_;
  const VerifyOptions& options_;
  const ModuleChange& change_;
  Ids users_;        // of the changed instructions
  Ids async_links_;  // starts, updates and dones that the edit may concern
  Ids called_;       // computations whose callers, or their operands, changed
};

}  // namespace

VerifyScope ScopeOfEdit(absl::Span<const Check> checks, const Module& module, const ModuleIndex& index,
                        const VerifyOptions& options, const ModuleChange& change) {
  const EditScope edit(module, index, options, change);
  VerifyScope scope;
  for (const Check& check : checks) edit.Add(check, scope);
  return scope;
}

}  // namespace hloscope
