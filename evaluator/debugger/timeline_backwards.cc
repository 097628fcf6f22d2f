// Timeline: how it goes back to an earlier point of the run, and forwards again to where it has been.
#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/timeline.h"

namespace hloscope {

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
        status = device(event.device).intervention().SetValue(event.frame, event.instruction, *event.value);
        break;
      case Event::Kind::kSkip:
        if (event.position == end) return i;
        status = device(event.device).intervention().Skip(*event.value);
        visit(event.device, StopReason::kStep);
        break;
      case Event::Kind::kEnter:
        if (event.position == end) return i;
        status = device(event.device).intervention().EnterApplied(event.plan);
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
  const Execution& execution = this->execution(event.device);
  const int64_t target = execution.position() + steps;
  while (execution.position() < target) {
    if (obeys_pause_ && pause_.exchange(false, std::memory_order_relaxed)) return absl::CancelledError("interrupted");
    StopWhen when;
    when.position = every_step ? execution.position() + 1 : target;
    const int64_t before = execution.position();
    bool progress = false;
    const StopReason reason = run_->RunDevice(event.device, when, &progress);
    if (reason == StopReason::kFailed) return execution.status();
    if (execution.position() > before) {
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
  for (int64_t f = 0; f < device_count(); ++f) device(f).intervention().set_observer(nullptr);
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<size_t> events = Replay(from, position, false, [](int64_t, StopReason) {});
  if (absl::IsResourceExhausted(events.status()) && Relieve()) {
    from = 0;
    events = Replay(from, position, false, [](int64_t, StopReason) {});
  }
  for (int64_t f = 0; f < device_count(); ++f)
    device(f).intervention().set_observer(observers_[static_cast<size_t>(f)]);
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
  seconds_ = snapshots_[from].seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
  const size_t depth = inspection(f).frames().size();
  const int64_t own = device(f).position();
  if (!over && device_count() == 1 && own > 0) {
    const absl::Status status = GoTo(position() - 1);
    if (!status.ok()) return status;
    return true;
  }
  return GoBack(true, [&](int64_t stepped, StopReason reason) {
    return (stepped == f || reason == StopReason::kNotStarted) && device(f).position() < own &&
           (!over || inspection(f).frames().size() <= depth);
  });
}

absl::StatusOr<bool> Timeline::StepBackOut(int64_t f) {
  const size_t depth = inspection(f).frames().size();
  return GoBack(true, [&](int64_t stepped, StopReason reason) {
    return (stepped == f || reason == StopReason::kNotStarted) && inspection(f).frames().size() < depth;
  });
}

absl::Status Timeline::Elsewhere(absl::FunctionRef<absl::Status()> body) {
  const std::shared_ptr<const DeviceRun::Snapshot> here = run_->Save();
  const absl::Status status = body();
  for (int64_t f = 0; f < device_count(); ++f)
    device(f).intervention().set_observer(observers_[static_cast<size_t>(f)]);
  run_->Restore(*here);
  return status;
}

}  // namespace hloscope
