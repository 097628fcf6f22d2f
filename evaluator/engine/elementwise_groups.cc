// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/elementwise_groups.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/kernels/reduction/row_reduction.h"

namespace hloscope::evaluator {
namespace {

// Programs beyond this gain nothing: their registers leave the first cache level.
constexpr size_t kMaxMembers = 64;
constexpr int kMaxFusedCallDepth = 8;

bool HasDynamicDimension(const Shape& shape) {
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.IsDynamicDimension(d)) return true;
  }
  return false;
}

class Grouping {
 public:
  Grouping(const Module& module, Schedules& schedules) : module_(module), schedules_(schedules) {}

  // True if `id` computes an array of static sizes element by element.
  bool IsElementwise(InstructionId id, int depth = 0) const {
    const Shape& shape = module_.shape(id);
    if (!shape.IsArray() || HasDynamicDimension(shape)) return false;
    for (InstructionId operand : module_.operands(id)) {
      if (!operand.has_value()) return false;
      const Shape& from = module_.shape(operand);
      if (!from.IsArray() || HasDynamicDimension(from)) return false;
      if (!from.IsScalar() && from.dimensions() != shape.dimensions()) return false;
    }
    if (HasControlPredecessors(id)) return false;
    if (module_.opcode(id) == Opcode::kCall) return depth < kMaxFusedCallDepth && CallsElementwise(id, depth);
    return LaneFunction::Handles(module_, id);
  }

  bool HasControlPredecessors(InstructionId id) const {
    return !module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors).empty();
  }

  // True if `id` reduces an array that nothing else needs and that is another one of bf16, widened to f32: the widening
  // is left to the reduction.
  bool ReducesWidened(InstructionId id, const ComputationSchedule& schedule) const {
    if (module_.opcode(id) != Opcode::kReduce || module_.operands(id).size() != 2) return false;
    const InstructionId operand = module_.operand(id, 0);
    if (!operand.has_value() || !module_.operand(id, 1).has_value() || module_.opcode(operand) != Opcode::kConvert ||
        !IsElementwise(operand) || schedule.uses[schedules_.LocalIndex(operand)] != 1) {
      return false;
    }
    const Shape &narrow = module_.shape(module_.operand(operand, 0)), &result = module_.shape(id);
    return narrow.element_type() == ElementType::kBF16 && narrow.dimensions() == module_.shape(operand).dimensions() &&
           module_.shape(operand).element_type() == ElementType::kF32 && result.IsArray() &&
           result.element_type() == ElementType::kF32 && !HasDynamicDimension(result) &&
           module_.shape(module_.operand(id, 1)).element_type() == ElementType::kF32 && !HasControlPredecessors(id) &&
           RecognizeReducer(module_, module_.ComputationAttribute(id, AttributeKind::kToApply)).kind !=
               KnownReducer::kNone;
  }

  ElementwiseGroups::Inlined InlinedIn(InstructionId id) const {
    if (module_.opcode(id) != Opcode::kCall) return {};
    const auto schedule = schedules_.Of(module_.ComputationAttribute(id, AttributeKind::kToApply));
    if (!schedule.ok()) return {};
    ElementwiseGroups::Inlined inlined{static_cast<int64_t>((*schedule)->steps.size()), 1};
    for (InstructionId step : (*schedule)->steps) {
      const ElementwiseGroups::Inlined inner = InlinedIn(step);
      inlined.steps += inner.steps;
      inlined.frames += inner.frames;
    }
    return inlined;
  }

 private:
  // Everything in the called computation is elementwise, a scalar constant or a scalar that is broadcast.
  bool CallsElementwise(InstructionId call, int depth) const {
    const ComputationId id = module_.ComputationAttribute(call, AttributeKind::kToApply);
    const auto schedule = schedules_.Of(id);
    if (!schedule.ok() || (*schedule)->has_side_effects || (*schedule)->steps.empty()) return false;
    const absl::Span<const int64_t> dimensions = module_.shape(call).dimensions();
    const auto fits = [&](InstructionId instruction) {
      const Shape& shape = module_.shape(instruction);
      return shape.IsArray() && (shape.IsScalar() || shape.dimensions() == dimensions);
    };
    for (InstructionId constant : (*schedule)->constants) {
      if (!module_.shape(constant).IsScalar()) return false;
    }
    for (InstructionId step : (*schedule)->steps) {
      if (!fits(step)) return false;
      const bool repeats_scalar =
          module_.opcode(step) == Opcode::kBroadcast && module_.shape(module_.operand(step, 0)).IsScalar();
      if (!repeats_scalar && !IsElementwise(step, depth + 1)) return false;
    }
    return true;
  }

  const Module& module_;
  Schedules& schedules_;
};

// The instructions that belong together with a root.
class Growth {
 public:
  Growth(const Module& module, const Schedules& schedules, const ComputationSchedule& schedule)
      : module_(module), schedules_(schedules), schedule_(schedule), uses_(schedule.uses.size(), 0) {}

  // The root, and before it, in the order of the schedule, those that `accepts` among what only they use.
  template <typename Accepts>
  std::vector<InstructionId> From(InstructionId root, const Accepts& accepts) const {
    std::vector<InstructionId> instructions = {root};  // backwards
    std::vector<size_t> used;                          // local indices
    std::priority_queue<uint32_t> candidates;          // steps that the group uses, the last one first
    const auto use_operands = [&](InstructionId id) {
      for (InstructionId operand : module_.operands(id)) {
        const size_t local = schedules_.LocalIndex(operand);
        if (++uses_[local] > 1) continue;
        used.push_back(local);
        const uint32_t step = schedule_.step_of[local];
        if (step != ComputationSchedule::kNoStep) candidates.push(step);
      }
    };
    use_operands(root);
    while (!candidates.empty() && instructions.size() <= kMaxMembers) {
      const InstructionId id = schedule_.steps[candidates.top()];
      candidates.pop();
      // One use more would be one from outside: of another instruction, or as the result of the computation.
      const size_t local = schedules_.LocalIndex(id);
      if (uses_[local] != schedule_.uses[local] || !accepts(id)) continue;
      instructions.push_back(id);
      use_operands(id);
    }
    for (const size_t local : used) uses_[local] = 0;
    std::reverse(instructions.begin(), instructions.end());
    return instructions;
  }

  // Without what executes it.
  ElementwiseGroup GroupOf(std::vector<InstructionId> instructions) const {
    ElementwiseGroup group;
    for (InstructionId id : instructions) {
      for (InstructionId operand : module_.operands(id)) ++uses_[schedules_.LocalIndex(operand)];
    }
    for (InstructionId id : instructions) uses_[schedules_.LocalIndex(id)] = 0;
    // In the order of their first use.
    for (InstructionId id : instructions) {
      for (InstructionId operand : module_.operands(id)) {
        uint32_t& uses = uses_[schedules_.LocalIndex(operand)];
        if (uses == 0) continue;
        group.inputs.push_back(operand);
        group.input_uses.push_back(uses);
        uses = 0;
      }
    }
    group.root = instructions.back();
    instructions.pop_back();
    group.members = std::move(instructions);
    return group;
  }

 private:
  const Module& module_;
  const Schedules& schedules_;
  const ComputationSchedule& schedule_;
  mutable std::vector<uint32_t> uses_;  // by local index, within what is being collected; zeros in between
};

// Which steps may end a group of rows: those that come to a reduction of rows over few steps that such a group takes.
// Collecting the others' group, only to find no reduction in it, would take as long as all the rest.
std::vector<bool> StepsAfterReductions(const Module& module, const Schedules& schedules,
                                       const ComputationSchedule& schedule) {
  constexpr size_t kFar = kMaxMembers + 1;
  std::vector<size_t> distance(schedule.steps.size(), kFar);
  std::vector<bool> after(schedule.steps.size(), false);
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    const InstructionId id = schedule.steps[s];
    const Opcode opcode = module.opcode(id);
    if (opcode == Opcode::kReduce) {
      if (RowReduction::Of(module, id).has_value()) distance[s] = 0;
    } else if (opcode == Opcode::kBroadcast || opcode == Opcode::kReshape || LaneFunction::Handles(module, id)) {
      for (InstructionId operand : module.operands(id)) {
        const uint32_t step = schedule.step_of[schedules.LocalIndex(operand)];
        if (step != ComputationSchedule::kNoStep) distance[s] = std::min(distance[s], distance[step] + 1);
      }
    }
    after[s] = distance[s] < kFar;
  }
  return after;
}

// Finds what a row program can do: reductions of rows, what is computed from them for each row, and elementwise
// instructions on rows.
class RowGrouping {
 public:
  RowGrouping(const Module& module, const Grouping& grouping, InstructionId root)
      : module_(module), grouping_(grouping) {
    shape_.split = kUnknown;
    if (module.opcode(root) == Opcode::kReduce) {
      is_possible_ = ReducesRows(root) && !grouping.HasControlPredecessors(root);
    } else {
      const absl::Span<const int64_t> dimensions = module.shape(root).dimensions();
      shape_.dimensions.assign(dimensions.begin(), dimensions.end());
      is_possible_ = !dimensions.empty() && IsElementwise(root);
    }
  }

  bool is_possible() const { return is_possible_; }
  bool has_reduction() const { return has_reduction_; }
  const RowShape& shape() const { return shape_; }

  // Called for instructions after all that use them.
  bool Accepts(InstructionId id) {
    const Shape& shape = module_.shape(id);
    if (!shape.IsArray() || HasDynamicDimension(shape) || grouping_.HasControlPredecessors(id)) return false;
    const Opcode opcode = module_.opcode(id);
    const bool is_full = shape.dimensions() == shape_.dimensions;
    if (opcode == Opcode::kReduce) {
      return shape_.split != kUnknown && shape_.HasElementPerRow(shape) && ReducesRows(id);
    }
    if (opcode == Opcode::kBroadcast && is_full) return RepeatsRows(id);
    if (is_full) return IsElementwise(id);
    if (shape_.split == kUnknown || !shape_.HasElementPerRow(shape)) return false;
    if (opcode != Opcode::kBroadcast && opcode != Opcode::kReshape) return IsElementwise(id);
    const InstructionId operand = module_.operand(id, 0);
    return operand.has_value() && shape_.HasElementPerRow(module_.shape(operand)) &&
           !HasDynamicDimension(module_.shape(operand)) && KeepsOrder(id);
  }

 private:
  static constexpr int64_t kUnknown = -1;

  bool IsElementwise(InstructionId id) const {
    return module_.opcode(id) != Opcode::kCall && grouping_.IsElementwise(id);
  }

  // The rows begin at dimension `split`, if that agrees with what is known.
  bool Splits(int64_t split) {
    if (shape_.split != kUnknown) return shape_.split == split;
    RowShape shape = {shape_.dimensions, split};
    if (shape.columns() < RowProgram::kMinColumns || shape.columns() > RowProgram::kMaxColumns) return false;
    shape_ = std::move(shape);
    return true;
  }

  bool ReducesRows(InstructionId id) {
    if (!RowReduction::Of(module_, id).has_value()) return false;
    const Shape& from = module_.shape(module_.operand(id, 0));
    if (HasDynamicDimension(from)) return false;
    if (shape_.dimensions.empty()) shape_.dimensions.assign(from.dimensions().begin(), from.dimensions().end());
    const size_t reduced = module_.IntsAttribute(id, AttributeKind::kDimensions).size();
    if (from.dimensions() != shape_.dimensions || !Splits(from.rank() - static_cast<int64_t>(reduced))) return false;
    has_reduction_ = true;
    return true;
  }

  // True if a broadcast puts dimension k of its operand at k + n, one after the other.
  bool KeepsOrder(InstructionId id) const {
    if (module_.opcode(id) == Opcode::kReshape) return true;
    const absl::Span<const int64_t> places = module_.IntsAttribute(id, AttributeKind::kDimensions);
    return std::is_sorted(places.begin(), places.end());
  }

  bool RepeatsRows(InstructionId id) {
    const InstructionId operand = module_.operand(id, 0);
    if (!operand.has_value() || !module_.shape(operand).IsArray() || HasDynamicDimension(module_.shape(operand))) {
      return false;
    }
    const absl::Span<const int64_t> places = module_.IntsAttribute(id, AttributeKind::kDimensions);
    for (size_t k = 0; k < places.size(); ++k) {
      if (places[k] != static_cast<int64_t>(k)) return false;
    }
    return !places.empty() && Splits(static_cast<int64_t>(places.size()));
  }

  const Module& module_;
  const Grouping& grouping_;
  RowShape shape_;
  bool is_possible_ = false, has_reduction_ = false;
};

// The instructions that a row program executes together with a root; nothing if no reduction is among them.
std::optional<ElementwiseGroup> RowsEndingWith(const Module& module, const Grouping& grouping, const Growth& growth,
                                               InstructionId root) {
  RowGrouping rows(module, grouping, root);
  if (!rows.is_possible()) return std::nullopt;
  const std::vector<InstructionId> instructions = growth.From(root, [&](InstructionId id) { return rows.Accepts(id); });
  if (!rows.has_reduction() || instructions.size() < 2) return std::nullopt;
  ElementwiseGroup group = growth.GroupOf(instructions);
  group.rows = RowProgram::Make(module, instructions, group.inputs, rows.shape());
  if (group.rows == nullptr) return std::nullopt;
  return group;
}

// `elementwise(root, accepts)`: the elementwise instructions that belong together with a root.
template <typename Elementwise>
std::vector<ElementwiseGroup> PartsOf(const Module& module, const Growth& growth, const ElementwiseGroup& group,
                                      const Elementwise& elementwise) {
  std::vector<InstructionId> instructions = group.members;
  instructions.push_back(group.root);
  const absl::flat_hash_set<InstructionId> inside(instructions.begin(), instructions.end());
  absl::flat_hash_set<InstructionId> done;
  std::vector<ElementwiseGroup> parts;
  for (size_t k = instructions.size(); k-- > 0;) {
    const InstructionId root = instructions[k];
    if (done.contains(root)) continue;
    std::vector<InstructionId> together = {root};
    if (LaneFunction::Handles(module, root)) {
      together = elementwise(root, [&](InstructionId id) { return inside.contains(id); });
    }
    ElementwiseGroup part = growth.GroupOf(together);
    if (LaneFunction::Handles(module, root)) {
      absl::StatusOr<std::unique_ptr<ScalarProgram>> program =
          ScalarProgram::CompileGroup(module, together, part.inputs);
      if (program.ok()) {
        part.program = *std::move(program);
      } else {
        part = growth.GroupOf({root});
      }
    }
    done.insert(part.members.begin(), part.members.end());
    parts.push_back(std::move(part));
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

}  // namespace

ElementwiseGroups::ElementwiseGroups(const Module& module, Schedules& schedules, const ComputationSchedule& schedule,
                                     bool single) {
  const Grouping grouping(module, schedules);
  const Growth growth(module, schedules, schedule);
  const std::vector<bool> after_reduction =
      single ? std::vector<bool>() : StepsAfterReductions(module, schedules, schedule);
  const auto add = [&](ElementwiseGroup group) {
    const InstructionId root = group.root;
    for (InstructionId id : group.members) members_.emplace(id, root);
    groups_.emplace(root, std::make_unique<ElementwiseGroup>(std::move(group)));
  };
  const auto elementwise = [&](InstructionId root, const auto& accepts) {
    return growth.From(root, [&](InstructionId id) {
      return !single && module.shape(id).dimensions() == module.shape(root).dimensions() &&
             grouping.IsElementwise(id) && accepts(id);
    });
  };
  members_.reserve(schedule.steps.size());
  // From the end: when an instruction is looked at, all that use it have found their group.
  for (size_t s = schedule.steps.size(); s-- > 0;) {
    const InstructionId root = schedule.steps[s];
    if (members_.contains(root)) continue;
    if (!single) {
      std::optional<ElementwiseGroup> rows;
      if (after_reduction[s]) rows = RowsEndingWith(module, grouping, growth, root);
      if (rows.has_value()) {
        rows->parts = PartsOf(module, growth, *rows, elementwise);
        add(*std::move(rows));
        continue;
      }
      if (grouping.ReducesWidened(root, schedule)) {
        add(growth.GroupOf({module.operand(root, 0), root}));
        continue;
      }
    }
    if (!grouping.IsElementwise(root)) continue;
    std::vector<InstructionId> instructions = elementwise(root, [](InstructionId) { return true; });
    ElementwiseGroup group = growth.GroupOf(instructions);
    absl::StatusOr<std::unique_ptr<ScalarProgram>> program =
        ScalarProgram::CompileGroup(module, instructions, group.inputs);
    if (!program.ok()) continue;  // executed one by one, with whatever error that gives
    group.program = *std::move(program);
    for (InstructionId id : instructions) {
      if (module.opcode(id) == Opcode::kCall) inlined_.emplace(id, grouping.InlinedIn(id));
    }
    add(std::move(group));
  }
}

}  // namespace hloscope::evaluator
