// SPDX-License-Identifier: Apache-2.0
// Timeline: how it goes back to an earlier point of the run, and forwards again to where it has been.
#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/timeline.h"

namespace hloscope::evaluator {
namespace {

constexpr size_t kMaxPath = 1 << 20;  // places

}  // namespace

absl::StatusOr<size_t> Timeline::Replay(size_t from, int64_t end, Keeping keeping, bool every_step,
                                        absl::FunctionRef<void(int64_t, StopReason)> visit) {
  run_->Restore(*snapshots_[from].state);
  double since = Seconds();
  std::function<bool()> is_due;
  if (keeping == Keeping::kPlaces) is_due = [this, &since] { return CoarseSeconds() - since >= SnapshotInterval(); };
  const auto keep_place = [&](size_t events) {
    KeepPlace(events, Seconds() - since);
    since = Seconds();
  };
  size_t i = snapshots_[from].events;
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
        while (status.ok() && position() < stop) {
          status = ReplayRun(event, stop - position(), is_due, every_step, visit);
          if (!status.ok() || !is_due || position() >= stop || !is_due()) continue;
          SplitEvent(&i);
          keep_place(i);
        }
        if (status.ok() && event.blocked && event.end <= end) {
          StopWhen when;
          when.position = device(event.device).position() + 1;
          bool progress = false;
          run_->RunDevice(event.device, when, &progress);
        }
        if (status.ok() && is_due && position() < end && is_due()) keep_place(i + 1);
        break;
      }
    }
    if (!status.ok()) return status;
  }
  return i;
}

absl::Status Timeline::ReplayRun(const Event& event, int64_t steps, const std::function<bool()>& is_due,
                                 bool every_step, absl::FunctionRef<void(int64_t, StopReason)> visit) {
  const Execution& execution = this->execution(event.device);
  const int64_t target = execution.position() + steps;
  while (execution.position() < target) {
    if (obeys_pause_ && pause_.exchange(false, std::memory_order_relaxed)) return absl::CancelledError("interrupted");
    const int64_t before = execution.position();
    StopWhen when;
    when.position = every_step ? before + 1 : target;
    when.enough = is_due;
    bool progress = false;
    const StopReason reason = run_->RunDevice(event.device, when, &progress);
    repeated_steps_ += execution.position() - before;
    if (reason == StopReason::kFailed) return execution.status();
    if (execution.position() > before) {
      const bool is_slice = !every_step && reason == StopReason::kStep && execution.position() < target;
      if (!is_slice) visit(event.device, reason);
    } else if (reason != StopReason::kPaused) {
      return absl::InternalError("this part of the run went differently when it was repeated");
    }
    if (is_due && is_due()) return absl::OkStatus();
  }
  return absl::OkStatus();
}

void Timeline::KeepPlace(size_t events, double seconds) {
  const double start = Seconds();
  const size_t before = SnapshotBefore(position());
  if (snapshots_[before].position == position()) return;
  double since_start = snapshots_[before].seconds + seconds;
  if (before + 1 < snapshots_.size()) since_start = std::min(since_start, snapshots_[before + 1].seconds);
  Insert(before + 1, events, since_start);
  read_.clear();  // segments have other numbers now
  Thin(before + 1);
  snapshot_cost_ = Seconds() - start;
}

void Timeline::SplitEvent(size_t* event) {
  Event rest = events_[*event];
  rest.position = position();
  events_[*event].blocked = false;  // it ends before it has to wait
  ++*event;
  events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(*event), std::move(rest));
  for (Kept& kept : snapshots_) kept.events += kept.events >= *event ? 1 : 0;
}

size_t Timeline::SnapshotBefore(int64_t position) const {
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), position,
                                      [](int64_t wanted, const Kept& kept) { return wanted < kept.position; });
  return static_cast<size_t>(after - snapshots_.begin()) - 1;
}

int64_t Timeline::SegmentEnd(size_t number) const {
  const int64_t end = number + 1 < snapshots_.size() ? snapshots_[number + 1].position : KnownEnd();
  // Of a run that was taken back, what comes after the place where it is is not asked for; it may be most of the run.
  const int64_t here = position();
  return snapshots_[number].position <= here && here < end ? here : end;
}

void Timeline::Forget(size_t events) {
  events_.resize(events);
  known_end_ = 0;
  known_end_state_.reset();
  const int64_t here = position();
  if (!events_.empty() && events_.back().kind == Event::Kind::kRun) {
    // Cut off before its end, it did not come to waiting.
    Event& last = events_.back();
    last.blocked = last.blocked && last.end <= here && run_->waiting(last.device).has_value();
  }
  while (snapshots_.size() > 1 && (snapshots_.back().position > here || snapshots_.back().events > events)) {
    Remove(snapshots_.size() - 1);
  }
  read_.clear();
  now_.reset();
}

absl::Status Timeline::GoTo(int64_t position) {
  if (position < 0 || position > KnownEnd() || snapshots_.empty()) {
    return absl::OutOfRangeError(
        absl::StrCat("the run has not come to position ", position, "; it is at ", this->position()));
  }
  return WithRoom([&](Keeping keeping) { return TryGoTo(position, keeping); });
}

absl::Status Timeline::TryGoTo(int64_t position, Keeping keeping) {
  const std::shared_ptr<const DeviceRun::Snapshot> here = run_->Save();
  const int64_t here_position = this->position();
  const size_t from = SnapshotBefore(position);
  for (int64_t f = 0; f < device_count(); ++f) device(f).intervention().set_observer(nullptr);
  const double start = Seconds();
  const double start_seconds = snapshots_[from].seconds;
  const absl::StatusOr<size_t> events = Replay(from, position, keeping, false, [](int64_t, StopReason) {});
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
  seconds_ = start_seconds + Seconds() - start;
  Forget(*events);
  return absl::OkStatus();
}

absl::Status Timeline::SearchBack(int64_t here, Keeping keeping, bool every_step,
                                  absl::FunctionRef<void(int64_t, StopReason)> visit,
                                  absl::FunctionRef<std::optional<int64_t>(int64_t)> go_on) {
  for (int64_t end = here - 1; here > 0;) {
    const size_t segment = end > 0 ? SnapshotBefore(end - 1) : 0;
    const int64_t begin = snapshots_[segment].position;
    if (begin < end) {
      const absl::StatusOr<size_t> replayed = Replay(segment, end, keeping, every_step, visit);
      if (!replayed.ok()) return replayed.status();
    }
    const std::optional<int64_t> next = go_on(begin);
    if (!next.has_value()) break;
    end = *next;
    if (end > snapshots_[0].position) continue;
    // The very beginning, which no step leads to.
    run_->Restore(*snapshots_[0].state);
    for (int64_t f = 0; f < device_count(); ++f) visit(f, StopReason::kNotStarted);
    go_on(0);
    break;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Timeline::GoBack(bool every_step, Wanted wanted) {
  const int64_t here = position();
  std::optional<int64_t> found;
  int64_t found_device = 0;
  const auto visit = [&](int64_t f, StopReason reason) {
    if ((reason == StopReason::kNotStarted && found.has_value()) || !wanted(f, reason)) return;
    found = position();
    found_device = f;
  };
  const auto go_on = [&](int64_t begin) { return found.has_value() ? std::nullopt : std::optional<int64_t>(begin); };
  const absl::Status status = WithRoom([&](Keeping keeping) {
    found.reset();
    return Elsewhere([&]() { return SearchBack(here, keeping, every_step, visit, go_on); });
  });
  if (!status.ok()) return status;
  if (!found.has_value()) return false;
  const absl::Status moved = GoTo(*found);
  if (!moved.ok()) return moved;
  stopped_device_ = found_device;
  return true;
}

absl::StatusOr<bool> Timeline::StepBack(int64_t f, bool over, int64_t count) {
  if (!over && device_count() == 1 && device(f).position() > 0) {
    const absl::Status status = GoTo(std::max<int64_t>(0, position() - count));
    if (!status.ok()) return status;
    return true;
  }
  struct Place {
    int64_t position = 0, own = 0;  // of all devices, of this one
    size_t depth = 0;
  };
  const int64_t here = position();
  const Place start = {here, device(f).position(), inspection(f).frames().size()};
  Place place = start;
  int64_t left = count;  // steps
  // Of the part that is repeated: where the steps back from its end lead, the last one first. A place is left out when
  // a later one is less deep, since the way back does not go deeper.
  std::deque<Place> path;
  int64_t forgotten = 0;  // the path is known from after this position on
  const auto visit = [&](int64_t stepped, StopReason) {
    const Place seen = {position(), device(f).position(), inspection(f).frames().size()};
    if (stepped != f || seen.own >= place.own || (over && seen.depth > place.depth)) return;
    while (over && !path.empty() && path.back().depth > seen.depth) path.pop_back();
    path.push_back(seen);
    if (path.size() <= kMaxPath) return;
    forgotten = path[kMaxPath / 2].position;
    path.erase(path.begin(), path.begin() + kMaxPath / 2 + 1);
  };
  const auto go_on = [&](int64_t begin) -> std::optional<int64_t> {
    for (; left > 0 && !path.empty(); path.pop_back()) {
      if (path.back().own >= place.own) continue;
      place = path.back();
      --left;
    }
    path.clear();
    const int64_t next = std::max(begin, std::exchange(forgotten, 0));
    return left > 0 ? std::optional<int64_t>(next) : std::nullopt;
  };
  const absl::Status status = WithRoom([&](Keeping keeping) {
    place = start;
    left = count;
    path.clear();
    forgotten = 0;
    return Elsewhere([&]() {
      for (int64_t g = 0; g < device_count(); ++g) device(g).intervention().set_observer(nullptr);
      return SearchBack(here, keeping, /*every_step=*/true, visit, go_on);
    });
  });
  if (!status.ok()) return status;
  if (place.position == here) return false;
  if (const absl::Status moved = GoTo(place.position); !moved.ok()) return moved;
  stopped_device_ = f;
  return true;
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

}  // namespace hloscope::evaluator
