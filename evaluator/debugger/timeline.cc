#include "evaluator/debugger/timeline.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/element_plan.h"

namespace hloscope {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Looking at the clock and at the snapshots costs nothing noticeable once in this time.
constexpr double kSliceSeconds = 0.025;
constexpr int64_t kMaxSliceSteps = 1 << 16;
constexpr size_t kMaxSnapshots = 2048;
constexpr size_t kSegmentsKept = 3;

int64_t QuarterOfMemory() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages / 4 * page_bytes : int64_t{1} << 30;
}

using BufferSet = absl::flat_hash_set<const Buffer*>;

// Adds the buffers of a value to the set; returns the bytes of those that were not in it.
int64_t AddBuffers(const Value& value, BufferSet& buffers) {
  int64_t bytes = 0;
  value.ForEachTensor([&](const Tensor& tensor) {
    if (tensor.has_buffer() && buffers.insert(tensor.buffer().get()).second) bytes += tensor.buffer()->size();
  });
  return bytes;
}

int64_t AddBuffers(const DeviceRun::Snapshot& state, BufferSet& buffers) {
  int64_t bytes = 0;
  for (const DeviceRun::Snapshot::DeviceState& device : state.devices) {
    device.session->ForEachValue([&](const Value& value) { bytes += AddBuffers(value, buffers); });
  }
  return bytes;
}

}  // namespace

// Writes what one device executes into a segment, or looks for one value.
class Timeline::Recorder final : public ExecutionObserver {
 public:
  Recorder(int64_t device, int64_t budget, Segment& segment) : device_(device), budget_(budget), segment_(segment) {}
  void set_wanted(const Segment::Key& key) { wanted_ = key; }

  void OnOpen(absl::Span<const Frame> frames, absl::Span<const Value> arguments) override {
    OpenedFrame opened{frames.back(), frames.size() > 1 ? frames[frames.size() - 2].serial : -1, {}};
    const bool keep = wanted_.has_value() ? wanted_->frame.serial == frames.back().serial : Fits(arguments);
    if (keep) opened.arguments.assign(arguments.begin(), arguments.end());
    if (frames.size() > 1) {
      const Frame& frame = frames.back();
      const FrameKey parent{device_, opened.parent};
      segment_.calls[{parent, frame.caller, frame.kind, frame.iteration}] = frame.serial;
      if (frame.kind == FrameKind::kCondition) segment_.last_condition[{parent, frame.caller}] = frame.iteration;
    }
    segment_.frames.emplace(FrameKey{device_, frames.back().serial}, std::move(opened));
  }
  bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) override {
    const Segment::Key key{{device_, frames.back().serial}, id};
    if (wanted_.has_value()) {
      if (key == *wanted_) segment_.values.emplace(key, value);
    } else if (Fits(absl::MakeConstSpan(&value, 1))) {
      segment_.values.emplace(key, value);
    }
    return false;
  }

 private:
  bool Fits(absl::Span<const Value> values) {
    if (!segment_.complete) return false;
    for (const Value& value : values) bytes_ += AddBuffers(value, buffers_) + static_cast<int64_t>(sizeof(Value));
    segment_.complete = bytes_ <= budget_;
    return segment_.complete;
  }

  const int64_t device_;
  const int64_t budget_;
  Segment& segment_;
  std::optional<Segment::Key> wanted_;
  BufferSet buffers_;
  int64_t bytes_ = 0;
};

Timeline::Timeline(std::shared_ptr<const Module> module, const TimelineOptions& options)
    : module_(std::move(module)),
      options_(options),
      budget_(options.history_bytes > 0 ? options.history_bytes : QuarterOfMemory()) {}

absl::StatusOr<std::unique_ptr<Timeline>> Timeline::Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options,
                                                           const TimelineOptions& timeline_options) {
  std::unique_ptr<Timeline> timeline(new Timeline(std::move(module), timeline_options));
  absl::StatusOr<std::unique_ptr<DeviceRun>> run = DeviceRun::Create(timeline->module_, grid, options);
  if (!run.ok()) return run.status();
  timeline->run_ = *std::move(run);
  for (int64_t f = 0; f < timeline->device_count(); ++f) timeline->device(f).set_keep_values(false);
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
  return first;
}

StopReason Timeline::Restart() {
  run_->Restart();
  events_.clear();
  snapshots_.clear();
  read_.clear();
  now_.reset();
  seconds_ = 0;
  history_bytes_ = 0;
  known_end_ = 0;
  known_end_state_.reset();
  return Start();
}

int64_t Timeline::position() const {
  int64_t sum = 0;
  for (int64_t f = 0; f < device_count(); ++f) sum += run_->device(f).position();
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
  device(f).set_observer(observer);
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
  when.position = run_->device(f).position() + 1;
  return when;
}

StopWhen Timeline::EndOfStepOver(int64_t f) const {
  StopWhen when;
  when.frames = run_->device(f).frames().size();
  return when;
}

StopWhen Timeline::EndOfStepOut(int64_t f) const {
  StopWhen when;
  const size_t depth = run_->device(f).frames().size();
  when.frames = depth == 0 ? 0 : depth - 1;
  return when;
}

StopReason Timeline::StepInto(int64_t f) { return RunDevice(f, EndOfStepInto(f)); }
StopReason Timeline::StepOver(int64_t f) { return RunDevice(f, EndOfStepOver(f)); }
StopReason Timeline::StepOut(int64_t f) { return RunDevice(f, EndOfStepOut(f)); }

bool Timeline::Arrived(int64_t f, const StopWhen& when, InstructionId target) {
  const Session& session = device(f);
  return session.position() >= when.position || session.frames().size() <= when.frames ||
         (target.has_value() && session.frames().back().current == target);
}

StopReason Timeline::Slices(int64_t f, const StopWhen& when, bool* progress) {
  Session& session = device(f);
  const InstructionId target = when.instruction.has_value() ? session.StepAtOrAfter(when.instruction) : InstructionId();
  SkipAhead(f, when);
  for (;;) {
    const int64_t before = position();
    const bool known = InKnownPart();
    StopWhen slice = when;
    slice.position = std::min(when.position, session.position() + slice_steps_);
    // What lies behind has to be written down.
    if (known) slice.position = std::min(slice.position, session.position() + known_end_ - before);
    const Clock::time_point start = Clock::now();
    const StopReason reason = run_->RunDevice(f, slice, progress);
    const double seconds = SecondsSince(start);
    if (!known) {
      seconds_ += seconds;
      Log(f, before, reason == StopReason::kBlocked);
    }
    if (!InKnownPart()) known_end_state_.reset();
    if (seconds > 2 * kSliceSeconds) {
      slice_steps_ = std::max<int64_t>(1, slice_steps_ / 4);
    } else if (seconds < kSliceSeconds && reason == StopReason::kStep && session.position() >= slice.position) {
      slice_steps_ = std::min(kMaxSliceSteps, slice_steps_ * 2);
    }
    if (reason == StopReason::kFailed) {
      if (!absl::IsResourceExhausted(session.status()) || session.AtLimit() || !Relieve()) return reason;
      session.Restore(*session.Save());
      continue;
    }
    if (!InKnownPart() && seconds_ - snapshots_.back().seconds >= options_.snapshot_seconds) TakeSnapshot();
    if (reason == StopReason::kPaused) ClearPause();
    if (reason != StopReason::kStep || Arrived(f, when, target)) return reason;
    // Asked for between two slices: the session did not see it.
    if (pause_.exchange(false, std::memory_order_relaxed)) return StopReason::kPaused;
  }
}

void Timeline::SkipAhead(int64_t f, const StopWhen& when) {
  Session& session = device(f);
  if (!InKnownPart() || when.instruction.has_value() || !session.breakpoints().empty() ||
      observers_[static_cast<size_t>(f)] != nullptr) {
    return;
  }
  const int64_t end = std::min(when.position, known_end_);
  if (when.frames == 0 && end == known_end_ && known_end_state_ != nullptr) {
    run_->Restore(*known_end_state_);
    return;
  }
  // A step that leaves its frame open only when it is done: it is not done where what it entered is open.
  const std::vector<Frame> frames(session.frames().begin(), session.frames().end());
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
  events_.push_back(std::move(event));
}

void Timeline::TakeSnapshot() {
  snapshots_.push_back({run_->Save(), position(), events_.size(), seconds_, 0});
  CountBytes(snapshots_.size() - 1);
  Thin();
}

void Timeline::CountBytes(size_t snapshot) {
  BufferSet buffers;
  if (snapshot > 0) AddBuffers(*snapshots_[snapshot - 1].state, buffers);
  history_bytes_ -= snapshots_[snapshot].bytes;
  snapshots_[snapshot].bytes = AddBuffers(*snapshots_[snapshot].state, buffers);
  history_bytes_ += snapshots_[snapshot].bytes;
}

void Timeline::Thin() {
  while (snapshots_.size() > 2 && (history_bytes_ > budget_ || snapshots_.size() > kMaxSnapshots)) {
    // The one without which the longest way back grows least.
    size_t least = 1;
    double least_seconds = 0;
    for (size_t i = 1; i + 1 < snapshots_.size(); ++i) {
      const double seconds = snapshots_[i + 1].seconds - snapshots_[i - 1].seconds;
      if (i == 1 || seconds < least_seconds) {
        least = i;
        least_seconds = seconds;
      }
    }
    history_bytes_ -= snapshots_[least].bytes;
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
    CountBytes(least);
    read_.clear();
  }
}

bool Timeline::Relieve() {
  const bool kept = snapshots_.size() > 1 || !read_.empty() || now_ != nullptr || known_end_state_ != nullptr;
  for (size_t i = 1; i < snapshots_.size(); ++i) history_bytes_ -= snapshots_[i].bytes;
  if (!snapshots_.empty()) snapshots_.resize(1);
  known_end_state_.reset();
  read_.clear();
  now_.reset();
  return kept;
}

// --- Backwards ---

absl::StatusOr<size_t> Timeline::Replay(size_t from, int64_t end, bool every_step,
                                        absl::FunctionRef<void(int64_t, StopReason)> visit) {
  const Kept& kept = snapshots_[from];
  run_->Restore(*kept.state);
  size_t i = kept.events;
  for (; i < events_.size() && events_[i].position <= end; ++i) {
    const Event event = events_[i];
    const bool is_last = i + 1 == events_.size();
    const int64_t natural_end = is_last ? std::max(end, event.position) : events_[i + 1].position;
    absl::Status status;
    switch (event.kind) {
      case Event::Kind::kSet:
        status = device(event.device).SetValue(event.frame, event.instruction, *event.value);
        break;
      case Event::Kind::kSkip:
        if (event.position == end) return i;
        status = device(event.device).Skip(*event.value);
        visit(event.device, StopReason::kStep);
        break;
      case Event::Kind::kEnter:
        if (event.position == end) return i;
        status = device(event.device).EnterApplied(event.plan);
        visit(event.device, StopReason::kStep);
        break;
      case Event::Kind::kRun: {
        if (event.position == end && natural_end > end) return i;
        const int64_t stop = std::min(end, natural_end);
        status = ReplayRun(event, stop - position(), every_step, visit);
        if (status.ok() && event.blocked && natural_end <= end) {
          StopWhen when;
          when.position = device(event.device).position() + 1;
          bool progress = false;
          run_->RunDevice(event.device, when, &progress);
        }
        break;
      }
    }
    if (!status.ok()) return status;
  }
  return i;
}

absl::Status Timeline::ReplayRun(const Event& event, int64_t steps, bool every_step,
                                 absl::FunctionRef<void(int64_t, StopReason)> visit) {
  Session& session = device(event.device);
  const int64_t target = session.position() + steps;
  while (session.position() < target) {
    if (obeys_pause_ && pause_.exchange(false, std::memory_order_relaxed)) return absl::CancelledError("interrupted");
    StopWhen when;
    when.position = every_step ? session.position() + 1 : target;
    const int64_t before = session.position();
    bool progress = false;
    const StopReason reason = run_->RunDevice(event.device, when, &progress);
    if (reason == StopReason::kFailed) return session.status();
    if (session.position() > before) {
      visit(event.device, reason);
    } else if (reason != StopReason::kPaused) {
      return absl::InternalError("this part of the run went differently when it was repeated");
    }
  }
  return absl::OkStatus();
}

size_t Timeline::SnapshotBefore(int64_t position) const {
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), position,
                                      [](int64_t wanted, const Kept& kept) { return wanted < kept.position; });
  return static_cast<size_t>(after - snapshots_.begin()) - 1;
}

int64_t Timeline::SegmentEnd(size_t number) const {
  return number + 1 < snapshots_.size() ? snapshots_[number + 1].position : KnownEnd();
}

void Timeline::Forget(size_t events) {
  events_.resize(events);
  known_end_ = 0;
  known_end_state_.reset();
  const int64_t here = position();
  if (!events_.empty() && events_.back().kind == Event::Kind::kRun) {
    // Cut off before its end, it did not come to waiting.
    const std::optional<DeviceLink::Waiting>& waiting = run_->waiting(events_.back().device);
    events_.back().blocked = events_.back().blocked && waiting.has_value();
  }
  while (snapshots_.size() > 1 && (snapshots_.back().position > here || snapshots_.back().events > events)) {
    history_bytes_ -= snapshots_.back().bytes;
    snapshots_.pop_back();
  }
  read_.clear();
  now_.reset();
}

absl::Status Timeline::GoTo(int64_t position) {
  if (position < 0 || position > KnownEnd() || snapshots_.empty()) {
    return absl::OutOfRangeError(
        absl::StrCat("the run has not come to position ", position, "; it is at ", this->position()));
  }
  const std::shared_ptr<const DeviceRun::Snapshot> here = run_->Save();
  const int64_t here_position = this->position();
  size_t from = SnapshotBefore(position);
  for (int64_t f = 0; f < device_count(); ++f) device(f).set_observer(nullptr);
  const Clock::time_point start = Clock::now();
  absl::StatusOr<size_t> events = Replay(from, position, false, [](int64_t, StopReason) {});
  if (absl::IsResourceExhausted(events.status()) && Relieve()) {
    from = 0;
    events = Replay(from, position, false, [](int64_t, StopReason) {});
  }
  for (int64_t f = 0; f < device_count(); ++f) device(f).set_observer(observers_[static_cast<size_t>(f)]);
  if (!events.ok()) {
    run_->Restore(*here);
    return events.status();
  }
  status_ = absl::OkStatus();
  now_.reset();
  if (device_count() == 1) {
    if (known_end_ <= here_position) {
      known_end_ = here_position;
      known_end_state_ = here;
    }
    return absl::OkStatus();
  }
  seconds_ = snapshots_[from].seconds + SecondsSince(start);
  Forget(*events);
  return absl::OkStatus();
}

absl::StatusOr<bool> Timeline::GoBack(bool every_step, Wanted wanted) {
  const int64_t here = position();
  std::optional<int64_t> found;
  int64_t found_device = 0;
  const absl::Status status = Elsewhere([&]() {
    for (size_t segment = SnapshotBefore(here) + 1; segment-- > 0 && !found.has_value();) {
      const int64_t end = std::min(SegmentEnd(segment), here - 1);
      const absl::StatusOr<size_t> replayed = Replay(segment, end, every_step, [&](int64_t f, StopReason reason) {
        if (position() >= here || !wanted(f, reason)) return;
        found = position();
        found_device = f;
      });
      if (!replayed.ok()) return replayed.status();
      if (segment > 0 || found.has_value() || here == 0) continue;
      // The very beginning, which no step leads to.
      run_->Restore(*snapshots_[0].state);
      for (int64_t f = 0; f < device_count(); ++f) {
        if (!wanted(f, StopReason::kNotStarted)) continue;
        found = 0;
        found_device = f;
        break;
      }
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (!found.has_value()) return false;
  const absl::Status moved = GoTo(*found);
  if (!moved.ok()) return moved;
  stopped_device_ = found_device;
  return true;
}

absl::StatusOr<bool> Timeline::StepBack(int64_t f, bool over) {
  const size_t depth = device(f).frames().size();
  const int64_t own = device(f).position();
  if (!over && device_count() == 1 && own > 0) {
    const absl::Status status = GoTo(position() - 1);
    if (!status.ok()) return status;
    return true;
  }
  return GoBack(true, [&](int64_t stepped, StopReason reason) {
    return (stepped == f || reason == StopReason::kNotStarted) && device(f).position() < own &&
           (!over || device(f).frames().size() <= depth);
  });
}

absl::StatusOr<bool> Timeline::StepBackOut(int64_t f) {
  const size_t depth = device(f).frames().size();
  return GoBack(true, [&](int64_t stepped, StopReason reason) {
    return (stepped == f || reason == StopReason::kNotStarted) && device(f).frames().size() < depth;
  });
}

// --- Intervention ---

absl::Status Timeline::SetValue(int64_t f, size_t frame, InstructionId instruction, Value value) {
  if (absl::Status status = device(f).SetValue(frame, instruction, value); !status.ok()) return status;
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
  if (absl::Status status = device(f).Skip(std::move(value)); !status.ok()) return status;
  events_.push_back(std::move(event));
  read_.clear();
  now_.reset();
  status_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::Status Timeline::EnterElement(int64_t f, const std::vector<int64_t>& index) {
  const absl::Span<const Frame> frames = device(f).frames();
  if (frames.empty() || device(f).finished()) return absl::FailedPreconditionError("there is no next instruction");
  const InstructionId id = frames.back().current;
  std::vector<Value> operands;
  for (InstructionId operand : module_->operands(id)) {
    absl::StatusOr<Value> value = ValueOf(f, frames.size() - 1, operand);
    if (!value.ok()) return value.status();
    operands.push_back(*std::move(value));
  }
  absl::StatusOr<AppliedPlan> plan = ElementPlan(*module_, id, index, operands);
  if (!plan.ok()) return plan.status();
  Event event;
  event.kind = Event::Kind::kEnter;
  event.position = position();
  event.device = f;
  event.plan = std::make_shared<AppliedPlan>(*std::move(plan));
  ForgetLater();
  if (absl::Status status = device(f).EnterApplied(event.plan); !status.ok()) return status;
  events_.push_back(std::move(event));
  now_.reset();
  status_ = absl::OkStatus();
  return absl::OkStatus();
}

// --- The past ---

absl::Status Timeline::Elsewhere(absl::FunctionRef<absl::Status()> body) {
  const std::shared_ptr<const DeviceRun::Snapshot> here = run_->Save();
  const absl::Status status = body();
  for (int64_t f = 0; f < device_count(); ++f) device(f).set_observer(observers_[static_cast<size_t>(f)]);
  run_->Restore(*here);
  return status;
}

bool Timeline::HasDone(const DeviceRun::Snapshot& state, const FrameKey& frame, InstructionId instruction) const {
  const SessionSnapshot& session = *state.devices[static_cast<size_t>(frame.device)].session;
  const absl::Span<const Frame> frames = session.frames();
  for (size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].serial != frame.serial) continue;
    if (!instruction.has_value()) return true;
    const Opcode opcode = module_->opcode(instruction);
    return opcode == Opcode::kParameter || opcode == Opcode::kConstant || session.Executed(i, instruction);
  }
  return frame.serial < session.opened_count();
}

const DeviceRun::Snapshot& Timeline::Now() const {
  if (now_ == nullptr || now_position_ != position()) {
    now_ = run_->Save();
    now_position_ = position();
  }
  return *now_;
}

std::optional<size_t> Timeline::SegmentOf(const FrameKey& frame, InstructionId instruction) const {
  if (!HasDone(Now(), frame, instruction)) return std::nullopt;
  const auto done = std::partition_point(snapshots_.begin(), snapshots_.end(),
                                         [&](const Kept& kept) { return !HasDone(*kept.state, frame, instruction); });
  // What the first snapshot has came before everything: the entry frames.
  return done == snapshots_.begin() ? 0 : static_cast<size_t>(done - snapshots_.begin()) - 1;
}

absl::StatusOr<std::shared_ptr<const Timeline::Segment>> Timeline::ReadSegment(size_t number) {
  const int64_t end = SegmentEnd(number);
  for (const std::shared_ptr<const Segment>& segment : read_) {
    if (segment->number == number && segment->end == end) return segment;
  }
  while (read_.size() >= kSegmentsKept) read_.erase(read_.begin());
  absl::StatusOr<std::shared_ptr<const Segment>> segment = ReadSegment(number, budget_ / 4 / device_count());
  // The values do not fit beside those that the run needs.
  if (absl::IsResourceExhausted(segment.status())) segment = ReadSegment(number, 0);
  if (segment.ok()) read_.push_back(*segment);
  return segment;
}

absl::StatusOr<std::shared_ptr<const Timeline::Segment>> Timeline::ReadSegment(size_t number, int64_t budget) {
  auto segment = std::make_shared<Segment>();
  segment->number = number;
  segment->end = SegmentEnd(number);
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (int64_t f = 0; f < device_count(); ++f) {
    recorders.push_back(std::make_unique<Recorder>(f, budget, *segment));
  }
  const absl::Status status = Elsewhere([&]() -> absl::Status {
    for (int64_t f = 0; f < device_count(); ++f) {
      device(f).set_observer(recorders[static_cast<size_t>(f)].get());
      if (number > 0) continue;
      // Opened before the first snapshot.
      const SessionSnapshot& first = *snapshots_[0].state->devices[static_cast<size_t>(f)].session;
      for (size_t i = 0; i < first.frames().size(); ++i) {
        OpenedFrame opened{first.frames()[i], i > 0 ? first.frames()[i - 1].serial : -1, {}};
        for (InstructionId parameter : module_->computation(opened.frame.computation).parameters) {
          const Value* value = parameter.has_value() ? first.ValueOf(i, parameter) : nullptr;
          opened.arguments.push_back(value != nullptr ? *value : Value());
        }
        segment->frames.emplace(FrameKey{f, opened.frame.serial}, std::move(opened));
      }
    }
    return Replay(number, segment->end, false, [](int64_t, StopReason) {}).status();
  });
  if (!status.ok()) return status;
  return std::shared_ptr<const Segment>(segment);
}

absl::StatusOr<Value> Timeline::PastValue(const FrameKey& frame, InstructionId instruction) {
  const auto missing = [&]() {
    return absl::NotFoundError(
        absl::StrCat(module_->InstructionName(instruction), " was not executed there: nothing needed its value"));
  };
  const Opcode opcode = module_->opcode(instruction);
  if (opcode == Opcode::kConstant) {
    if (!module_->instruction(instruction).literal.has_value()) return missing();
    return Value::FromLiteral(module_->literal(instruction));
  }
  const std::optional<size_t> number = SegmentOf(frame, opcode == Opcode::kParameter ? InstructionId() : instruction);
  if (!number.has_value()) return missing();
  // Still there before or behind the segment, where it was an argument or is needed later.
  for (size_t i = *number; i < std::min(*number + 2, snapshots_.size()); ++i) {
    const SessionSnapshot& session = *snapshots_[i].state->devices[static_cast<size_t>(frame.device)].session;
    for (size_t k = 0; k < session.frames().size(); ++k) {
      if (session.frames()[k].serial != frame.serial) continue;
      if (const Value* value = session.ValueOf(k, instruction)) return *value;
    }
  }
  const Segment::Key key{frame, instruction};
  const auto find = [&](const Segment& segment) -> std::optional<Value> {
    if (opcode != Opcode::kParameter) {
      const auto found = segment.values.find(key);
      return found == segment.values.end() ? std::nullopt : std::optional<Value>(found->second);
    }
    const auto opened = segment.frames.find(frame);
    const size_t parameter = module_->instruction(instruction).parameter_number;
    if (opened == segment.frames.end() || parameter >= opened->second.arguments.size()) return std::nullopt;
    return opened->second.arguments[parameter];
  };
  absl::StatusOr<std::shared_ptr<const Segment>> segment = ReadSegment(*number);
  if (segment.ok()) {
    if (const std::optional<Value> found = find(**segment); found.has_value() && found->has_value()) return *found;
    if ((*segment)->complete) return missing();
  } else if (!absl::IsResourceExhausted(segment.status())) {
    return segment.status();
  }
  // Too much to keep all of it: repeat the part for this one value.
  Segment single;
  Recorder recorder(frame.device, 0, single);
  recorder.set_wanted(key);
  const auto repeat = [&](size_t from) {
    return Elsewhere([&]() -> absl::Status {
      device(frame.device).set_observer(&recorder);
      return Replay(from, SegmentEnd(from), false, [](int64_t, StopReason) {}).status();
    });
  };
  absl::Status status = repeat(*number);
  if (absl::IsResourceExhausted(status) && Relieve()) status = repeat(0);
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat("the value of ", module_->InstructionName(instruction),
                                                    " was dropped and cannot be made again: ", status.message()));
  }
  const std::optional<Value> found = find(single);
  if (!found.has_value() || !found->has_value()) return missing();
  return *found;
}

absl::StatusOr<Value> Timeline::ValueOf(int64_t f, size_t frame, InstructionId instruction) {
  Session& session = device(f);
  if (frame >= session.frames().size() ||
      module_->instruction(instruction).computation != session.frames()[frame].computation) {
    return absl::InvalidArgumentError(
        absl::StrCat(module_->InstructionName(instruction), " is not part of this frame's computation"));
  }
  if (const Value* value = session.ValueOf(frame, instruction)) return *value;
  const FrameKey key{f, session.frames()[frame].serial};
  if (!HasDone(Now(), key, instruction)) {
    const absl::string_view name = module_->InstructionName(instruction);
    if (session.StepAtOrAfter(instruction) != instruction) {
      return absl::FailedPreconditionError(absl::StrCat(name, " is never executed: nothing needs its value"));
    }
    const bool is_current = frame + 1 < session.frames().size() && session.frames()[frame + 1].caller == instruction;
    return absl::FailedPreconditionError(
        absl::StrCat(name, is_current ? " is being executed: it has no value yet" : " has not been executed yet"));
  }
  return PastValue(key, instruction);
}

bool Timeline::WasExecuted(int64_t f, size_t frame, InstructionId instruction) const {
  const absl::Span<const Frame> frames = run_->device(f).frames();
  return frame < frames.size() && module_->instruction(instruction).computation == frames[frame].computation &&
         HasDone(Now(), {f, frames[frame].serial}, instruction);
}

absl::StatusOr<Timeline::OpenedFrame> Timeline::FrameOf(const FrameKey& frame) {
  const std::optional<size_t> number = SegmentOf(frame, InstructionId());
  if (!number.has_value()) return absl::NotFoundError("the run has not opened that frame");
  const absl::StatusOr<std::shared_ptr<const Segment>> segment = ReadSegment(*number);
  if (!segment.ok()) return segment.status();
  const auto found = (*segment)->frames.find(frame);
  if (found == (*segment)->frames.end()) return absl::NotFoundError("the run has not opened that frame");
  return found->second;
}

absl::StatusOr<FrameKey> Timeline::CalleeOf(const FrameKey& frame, InstructionId caller, FrameKind kind,
                                            int64_t iteration) {
  const std::optional<size_t> first = SegmentOf(frame, InstructionId());
  // Where the caller is still being executed, its frames are among the latest.
  const std::optional<size_t> last = SegmentOf(frame, caller);
  if (first.has_value()) {
    for (size_t number = last.value_or(snapshots_.size() - 1) + 1; number-- > *first;) {
      const absl::StatusOr<std::shared_ptr<const Segment>> segment = ReadSegment(number);
      if (!segment.ok()) return segment.status();
      const auto found = (*segment)->calls.find({frame, caller, kind, iteration});
      if (found != (*segment)->calls.end()) return FrameKey{frame.device, found->second};
    }
  }
  return absl::NotFoundError(absl::StrCat(module_->InstructionName(caller), " called nothing there"));
}

absl::StatusOr<int64_t> Timeline::IterationsOf(const FrameKey& frame, InstructionId loop) {
  const std::optional<size_t> first = SegmentOf(frame, InstructionId()), last = SegmentOf(frame, loop);
  if (first.has_value() && last.has_value()) {
    for (size_t number = *last + 1; number-- > *first;) {
      const absl::StatusOr<std::shared_ptr<const Segment>> segment = ReadSegment(number);
      if (!segment.ok()) return segment.status();
      const auto found = (*segment)->last_condition.find({frame, loop});
      if (found != (*segment)->last_condition.end()) return found->second;
    }
  }
  return absl::NotFoundError(absl::StrCat(module_->InstructionName(loop), " has not finished"));
}

absl::Status Timeline::Repeat(absl::FunctionRef<ExecutionObserver*(int64_t device)> observer_of) {
  const int64_t end = position();
  return Elsewhere([&]() -> absl::Status {
    for (int64_t f = 0; f < device_count(); ++f) device(f).set_observer(observer_of(f));
    return Replay(0, end, false, [](int64_t, StopReason) {}).status();
  });
}

}  // namespace hloscope
