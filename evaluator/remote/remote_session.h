// SPDX-License-Identifier: Apache-2.0
// The session of a device of another process, as the process sees it that moves it.
#ifndef HLOSCOPE_EVALUATOR_REMOTE_REMOTE_SESSION_H_
#define HLOSCOPE_EVALUATOR_REMOTE_REMOTE_SESSION_H_

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "evaluator/devices/rank_group.h"
#include "evaluator/engine/session.h"
#include "evaluator/remote/session_messages.h"

namespace hloscope::evaluator {

// The snapshots of another process that this one still needs. Shared by those that need them.
class RemoteSnapshots {
 public:
  RemoteSnapshots(RankGroup& group, int rank) : group_(group), rank_(rank) {}
  RankGroup& group() { return group_; }
  int rank() const { return rank_; }
  // The other process forgets it with the next one that it takes.
  void Release(int64_t number) { released_.push_back(number); }
  std::vector<int64_t> TakeReleased() { return std::exchange(released_, {}); }

 private:
  RankGroup& group_;
  const int rank_;
  std::vector<int64_t> released_;
};

// The part of a device in a snapshot of another process.
class RemoteSnapshot final : public SessionSnapshot {
 public:
  // One snapshot of several devices is released with the last of them.
  using Number = std::shared_ptr<const int64_t>;
  static Number Hold(std::shared_ptr<RemoteSnapshots> owner, int64_t number);

  RemoteSnapshot(std::shared_ptr<RemoteSnapshots> owner, Number number, int64_t device, SnapshotDevice what)
      : owner_(std::move(owner)), number_(std::move(number)), device_(device), what_(std::move(what)) {}

  int64_t number() const { return *number_; }
  int64_t position() const override { return what_.position; }
  int64_t opened_count() const override { return what_.opened_count; }
  absl::Span<const Frame> frames() const override { return what_.frames; }
  bool Executed(size_t frame, InstructionId instruction) const override;
  const Value* ValueOf(size_t frame, InstructionId instruction) const override;
  void ForEachBuffer(absl::FunctionRef<void(const BufferKey&, int64_t)> visit) const override;
  int64_t state_bytes() const override { return what_.state_bytes; }

 private:
  using Place = std::pair<size_t, InstructionId>;  // frame
  PeerMessage Question(DeviceQuestion question, const Place& place) const;

  const std::shared_ptr<RemoteSnapshots> owner_;
  const Number number_;
  const int64_t device_;
  const SnapshotDevice what_;
  mutable absl::flat_hash_map<Place, bool> executed_;
  mutable std::unique_ptr<Value> shown_;  // what was asked for last
};

class RemoteSession final : public Session, Inspection, BreakpointSet, TimeTravel, Intervention {
 public:
  RemoteSession(std::shared_ptr<const Module> module, std::shared_ptr<RemoteSnapshots> snapshots, int64_t device);

  // Session:
  const Module& module() const override { return *module_; }
  absl::Status SetArgument(int64_t number, Value value) override;
  absl::Status SetArgumentMaker(int64_t number, ValueMaker make) override;
  const Inspection& inspection() const override { return *this; }
  BreakpointSet& breakpoints() override { return *this; }
  TimeTravel& time_travel() override { return *this; }
  Intervention& intervention() override { return *this; }

  // Execution:
  StopReason Run() override { return RunUntil(StopWhen()); }
  StopReason StepOver() override;
  StopReason StepInto() override;
  StopReason StepOut() override;
  StopReason RunTo(InstructionId instruction) override;
  StopReason RunUntil(const StopWhen& when) override;
  StopReason Begin() override;
  void Restart() override;  // with the other devices: SteeredDevices::Restart
  void RequestPause() override { pause_.store(true, std::memory_order_relaxed); }
  void Cancel() override;
  StopReason stop_reason() const override { return state_.reason; }
  const absl::Status& status() const override { return state_.status; }
  InstructionId failed_instruction() const override { return state_.failed_instruction; }
  bool finished() const override { return state_.reason == StopReason::kFinished; }
  const Value& result() const override;
  bool AtLimit() const override { return state_.at_limit; }
  int64_t position() const override { return state_.position; }
  void set_keep_values(bool keep) override;
  void DropUnneeded() override;

  // As RunUntil; `progress` as in DeviceRun::RunDevice.
  StopReason RunUntil(const StopWhen& when, bool* progress);
  const std::optional<DeviceLink::Waiting>& waiting() const { return state_.waiting; }
  DeviceState StateOf();
  // What the other process says that it is at now.
  void SetState(SessionState state);
  // Answers what it asks while the device runs.
  PeerMessage OnEvent(DeviceEvent event, WireReader& words, std::vector<Value>& values);

 private:
  // Inspection:
  absl::Span<const Frame> frames() const override { return state_.frames; }
  const Value* ValueOf(size_t frame, InstructionId instruction) const override;
  bool IsUnread(size_t frame, InstructionId instruction) const override;
  InstructionId last_executed() const override { return state_.last_executed; }
  int64_t executed_count() const override { return state_.executed_count; }
  absl::Span<const InstructionStatistics> statistics() const override;
  const std::optional<NonFiniteReport>& non_finite() const override;

  // BreakpointSet:
  void Add(InstructionId instruction) override;
  void Remove(InstructionId instruction) override;
  bool Contains(InstructionId instruction) const override;
  const std::vector<InstructionId>& all() const override { return breakpoints_; }
  void Set(std::vector<InstructionId> instructions) override;
  InstructionId StepAtOrAfter(InstructionId instruction) const override;

  // TimeTravel, of this device alone:
  std::shared_ptr<const SessionSnapshot> Save() override;
  void Restore(const SessionSnapshot& snapshot) override;

  // Intervention:
  void set_observer(ExecutionObserver* observer) override;
  absl::Status SetValue(size_t frame, InstructionId instruction, Value value) override;
  absl::StatusOr<Value> GivenValue(InstructionId instruction) override;
  absl::Status Skip(Value value) override;
  absl::Status EnterApplied(std::shared_ptr<const AppliedPlan> plan) override;

  PeerMessage Question(DeviceQuestion question) const;
  absl::StatusOr<ReceivedMessage> Ask(const PeerMessage& question) const;
  // Of a question whose answer is a status and the new state.
  absl::Status AskForStatus(const PeerMessage& question);
  // The other process cannot answer: the session has failed.
  void Lose(const absl::Status& status) const;
  RankGroup& group() const { return snapshots_->group(); }

  const std::shared_ptr<const Module> module_;
  const std::shared_ptr<RemoteSnapshots> snapshots_;
  const int64_t device_;
  mutable SessionState state_;
  std::vector<InstructionId> breakpoints_;
  ExecutionObserver* observer_ = nullptr;
  const StopWhen* when_ = nullptr;  // of the command that runs
  std::atomic<bool> pause_{false}, cancelled_{false};
  // What was asked for since the last command.
  mutable std::map<std::pair<size_t, InstructionId>, std::optional<Value>> values_;
  mutable std::map<std::pair<size_t, InstructionId>, bool> unread_;
  mutable std::optional<Value> result_;
  mutable std::vector<InstructionStatistics> statistics_;
  mutable std::optional<NonFiniteReport> non_finite_;
  mutable absl::flat_hash_map<InstructionId, InstructionId> steps_;  // StepAtOrAfter
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_REMOTE_REMOTE_SESSION_H_
