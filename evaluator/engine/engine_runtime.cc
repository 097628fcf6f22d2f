// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/engine_runtime.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/element_type_rules.h"
#include "evaluator/engine/frame_stack.h"
#include "evaluator/engine/non_finite.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/engine/run_trace.h"
#include "evaluator/kernels/lanes/element_conversion.h"

namespace hloscope::evaluator {
namespace {

// Kernels that call computations whose kernels call computations ... use the C++ stack.
constexpr int kMaxCallDepth = 64;

// The value with its floating-point elements converted to the types of the shape.
absl::StatusOr<Value> WithFloatsOf(const Value& value, const Shape& shape, KernelRuntime& runtime) {
  if (value.IsTensor()) {
    if (!shape.IsArray() || !SameUpToFloatPrecision(value.tensor().element_type(), shape.element_type())) return value;
    absl::StatusOr<Tensor> converted = ConvertElements(value.tensor(), shape.element_type(), runtime);
    if (!converted.ok()) return converted.status();
    return Value(*std::move(converted));
  }
  if (!value.IsTuple() || !shape.IsTuple() || value.elements().size() != shape.elements().size()) return value;
  std::vector<Value> elements;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    absl::StatusOr<Value> element = WithFloatsOf(value.elements()[i], shape.elements()[i], runtime);
    if (!element.ok()) return element;
    elements.push_back(*std::move(element));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace

EngineRuntime::EngineRuntime(const Module& module, const SessionOptions& options)
    : module_(module),
      options_(options),
      shared_(options.shared != nullptr ? options.shared : std::make_shared<SharedRunState>()) {
  if (shared_->schedules == nullptr) {
    shared_->schedules = std::make_unique<Schedules>(module, options.run_dead_instructions);
    shared_->threads = std::make_unique<numerics::ThreadPool>(options.threads);
  }
  Reset();
}

const ElementwiseGroups& EngineRuntime::GroupsOf(const ComputationSchedule& schedule, bool single) {
  std::unique_ptr<const ElementwiseGroups>& groups = shared_->groups[{&schedule, single}];
  if (groups == nullptr) {
    groups = std::make_unique<ElementwiseGroups>(module_, schedules(), schedule, single);
  }
  return *groups;
}

void EngineRuntime::Reset() {
  cancel_ = false;
  pause_ = false;
  *shared_->used_time -= used_;
  used_ = Clock::duration(0);
  shared_->executed_count -= executed_count_;
  executed_count_ = 0;
  random_counters().clear();
  statistics_.assign(options_.collect_statistics ? module_.instruction_count() : 0, {});
  non_finite_.reset();
}

EngineRuntime::Snapshot EngineRuntime::Save() { return {executed_count_, random_counters()}; }

void EngineRuntime::Restore(const Snapshot& snapshot) {
  shared_->executed_count += snapshot.executed_count - executed_count_;
  executed_count_ = snapshot.executed_count;
  random_counters() = snapshot.random_counters;
}

void EngineRuntime::StopClock() {
  const Clock::duration passed = Clock::now() - started_;
  used_ += passed;
  *shared_->used_time += passed;
}

absl::Status EngineRuntime::CheckLimits() const {
  if (cancel_requested()) return absl::CancelledError("the run was cancelled");
  if (options_.step_limit > 0 && shared_->executed_count >= options_.step_limit) {
    return absl::ResourceExhaustedError(absl::StrCat("the limit of ", options_.step_limit, " steps is reached"));
  }
  if (options_.time_limit_seconds > 0) {
    const double seconds = std::chrono::duration<double>(*shared_->used_time + (Clock::now() - started_)).count();
    if (options_.seconds_before + seconds > options_.time_limit_seconds) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the time limit of ", options_.time_limit_seconds, " seconds is over"));
    }
  }
  return absl::OkStatus();
}

absl::Status EngineRuntime::CheckCancelled() {
  if (absl::Status status = CheckLimits(); !status.ok()) return status;
  if (pause_requested()) return absl::CancelledError("the run was paused");
  return absl::OkStatus();
}

absl::Status EngineRuntime::CheckIterations(int64_t iterations) const {
  if (options_.step_limit == 0 || iterations <= options_.step_limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("the limit of ", options_.step_limit, " iterations is reached"));
}

absl::StatusOr<Value> EngineRuntime::Call(ComputationId computation, absl::Span<const Value> arguments) {
  if (call_depth_ >= kMaxCallDepth) {
    return absl::ResourceExhaustedError("applied computations are nested too deeply");
  }
  ++call_depth_;
  FrameStack stack(*this);
  stack.set_keep_values(false);
  absl::Status status = stack.Start(computation, std::vector<Value>(arguments.begin(), arguments.end()));
  while (status.ok() && !stack.finished()) {
    status = CheckCancelled();
    if (status.ok()) status = stack.Advance();
  }
  --call_depth_;
  if (!status.ok()) return status;
  return stack.result();
}

RandomCounter EngineRuntime::AdvanceRandomCounter(InstructionId id, uint64_t delta) {
  // rng-get-and-update-state has one state for the device (docs/ops/control.md 1.14); every rng has one
  // of its own (docs/ops/elementwise.md 11.2).
  const bool shared = module_.opcode(id) == Opcode::kRngGetAndUpdateState;
  return KernelRuntime::AdvanceRandomCounter(shared ? InstructionId() : id, delta);
}

uint64_t EngineRuntime::NumberStream(const Module& module, InstructionId id) {
  if (options_.number_streams != nullptr) {
    const auto found = options_.number_streams->find(id);
    if (found != options_.number_streams->end()) return found->second;
  }
  return KernelRuntime::NumberStream(module, id);
}

bool EngineRuntime::IsMadeUp(InstructionId constant) const {
  return options_.elided_constants != nullptr && module_.opcode(constant) == Opcode::kConstant &&
         module_.instruction(constant).literal.has_value() && module_.literal(constant).IsElided();
}

absl::StatusOr<Value> EngineRuntime::ConstantValue(InstructionId id) {
  const auto found = shared_->constants.find(id);
  if (found != shared_->constants.end()) return found->second;
  if (!module_.instruction(id).literal.has_value()) {
    return absl::InvalidArgumentError("the constant's value could not be read");
  }
  absl::StatusOr<Value> value =
      IsMadeUp(id) ? options_.elided_constants(id, this) : Value::FromLiteral(module_.literal(id));
  if (absl::IsCancelled(value.status())) {
    if (absl::Status status = CheckCancelled(); !status.ok()) return status;
  }
  if (value.ok()) shared_->constants.emplace(id, *value);
  return value;
}

void EngineRuntime::CountStep(InstructionId id) {
  ++executed_count_;
  ++shared_->executed_count;
  if (!statistics_.empty()) ++statistics_[id.index()].runs;
  if (options_.progress != nullptr) options_.progress->CountStep(id);
}

void EngineRuntime::CountSteps(int64_t steps) {
  executed_count_ += steps;
  shared_->executed_count += steps;
  if (options_.progress != nullptr) options_.progress->CountSteps(steps);
}

absl::StatusOr<Value> EngineRuntime::Evaluate(InstructionId id, absl::Span<const Value> operands,
                                              absl::Span<const Frame> frames) {
  if (options_.progress != nullptr) options_.progress->kernel.store(id.value, std::memory_order_relaxed);
  absl::StatusOr<Value> value = MeasureTime(id, frames, [&] {
    return EvaluateInstruction({module_, id, operands, *this});
  });
  if (!value.ok()) return value;
  if (!statistics_.empty()) {
    value->ForEachTensor([&](const Tensor& tensor) { statistics_[id.index()].output_bytes += tensor.byte_size(); });
  }
  if (!ValueFits(*value, module_.shape(id))) {
    // Under mixed precision the declared type decides.
    absl::StatusOr<Value> converted = WithFloatsOf(*value, module_.shape(id), *this);
    if (converted.ok()) value = *std::move(converted);
  }
  if (!ValueFits(*value, module_.shape(id))) {
    return absl::InternalError(absl::StrCat("the evaluator computed a value of shape ", ShapeOf(*value).ToString(),
                                            " for the declared shape ", module_.shape(id).ToString(false)));
  }
  if (options_.find_non_finite || options_.stop_at_non_finite) {
    if (absl::Status status = CheckFinite(id, operands, *value, frames); !status.ok()) return status;
  }
  return value;
}

void EngineRuntime::NoteTime(InstructionId id, absl::Span<const Frame> frames, Clock::time_point start) {
  if (statistics_.empty()) return;
  const Clock::time_point end = Clock::now();
  statistics_[id.index()].seconds += std::chrono::duration<double>(end - start).count();
  if (options_.trace == nullptr) return;
  options_.trace->Record(options_.replica_id * options_.num_partitions + options_.partition_id, frames, id, start, end);
}

absl::Status EngineRuntime::CheckFinite(InstructionId id, absl::Span<const Value> operands, const Value& result,
                                        absl::Span<const Frame> frames) {
  if (non_finite_.has_value()) return absl::OkStatus();
  NonFinite made = FindNonFinite(result);
  for (const Value& operand : operands) {
    if (!made.nan && !made.infinity) return absl::OkStatus();
    const NonFinite given = FindNonFinite(operand);
    made.nan &= !given.nan;
    made.infinity &= !given.infinity;
  }
  if (!made.nan && !made.infinity) return absl::OkStatus();
  non_finite_ = NonFiniteReport{id, made.nan, ExecutionPath(module_, frames),
                                std::vector<Value>(operands.begin(), operands.end()), result};
  if (!options_.stop_at_non_finite) return absl::OkStatus();
  return absl::FailedPreconditionError(made.nan ? "the result holds a NaN that no operand holds"
                                                : "the result holds an infinity that no operand holds");
}

}  // namespace hloscope::evaluator
