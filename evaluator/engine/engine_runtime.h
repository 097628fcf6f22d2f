// SPDX-License-Identifier: Apache-2.0
// What all frames of a session share: limits, flags, threads, counters and the values of constants. Also what kernels
// see of the engine.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ENGINE_RUNTIME_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ENGINE_RUNTIME_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/engine/elementwise_groups.h"
#include "evaluator/engine/frame.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/schedule.h"
#include "evaluator/engine/session_options.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/parallel/thread_pool.h"

namespace hloscope::evaluator {

// See SessionOptions::shared.
struct SharedRunState {
  int64_t executed_count = 0;
  // Pointed to, because runs may share it (DeviceRun::ShareTime).
  std::shared_ptr<std::chrono::steady_clock::duration> used_time =
      std::make_shared<std::chrono::steady_clock::duration>(0);
  absl::flat_hash_map<InstructionId, Value> constants;
  // Devices take turns, and in each of them kernels use all threads.
  std::unique_ptr<numerics::ThreadPool> threads;
  // What follows from the module alone: made by the device that first needs it, and not once for each.
  std::unique_ptr<Schedules> schedules;
  absl::flat_hash_map<std::pair<const ComputationSchedule*, bool>, std::unique_ptr<const ElementwiseGroups>> groups;
};

class EngineRuntime final : public KernelRuntime {
 public:
  EngineRuntime(const Module& module, const SessionOptions& options);

  const Module& module() const { return module_; }
  const SessionOptions& options() const { return options_; }
  Schedules& schedules() { return *shared_->schedules; }
  // The groups of a computation that has this schedule.
  const ElementwiseGroups& GroupsOf(const ComputationSchedule& schedule, bool single);

  // Forgets what a run counts and remembers: counters, statistics, random states, reports, flags.
  void Reset();

  // What of it the values of later steps depend on.
  struct Snapshot {
    int64_t executed_count = 0;
    RandomCounters random_counters;
  };
  Snapshot Save();
  void Restore(const Snapshot& snapshot);

  // --- KernelRuntime ---
  absl::Status CheckCancelled() override;
  absl::StatusOr<Value> Call(ComputationId computation, absl::Span<const Value> arguments) override;
  void ParallelFor(int64_t count, int64_t grain, numerics::FunctionRef<void(int64_t, int64_t)> body) override {
    shared_->threads->ParallelFor(count, grain, body);
  }
  int64_t replica_id() const override { return options_.replica_id; }
  int64_t partition_id() const override { return options_.partition_id; }
  DeviceGrid grid() const override { return {options_.replica_count, options_.num_partitions}; }
  DeviceLink* link() override { return call_depth_ == 0 ? options_.link : nullptr; }
  HostChannel* host() override { return options_.host; }
  CustomCallProvider* custom_calls() override { return options_.custom_calls; }
  uint64_t NumberStream(const Module& module, InstructionId id) override;
  uint64_t random_seed() const override { return options_.random_seed; }
  RandomCounter AdvanceRandomCounter(InstructionId id, uint64_t delta) override;

  // --- Flags, from any thread ---
  void RequestPause() { pause_.store(true, std::memory_order_relaxed); }
  void Cancel() { cancel_.store(true, std::memory_order_relaxed); }
  bool pause_requested() const { return pause_.load(std::memory_order_relaxed); }
  bool cancel_requested() const { return cancel_.load(std::memory_order_relaxed); }
  void ClearPause() { pause_.store(false, std::memory_order_relaxed); }

  // --- Time: only what passes inside commands counts toward the limit. ---
  void StartClock() { started_ = Clock::now(); }
  void StopClock();

  // The value of a constant, made once for each run. Error FailedPrecondition if it is elided and nothing makes it.
  absl::StatusOr<Value> ConstantValue(InstructionId id);
  bool HasConstant(InstructionId id) const { return shared_->constants.contains(id); }
  // Whether its value is made when something reads it.
  bool IsMadeUp(InstructionId constant) const;

  // To be asked before each step. Errors: Cancelled; ResourceExhausted when the steps or the time are used up.
  absl::Status CheckLimits() const;
  // Counts one executed instruction.
  void CountStep(InstructionId id);
  // Counts instructions that were executed without statistics.
  void CountSteps(int64_t steps);
  int64_t executed_count() const { return executed_count_; }
  // Error ResourceExhausted if a while has begun more iterations than the step limit allows steps.
  absl::Status CheckIterations(int64_t iterations) const;

  // Executes the kernel of an instruction and checks its result against the declared shape; keeps statistics and looks
  // for non-finite values as the options ask.
  absl::StatusOr<Value> Evaluate(InstructionId id, absl::Span<const Value> operands, absl::Span<const Frame> frames);

  using Clock = std::chrono::steady_clock;
  // That the instruction of the last frame took from `start` until now, for statistics and trace.
  void NoteTime(InstructionId id, absl::Span<const Frame> frames, Clock::time_point start);
  // What `compute` returns, a StatusOr; notes how long that takes if it is good.
  template <typename Compute>
  auto MeasureTime(InstructionId id, absl::Span<const Frame> frames, Compute&& compute) {
    if (statistics_.empty()) return compute();
    const Clock::time_point start = Clock::now();
    auto result = compute();
    if (result.ok()) NoteTime(id, frames, start);
    return result;
  }
  // The same of a StatusOr<Tensor>, and how large it is.
  template <typename Compute>
  absl::StatusOr<Tensor> Measure(InstructionId id, absl::Span<const Frame> frames, Compute&& compute) {
    absl::StatusOr<Tensor> result = MeasureTime(id, frames, std::forward<Compute>(compute));
    if (result.ok() && !statistics_.empty()) statistics_[id.index()].output_bytes += result->byte_size();
    return result;
  }

  absl::Span<const InstructionStatistics> statistics() const { return statistics_; }
  const std::optional<NonFiniteReport>& non_finite() const { return non_finite_; }

 private:
  absl::Status CheckFinite(InstructionId id, absl::Span<const Value> operands, const Value& result,
                           absl::Span<const Frame> frames);

  const Module& module_;
  const SessionOptions options_;
  std::atomic<bool> cancel_{false}, pause_{false};
  Clock::time_point started_ = Clock::now();
  Clock::duration used_{0};  // by this session
  int64_t executed_count_ = 0;
  const std::shared_ptr<SharedRunState> shared_;
  int call_depth_ = 0;  // of kernels that call computations
  std::vector<InstructionStatistics> statistics_;
  std::optional<NonFiniteReport> non_finite_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ENGINE_RUNTIME_H_
