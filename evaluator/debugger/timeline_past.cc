// SPDX-License-Identifier: Apache-2.0
// Timeline: what the run did before, frame by frame and value by value.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/debugger/timeline.h"
#include "evaluator/debugger/value_buffers.h"

namespace hloscope::evaluator {
namespace {

constexpr size_t kSegmentsKept = 3;

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
  bool WantsResultsOf(InstructionId id) const override { return !wanted_.has_value() || wanted_->instruction == id; }
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
  // The values do not fit beside those that the run needs, or not even those of the repeated part beside those that
  // are only kept for inspection. What is kept for going back stays, and with it the numbers of segments.
  if (LacksMemory(segment.status())) segment = ReadSegment(number, 0);
  if (LacksMemory(segment.status()) && keeps_values_ && MakeRoom()) segment = ReadSegment(number, 0);
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
      device(f).intervention().set_observer(recorders[static_cast<size_t>(f)].get());
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
    return Replay(number, segment->end, Keeping::kNothing, false, [](int64_t, StopReason) {}).status();
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
    return device(frame.device).intervention().GivenValue(instruction);
  }
  const bool is_argument =
      opcode == Opcode::kParameter && module_->instruction(instruction).computation == module_->entry();
  const std::optional<size_t> number = SegmentOf(frame, opcode == Opcode::kParameter ? InstructionId() : instruction);
  if (!number.has_value()) return missing();
  // Still there before or after the segment, where it was an argument or is needed later.
  for (size_t i = *number; i < std::min(*number + 2, snapshots_.size()); ++i) {
    const SessionSnapshot& session = *snapshots_[i].state->devices[static_cast<size_t>(frame.device)].session;
    for (size_t k = 0; k < session.frames().size(); ++k) {
      if (session.frames()[k].serial != frame.serial) continue;
      if (const Value* value = session.ValueOf(k, instruction)) return *value;
    }
  }
  // Nothing has read it when the frame was opened.
  if (is_argument) return device(frame.device).intervention().GivenValue(instruction);
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
  } else if (!LacksMemory(segment.status())) {
    return segment.status();
  }
  // Too much to keep all of it: repeat the part for this one value.
  Segment single;
  Recorder recorder(frame.device, 0, single);
  recorder.set_wanted(key);
  const absl::Status status = WithRoom([&](Keeping) {
    // What was given up may have been a snapshot.
    const size_t from = SegmentOf(frame, opcode == Opcode::kParameter ? InstructionId() : instruction).value_or(0);
    return Elsewhere([&]() -> absl::Status {
      device(frame.device).intervention().set_observer(&recorder);
      return Replay(from, SegmentEnd(from), Keeping::kNothing, false, [](int64_t, StopReason) {}).status();
    });
  });
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat("the value of ", module_->InstructionName(instruction),
                                                    " was dropped and cannot be made again: ", status.message()));
  }
  const std::optional<Value> found = find(single);
  if (!found.has_value() || !found->has_value()) return missing();
  return *found;
}

absl::StatusOr<Value> Timeline::ValueOf(int64_t f, size_t frame, InstructionId instruction) {
  const absl::Span<const Frame> frames = inspection(f).frames();
  if (frame >= frames.size() || module_->instruction(instruction).computation != frames[frame].computation) {
    return absl::InvalidArgumentError(
        absl::StrCat(module_->InstructionName(instruction), " is not part of this frame's computation"));
  }
  if (const Value* value = inspection(f).ValueOf(frame, instruction)) return *value;
  if (inspection(f).IsUnread(frame, instruction)) return device(f).intervention().GivenValue(instruction);
  const FrameKey key{f, frames[frame].serial};
  if (!HasDone(Now(), key, instruction)) {
    const absl::string_view name = module_->InstructionName(instruction);
    if (breakpoints(f).StepAtOrAfter(instruction) != instruction) {
      return absl::FailedPreconditionError(absl::StrCat(name, " is never executed: nothing needs its value"));
    }
    const bool is_current = frame + 1 < frames.size() && frames[frame + 1].caller == instruction;
    return absl::FailedPreconditionError(
        absl::StrCat(name, is_current ? " is being executed: it has no value yet" : " has not been executed yet"));
  }
  return PastValue(key, instruction);
}

bool Timeline::WasExecuted(int64_t f, size_t frame, InstructionId instruction) const {
  const absl::Span<const Frame> frames = inspection(f).frames();
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
  return WithRoom([&](Keeping) {
    return Elsewhere([&]() -> absl::Status {
      for (int64_t f = 0; f < device_count(); ++f) device(f).intervention().set_observer(observer_of(f));
      return Replay(0, end, Keeping::kNothing, false, [](int64_t, StopReason) {}).status();
    });
  });
}

}  // namespace hloscope::evaluator
