// SPDX-License-Identifier: Apache-2.0
// A run that can be taken back. HLO is pure, so an earlier point of a run is reached by going back to a snapshot before
// it and repeating what was done since: a fraction of a second of work, because snapshots are taken that often. Where
// memory is too short for them, more is repeated, and snapshots are taken again on the way to the place.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_TIMELINE_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_TIMELINE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/debugger/snapshot_buffers.h"
#include "evaluator/engine/device_run.h"

namespace hloscope::evaluator {

struct TimelineOptions {
  // Bytes of values that snapshots may keep alive, beside the arguments and the two snapshots before the place where
  // the run is; 0: a quarter of the machine's memory, half of the run's limit at most. Beyond it, and whenever the run
  // itself needs the memory, snapshots are given up, far from that place and large ones first: going back then repeats
  // more of the run.
  int64_t history_bytes = 0;
  double snapshot_seconds = 0.05;  // of work between snapshots
  // What tells the time for them, in seconds; null: the clock.
  std::function<double()> clock;
};

// One frame of one device, open or left.
struct FrameKey {
  int64_t device = 0;
  int64_t serial = 0;
  friend bool operator==(const FrameKey&, const FrameKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const FrameKey& key) {
    return H::combine(std::move(h), key.device, key.serial);
  }
};

// Steps of all devices have one order; a position of the timeline counts them (the sum of Execution::position() of all
// devices). Values of dead instructions are not kept by the sessions, unless set_keep_values asks for it: ValueOf makes
// them again.
//
// Not thread-safe, but for RequestPause.
class Timeline {
 public:
  // Errors: those of DeviceRun::Create. Arguments and hosts are given through run(), then Start. `steered`: devices of
  // other processes, which outlive the timeline; null: all are here.
  static absl::StatusOr<std::unique_ptr<Timeline>> Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                          const SessionOptions& options,
                                                          const TimelineOptions& timeline_options = {},
                                                          SteeredDevices* steered = nullptr);

  DeviceRun& run() { return *run_; }
  const DeviceRun& run() const { return *run_; }
  const Module& module() const { return *module_; }
  int64_t device_count() const { return run_->device_count(); }

  // What a device is at and has computed; how its last command ended (a run is moved by the commands below, which
  // remember what was done); where it stops.
  const Inspection& inspection(int64_t f) const { return std::as_const(*run_).device(f).inspection(); }
  const Execution& execution(int64_t f) const { return run_->device(f); }
  BreakpointSet& breakpoints(int64_t f) { return run_->device(f).breakpoints(); }

  // Opens the entry frames, from the very beginning. kStep, kBreakpoint (of device 0), kFinished for a computation
  // without steps, kFailed.
  StopReason Start();
  StopReason Restart();
  int64_t position() const;
  // Keeps values for inspection until their frame ends, as Execution::set_keep_values, while memory allows. Once it
  // does not, those that no later step needs are dropped, also from the snapshots, which stay. The run goes on without
  // keeping any, however often it is taken back, until Restart.
  void set_keep_values(bool keep);
  // Whether it does so now.
  bool keeps_values() const { return keeps_values_; }
  // The last position that GoTo reaches.
  int64_t known_end() const { return KnownEnd(); }
  // The device whose command stopped last.
  int64_t stopped_device() const { return stopped_device_; }
  // Why the last command failed.
  const absl::Status& status() const { return status_; }

  // --- Forwards. As the commands of Execution. One device goes on alone until `when` holds, else each in turn. ---
  StopReason RunDevice(int64_t f, const StopWhen& when);
  StopReason RunAll();
  StopReason StepInto(int64_t f);
  StopReason StepOver(int64_t f);
  StopReason StepOut(int64_t f);
  // When these steps end, for RunDevice. A step that was paused goes on with the same.
  StopWhen EndOfStepInto(int64_t f) const;
  StopWhen EndOfStepOver(int64_t f) const;
  StopWhen EndOfStepOut(int64_t f) const;
  // Whether the others go on, up to their breakpoints, while the device that steps has to wait for them (the
  // default), or the step ends there (kBlocked).
  void set_together(bool together) { together_ = together; }
  bool together() const { return together_; }

  // --- Backwards. On one device what happened later stays known, until an intervention changes it: moving forwards
  // again takes from it what it can, so that a run to where it has been costs next to nothing. On several devices,
  // whose turns may come otherwise, it is forgotten. --- Forwards too, as far as the run is known. Errors: OutOfRange
  // for a position that has not been reached; Cancelled after RequestPause: then the run is where it was; what
  // repeating the run gives.
  absl::Status GoTo(int64_t position);
  // To the latest earlier position that `wanted` accepts; stays and returns false if there is none. `wanted` is called
  // with the run as it was then, after each step of a device (`every_step`), or only where that stopped at a breakpoint
  // or for the observer.
  using Wanted = absl::FunctionRef<bool(int64_t device, StopReason reason)>;
  absl::StatusOr<bool> GoBack(bool every_step, Wanted wanted);
  // Undoes the last step of the device, `count` times or as far as the beginning; or the last one that left it no
  // deeper than it then is (`over`). False if the device is at its beginning. The way there is repeated once, however
  // many steps it has.
  absl::StatusOr<bool> StepBack(int64_t f, bool over, int64_t count = 1);
  // To where the innermost frame of the device was entered.
  absl::StatusOr<bool> StepBackOut(int64_t f);

  // --- Intervention; repeated whenever this part of the run is repeated. Errors: those of Intervention. ---
  absl::Status SetValue(int64_t f, size_t frame, InstructionId instruction, Value value);
  absl::Status Skip(int64_t f, Value value);
  // Enters the computation that the next instruction (map, reduce, reduce-window, scatter,
  // select-and-scatter, sort) applies, at an element
  // of its result. Of a sort it is applied to the element at that place and each other one of its line. Errors:
  // Unimplemented for other instructions; InvalidArgument for a wrong index; ResourceExhausted for too many
  // applications.
  absl::Status EnterElement(int64_t f, const std::vector<int64_t>& index);

  // --- The past ---
  // The value of an instruction in an open frame, made again if it was dropped. Errors: FailedPrecondition if it was
  // not executed yet or never will be; what repeating the run gives.
  absl::StatusOr<Value> ValueOf(int64_t f, size_t frame, InstructionId instruction);

  // Whether an instruction of an open frame has been executed there.
  bool WasExecuted(int64_t f, size_t frame, InstructionId instruction) const;

  // A part of the run, between two snapshots, with everything that was executed in it.
  struct OpenedFrame {
    Frame frame;
    int64_t parent = -1;  // serial
    std::vector<Value> arguments;
  };
  struct Segment {
    struct Key {
      FrameKey frame;
      InstructionId instruction;
      friend bool operator==(const Key&, const Key&) = default;
      template <typename H>
      friend H AbslHashValue(H h, const Key& key) {
        return H::combine(std::move(h), key.frame, key.instruction);
      }
    };
    // A frame by who opened it.
    struct Call {
      FrameKey caller_frame;
      InstructionId caller;
      FrameKind kind = FrameKind::kCall;
      int64_t iteration = -1;
      friend bool operator==(const Call&, const Call&) = default;
      template <typename H>
      friend H AbslHashValue(H h, const Call& call) {
        return H::combine(std::move(h), call.caller_frame, call.caller, call.kind, call.iteration);
      }
    };
    size_t number = 0;
    int64_t end = 0;                                   // position
    absl::flat_hash_map<Call, int64_t> calls;          // serials
    absl::flat_hash_map<Key, int64_t> last_condition;  // of a while in a frame: iteration of its latest condition
    absl::flat_hash_map<Key, Value> values;
    absl::flat_hash_map<FrameKey, OpenedFrame> frames;
    bool complete = true;  // false: some values were too large to keep
  };
  // The segment in which a step was executed, or a frame was opened (no instruction). Nothing if that has not happened.
  std::optional<size_t> SegmentOf(const FrameKey& frame, InstructionId instruction) const;
  size_t segment_count() const { return snapshots_.size(); }
  absl::StatusOr<std::shared_ptr<const Segment>> ReadSegment(size_t number);
  // A value as it was when the frame was open, wherever it was made. Errors: NotFound if it was not executed.
  absl::StatusOr<Value> PastValue(const FrameKey& frame, InstructionId instruction);
  // How a frame was opened, whether it is still open or not. Errors: NotFound; what repeating the run gives.
  absl::StatusOr<OpenedFrame> FrameOf(const FrameKey& frame);
  // The frame that an instruction opened; for a while the body or condition of that iteration. Errors: as above.
  absl::StatusOr<FrameKey> CalleeOf(const FrameKey& frame, InstructionId caller, FrameKind kind, int64_t iteration);
  // How many iterations a while had that has finished. Errors: as above.
  absl::StatusOr<int64_t> IterationsOf(const FrameKey& frame, InstructionId loop);
  // Repeats the whole run up to now, with an observer for each device, then comes back. Where memory is short it may
  // begin again: it then asks for all observers again, that of device 0 first.
  absl::Status Repeat(absl::FunctionRef<ExecutionObserver*(int64_t device)> observer_of);

  // From any thread, or a signal handler: what is being done stops soon. Moving forwards returns kPaused and can be
  // continued; what repeats parts of the run gives the error Cancelled and changes nothing. Holds until it was obeyed
  // or ClearPause.
  void RequestPause();
  void ClearPause() { pause_.store(false, std::memory_order_relaxed); }
  // The limit of a question that is asked now: as long as a run may take, and until a pause. It must not outlive this.
  QuestionLimit NewQuestion() const { return {run_->time_limit_seconds(), interruption()}; }
  // True from a pause on, for other work on values. Null where pauses wait.
  const std::atomic<bool>* interruption() const { return obeys_pause_ ? &pause_ : nullptr; }
  // While one of these lives, a pause waits: for questions that are asked in the middle of a run.
  class PauseWaits {
   public:
    explicit PauseWaits(Timeline& timeline) : timeline_(timeline), before_(timeline.obeys_pause_) {
      timeline_.obeys_pause_ = false;
    }
    ~PauseWaits() { timeline_.obeys_pause_ = before_; }
    PauseWaits(const PauseWaits&) = delete;
    PauseWaits& operator=(const PauseWaits&) = delete;

   private:
    Timeline& timeline_;
    const bool before_;
  };

  // The observer of every device; null: none.
  void SetObserver(int64_t f, ExecutionObserver* observer);

  // Bytes kept for going back, and how many snapshots there are.
  int64_t history_bytes() const { return buffers_.bytes() - first_bytes_; }
  size_t snapshot_count() const { return snapshots_.size(); }
  // Steps that were done again so far, to get somewhere or to look at something.
  int64_t repeated_steps() const { return repeated_steps_; }

 private:
  // What was done, in order. Enough to do it again from any snapshot.
  struct Event {
    enum class Kind : uint8_t { kRun, kSet, kSkip, kEnter };
    Kind kind = Kind::kRun;
    int64_t position = 0;  // before it
    int64_t device = 0;
    bool blocked = false;  // a run that ended with a step that had to wait: it may have sent messages
    int64_t end = 0;       // of a run that is blocked
    size_t frame = 0;      // of kSet
    InstructionId instruction;
    std::shared_ptr<const Value> value;       // of kSet and kSkip
    std::shared_ptr<const AppliedPlan> plan;  // of kEnter
  };
  struct Kept {
    std::shared_ptr<const DeviceRun::Snapshot> state;
    int64_t position = 0;
    size_t events = 0;   // that happened before
    double seconds = 0;  // of work before
  };
  class Recorder;

  Timeline(std::shared_ptr<const Module> module, const TimelineOptions& options, int64_t memory_limit);

  Session& device(int64_t f) { return run_->device(f); }
  StopReason Slices(int64_t f, const StopWhen& when, bool* progress);
  bool Arrived(int64_t f, const StopWhen& when, InstructionId target);
  absl::StatusOr<std::shared_ptr<const Segment>> ReadSegment(size_t number, int64_t budget);
  void Log(int64_t device, int64_t position, bool blocked);
  // The position up to which the run is known.
  int64_t KnownEnd() const { return std::max(position(), known_end_); }
  bool InKnownPart() const { return position() < known_end_; }
  // Moves as far forwards through the known part as nothing that `when` asks for can have happened.
  void SkipAhead(int64_t f, const StopWhen& when);
  // Before something that makes the rest of the run another one.
  void ForgetLater();
  void TakeSnapshot();
  // Inserts a snapshot of the run as it is, or removes one.
  void Insert(size_t number, size_t events, double seconds);
  void Remove(size_t number);
  // Gives up snapshots beyond the budget: far from snapshot `place` more of them than near it, and those first that
  // keep much that no other one does. The first one, the one at `place` and the one before that stay.
  void Thin(size_t place);
  bool IsBeyondBudget(size_t place) const;
  // The one to give up; 0: none.
  size_t LeastUseful(size_t place) const;
  // Seconds of work until the next snapshot is due: more where one takes long, of very many frames.
  double SnapshotInterval() const {
    return options_.snapshot_seconds > 0 ? std::max(options_.snapshot_seconds, 4 * snapshot_cost_) : 0;
  }
  // How many steps to take until the clock is looked at again, if `steps` took `seconds`.
  static int64_t NextSlice(int64_t steps, double seconds);
  double Seconds() const;
  // The same a few milliseconds late, in a tenth of the time: it is asked after every step.
  double CoarseSeconds() const;
  // Whether an error means that there was not enough memory: limits of steps and time have the same code.
  bool LacksMemory(const absl::Status& status) const;
  // Gives up something that can be made again: first values that were only kept for inspection, then half of what is
  // kept for going back and at last all of it. False if there was nothing.
  bool MakeRoom();
  // Drops what no later step needs, here and in the snapshots.
  void DropKeptValues();
  // Gives up snapshots, but for the first one, until they keep no more than this; all of them for -1.
  void ThinTo(int64_t bytes);
  StopReason Fail(int64_t f);
  bool HasDone(const DeviceRun::Snapshot& state, const FrameKey& frame, InstructionId instruction) const;
  const DeviceRun::Snapshot& Now() const;
  // Forgets what was done after the first `events`.
  void Forget(size_t events);
  // Repeats events from snapshot `from` until `end` and returns how many events that was, from the beginning. `visit`
  // is called at each stop. kPlaces takes snapshots on the way, right after the step with which one is due.
  enum class Keeping : uint8_t { kNothing, kPlaces };
  // Tries something that leaves the run where it is if it fails, and again while something can be given up for it; then
  // without keeping places, which would fill the memory again.
  absl::Status WithRoom(absl::FunctionRef<absl::Status(Keeping keeping)> attempt);
  absl::Status TryGoTo(int64_t position, Keeping keeping);
  absl::StatusOr<size_t> Replay(size_t from, int64_t end, Keeping keeping, bool every_step,
                                absl::FunctionRef<void(int64_t device, StopReason reason)> visit);
  // A run of some steps, or until a snapshot is due.
  absl::Status ReplayRun(const Event& event, int64_t steps, const std::function<bool()>& is_due, bool every_step,
                         absl::FunctionRef<void(int64_t device, StopReason reason)> visit);
  // Takes a snapshot of a run that is repeated, after so many events and so many seconds of work since the snapshot
  // before.
  void KeepPlace(size_t events, double seconds);
  // In the middle of an event: it becomes two, of which it then is the second.
  void SplitEvent(size_t* event);
  // Repeats the run part by part, backwards from before `here`, each with a `visit` at each stop. After a part, which
  // began at `begin`, `go_on` gives the end of the next, or nothing to end. The very beginning comes last.
  absl::Status SearchBack(int64_t here, Keeping keeping, bool every_step,
                          absl::FunctionRef<void(int64_t device, StopReason reason)> visit,
                          absl::FunctionRef<std::optional<int64_t>(int64_t begin)> go_on);
  size_t SnapshotBefore(int64_t position) const;  // the last one at or before it
  int64_t SegmentEnd(size_t number) const;
  // Runs `body` with the run somewhere else, and brings it back to where it is.
  absl::Status Elsewhere(absl::FunctionRef<absl::Status()> body);

  const std::shared_ptr<const Module> module_;
  const TimelineOptions options_;
  int64_t budget_ = 0;
  std::unique_ptr<DeviceRun> run_;
  std::vector<ExecutionObserver*> observers_;  // by device
  std::vector<Event> events_;
  std::vector<Kept> snapshots_;
  double seconds_ = 0;        // of work so far
  double snapshot_cost_ = 0;  // seconds that the last one took
  int64_t slice_steps_ = 1;   // that take about a hundredth of a second
  int64_t repeated_steps_ = 0;
  SnapshotBuffers buffers_;  // of snapshots_
  int64_t first_bytes_ = 0;  // of the first snapshot: mostly arguments, which the run keeps anyway
  std::vector<std::shared_ptr<const Segment>> read_;        // the latest ones
  mutable std::shared_ptr<const DeviceRun::Snapshot> now_;  // made when asked for
  mutable int64_t now_position_ = 0;
  // Of a run that was taken back: how far it had come, and its state there (null: it was given up for memory).
  int64_t known_end_ = 0;
  std::shared_ptr<const DeviceRun::Snapshot> known_end_state_;
  bool together_ = true;
  bool wants_values_ = false, keeps_values_ = false;  // what was asked for; what is done
  std::atomic<bool> pause_{false};
  bool obeys_pause_ = true;
  int64_t stopped_device_ = 0;
  absl::Status status_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_TIMELINE_H_
