// Which checks may find something else after the edits, and the index that they use.
#include <algorithm>
#include <utility>

#include "core/analysis/side_effects.h"
#include "core/document/diagnostic_list.h"
#include "core/document/document_update.h"
#include "core/verify/verifier.h"

namespace hloscope {
namespace {

std::vector<uint32_t> Sorted(const std::set<uint32_t>& set) { return {set.begin(), set.end()}; }

}  // namespace

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
  scope_ = MakeScope();
  VerifyModule(module_, index_, old_.options_.verify, *resolver_, sink_, &scope_);
}

VerifyScope DocumentUpdate::MakeScope() {
  // Checks of single instructions look at operands, users and callees.
  checked_.insert(read_.begin(), read_.end());
  for (uint32_t id : read_) {
    for (InstructionId user : index_.users->users(InstructionId(id))) checked_.insert(user.value);
  }
  std::set<uint32_t> computations;
  for (const auto& [computation, update] : computations_) computations.insert(computation);
  std::set<uint32_t> async_pairs = checked_;
  if ((state_.traits & kAsyncTrait) != 0) {
    // A chain may run through a whole computation, and its links know what the start calls.
    std::set<uint32_t> with_callers = computations;
    for (uint32_t id : checked_) with_callers.insert(module_.instruction(InstructionId(id)).computation.value);
    for (uint32_t computation : with_callers) {
      for (InstructionId id : module_.computation(ComputationId(computation)).instructions) {
        if ((TraitsOf(module_, id) & kAsyncTrait) != 0) async_pairs.insert(id.value);
      }
    }
    for (uint32_t id : async_pairs) checked_.insert(id);
  }
  std::set<uint32_t> dead = checked_;
  AddDeadCodeCandidates(dead);
  std::set<uint32_t> fusions = computations, async_bodies = computations;
  for (uint32_t caller : callers_of_changed_effects_) {
    fusions.insert(module_.instruction(InstructionId(caller)).computation.value);
  }
  if (calls_changed_ || old_.options_.verify.layout_sensitive) {
    for (uint32_t c = 0; c < module_.computations().size(); ++c) {
      fusions.insert(c);
      async_bodies.insert(c);
    }
  }
  bool called = false;
  for (uint32_t c : computations) called = called || !index_.users->callers(ComputationId(c)).empty();

  VerifyScope scope;
  std::set<uint32_t> shapes = checked_, unbounded = checked_, origins = checked_, shardings = checked_,
                     layouts = checked_;
  bool readability = false, frame = false;  // what can be read; what callers see of a computation
  for (const auto& [computation, update] : computations_) {
    readability = readability || update.readability;
    frame = frame || update.roots || update.parameters || update.signature;
  }
  const bool graph = calls_changed_ || !names_.empty();
  if (graph || effects_changed_ || (called && edited_may_block_)) scope.Include(CheckStage::kCallers);
  scope.Include(CheckStage::kBuffers);
  scope.Include(CheckStage::kCustomCalls);
  scope.Include(CheckStage::kMemorySpaces);
  const VerifyOptions& options = old_.options_.verify;
  if (options.check_renamed) scope.Include(CheckStage::kSchedule);
  if (options.check_deadlocks) scope.Include(CheckStage::kTransferOrder);
  if (graph || readability) scope.Include(CheckStage::kUncalled);
  const ComputationId entry = module_.entry();
  if (entry.has_value() && computations_.contains(entry.value)) {
    const ComputationUpdate& update = computations_[entry.value];
    if (update.signature || update.roots || update.parameters) scope.Include(CheckStage::kEntrySignature);
  }
  if ((edited_traits_ & kStackFrameTrait) != 0) scope.Include(CheckStage::kStackFrames);
  if ((state_.traits & kTransferTrait) != 0) scope.Include(CheckStage::kHostTransfers);
  if ((edited_traits_ & kAllReduceTrait) != 0) scope.Include(CheckStage::kCollectives);
  if ((edited_traits_ & kShardingTrait) != 0 ||
      ((state_.traits & kShardingTrait) != 0 && (graph || readability || frame))) {
    scope.Include(CheckStage::kShardingAgreement);
  }
  for (DiagnosticSource source : touched_) {
    switch (source.stage) {
      case CheckStage::kShapes:
        shapes.insert(source.owner);
        break;
      case CheckStage::kUnbounded:
        unbounded.insert(source.owner);
        break;
      case CheckStage::kOrigins:
        origins.insert(source.owner);
        break;
      case CheckStage::kAsyncPairs:
        async_pairs.insert(source.owner);
        break;
      case CheckStage::kShardings:
        shardings.insert(source.owner);
        break;
      case CheckStage::kLayouts:
        layouts.insert(source.owner);
        break;
      case CheckStage::kDeadCode:
        dead.insert(source.owner);
        break;
      case CheckStage::kFusions:
        fusions.insert(source.owner);
        break;
      case CheckStage::kAsyncBodies:
        async_bodies.insert(source.owner);
        break;
      default:
        if (IsVerifierStage(source.stage)) scope.Include(source.stage);
        break;
    }
  }
  scope.SetOwners(CheckStage::kShapes, Sorted(shapes));
  scope.SetOwners(CheckStage::kUnbounded, Sorted(unbounded));
  scope.SetOwners(CheckStage::kOrigins, Sorted(origins));
  scope.SetOwners(CheckStage::kAsyncPairs, Sorted(async_pairs));
  scope.SetOwners(CheckStage::kShardings, Sorted(shardings));
  scope.SetOwners(CheckStage::kLayouts, Sorted(layouts));
  scope.SetOwners(CheckStage::kDeadCode, Sorted(dead));
  scope.SetOwners(CheckStage::kFusions, Sorted(fusions));
  scope.SetOwners(CheckStage::kAsyncBodies, Sorted(async_bodies));
  return scope;
}

// Whatever may have gained or lost its last use.
void DocumentUpdate::AddDeadCodeCandidates(std::set<uint32_t>& owners) {
  const auto add_old = [&](InstructionId id) {
    const InstructionId now = ids_.ToNew(id);
    if (now.has_value()) owners.insert(now.value);
  };
  const auto add_uses = [&](const Module& module, InstructionId id, auto add) {
    for (InstructionId operand : module.operands(id)) {
      if (operand.has_value()) add(operand);
    }
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      if (before.has_value()) add(before);
    }
  };
  const auto add_new = [&](InstructionId id) { owners.insert(id.value); };
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
  owners.insert(callers_of_changed_effects_.begin(), callers_of_changed_effects_.end());
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
      if (index_.users->users(id).empty()) owners.insert(id.value);
    }
  }
}
}  // namespace hloscope
