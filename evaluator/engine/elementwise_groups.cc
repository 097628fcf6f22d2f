#include "evaluator/engine/elementwise_groups.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/analysis/scalar_patterns.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {
namespace {

// Programs beyond this gain nothing: their registers leave the first cache level.
constexpr size_t kMaxMembers = 64;
constexpr int kMaxFusedCallDepth = 8;

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
    if (!module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors).empty()) return false;
    if (module_.opcode(id) == Opcode::kCall) return depth < kMaxFusedCallDepth && CallsElementwise(id, depth);
    return LaneFunction::Handles(module_, id);
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
           module_.shape(module_.operand(id, 1)).element_type() == ElementType::kF32 &&
           module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors).empty() &&
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
  static bool HasDynamicDimension(const Shape& shape) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (shape.IsDynamicDimension(d)) return true;
    }
    return false;
  }

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

}  // namespace

ElementwiseGroups::ElementwiseGroups(const Module& module, Schedules& schedules, const ComputationSchedule& schedule,
                                     bool single) {
  const Grouping grouping(module, schedules);
  // From the end: when an instruction is looked at, all that use it have found their group.
  for (size_t s = schedule.steps.size(); s-- > 0;) {
    const InstructionId root = schedule.steps[s];
    if (!single && grouping.ReducesWidened(root, schedule)) {
      const InstructionId widening = module.operand(root, 0);
      auto group = std::make_unique<ElementwiseGroup>();
      group->root = root;
      group->members = {widening};
      group->inputs = {module.operand(widening, 0), module.operand(root, 1)};
      group->input_uses = {1, 1};
      members_.emplace(widening, root);
      groups_.emplace(root, std::move(group));
      continue;
    }
    if (members_.contains(root) || !grouping.IsElementwise(root)) continue;
    auto group = std::make_unique<ElementwiseGroup>();
    group->root = root;
    std::vector<InstructionId> instructions = {root};  // backwards
    absl::flat_hash_map<InstructionId, uint32_t> group_uses;
    std::priority_queue<uint32_t> candidates;  // steps that the group uses, the last one first
    const auto use_operands = [&](InstructionId id) {
      for (InstructionId operand : module.operands(id)) {
        if (++group_uses[operand] > 1) continue;
        const uint32_t step = schedule.step_of[schedules.LocalIndex(operand)];
        if (step != ComputationSchedule::kNoStep) candidates.push(step);
      }
    };
    use_operands(root);
    while (!candidates.empty() && !single && instructions.size() <= kMaxMembers) {
      const InstructionId id = schedule.steps[candidates.top()];
      candidates.pop();
      // One use more would be one from outside: of another instruction, or as the result of the computation.
      if (group_uses.at(id) != schedule.uses[schedules.LocalIndex(id)]) continue;
      if (module.shape(id).dimensions() != module.shape(root).dimensions() || !grouping.IsElementwise(id)) continue;
      instructions.push_back(id);
      use_operands(id);
    }
    std::reverse(instructions.begin(), instructions.end());
    for (InstructionId id : instructions) group_uses.erase(id);
    // In the order of their first use, so that runs do not depend on the hashing.
    for (InstructionId id : instructions) {
      for (InstructionId operand : module.operands(id)) {
        const auto found = group_uses.find(operand);
        if (found == group_uses.end()) continue;
        group->inputs.push_back(operand);
        group->input_uses.push_back(found->second);
        group_uses.erase(found);
      }
    }
    absl::StatusOr<std::unique_ptr<ScalarProgram>> program =
        ScalarProgram::CompileGroup(module, instructions, group->inputs);
    if (!program.ok()) continue;  // executed one by one, with whatever error that gives
    group->program = *std::move(program);
    for (InstructionId id : instructions) {
      if (module.opcode(id) == Opcode::kCall) inlined_.emplace(id, grouping.InlinedIn(id));
    }
    instructions.pop_back();
    for (InstructionId id : instructions) members_.emplace(id, root);
    group->members = std::move(instructions);
    groups_.emplace(root, std::move(group));
  }
}

}  // namespace hloscope::evaluator
