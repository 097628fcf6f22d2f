// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/scalar_loop.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hloscope::evaluator {
namespace {

// Iterations between two looks at the flags, and between two tests for a state that did not change.
constexpr int64_t kPollInterval = 1024;

// Steps of a computation that calls nothing; negative if it calls something or cannot be scheduled.
int64_t PlainSteps(const Module& module, Schedules& schedules, ComputationId computation) {
  const absl::StatusOr<const ComputationSchedule*> schedule = schedules.Of(computation);
  if (!schedule.ok() || (*schedule)->has_side_effects) return -1;
  for (InstructionId step : (*schedule)->steps) {
    if (module.opcode(step) == Opcode::kCall || module.opcode(step) == Opcode::kFusion) return -1;
  }
  return static_cast<int64_t>((*schedule)->steps.size());
}

}  // namespace

std::unique_ptr<ScalarLoop> ScalarLoop::Make(const Module& module, Schedules& schedules, InstructionId loop) {
  const ComputationId condition = module.ComputationAttribute(loop, AttributeKind::kCondition);
  const ComputationId body = module.ComputationAttribute(loop, AttributeKind::kBody);
  if (!condition.has_value() || !body.has_value()) return nullptr;
  const int64_t condition_steps = PlainSteps(module, schedules, condition);
  const int64_t body_steps = PlainSteps(module, schedules, body);
  if (condition_steps < 0 || body_steps < 0) return nullptr;
  absl::StatusOr<std::unique_ptr<ScalarProgram>> test = ScalarProgram::CompileOnTuple(module, condition);
  if (!test.ok() || (*test)->output_count() != 1 || (*test)->output_type(0) != ElementType::kPred) return nullptr;
  absl::StatusOr<std::unique_ptr<ScalarProgram>> step = ScalarProgram::CompileOnTuple(module, body);
  if (!step.ok() || (*step)->input_types_ != (*step)->output_types_ || (*step)->input_types_ != (*test)->input_types_) {
    return nullptr;
  }
  std::unique_ptr<ScalarLoop> made(new ScalarLoop());
  made->steps_per_iteration_ = condition_steps + body_steps;
  made->state_count_ = (*step)->input_count();
  made->slots_.resize(made->state_count_);
  made->condition_ = made->Place(*std::move(test));
  made->body_ = made->Place(*std::move(step));
  return made;
}

ScalarLoop::Part ScalarLoop::Place(std::unique_ptr<ScalarProgram> program) {
  Part part;
  const uint32_t constants = static_cast<uint32_t>(slots_.size());
  for (const Tensor& constant : program->constants_) {
    std::memcpy(slots_.emplace_back().bytes, constant.data(), static_cast<size_t>(constant.element_bytes()));
  }
  const uint32_t registers = static_cast<uint32_t>(slots_.size());
  slots_.resize(slots_.size() + program->register_count_);
  const auto slot_of = [&](const ScalarProgram::Source& source) {
    switch (source.kind) {
      case ScalarProgram::Source::Kind::kInput:
        return source.index;
      case ScalarProgram::Source::Kind::kConstant:
        return constants + source.index;
      case ScalarProgram::Source::Kind::kRegister:
        return registers + source.index;
    }
    return source.index;
  };
  for (const ScalarProgram::Step& step : program->steps_) {
    Step& placed = part.steps.emplace_back(Step{&step.function, {}, registers + step.result});
    const size_t count = std::min<size_t>(step.function.operand_count(), LaneFunction::kMaxOperands);
    for (size_t k = 0; k < count; ++k) placed.operands[k] = slot_of(step.operands[k]);
  }
  for (const ScalarProgram::Source& output : program->outputs_) part.outputs.push_back(slot_of(output));
  part.program = std::move(program);
  return part;
}

void ScalarLoop::Execute(const Part& part, Slot* slots) {
  for (const Step& step : part.steps) {
    std::array<LaneOperand, LaneFunction::kMaxOperands> operands;
    for (size_t k = 0; k < operands.size(); ++k) operands[k] = {slots[step.operands[k]].bytes, false};
    (*step.function)(operands.data(), slots[step.result].bytes, 1);
  }
}

ScalarLoop::Outcome ScalarLoop::Run(const Value& state, int64_t most_iterations, KernelRuntime& runtime) const {
  std::vector<Tensor> leaves;
  state.ForEachTensor([&](const Tensor& leaf) { leaves.push_back(leaf); });
  Outcome outcome{state};
  if (leaves.size() != state_count_) return outcome;
  std::vector<Slot> memory = slots_, next(state_count_);
  Slot* const slots = memory.data();
  for (size_t k = 0; k < leaves.size(); ++k) {
    std::memcpy(slots[k].bytes, leaves[k].data(), static_cast<size_t>(leaves[k].element_bytes()));
  }
  const size_t state_bytes = state_count_ * sizeof(Slot);
  while (outcome.iterations < most_iterations) {
    if (outcome.iterations % kPollInterval == 0 && !runtime.CheckCancelled().ok()) break;
    Execute(condition_, slots);
    if (slots[condition_.outputs[0]].bytes[0] == 0) break;
    Execute(body_, slots);
    for (size_t k = 0; k < state_count_; ++k) next[k] = slots[body_.outputs[k]];
    outcome.is_stuck = outcome.iterations % kPollInterval == 0 && std::memcmp(slots, next.data(), state_bytes) == 0;
    std::memcpy(slots, next.data(), state_bytes);
    ++outcome.iterations;
    if (outcome.is_stuck) return outcome;
  }
  std::vector<Value> elements;
  for (size_t k = 0; k < leaves.size(); ++k) {
    absl::StatusOr<Tensor> leaf = Tensor::Allocate(leaves[k].element_type(), {});
    if (!leaf.ok()) return {state};  // the frames will meet the same refusal, and name the instruction
    std::memcpy(leaf->mutable_data(), slots[k].bytes, static_cast<size_t>(leaf->element_bytes()));
    elements.emplace_back(*std::move(leaf));
  }
  outcome.state = state.IsTuple() ? Value::Tuple(std::move(elements)) : std::move(elements[0]);
  return outcome;
}

}  // namespace hloscope::evaluator
