// SPDX-License-Identifier: Apache-2.0
#include "core/sharding/split_propagation.h"

#include <algorithm>
#include <utility>

#include "core/analysis/call_graph.h"
#include "core/sharding/part_rewriter.h"

namespace hloscope {
namespace {

// What is nested more deeply is computed whole: following takes stack for each call, and loops within loops are
// followed again for each iteration of what they are in.
constexpr int64_t kMostNesting = 64, kNestingOfLoop = 8;
// Of the instructions of a module, and of any module: how many may be followed.
constexpr int64_t kFollowedOften = 64, kFollowedAnyway = 1 << 16;

bool IsTarget(const Module& module, InstructionId id, absl::string_view target) {
  return module.opcode(id) == Opcode::kCustomCall &&
         module.StringAttribute(id, AttributeKind::kCustomCallTarget) == target;
}

}  // namespace

const Sharding* LeafSharding(const Sharding* sharding, size_t k) {
  if (sharding == nullptr || sharding->kind != Sharding::Kind::kTuple) return sharding;
  return k < sharding->leaves.size() ? &sharding->leaves[k] : nullptr;
}

SplitPropagation::SplitPropagation(const Module& module, int64_t devices,
                                   std::function<std::vector<InstructionId>(ComputationId)> order)
    : module_(module),
      devices_(devices),
      order_(std::move(order)),
      callers_(module.computations().size(), 0),
      nesting_(callers_.size(), 0),
      left_(kFollowedAnyway + kFollowedOften * static_cast<int64_t>(module.instruction_count())) {
  const CallGraph calls(module);
  const absl::Span<const ComputationId> callees_first = calls.callees_first();
  for (auto computation = callees_first.rbegin(); computation != callees_first.rend(); ++computation) {
    for (const CallGraph::Call& call : calls.calls(*computation)) {
      ++callers_[call.callee.index()];
      const int64_t more = module.opcode(call.caller) == Opcode::kWhile ? kNestingOfLoop : 1;
      int64_t& nesting = nesting_[call.callee.index()];
      nesting = std::max(nesting, nesting_[computation->index()] + more);
    }
  }
}

Splits SplitPropagation::AllWhole(InstructionId id) const {
  Splits splits;
  for (const Shape& leaf : LeafShapes(module_.shape(id))) splits.push_back(Split::Whole(leaf.rank(), devices_));
  return splits;
}

std::optional<Split> SplitPropagation::Wanted(InstructionId id) const {
  const Sharding* const sharding = module_.ShardingAttribute(id);
  if (sharding == nullptr || !module_.shape(id).IsArray()) return std::nullopt;
  absl::StatusOr<Split> split = SplitOf(*sharding, module_.shape(id), devices_);
  if (!split.ok()) return std::nullopt;
  return *std::move(split);
}

bool SplitPropagation::IsAnnotation(InstructionId id) const {
  return (IsTarget(module_, id, "Sharding") || IsTarget(module_, id, "xla.sdy.FuncResultSharding")) &&
         module_.operands(id).size() == 1;
}

SplitPlan SplitPropagation::PlanOf(InstructionId id, absl::Span<const Split> operands) const {
  const std::optional<Split> wanted = Wanted(id);
  SplitPlan plan = PlanSplit(module_, id, operands, wanted ? &*wanted : nullptr, devices_, SplitSizes::kWhole);
  bool fits = true;
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    fits = fits && CanBeCut(plan.operands[k], module_.shape(module_.operand(id, k)));
  }
  for (const Shape& leaf : LeafShapes(module_.shape(id))) {
    fits = fits && (plan.result.IsWhole() || (leaf.rank() == plan.result.rank() && CanBeCut(plan.result, leaf)));
  }
  return fits ? plan : PlanSplit(module_, id, {}, nullptr, devices_, SplitSizes::kWhole);
}

std::vector<ComputationId> SplitPropagation::CutWith(InstructionId id) const {
  const Opcode opcode = module_.opcode(id);
  std::vector<ComputationId> callees;
  if (opcode == Opcode::kWhile) {
    callees = {module_.ComputationAttribute(id, AttributeKind::kBody),
               module_.ComputationAttribute(id, AttributeKind::kCondition)};
  } else if (opcode == Opcode::kCall) {
    callees = {module_.ComputationAttribute(id, AttributeKind::kToApply)};
  } else if (opcode == Opcode::kConditional) {
    const auto branches = module_.ComputationsAttribute(id, AttributeKind::kBranchComputations);
    callees.assign(branches.begin(), branches.end());
    if (callees.empty()) {
      callees = {module_.ComputationAttribute(id, AttributeKind::kTrueComputation),
                 module_.ComputationAttribute(id, AttributeKind::kFalseComputation)};
    }
  }
  const bool own = std::all_of(callees.begin(), callees.end(), [this](ComputationId callee) {
    return callee.has_value() && callers_[callee.index()] == 1 && nesting_[callee.index()] <= kMostNesting;
  });
  return own ? callees : std::vector<ComputationId>();
}

Splits SplitPropagation::OfLoop(InstructionId loop, Splits initial) const {
  const ComputationId body = module_.ComputationAttribute(loop, AttributeKind::kBody);
  Splits state = std::move(initial);
  const Sharding* const sharding = module_.ShardingAttribute(loop);
  const std::vector<Shape> shapes = LeafShapes(module_.shape(loop));
  for (size_t k = 0; k < state.size(); ++k) {
    const Sharding* const leaf = LeafSharding(sharding, k);
    if (leaf == nullptr || !shapes[k].IsArray()) continue;
    if (absl::StatusOr<Split> split = SplitOf(*leaf, shapes[k], devices_); split.ok()) state[k] = *std::move(split);
  }
  // A value is cut at most once, and then only loses cuts.
  std::vector<bool> was_cut(state.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    if (left_ <= 0) return AllWhole(loop);
    const Splits given = Outcome(body, {state});
    for (size_t k = 0; k < state.size(); ++k) {
      if (given[k] == state[k]) continue;
      if (state[k].IsWhole() && !was_cut[k]) {
        state[k] = given[k];
        changed = was_cut[k] = true;
        continue;
      }
      for (int64_t d = 0; d < state[k].rank(); ++d) {
        if (!state[k].IsCut(d) || state[k].SameDimension(d, given[k], d)) continue;
        state[k].MakeWhole(d);
        changed = was_cut[k] = true;
      }
    }
  }
  return state;
}

Splits SplitPropagation::OfCallees(InstructionId caller, absl::Span<const std::vector<Splits>> arguments) const {
  if (left_ <= 0) return AllWhole(caller);
  const std::vector<ComputationId> callees = CutWith(caller);
  Splits all = Outcome(callees[0], arguments[0]);
  for (size_t b = 1; b < callees.size(); ++b) {
    const Splits given = Outcome(callees[b], arguments[b]);
    for (size_t k = 0; k < all.size(); ++k) {
      for (int64_t d = 0; d < all[k].rank(); ++d) {
        if (!all[k].SameDimension(d, given[k], d)) all[k].MakeWhole(d);
      }
    }
  }
  return all;
}

Splits SplitPropagation::Outcome(ComputationId computation, absl::Span<const Splits> parameters) const {
  const InstructionId root = module_.computation(computation).root;
  Known known;
  for (InstructionId id : order_(computation)) {
    --left_;
    known[id] = Of(id, parameters, known);
    if (id == root) break;
  }
  return known.at(root);
}

Splits SplitPropagation::Of(InstructionId id, absl::Span<const Splits> parameters, const Known& known) const {
  const auto operands = module_.operands(id);
  const std::vector<Shape> leaves = LeafShapes(module_.shape(id));
  if (module_.opcode(id) == Opcode::kParameter) return parameters[module_.instruction(id).parameter_number];
  if (module_.opcode(id) == Opcode::kTuple) {
    Splits splits;
    for (InstructionId operand : operands) {
      splits.insert(splits.end(), known.at(operand).begin(), known.at(operand).end());
    }
    return splits;
  }
  if (module_.opcode(id) == Opcode::kGetTupleElement) {
    int64_t first = 0;
    for (int64_t k = 0; k < module_.IntAttribute(id, AttributeKind::kIndex); ++k) {
      first += module_.shape(operands[0]).element(k).LeafCount();
    }
    const auto begin = known.at(operands[0]).begin() + first;
    return Splits(begin, begin + static_cast<std::ptrdiff_t>(leaves.size()));
  }
  if (IsAnnotation(id)) {
    const std::optional<Split> wanted = Wanted(id);
    return wanted ? Splits{*wanted} : known.at(operands[0]);
  }
  if (const std::vector<ComputationId> callees = CutWith(id); !callees.empty()) {
    if (module_.opcode(id) == Opcode::kWhile) return OfLoop(id, known.at(operands[0]));
    std::vector<std::vector<Splits>> arguments(callees.size());
    const bool is_call = module_.opcode(id) == Opcode::kCall;
    for (size_t k = is_call ? 0 : 1; k < operands.size(); ++k) {
      arguments[is_call ? 0 : k - 1].push_back(known.at(operands[k]));
    }
    return OfCallees(id, arguments);
  }
  Splits now;
  for (InstructionId operand : operands) {
    if (!module_.shape(operand).IsArray()) {
      now.clear();
      break;
    }
    now.push_back(known.at(operand)[0]);
  }
  const std::optional<Split> wanted = Wanted(id);
  const Split result = wanted ? *wanted : PlanOf(id, now).result;
  Splits splits;
  for (const Shape& leaf : leaves) {
    splits.push_back(leaf.rank() == result.rank() ? result : Split::Whole(leaf.rank(), devices_));
  }
  return splits;
}

}  // namespace hloscope
