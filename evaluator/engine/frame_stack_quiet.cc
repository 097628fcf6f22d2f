// What a frame stack does when nobody looks at single instructions.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/frame_stack.h"
#include "evaluator/kernels/array_program.h"

namespace hloscope {
namespace {

// A pause must wait for a kernel that may be writing over its operands: it could not be started again. A cancellation
// or a limit ends the run, so nobody will ask for the operands.
class UnpausedRuntime final : public KernelRuntime {
 public:
  explicit UnpausedRuntime(EngineRuntime& engine) : engine_(engine) {}
  absl::Status CheckCancelled() override { return engine_.CheckLimits(); }
  absl::StatusOr<Value> Call(ComputationId computation, absl::Span<const Value> arguments) override {
    return engine_.Call(computation, arguments);
  }
  void ParallelFor(int64_t count, int64_t grain, absl::FunctionRef<void(int64_t, int64_t)> body) override {
    engine_.ParallelFor(count, grain, body);
  }

 private:
  EngineRuntime& engine_;
};

}  // namespace

void FrameStack::set_quietness(Quietness quietness) {
  quietness_ = quietness;
  if (quietness == Quietness::kNone || quietness == groups_are_for_) return;
  groups_are_for_ = quietness;
  groups_.clear();
  for (State& state : states_) state.groups = nullptr;
}

absl::Status FrameStack::EndQuietness() {
  quietness_ = Quietness::kNone;
  for (size_t i = 0; i < frames_.size(); ++i) {
    if (absl::Status status = ComputeDeferred(states_[i]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

const ElementwiseGroups& FrameStack::GroupsOf(State& state) {
  if (state.groups == nullptr) {
    std::unique_ptr<const ElementwiseGroups>& groups = groups_[state.schedule];
    if (groups == nullptr) {
      groups = std::make_unique<ElementwiseGroups>(runtime_.module(), runtime_.schedules(), *state.schedule,
                                                   quietness_ == Quietness::kSingle);
    }
    state.groups = groups.get();
  }
  return *state.groups;
}

absl::StatusOr<bool> FrameStack::ExecuteQuietly(InstructionId id) {
  if (runtime_.module().opcode(id) == Opcode::kWhile) return ExecuteLoop(id);
  State& executing = state();
  const ElementwiseGroups& groups = GroupsOf(executing);
  if (groups.IsMember(id)) {
    executing.deferred.push_back(id);
    ++executing.next;
    runtime_.CountStep(id);
    return true;
  }
  const ElementwiseGroup* const group = groups.EndingWith(id);
  if (group == nullptr) return false;
  // Members that were executed before the run became quiet, or operands with run-time sizes: one by one.
  const auto is_deferred = [&](InstructionId member) {
    return std::find(executing.deferred.begin(), executing.deferred.end(), member) != executing.deferred.end();
  };
  const auto is_plain = [&](InstructionId input) {
    const Value& value = executing.values[runtime_.schedules().LocalIndex(input)];
    return value.IsTensor() && value.tensor().dynamic_sizes().empty();
  };
  if (!std::all_of(group->members.begin(), group->members.end(), is_deferred) ||
      !std::all_of(group->inputs.begin(), group->inputs.end(), is_plain)) {
    if (absl::Status status = ComputeDeferred(executing); !status.ok()) return status;
    return false;
  }
  if (absl::Status status = ExecuteGroup(*group); !status.ok()) return status;
  return true;
}

absl::Status FrameStack::ExecuteGroup(const ElementwiseGroup& group) {
  State& executing = state();
  const Schedules& schedules = runtime_.schedules();
  // A value that nobody else needs goes over to the group, which may then reuse its memory.
  operands_.clear();
  for (size_t k = 0; k < group.inputs.size(); ++k) {
    const uint32_t index = schedules.LocalIndex(group.inputs[k]);
    Value& value = executing.values[index];
    if (executing.remaining_uses[index] > group.input_uses[k]) {
      operands_.push_back(value);
    } else {
      operands_.push_back(std::move(value));
    }
  }
  UnpausedRuntime unpaused(runtime_);
  absl::StatusOr<Tensor> result = runtime_.Measure(group.root, [&] {
    return ApplyProgramToArrays(*group.program, operands_, runtime_.module().shape(group.root).dimensions(), unpaused);
  });
  if (!result.ok()) {
    for (size_t k = 0; k < group.inputs.size(); ++k) {
      executing.values[schedules.LocalIndex(group.inputs[k])] = std::move(operands_[k]);
    }
    operands_.clear();
    return result.status();
  }
  operands_.clear();
  for (InstructionId member : group.members) ReleaseOperands(executing, member);
  const auto is_member = [&](InstructionId id) {
    return std::find(group.members.begin(), group.members.end(), id) != group.members.end();
  };
  executing.deferred.erase(std::remove_if(executing.deferred.begin(), executing.deferred.end(), is_member),
                           executing.deferred.end());
  runtime_.CountSteps(group.inlined_steps);
  position_ += group.inlined_steps;
  return Complete(*std::move(result));
}

absl::Status FrameStack::ComputeDeferred(State& state) {
  while (!state.deferred.empty()) {
    const InstructionId id = state.deferred.front();
    std::vector<Value> operands;
    for (InstructionId operand : runtime_.module().operands(id)) {
      operands.push_back(state.values[runtime_.schedules().LocalIndex(operand)]);
    }
    absl::StatusOr<Value> value =
        runtime_.module().opcode(id) == Opcode::kCall
            ? runtime_.Call(runtime_.module().ComputationAttribute(id, AttributeKind::kToApply), operands)
            : runtime_.Evaluate(id, operands, frames_);
    if (!value.ok()) return value.status();
    state.values[runtime_.schedules().LocalIndex(id)] = *std::move(value);
    ReleaseOperands(state, id);
    state.deferred.erase(state.deferred.begin());
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FrameStack::ExecuteLoop(InstructionId id) {
  if (quietness_ != Quietness::kFull) return false;
  const Module& module = runtime_.module();
  const auto [place, is_new] = loops_.try_emplace(id);
  if (is_new) place->second = ScalarLoop::Make(module, runtime_.schedules(), id);
  if (place->second == nullptr) return false;
  std::vector<Value> operands = OperandValues(id);
  if (operands.size() != 1) return false;
  const ScalarLoop& loop = *place->second;
  ScalarLoop::Outcome outcome = loop.Run(operands[0], runtime_);
  runtime_.CountSteps(outcome.iterations * loop.steps_per_iteration());
  position_ += outcome.iterations * loop.steps_per_iteration();
  opened_count_ += 2 * outcome.iterations;
  if (outcome.is_stuck) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the loop never ends: iteration ", outcome.iterations - 1, " left its state unchanged"));
  }
  // Whatever ended it, the condition is evaluated (again) in a frame, from which the run goes on as usual.
  state().loop_state = outcome.state;
  const ComputationId condition = module.ComputationAttribute(id, AttributeKind::kCondition);
  absl::Status status =
      Open(FrameKind::kCondition, id, condition, {std::move(outcome.state)}, outcome.iterations, /*branch=*/-1);
  if (!status.ok()) return status;
  return true;
}

}  // namespace hloscope
