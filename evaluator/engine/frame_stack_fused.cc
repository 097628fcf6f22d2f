// SPDX-License-Identifier: Apache-2.0
// Unobserved execution: what a frame stack fuses when nobody looks at single instructions.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/frame_stack.h"
#include "evaluator/engine/run_trace.h"
#include "evaluator/kernels/lanes/array_program.h"
#include "evaluator/kernels/reduction/reduce.h"

namespace hloscope::evaluator {
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
  void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    engine_.ParallelFor(count, grain, body);
  }

 private:
  EngineRuntime& engine_;
};

// A reduce whose operand widens `narrow`.
absl::StatusOr<Tensor> ReduceWidened(const Module& module, InstructionId id, const Tensor& narrow, const Tensor& init,
                                     KernelRuntime& runtime) {
  Reduction reduction;
  reduction.inputs = {narrow};
  reduction.inits = {init};
  reduction.dimensions = module.IntsAttribute(id, AttributeKind::kDimensions);
  reduction.computation = module.ComputationAttribute(id, AttributeKind::kToApply);
  absl::StatusOr<std::vector<Tensor>> results = Reduce(module, reduction, runtime);
  if (!results.ok()) return results.status();
  return std::move((*results)[0]);
}

}  // namespace

void FrameStack::set_fusing(Fusing fusing, int64_t position_limit, const std::vector<bool>& stops_inside) {
  fusing_ = fusing;
  position_limit_ = position_limit;
  stops_inside_ = &stops_inside;
  if (fusing == Fusing::kOff || fusing == groups_are_for_) return;
  groups_are_for_ = fusing;
  for (State& state : states_) state.groups = nullptr;
}

absl::Status FrameStack::EndFusing() {
  fusing_ = Fusing::kOff;
  for (; settled_frames_ < frames_.size(); ++settled_frames_) {
    if (absl::Status status = ComputeDeferred(states_[settled_frames_]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

const ElementwiseGroups& FrameStack::GroupsOf(State& state) {
  if (state.groups == nullptr) state.groups = &runtime_.GroupsOf(*state.schedule, fusing_ == Fusing::kSingle);
  return *state.groups;
}

absl::StatusOr<bool> FrameStack::ExecuteFused(InstructionId id) {
  if (runtime_.module().opcode(id) == Opcode::kWhile) return ExecuteLoop(id);
  State& executing = state();
  if (frames_.back().kind == FrameKind::kCondition && executing.next == 0) {
    absl::StatusOr<bool> continued = ContinueLoop();
    if (!continued.ok() || *continued) return continued;
  }
  const ElementwiseGroups& groups = GroupsOf(executing);
  const bool is_member = groups.IsMember(id);
  const ElementwiseGroup* const group = is_member ? nullptr : groups.EndingWith(id);
  if (!is_member && group == nullptr) return false;
  const ElementwiseGroups::Inlined inlined = groups.InlinedIn(id);
  const bool is_call = inlined.steps > 0;
  if (inlined.steps >= position_limit_ - position_ ||
      (is_call && MayStopIn(runtime_.module().ComputationAttribute(id, AttributeKind::kToApply)))) {
    // The run is to stop inside the computation that is called.
    if (absl::Status status = ComputeDeferred(executing); !status.ok()) return status;
    return false;
  }
  if (is_member) {
    executing.deferred.push_back(id);
    settled_frames_ = std::min(settled_frames_, frames_.size() - 1);
    ++executing.next;
    runtime_.CountStep(id);
    CountInlined(inlined);
    return true;
  }
  // Members that were executed before the run became unobserved, or operands with run-time sizes: one by one.
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
  CountInlined(inlined);
  return true;
}

void FrameStack::CountInlined(const ElementwiseGroups::Inlined& inlined) {
  if (inlined.steps == 0) return;
  runtime_.CountSteps(inlined.steps);
  position_ += inlined.steps;
  opened_count_ += inlined.frames;
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
  const Module& module = runtime_.module();
  const auto compute = [&] {
    if (group.rows != nullptr) return group.rows->Run(operands_, unpaused);
    return group.program == nullptr
               ? ReduceWidened(module, group.root, operands_[0].tensor(), operands_[1].tensor(), unpaused)
               : ApplyProgramToArrays(*group.program, operands_, module.shape(group.root).dimensions(), unpaused);
  };
  absl::StatusOr<Tensor> result = group.rows != nullptr && !group.rows->Fits(operands_)
                                      ? ExecuteParts(group, unpaused)
                                      : runtime_.Measure(group.root, frames_, compute);
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
  return Complete(*std::move(result));
}

absl::StatusOr<Tensor> FrameStack::ExecuteParts(const ElementwiseGroup& group, KernelRuntime& unpaused) {
  const Module& module = runtime_.module();
  // The operands stay as they are: a part may be paused, and all begins again.
  absl::flat_hash_map<InstructionId, Value> values;
  for (size_t k = 0; k < group.inputs.size(); ++k) values.emplace(group.inputs[k], operands_[k]);
  absl::flat_hash_map<InstructionId, size_t> last_part;
  for (size_t p = 0; p < group.parts.size(); ++p) {
    for (InstructionId input : group.parts[p].inputs) last_part[input] = p;
  }
  for (size_t p = 0; p < group.parts.size(); ++p) {
    const ElementwiseGroup& part = group.parts[p];
    std::vector<Value> operands;
    const absl::Span<const InstructionId> ids =
        part.program != nullptr ? absl::MakeConstSpan(part.inputs) : module.operands(part.root);
    for (InstructionId id : ids) operands.push_back(values.at(id));
    for (InstructionId id : part.inputs) {
      if (last_part.at(id) == p) values.erase(id);
    }
    absl::StatusOr<Value> result;
    if (part.program != nullptr) {
      result = runtime_.Measure(part.root, frames_, [&] {
        return ApplyProgramToArrays(*part.program, operands, module.shape(part.root).dimensions(), unpaused);
      });
    } else {
      result = runtime_.Evaluate(part.root, operands, frames_);
    }
    if (!result.ok()) return result.status();
    values.emplace(part.root, *std::move(result));
  }
  return values.at(group.root).tensor();
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
    // The steps of a call have just been counted a second time.
    if (state.groups != nullptr) runtime_.CountSteps(-state.groups->InlinedIn(id).steps);
    state.values[runtime_.schedules().LocalIndex(id)] = *std::move(value);
    ReleaseOperands(state, id);
    state.deferred.erase(state.deferred.begin());
  }
  return absl::OkStatus();
}

const ScalarLoop* FrameStack::LoopOf(InstructionId id) {
  if (fusing_ != Fusing::kFull) return nullptr;
  const Module& module = runtime_.module();
  if (MayStopIn(module.ComputationAttribute(id, AttributeKind::kCondition)) ||
      MayStopIn(module.ComputationAttribute(id, AttributeKind::kBody))) {
    return nullptr;
  }
  const auto [place, is_new] = loops_.try_emplace(id);
  if (is_new) place->second = ScalarLoop::Make(runtime_.module(), runtime_.schedules(), id);
  return place->second.get();
}

ScalarLoop::Outcome FrameStack::RunLoop(const ScalarLoop& loop, InstructionId id, absl::Span<const Frame> callers,
                                        const Value& state, int64_t steps) {
  const RunTrace::Clock::time_point start = RunTrace::Clock::now();
  ScalarLoop::Outcome outcome = loop.Run(state, loop.IterationsWithin(steps), runtime_);
  if (outcome.iterations > 0) runtime_.NoteTime(id, callers, start);
  return outcome;
}

absl::StatusOr<bool> FrameStack::ExecuteLoop(InstructionId id) {
  const ScalarLoop* const loop = LoopOf(id);
  if (loop == nullptr) return false;
  std::vector<Value> operands = OperandValues(id);
  if (operands.size() != 1) return false;
  // One step enters the loop.
  ScalarLoop::Outcome outcome = RunLoop(*loop, id, frames_, operands[0], position_limit_ - position_ - 1);
  position_ += outcome.iterations * loop->steps_per_iteration();
  opened_count_ += 2 * outcome.iterations;
  if (absl::Status status = OpenCondition(id, *loop, 0, std::move(outcome)); !status.ok()) return status;
  return true;
}

absl::StatusOr<bool> FrameStack::ContinueLoop() {
  const Frame condition = frames_.back();
  const ScalarLoop* const loop = LoopOf(condition.caller);
  if (loop == nullptr) return false;
  const Value& loop_state = states_[frames_.size() - 2].loop_state;
  const absl::Span<const Frame> callers = absl::MakeConstSpan(frames_).first(frames_.size() - 1);
  ScalarLoop::Outcome outcome = RunLoop(*loop, condition.caller, callers, loop_state, position_limit_ - position_);
  if (outcome.iterations == 0) return false;
  // This counts as the last of their steps; the frame that is open is not opened again.
  position_ += outcome.iterations * loop->steps_per_iteration() - 1;
  opened_count_ = condition.serial + 2 * outcome.iterations;
  state().values.clear();
  frames_.pop_back();
  absl::Status status = OpenCondition(condition.caller, *loop, condition.iteration, std::move(outcome));
  if (!status.ok()) return status;
  return true;
}

absl::Status FrameStack::OpenCondition(InstructionId loop, const ScalarLoop& program, int64_t before,
                                       ScalarLoop::Outcome outcome) {
  runtime_.CountSteps(outcome.iterations * program.steps_per_iteration());
  const int64_t iteration = before + outcome.iterations;
  if (outcome.is_stuck) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the loop never ends: iteration ", iteration - 1, " left its state unchanged"));
  }
  // Whatever ended it, the condition is evaluated (again) in a frame, from which the run goes on as usual.
  state().loop_state = outcome.state;
  const ComputationId condition = runtime_.module().ComputationAttribute(loop, AttributeKind::kCondition);
  return Open(FrameKind::kCondition, loop, condition, {std::move(outcome.state)}, iteration, /*branch=*/-1);
}

}  // namespace hloscope::evaluator
