// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/frame_stack.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "evaluator/engine/async_chain.h"
#include "evaluator/kernels/communication/collective.h"

namespace hloscope::evaluator {
namespace {

constexpr size_t kMaxFrames = 1 << 17;

// How often a loop is tested for a state that did not change: keeping the old state for the comparison keeps its
// memory.
constexpr int64_t kUnchangedTestInterval = 1024;

// The same data in the same place: equal, and certain to stay so.
bool IsSameReference(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.IsTensor()) {
    const Tensor &s = a.tensor(), &t = b.tensor();
    return s.buffer() == t.buffer() && s.data() == t.data() && s.strides() == t.strides() &&
           s.dimensions() == t.dimensions();
  }
  if (a.elements().data() == b.elements().data()) return true;
  return std::equal(a.elements().begin(), a.elements().end(), b.elements().begin(), b.elements().end(),
                    IsSameReference);
}

}  // namespace

absl::Status FrameStack::Start(ComputationId computation, std::vector<Value> arguments, ArgumentMaker make_argument) {
  Clear();
  make_argument_ = std::move(make_argument);
  absl::Status status =
      Open(FrameKind::kEntry, InstructionId(), computation, std::move(arguments), /*iteration=*/-1, /*branch=*/-1);
  if (!status.ok()) return status;
  return Settle();
}

void FrameStack::Clear() {
  frames_.clear();
  states_.clear();
  frame_bytes_ = 0;
  charge_.Force(0);
  settled_frames_ = 0;
  operands_.clear();
  result_ = Value();
  finished_ = false;
  position_ = 0;
  opened_count_ = 0;
  stop_requested_ = false;
  failed_instruction_ = InstructionId();
}

absl::Status FrameStack::Skip(Value value) {
  const InstructionId id = current();
  if (!id.has_value()) return absl::FailedPreconditionError("there is no next instruction to skip");
  const Module& module = runtime_.module();
  if (!ValueFits(value, module.shape(id))) {
    return absl::InvalidArgumentError(absl::StrCat(module.InstructionName(id), " has shape ",
                                                   module.shape(id).ToString(false), ", the value has shape ",
                                                   ShapeOf(value).ToString(false)));
  }
  absl::Status status = Complete(std::move(value));
  if (status.ok()) status = Settle();
  if (status.ok()) ++position_;
  return status;
}

absl::Status FrameStack::EnterApplied(std::shared_ptr<const AppliedPlan> plan) {
  if (!current().has_value() || plan->applications.empty()) {
    return absl::FailedPreconditionError("there is nothing to enter");
  }
  State& entered = state();
  entered.plan = std::move(plan);
  entered.application = 0;
  entered.accumulators = entered.plan->initial;
  absl::Status status = OpenApplication();
  if (status.ok()) status = Settle();
  if (status.ok()) ++position_;
  return status;
}

absl::Status FrameStack::OpenApplication() {
  const State& applying = state();
  const AppliedPlan::Application& application = applying.plan->applications[applying.application];
  std::vector<Value> arguments;
  if (application.accumulates) arguments = applying.accumulators;
  arguments.insert(arguments.end(), application.arguments.begin(), application.arguments.end());
  return Open(FrameKind::kApplied, frames_.back().current, application.computation, std::move(arguments),
              static_cast<int64_t>(applying.application), -1);
}

absl::Status FrameStack::ReturnFromApplication(Value result) {
  State& applying = state();
  if (!applying.accumulators.empty() && applying.plan->applications[applying.application].accumulates) {
    if (result.IsTuple()) {
      applying.accumulators.assign(result.elements().begin(), result.elements().end());
    } else {
      applying.accumulators = {std::move(result)};
    }
  }
  if (++applying.application < applying.plan->applications.size()) return OpenApplication();
  applying.plan.reset();
  applying.accumulators.clear();
  if (absl::Status status = MakeOperands(); !status.ok()) return status;
  return ExecuteKernel(frames_.back().current);
}

absl::Status FrameStack::MakeOperands() {
  if (!state().has_unread) return absl::OkStatus();
  const size_t innermost = frames_.size() - 1;
  for (InstructionId operand : runtime_.module().operands(current())) {
    if (absl::Status status = MakeUnread(innermost, operand); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status FrameStack::ChargeFrame(const Computation& computation, const ComputationSchedule& schedule) {
  int64_t held = 0;
  if (states_.size() > frames_.size()) {
    const State& reused = states_[frames_.size()];
    held = BytesOf(reused.values.capacity(), reused.remaining_uses.capacity());
  }
  const int64_t more = std::max<int64_t>(0, BytesOf(computation.instructions.size(), schedule.uses.size()) - held);
  if (frame_bytes_ + more >= charge_.bytes() + ChargedAtOnce()) {
    if (absl::Status status = charge_.Resize(frame_bytes_ + more); !status.ok()) return status;
  }
  frame_bytes_ += more;
  return absl::OkStatus();
}

absl::Status FrameStack::Open(FrameKind kind, InstructionId caller, ComputationId computation,
                              std::vector<Value> arguments, int64_t iteration, int64_t branch) {
  if (frames_.size() >= kMaxFrames) {
    return absl::ResourceExhaustedError(absl::StrCat(kMaxFrames, " frames are open: the calls never end"));
  }
  absl::StatusOr<const ComputationSchedule*> schedule = runtime_.schedules().Of(computation);
  if (!schedule.ok()) return schedule.status();
  const Computation& source = runtime_.module().computation(computation);
  if (absl::Status status = ChargeFrame(source, **schedule); !status.ok()) return status;

  frames_.push_back({computation, caller, InstructionId(), iteration, static_cast<int64_t>(frames_.size()), kind,
                     branch, opened_count_++});
  if (observer_ != nullptr) observer_->OnOpen(frames_, arguments);
  if (states_.size() < frames_.size()) states_.emplace_back();
  State& opened = state();
  opened.schedule = *schedule;
  opened.next = 0;
  opened.groups = nullptr;
  opened.has_unread = kind == FrameKind::kEntry && make_argument_ != nullptr;
  opened.deferred.clear();
  opened.values.resize(source.instructions.size());
  opened.remaining_uses.assign(opened.schedule->uses.begin(), opened.schedule->uses.end());

  // Fusions may have more operands than parameters.
  for (size_t k = 0; k < source.parameters.size(); ++k) {
    const InstructionId parameter = source.parameters[k];
    if (!parameter.has_value() || k >= arguments.size()) {
      frames_.back().current = parameter.has_value() ? parameter : source.root;
      return absl::InvalidArgumentError(absl::StrCat("parameter ", k, " of computation ",
                                                     runtime_.module().ComputationName(computation),
                                                     parameter.has_value() ? " has no argument" : " is missing"));
    }
    const uint32_t index = runtime_.schedules().LocalIndex(parameter);
    if (keep_values_ || opened.remaining_uses[index] > 0) opened.values[index] = std::move(arguments[k]);
  }
  for (InstructionId constant : opened.schedule->constants) {
    if (runtime_.IsMadeUp(constant)) {
      opened.has_unread = true;
      continue;
    }
    absl::StatusOr<Value> value = runtime_.ConstantValue(constant);
    if (!value.ok()) {
      // Whoever shows where the run failed finds an instruction there.
      failed_instruction_ = frames_.back().current = constant;
      return value.status();
    }
    opened.values[runtime_.schedules().LocalIndex(constant)] = *std::move(value);
  }
  return absl::OkStatus();
}

absl::Status FrameStack::Settle() {
  for (;;) {
    State& innermost = state();
    if (innermost.next < innermost.schedule->steps.size()) {
      frames_.back().current = innermost.schedule->steps[innermost.next];
      return absl::OkStatus();
    }
    const InstructionId root = runtime_.module().computation(frames_.back().computation).root;
    frames_.back().current = root;
    if (absl::Status status = MakeUnread(frames_.size() - 1, root); !status.ok()) return status;
    frames_.back().current = InstructionId();
    Value& root_value = innermost.values[runtime_.schedules().LocalIndex(root)];
    if (frames_.size() == 1) {
      result_ = root_value;
      finished_ = true;
      return absl::OkStatus();
    }
    Value result = std::move(root_value);
    const Frame callee = frames_.back();
    const bool has_side_effects = innermost.schedule->has_side_effects;
    innermost.values.clear();
    frames_.pop_back();
    if (absl::Status status = Return(callee, has_side_effects, std::move(result)); !status.ok()) return status;
  }
}

absl::Status FrameStack::Return(const Frame& callee, bool callee_has_side_effects, Value result) {
  const InstructionId caller = frames_.back().current;
  switch (callee.kind) {
    case FrameKind::kCondition: {
      if (!result.IsTensor() || result.tensor().element_type() != ElementType::kPred) {
        return absl::InvalidArgumentError("the loop condition is not a pred[]");
      }
      if (*result.tensor().data() == 0) {
        if (absl::Status status = CheckLoopResult(caller); !status.ok()) return status;
        return Complete(std::move(state().loop_state));
      }
      if (absl::Status status = runtime_.CheckIterations(callee.iteration + 1); !status.ok()) return status;
      // The loop owns its state only while a condition runs, so that a body may reuse the memory.
      const bool test = callee.iteration % kUnchangedTestInterval == 0;
      Value argument = test ? state().loop_state : std::move(state().loop_state);
      const ComputationId body = runtime_.module().ComputationAttribute(caller, AttributeKind::kBody);
      return Open(FrameKind::kBody, caller, body, {std::move(argument)}, callee.iteration, -1);
    }
    case FrameKind::kBody:
      return ReturnFromBody(callee, callee_has_side_effects, std::move(result));
    case FrameKind::kApplied:
      return ReturnFromApplication(std::move(result));
    case FrameKind::kAsync:
      return Complete(AsyncResult(runtime_.module(), caller, OperandValues(caller), std::move(result)));
    case FrameKind::kEntry:
    case FrameKind::kCall:
    case FrameKind::kFusion:
    case FrameKind::kBranch:
      break;
  }
  return Complete(std::move(result));
}

absl::Status FrameStack::ReturnFromBody(const Frame& callee, bool callee_has_side_effects, Value result) {
  // A body without steps comes here without Advance.
  if (absl::Status status = runtime_.CheckLimits(); !status.ok()) return status;
  const InstructionId caller = frames_.back().current;
  const ComputationId condition = runtime_.module().ComputationAttribute(caller, AttributeKind::kCondition);
  Value& loop_state = state().loop_state;
  if (callee.iteration % kUnchangedTestInterval == 0 && !callee_has_side_effects &&
      IsSameReference(loop_state, result)) {
    absl::StatusOr<const ComputationSchedule*> schedule = runtime_.schedules().Of(condition);
    if (schedule.ok() && !(*schedule)->has_side_effects) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the loop never ends: iteration ", callee.iteration, " left its state unchanged"));
    }
  }
  if (absl::Status status = CheckLoopState(callee.computation, condition, result); !status.ok()) return status;
  loop_state = std::move(result);
  return Open(FrameKind::kCondition, caller, condition, {loop_state}, callee.iteration + 1, -1);
}

absl::Status FrameStack::CheckLoopState(ComputationId body, ComputationId condition, const Value& next) const {
  const Module& module = runtime_.module();
  const InstructionId root = module.computation(body).root;
  for (ComputationId computation : {condition, body}) {
    const std::vector<InstructionId>& parameters = module.computation(computation).parameters;
    if (parameters.size() != 1 || !parameters[0].has_value()) {
      return absl::InvalidArgumentError("the computations of a loop have one parameter each");
    }
    if (module.instruction(parameters[0]).shape == module.instruction(root).shape ||
        ValueFits(next, module.shape(parameters[0]))) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("a second iteration cannot start: the body returned ", ShapeOf(next).ToString(false), ", but ",
                     module.ComputationName(computation), " takes ", module.shape(parameters[0]).ToString(false)));
  }
  return absl::OkStatus();
}

absl::Status FrameStack::CheckLoopResult(InstructionId loop) {
  const Module& module = runtime_.module();
  if (module.instruction(loop).shape == module.instruction(module.operand(loop, 0)).shape) return absl::OkStatus();
  const Value& result = state().loop_state;
  if (ValueFits(result, module.shape(loop))) return absl::OkStatus();
  // What is there may be read, and nobody reads the result of the entry computation here.
  const Computation& computation = module.computation(frames_.back().computation);
  const auto fits = [&](InstructionId id) {
    if (module.opcode(id) != Opcode::kGetTupleElement) return false;
    const int64_t index = module.IntAttribute(id, AttributeKind::kIndex);
    const absl::Span<const Value> elements = result.elements();
    return index >= 0 && index < static_cast<int64_t>(elements.size()) &&
           ValueFits(elements[static_cast<size_t>(index)], module.shape(id));
  };
  InstructionId reader = computation.root == loop && frames_.size() > 1 ? loop : InstructionId();
  for (InstructionId id : computation.instructions) {
    if (absl::c_linear_search(module.operands(id), loop) && !fits(id)) reader = id;
  }
  if (!reader.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the loop ends before its first iteration with ", ShapeOf(result).ToString(false), ", but its declared shape is ",
      module.shape(loop).ToString(false),
      reader == loop ? "" : absl::StrCat(", and ", module.InstructionName(reader), " reads what is not there")));
}

absl::Status FrameStack::Advance() {
  if (absl::Status status = runtime_.CheckLimits(); !status.ok()) return status;
  const InstructionId id = current();
  if (state().next >= state().schedule->steps.size()) {
    // The value of a root that is an argument, or a constant whose text is left out, could not be made the last time.
    absl::Status status = Settle();
    if (status.ok()) ++position_;
    return status;
  }
  if (absl::Status status = MakeOperands(); !status.ok()) return status;
  absl::Status status;
  bool done = false;
  if (fusing_ != Fusing::kOff) {
    absl::StatusOr<bool> fused = ExecuteFused(id);
    if (!fused.ok()) return fused.status();
    done = *fused;
  }
  if (!done) status = Execute(id);
  if (status.ok()) status = Settle();
  if (status.ok()) ++position_;
  return status;
}

absl::Status FrameStack::Execute(InstructionId id) {
  switch (runtime_.module().opcode(id)) {
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kWhile:
    case Opcode::kConditional:
      return Enter(id);
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return ExecuteAsync(id);
    default:
      return ExecuteKernel(id);
  }
}

absl::Status FrameStack::Enter(InstructionId id) {
  const Module& module = runtime_.module();
  switch (module.opcode(id)) {
    case Opcode::kCall:
      return Open(FrameKind::kCall, id, module.ComputationAttribute(id, AttributeKind::kToApply), OperandValues(id), -1,
                  -1);
    case Opcode::kFusion:
      return Open(FrameKind::kFusion, id, module.ComputationAttribute(id, AttributeKind::kCalls), OperandValues(id), -1,
                  -1);
    case Opcode::kWhile: {
      std::vector<Value> operands = OperandValues(id);
      if (operands.size() != 1) return absl::InvalidArgumentError("while needs one operand");
      state().loop_state = operands[0];
      return Open(FrameKind::kCondition, id, module.ComputationAttribute(id, AttributeKind::kCondition),
                  std::move(operands), 0, -1);
    }
    default:
      return EnterConditional(id);
  }
}

absl::Status FrameStack::EnterConditional(InstructionId id) {
  const Module& module = runtime_.module();
  std::vector<Value> operands = OperandValues(id);
  if (operands.empty() || !operands[0].IsTensor()) return absl::InvalidArgumentError("conditional needs an index");
  const Tensor& index = operands[0].tensor();
  int64_t branch = 0;
  ComputationId callee;
  if (index.element_type() == ElementType::kPred) {
    const absl::Span<const ComputationId> branches =
        module.ComputationsAttribute(id, AttributeKind::kBranchComputations);
    branch = *index.data() != 0 ? 0 : 1;
    if (!branches.empty()) {
      if (branches.size() == 2) callee = branches[static_cast<size_t>(branch)];
    } else {
      callee = module.ComputationAttribute(
          id, branch == 0 ? AttributeKind::kTrueComputation : AttributeKind::kFalseComputation);
    }
  } else if (index.element_type() == ElementType::kS32) {
    const absl::Span<const ComputationId> branches =
        module.ComputationsAttribute(id, AttributeKind::kBranchComputations);
    if (branches.empty()) return absl::InvalidArgumentError("conditional has no branches");
    const int64_t last = static_cast<int64_t>(branches.size()) - 1;
    branch = *index.data_as<int32_t>();
    if (branch < 0 || branch > last) branch = last;
    callee = branches[static_cast<size_t>(branch)];
  }
  if (!callee.has_value() || static_cast<size_t>(branch) + 1 >= operands.size()) {
    return absl::InvalidArgumentError("conditional has no branch for its index");
  }
  return Open(FrameKind::kBranch, id, callee, {std::move(operands[static_cast<size_t>(branch) + 1])}, -1, branch);
}

absl::Status FrameStack::ExecuteAsync(InstructionId id) {
  const Module& module = runtime_.module();
  std::vector<Value> operands = OperandValues(id);
  const ComputationId wrapped = WrappedComputation(module, id);
  if (AsyncLaunches(module, id)) {
    if (!wrapped.has_value()) return absl::InvalidArgumentError("the wrapped computation of the chain cannot be found");
    // A collective only posts here; the done waits for the others.
    if (module.opcode(id) != Opcode::kAsyncDone && IsWrappedCollective(module, wrapped)) {
      return StartWrappedCollective(id, wrapped, operands);
    }
    return Open(FrameKind::kAsync, id, wrapped, AsyncArguments(module, id, operands), -1, -1);
  }
  if (!wrapped.has_value() && BindsMore(module, id)) {
    return absl::UnimplementedError("what a loop or call hands on of a chain must have all its arguments");
  }
  absl::StatusOr<Value> value = AsyncPassThrough(module, id, operands);
  const bool may_wait = !wrapped.has_value() || IsWrappedCollective(module, wrapped);
  if (value.ok() && may_wait && module.opcode(id) == Opcode::kAsyncDone) {
    value = FinishCollective(module, runtime_, *value);
  }
  if (!value.ok()) return value.status();
  return Complete(*std::move(value));
}

absl::Status FrameStack::StartWrappedCollective(InstructionId id, ComputationId wrapped,
                                                const std::vector<Value>& operands) {
  const Module& module = runtime_.module();
  const InstructionId root = module.computation(wrapped).root;
  const std::vector<Value> arguments = AsyncArguments(module, id, operands);
  std::vector<Value> collective_operands;
  for (InstructionId operand : module.operands(root)) {
    const size_t number = module.instruction(operand).parameter_number;
    if (number >= arguments.size()) return absl::InvalidArgumentError("an argument of the chain is missing");
    collective_operands.push_back(arguments[number]);
  }
  absl::StatusOr<Value> slot = StartCollective({module, root, collective_operands, runtime_});
  if (!slot.ok()) return slot.status();
  return Complete(AsyncResult(module, id, operands, *std::move(slot)));
}

absl::Status FrameStack::ExecuteKernel(InstructionId id) {
  State& executing = state();
  const absl::Span<const InstructionId> ids = runtime_.module().operands(id);
  // A value that nobody else needs goes over to the kernel, which may then reuse its memory.
  const bool observed = observer_ != nullptr && observer_->WantsOperands();
  operands_.clear();
  for (InstructionId operand : ids) {
    const uint32_t index = runtime_.schedules().LocalIndex(operand);
    Value& value = executing.values[index];
    if (keep_values_ || observed || executing.remaining_uses[index] > 1) {
      operands_.push_back(value);
    } else {
      operands_.push_back(std::move(value));
    }
  }
  absl::StatusOr<Value> result = runtime_.Evaluate(id, operands_, frames_);
  if (!result.ok()) {
    for (size_t k = 0; k < ids.size(); ++k) {
      executing.values[runtime_.schedules().LocalIndex(ids[k])] = std::move(operands_[k]);
    }
    operands_.clear();
    return result.status();
  }
  if (observed && observer_->OnKernel(frames_, id, operands_, *result)) stop_requested_ = true;
  operands_.clear();
  return Complete(*std::move(result));
}

absl::Status FrameStack::Complete(Value value) {
  State& completing = state();
  const InstructionId id = frames_.back().current;
  ReleaseOperands(completing, id);
  if (observer_ != nullptr && observer_->OnComplete(frames_, id, value)) stop_requested_ = true;
  const uint32_t index = runtime_.schedules().LocalIndex(id);
  if (keep_values_ || completing.remaining_uses[index] > 0) completing.values[index] = std::move(value);
  completing.loop_state = Value();
  ++completing.next;
  runtime_.CountStep(id);
  return absl::OkStatus();
}

std::vector<Value> FrameStack::OperandValues(InstructionId id) {
  const absl::Span<const InstructionId> ids = runtime_.module().operands(id);
  std::vector<Value> values;
  values.reserve(ids.size());
  for (InstructionId operand : ids) values.push_back(state().values[runtime_.schedules().LocalIndex(operand)]);
  return values;
}

void FrameStack::ReleaseOperands(State& releasing, InstructionId id) {
  for (InstructionId operand : runtime_.module().operands(id)) {
    const uint32_t index = runtime_.schedules().LocalIndex(operand);
    if (--releasing.remaining_uses[index] == 0 && !keep_values_) releasing.values[index] = Value();
  }
}

}  // namespace hloscope::evaluator
