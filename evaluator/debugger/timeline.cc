// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/timeline.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/element_plan.h"

namespace hloscope::evaluator {
namespace {

// Looking at the clock and at the snapshots costs nothing noticeable once in this time.
constexpr double kSliceSeconds = 0.025;
constexpr int64_t kMaxSliceSteps = 1 << 16;
// Where a slice has that many steps, most take less than ten microseconds, and the clock is looked at after every
// kStepsPerLook of them (a power of two).
constexpr int64_t kManySteps = 4096, kStepsPerLook = 16;
constexpr size_t kMaxSnapshots = 2048;
// Of so many snapshots it is counted what each keeps alone.
constexpr size_t kExactlyCounted = 64;

// A quarter of the memory, but no more than half of the limit: of the run, or of the process where that has none.
int64_t UsualBudget(int64_t memory_limit) {
  if (memory_limit <= 0) memory_limit = Buffer::Limit();
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  const int64_t quarter = pages > 0 && page_bytes > 0 ? pages / 4 * page_bytes : int64_t{1} << 30;
  return memory_limit > 0 ? std::min(quarter, memory_limit / 2) : quarter;
}

}  // namespace

Timeline::Timeline(std::shared_ptr<const Module> module, const TimelineOptions& options, int64_t memory_limit)
    : module_(std::move(module)),
      options_(options),
      budget_(options.history_bytes > 0 ? options.history_bytes : UsualBudget(memory_limit)) {}

absl::StatusOr<std::unique_ptr<Timeline>> Timeline::Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options,
                                                           const TimelineOptions& timeline_options,
                                                           SteeredDevices* steered) {
  std::unique_ptr<Timeline> timeline(new Timeline(std::move(module), timeline_options, options.memory_limit_bytes));
  absl::StatusOr<std::unique_ptr<DeviceRun>> run = steered != nullptr
                                                       ? DeviceRun::Create(timeline->module_, grid, options, *steered)
                                                       : DeviceRun::Create(timeline->module_, grid, options);
  if (!run.ok()) return run.status();
  timeline->run_ = *std::move(run);
  timeline->set_keep_values(false);
  timeline->observers_.assign(static_cast<size_t>(timeline->device_count()), nullptr);
  return timeline;
}

StopReason Timeline::Start() {
  status_ = absl::OkStatus();
  stopped_device_ = 0;
  StopReason first = StopReason::kStep;
  for (int64_t f = 0; f < device_count(); ++f) {
    const StopReason reason = device(f).Begin();
    if (f == 0) first = reason;
    if (reason == StopReason::kFailed) return Fail(f);
  }
  TakeSnapshot();
  first_bytes_ = buffers_.bytes();
  return first;
}

void Timeline::set_keep_values(bool keep) {
  wants_values_ = keeps_values_ = keep;
  for (int64_t f = 0; f < device_count(); ++f) device(f).set_keep_values(keep);
}

StopReason Timeline::Restart() {
  run_->Restart();
  set_keep_values(wants_values_);
  events_.clear();
  snapshots_.clear();
  buffers_.Clear();
  read_.clear();
  now_.reset();
  seconds_ = 0;
  known_end_ = 0;
  known_end_state_.reset();
  return Start();
}

int64_t Timeline::position() const {
  int64_t sum = 0;
  for (int64_t f = 0; f < device_count(); ++f) sum += execution(f).position();
  return sum;
}

StopReason Timeline::Fail(int64_t f) {
  stopped_device_ = f;
  status_ = device(f).status();
  return StopReason::kFailed;
}

void Timeline::RequestPause() {
  pause_.store(true, std::memory_order_relaxed);
  run_->RequestPause();
}

void Timeline::SetObserver(int64_t f, ExecutionObserver* observer) {
  observers_[static_cast<size_t>(f)] = observer;
  device(f).intervention().set_observer(observer);
}

// --- Forwards ---

StopReason Timeline::RunDevice(int64_t f, const StopWhen& when) {
  status_ = absl::OkStatus();
  for (;;) {
    bool progress = false;
    StopReason reason = Slices(f, when, &progress);
    stopped_device_ = f;
    if (reason == StopReason::kFailed) return Fail(f);
    if (reason != StopReason::kBlocked || !together_) return reason;
    for (int64_t g = 0; g < device_count(); ++g) {
      if (g == f || device(g).finished()) continue;
      reason = Slices(g, StopWhen(), &progress);
      if (reason == StopReason::kFinished || reason == StopReason::kBlocked) continue;
      if (reason == StopReason::kFailed) return Fail(g);
      stopped_device_ = g;
      return reason;
    }
    if (!progress) {
      status_ = absl::AbortedError(run_->DeadlockReport());
      return StopReason::kFailed;
    }
  }
}

StopReason Timeline::RunAll() {
  const StopReason reason =
      run_->RunInTurns([this](int64_t f, bool* progress) { return Slices(f, StopWhen(), progress); });
  stopped_device_ = run_->stopped_device();
  status_ = run_->status();
  return reason;
}

StopWhen Timeline::EndOfStepInto(int64_t f) const {
  StopWhen when;
  when.position = execution(f).position() + 1;
  return when;
}

StopWhen Timeline::EndOfStepOver(int64_t f) const {
  StopWhen when;
  when.frames = inspection(f).frames().size();
  return when;
}

StopWhen Timeline::EndOfStepOut(int64_t f) const {
  StopWhen when;
  const size_t depth = inspection(f).frames().size();
  when.frames = depth == 0 ? 0 : depth - 1;
  return when;
}

StopReason Timeline::StepInto(int64_t f) { return RunDevice(f, EndOfStepInto(f)); }
StopReason Timeline::StepOver(int64_t f) { return RunDevice(f, EndOfStepOver(f)); }
StopReason Timeline::StepOut(int64_t f) { return RunDevice(f, EndOfStepOut(f)); }

bool Timeline::Arrived(int64_t f, const StopWhen& when, InstructionId target) {
  const absl::Span<const Frame> frames = inspection(f).frames();
  return execution(f).position() >= when.position || frames.size() <= when.frames ||
         (target.has_value() && frames.back().current == target);
}

StopReason Timeline::Slices(int64_t f, const StopWhen& when, bool* progress) {
  Session& session = device(f);
  const InstructionId target =
      when.instruction.has_value() ? session.breakpoints().StepAtOrAfter(when.instruction) : InstructionId();
  SkipAhead(f, when);
  for (;;) {
    const int64_t before = position();
    const bool known = InKnownPart();
    StopWhen slice = when;
    slice.position = std::min(when.position, session.position() + slice_steps_);
    // What comes after it has to be logged.
    if (known) slice.position = std::min(slice.position, session.position() + known_end_ - before);
    const double start = Seconds();
    // A snapshot right after the step with which it is due: steps may take much longer than the time between them.
    const double due = start + snapshots_.back().seconds + SnapshotInterval() - seconds_;
    if (!known) {
      const int64_t mask = slice_steps_ >= kManySteps ? kStepsPerLook - 1 : 0;
      slice.enough = [this, due, mask, step = int64_t{0}]() mutable {
        return (++step & mask) == 0 && CoarseSeconds() >= due;
      };
    }
    now_.reset();  // would keep what the steps need no more
    const StopReason reason = run_->RunDevice(f, slice, progress);
    const double seconds = Seconds() - start;
    if (!known) {
      seconds_ += seconds;
      Log(f, before, reason == StopReason::kBlocked);
    }
    if (!InKnownPart()) known_end_state_.reset();
    const bool whole = reason == StopReason::kStep && session.position() >= slice.position;
    slice_steps_ = whole ? NextSlice(slice_steps_, seconds) : std::min(slice_steps_, NextSlice(slice_steps_, seconds));
    if (reason == StopReason::kFailed) {
      if (!LacksMemory(session.status()) || !MakeRoom()) return reason;
      session.time_travel().Restore(*session.time_travel().Save());
      continue;
    }
    if (!InKnownPart() && seconds_ - snapshots_.back().seconds >= SnapshotInterval()) TakeSnapshot();
    if (reason == StopReason::kPaused) ClearPause();
    if (reason != StopReason::kStep || Arrived(f, when, target)) return reason;
    // Asked for between two slices: the session did not see it.
    if (pause_.exchange(false, std::memory_order_relaxed)) return StopReason::kPaused;
  }
}

int64_t Timeline::NextSlice(int64_t steps, double seconds) {
  if (seconds > 2 * kSliceSeconds) return std::max<int64_t>(1, steps / 4);
  return seconds < kSliceSeconds ? std::min(kMaxSliceSteps, steps * 2) : steps;
}

void Timeline::SkipAhead(int64_t f, const StopWhen& when) {
  if (!InKnownPart() || when.instruction.has_value() || !breakpoints(f).all().empty() ||
      observers_[static_cast<size_t>(f)] != nullptr) {
    return;
  }
  const int64_t end = std::min(when.position, known_end_);
  if (when.frames == 0 && end == known_end_ && known_end_state_ != nullptr) {
    run_->Restore(*known_end_state_);
    return;
  }
  // A step that leaves its frame open only when it is done: it is not done where what it entered is open.
  const absl::Span<const Frame> open_now = inspection(f).frames();
  const std::vector<Frame> frames(open_now.begin(), open_now.end());
  const size_t depth = when.frames;
  const InstructionId entered = depth == 0 || depth > frames.size()
                                    ? InstructionId()
                                    : (depth < frames.size() ? frames[depth].caller : frames.back().current);
  const auto goes_on = [&](const Kept& kept) {
    if (depth == 0) return true;
    const absl::Span<const Frame> open = kept.state->devices[static_cast<size_t>(f)].session->frames();
    return depth <= frames.size() && open.size() > depth && open[depth - 1].serial == frames[depth - 1].serial &&
           open[depth].caller == entered;
  };
  const Kept* furthest = nullptr;
  for (size_t i = SnapshotBefore(position()) + 1; i < snapshots_.size(); ++i) {
    if (snapshots_[i].position > end || !goes_on(snapshots_[i])) break;
    furthest = &snapshots_[i];
  }
  if (furthest != nullptr) run_->Restore(*furthest->state);
}

void Timeline::ForgetLater() {
  if (!InKnownPart()) return;
  const int64_t here = position();
  size_t events = 0;
  while (events < events_.size() && (events_[events].position < here ||
                                     (events_[events].position == here && events_[events].kind == Event::Kind::kSet))) {
    ++events;
  }
  Forget(events);
  seconds_ = snapshots_.back().seconds;
}

void Timeline::Log(int64_t device, int64_t position, bool blocked) {
  if (this->position() == position && !blocked) return;
  now_.reset();
  if (!events_.empty() && events_.size() > snapshots_.back().events) {
    Event& last = events_.back();
    if (last.kind == Event::Kind::kRun && last.device == device) {
      if (!last.blocked) {
        last.blocked = blocked;
        last.end = this->position();
        return;
      }
      // The same step had to wait again.
      if (this->position() == position) return;
    }
  }
  Event event;
  event.position = position;
  event.device = device;
  event.blocked = blocked;
  event.end = this->position();
  events_.push_back(std::move(event));
}

double Timeline::Seconds() const {
  if (options_.clock) return options_.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Timeline::CoarseSeconds() const {
  if (options_.clock) return options_.clock();
#ifdef CLOCK_MONOTONIC_COARSE
  timespec time = {};
  if (clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
#endif
  return Seconds();
}

void Timeline::TakeSnapshot() {
  const double start = Seconds();
  Insert(snapshots_.size(), events_.size(), seconds_);
  Thin(snapshots_.size() - 1);
  snapshot_cost_ = Seconds() - start;
}

void Timeline::Insert(size_t number, size_t events, double seconds) {
  const auto inserted = snapshots_.insert(snapshots_.begin() + static_cast<std::ptrdiff_t>(number),
                                          {run_->Save(), position(), events, seconds});
  buffers_.Add(*inserted->state);
}

void Timeline::Remove(size_t number) {
  buffers_.Remove(*snapshots_[number].state);
  snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(number));
}

bool Timeline::IsBeyondBudget(size_t place) const {
  // What all keep is quickly known, and mostly enough.
  if (history_bytes() <= budget_) return false;
  std::vector<const DeviceRun::Snapshot*> free_of_charge = {snapshots_[0].state.get()};
  if (place > 0) free_of_charge.push_back(snapshots_[place].state.get());
  if (place > 1) free_of_charge.push_back(snapshots_[place - 1].state.get());
  return buffers_.BytesBeside(free_of_charge) > budget_;
}

size_t Timeline::LeastUseful(size_t place) const {
  const bool exactly = snapshots_.size() <= kExactlyCounted;
  const double here = snapshots_[place].seconds;
  size_t least = 0;
  double least_use = 0;
  for (size_t i = 1; i < snapshots_.size(); ++i) {
    if (i == place || i + 1 == place) continue;
    // How much ways back would grow, as a share of the way from the place, for the memory.
    const double end =
        i + 1 < snapshots_.size() ? snapshots_[i + 1].seconds : std::max(seconds_, snapshots_[i].seconds);
    const double share =
        (end - snapshots_[i - 1].seconds) / (20 * options_.snapshot_seconds + std::abs(here - snapshots_[i].seconds));
    const double bytes = exactly ? static_cast<double>(buffers_.BytesOfOnly(*snapshots_[i].state)) : 0;
    const double use = share / (static_cast<double>(budget_) / 64 + bytes);
    if (least > 0 && use >= least_use) continue;
    least = i;
    least_use = use;
  }
  return least;
}

void Timeline::Thin(size_t place) {
  while (snapshots_.size() > kMaxSnapshots || IsBeyondBudget(place)) {
    const size_t least = LeastUseful(place);
    if (least == 0) return;
    Remove(least);
    if (least < place) --place;
    read_.clear();
  }
}

// --- Memory ---

bool Timeline::LacksMemory(const absl::Status& status) const {
  if (!absl::IsResourceExhausted(status)) return false;
  for (int64_t f = 0; f < device_count(); ++f) {
    if (execution(f).AtLimit()) return false;
  }
  return true;
}

void Timeline::DropKeptValues() {
  keeps_values_ = false;
  const std::shared_ptr<const DeviceRun::Snapshot> here = run_->Save();
  const auto drop = [this](const DeviceRun::Snapshot& state) {
    run_->Restore(state);
    for (int64_t f = 0; f < device_count(); ++f) {
      device(f).set_keep_values(false);
      device(f).DropUnneeded();
    }
  };
  buffers_.Clear();
  for (Kept& kept : snapshots_) {
    drop(*kept.state);
    kept.state = run_->Save();
    buffers_.Add(*kept.state);
  }
  drop(*here);
}

void Timeline::ThinTo(int64_t bytes) {
  size_t place = SnapshotBefore(position());
  while (snapshots_.size() > 1 && history_bytes() > bytes) {
    const size_t least = LeastUseful(place);
    const size_t removed = least > 0 && bytes >= 0 ? least : snapshots_.size() - 1;
    Remove(removed);
    if (removed <= place && place > 0) --place;
  }
}

bool Timeline::MakeRoom() {
  // now_ is made again when somebody asks for it.
  const bool had_states = !read_.empty() || known_end_state_ != nullptr;
  known_end_state_.reset();
  read_.clear();
  now_.reset();
  if (keeps_values_) {
    DropKeptValues();
    return true;
  }
  if (snapshots_.size() <= 1) return had_states;
  // A little history is not worth halving.
  const int64_t half = history_bytes() / 2;
  ThinTo(half > budget_ / 16 ? half : -1);
  return true;
}

absl::Status Timeline::WithRoom(absl::FunctionRef<absl::Status(Keeping)> attempt) {
  absl::Status status = attempt(Keeping::kPlaces);
  while (LacksMemory(status) && MakeRoom()) status = attempt(Keeping::kNothing);
  return status;
}

// --- Intervention ---

absl::Status Timeline::SetValue(int64_t f, size_t frame, InstructionId instruction, Value value) {
  if (absl::Status status = device(f).intervention().SetValue(frame, instruction, value); !status.ok()) return status;
  ForgetLater();
  Event event;
  event.kind = Event::Kind::kSet;
  event.position = position();
  event.device = f;
  event.frame = frame;
  event.instruction = instruction;
  event.value = std::make_shared<Value>(std::move(value));
  events_.push_back(std::move(event));
  read_.clear();
  now_.reset();
  return absl::OkStatus();
}

absl::Status Timeline::Skip(int64_t f, Value value) {
  Event event;
  event.kind = Event::Kind::kSkip;
  event.position = position();
  event.device = f;
  event.value = std::make_shared<Value>(value);
  ForgetLater();
  if (absl::Status status = device(f).intervention().Skip(std::move(value)); !status.ok()) return status;
  events_.push_back(std::move(event));
  read_.clear();
  now_.reset();
  status_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::Status Timeline::EnterElement(int64_t f, const std::vector<int64_t>& index) {
  const absl::Span<const Frame> frames = inspection(f).frames();
  if (frames.empty() || device(f).finished()) return absl::FailedPreconditionError("there is no next instruction");
  const InstructionId id = frames.back().current;
  std::vector<Value> operands;
  for (InstructionId operand : module_->operands(id)) {
    absl::StatusOr<Value> value = ValueOf(f, frames.size() - 1, operand);
    if (!value.ok()) return value.status();
    operands.push_back(*std::move(value));
  }
  QuestionLimit limit = NewQuestion();
  absl::StatusOr<AppliedPlan> plan = ElementPlan(*module_, id, index, operands, limit);
  if (!plan.ok()) return plan.status();
  Event event;
  event.kind = Event::Kind::kEnter;
  event.position = position();
  event.device = f;
  event.plan = std::make_shared<AppliedPlan>(*std::move(plan));
  ForgetLater();
  if (absl::Status status = device(f).intervention().EnterApplied(event.plan); !status.ok()) return status;
  events_.push_back(std::move(event));
  now_.reset();
  status_ = absl::OkStatus();
  return absl::OkStatus();
}

}  // namespace hloscope::evaluator
