// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/debugger.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/print/literal_printer.h"
#include "evaluator/engine/non_finite.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/summary.h"

namespace hloscope::evaluator {
namespace {

constexpr int64_t kBriefElements = 8;
constexpr int64_t kMaxHistoryBytes = int64_t{1} << 30;

// The iteration of the innermost loop around a frame; nothing outside loops.
std::optional<int64_t> IterationOf(absl::Span<const Frame> frames) {
  for (size_t i = frames.size(); i-- > 0;) {
    if (frames[i].iteration >= 0) return frames[i].iteration;
  }
  return std::nullopt;
}

bool Contains(absl::Span<const InstructionId> ids, InstructionId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

std::string BriefValue(const Value& value) {
  if (value.IsToken()) return "token";
  if (!value.has_value()) return "nothing";
  if (value.IsTuple()) {
    std::string text = "(";
    for (size_t i = 0; i < value.elements().size(); ++i) {
      if (i > 0) absl::StrAppend(&text, ", ");
      if (i >= static_cast<size_t>(kBriefElements)) {
        absl::StrAppend(&text, value.elements().size() - i, " more");
        break;
      }
      absl::StrAppend(&text, BriefValue(value.elements()[i]));
    }
    return absl::StrCat(text, ")");
  }
  const Tensor valid = value.tensor().WithRunTimeSizes();
  if (valid.element_count() <= kBriefElements) {
    if (absl::StatusOr<Literal> literal = LiteralOf(Value(valid)); literal.ok()) {
      return valid.rank() == 0 ? PrintLiteral(*literal)
                               : absl::StrCat(valid.shape().ToString(false), " ", PrintLiteral(*literal));
    }
  }
  const TensorSummary summary = Summarize(valid, nullptr, kBriefSummary);
  std::string text = absl::StrFormat("%s min %g max %g mean %g", valid.shape().ToString(false), summary.min,
                                     summary.max, summary.mean);
  if (summary.nan_count > 0) absl::StrAppend(&text, ", ", summary.nan_count, " NaN");
  if (summary.infinity_count > 0) absl::StrAppend(&text, ", ", summary.infinity_count, " infinite");
  if (summary.incomplete) absl::StrAppend(&text, " in the first ", summary.count, " elements");
  return text;
}

// --- RunScope ---

absl::StatusOr<RunScope::Place> RunScope::PlaceOf(absl::string_view name) const {
  const Module& module = timeline_.module();
  const absl::Span<const InstructionId> candidates = names_.Instructions(name);
  if (candidates.empty()) {
    return absl::NotFoundError(absl::StrCat("there is no instruction `", name, "`", names_.SuggestInstruction(name)));
  }
  const absl::Span<const Frame> frames = timeline_.inspection(device_).frames();
  for (size_t i = std::min(frame_ + 1, frames.size()); i-- > 0;) {
    for (InstructionId id : candidates) {
      if (module.instruction(id).computation == frames[i].computation) return Place{i, id};
    }
  }
  return absl::FailedPreconditionError(absl::StrCat(
      name, " belongs to computation ", module.ComputationName(module.instruction(candidates[0]).computation),
      ", which is not being executed here; `history ", name, "` shows what it was"));
}

absl::StatusOr<Value> RunScope::Named(absl::string_view name) {
  absl::StatusOr<Place> place = PlaceOf(name);
  if (!place.ok()) return place.status();
  if (fresh_value_ == nullptr) return timeline_.ValueOf(device_, place->frame, place->instruction);
  if (place->instruction == fresh_) return *fresh_value_;
  const Value* value = timeline_.inspection(device_).ValueOf(place->frame, place->instruction);
  if (value == nullptr) return absl::UnavailableError(absl::StrCat(name, " has no value at this moment"));
  return *value;
}

absl::StatusOr<double> RunScope::Variable(absl::string_view name) {
  const absl::Span<const Frame> frames = timeline_.inspection(device_).frames();
  if (name == "device") return static_cast<double>(device_);
  if (name == "position") return static_cast<double>(timeline_.position());
  if (name == "hits") {
    if (hits_.has_value()) return static_cast<double>(*hits_);
    return absl::FailedPreconditionError("only conditions of breakpoints count hits");
  }
  const std::optional<int64_t> iteration = IterationOf(frames.subspan(0, std::min(frame_ + 1, frames.size())));
  if (iteration.has_value()) return static_cast<double>(*iteration);
  return absl::FailedPreconditionError("there is no loop around this place, so there is no iteration");
}

absl::StatusOr<Tensor> RunScope::File(const std::string& path) { return ReadNpy(path); }

// --- Watching ---

class Debugger::Observer final : public ExecutionObserver {
 public:
  Observer(Debugger& debugger, int64_t device) : debugger_(debugger), device_(device) {}

  void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
  bool WantsFrames() const override { return false; }
  bool WantsResultsOf(InstructionId id) const override {
    return std::any_of(debugger_.watchpoints_.begin(), debugger_.watchpoints_.end(),
                       [id](const Watchpoint& watch) { return Watches(watch, id); });
  }
  bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) override {
    bool stops = false;
    for (const Watchpoint& watch : debugger_.watchpoints_) {
      if (watch.kind == Watchpoint::Kind::kEvent || !Watches(watch, id)) continue;
      std::string what;
      if (!Triggers(watch, frames, id, value, &what)) continue;
      debugger_.pending_.push_back(
          {watch.number, id, ExecutionPath(debugger_.module(), frames), value, std::move(what)});
      stops = true;
    }
    return stops;
  }
  bool WantsOperands() const override {
    return std::any_of(debugger_.watchpoints_.begin(), debugger_.watchpoints_.end(),
                       [](const Watchpoint& watch) { return watch.enabled && watch.kind == Watchpoint::Kind::kEvent; });
  }
  bool OnKernel(absl::Span<const Frame> frames, InstructionId id, absl::Span<const Value> operands,
                const Value& value) override {
    bool stops = false;
    for (const Watchpoint& watch : debugger_.watchpoints_) {
      if (watch.kind != Watchpoint::Kind::kEvent || !Watches(watch, id)) continue;
      QuestionLimit limit = debugger_.timeline_->NewQuestion();
      std::optional<std::string> what = FindNumericEvent(watch.event, debugger_.module(), id, operands, value, limit);
      if (const absl::Status status = limit.status(); !status.ok()) what = std::string(status.message());
      if (!what.has_value()) continue;
      debugger_.pending_.push_back(
          {watch.number, id, ExecutionPath(debugger_.module(), frames), value, *std::move(what)});
      stops = true;
    }
    return stops;
  }

 private:
  static bool Watches(const Watchpoint& watch, InstructionId id) {
    return watch.enabled && (watch.what.empty() || Contains(watch.what, id));
  }

  // `what`: what happened, where the watchpoint alone does not say it.
  bool Triggers(const Watchpoint& watch, absl::Span<const Frame> frames, InstructionId id, const Value& value,
                std::string* what) {
    switch (watch.kind) {
      case Watchpoint::Kind::kComputed:
        return true;
      case Watchpoint::Kind::kNan:
        return FindNonFinite(value).nan;
      case Watchpoint::Kind::kInfinity:
        return FindNonFinite(value).infinity;
      case Watchpoint::Kind::kNonFinite: {
        const NonFinite found = FindNonFinite(value);
        return found.nan || found.infinity;
      }
      case Watchpoint::Kind::kDiffers:
        return !watch.record->Agrees(device_, ExecutionPath(debugger_.module(), frames), value).value_or(true);
      case Watchpoint::Kind::kCondition: {
        RunScope scope(*debugger_.timeline_, debugger_.names_, device_, frames.size() - 1);
        scope.set_fresh(id, &value);
        ExpressionError error;
        // What is not known yet, because another of its values is missing, does not hold; what could not be found out
        // within the limits may.
        const std::optional<bool> holds = watch.condition->EvaluateCondition(scope, &error);
        if (!holds.has_value() && error.is_limit) *what = error.message;
        return holds.value_or(error.is_limit);
      }
      case Watchpoint::Kind::kEvent:
        return false;  // OnKernel
    }
    return false;
  }

  Debugger& debugger_;
  const int64_t device_;
};

Debugger::Debugger(std::unique_ptr<Timeline> timeline) : timeline_(std::move(timeline)), names_(timeline_->module()) {
  for (int64_t f = 0; f < timeline_->device_count(); ++f) observers_.push_back(std::make_unique<Observer>(*this, f));
}

Debugger::~Debugger() {
  for (int64_t f = 0; f < timeline_->device_count(); ++f) timeline_->SetObserver(f, nullptr);
}

void Debugger::Install() {
  const bool watching = std::any_of(watchpoints_.begin(), watchpoints_.end(), [](const auto& w) { return w.enabled; });
  for (int64_t f = 0; f < timeline_->device_count(); ++f) {
    std::vector<InstructionId> stops;
    for (const Breakpoint& breakpoint : breakpoints_) {
      if (!breakpoint.enabled || breakpoint.device.value_or(f) != f) continue;
      stops.insert(stops.end(), breakpoint.locations.begin(), breakpoint.locations.end());
    }
    timeline_->breakpoints(f).Set(std::move(stops));
    timeline_->SetObserver(f, watching ? observers_[static_cast<size_t>(f)].get() : nullptr);
  }
}

int Debugger::Add(Breakpoint breakpoint) {
  breakpoint.number = next_number_++;
  breakpoints_.push_back(std::move(breakpoint));
  Install();
  return next_number_ - 1;
}

int Debugger::Add(Watchpoint watchpoint) {
  watchpoint.number = next_number_++;
  watchpoints_.push_back(std::move(watchpoint));
  Install();
  return next_number_ - 1;
}

bool Debugger::Delete(int number) {
  const size_t before = breakpoints_.size() + watchpoints_.size();
  std::erase_if(breakpoints_, [&](const Breakpoint& b) { return b.number == number; });
  std::erase_if(watchpoints_, [&](const Watchpoint& w) { return w.number == number; });
  Install();
  return breakpoints_.size() + watchpoints_.size() < before;
}

bool Debugger::Enable(int number, bool enabled) {
  bool found = false;
  const auto set = [&](auto& list) {
    for (auto& one : list) {
      if (one.number != number) continue;
      one.enabled = enabled;
      found = true;
    }
  };
  set(breakpoints_);
  set(watchpoints_);
  Install();
  return found;
}

std::string Debugger::Interpolate(const std::string& text, RunScope& scope) const {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('{', at);
    // Braces inside are those of tuple elements.
    size_t close = open;
    for (int depth = 0; close < text.size(); ++close) {
      depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    if (open == std::string::npos || close >= text.size()) return out + text.substr(at);
    out += text.substr(at, open - at);
    ExpressionError error;
    const std::optional<Expression> expression =
        Expression::Parse(absl::string_view(text).substr(open + 1, close - open - 1), names_, &error);
    std::optional<Value> value;
    if (expression.has_value()) value = expression->Evaluate(scope, &error);
    absl::StrAppend(&out, value.has_value() ? BriefValue(*value) : absl::StrCat("{", error.message, "}"));
    at = close + 1;
  }
  return out;
}

bool Debugger::StopsHere(int64_t f, bool counting, Stop* stop) {
  const absl::Span<const Frame> frames = timeline_->inspection(f).frames();
  if (frames.empty()) return false;
  const InstructionId current = frames.back().current;
  // Values of conditions may have to be made again.
  const Timeline::PauseWaits pause_waits(*timeline_);
  bool stops = false;
  std::vector<int> done;  // temporary ones
  for (Breakpoint& breakpoint : breakpoints_) {
    if (!breakpoint.enabled || breakpoint.device.value_or(f) != f) continue;
    const bool here = std::any_of(breakpoint.locations.begin(), breakpoint.locations.end(), [&](InstructionId id) {
      return id == current || (module().instruction(id).computation == frames.back().computation &&
                               timeline_->breakpoints(f).StepAtOrAfter(id) == current);
    });
    if (!here) continue;
    if (breakpoint.iteration.has_value() && IterationOf(frames) != breakpoint.iteration) continue;
    RunScope scope(*timeline_, names_, f, frames.size() - 1);
    scope.set_hits(breakpoint.hits + 1);
    if (breakpoint.condition.has_value()) {
      ExpressionError error;
      const std::optional<bool> holds = breakpoint.condition->EvaluateCondition(scope, &error);
      if (!holds.has_value()) {
        stop->problems.push_back(absl::StrCat("the condition of breakpoint ", breakpoint.number,
                                              " cannot be evaluated:\n",
                                              RenderExpressionError(breakpoint.condition->text(), error)));
      } else if (!*holds) {
        continue;
      }
    }
    if (breakpoint.hit_condition.has_value()) {
      ExpressionError error;
      if (!breakpoint.hit_condition->EvaluateCondition(scope, &error).value_or(true)) {
        if (counting) ++breakpoint.hits;
        continue;
      }
    }
    if (counting) ++breakpoint.hits;
    if (counting && breakpoint.ignore_count > 0) {
      --breakpoint.ignore_count;
      continue;
    }
    if (!breakpoint.log.empty()) {
      if (counting && log_) log_(Interpolate(breakpoint.log, scope));
      continue;
    }
    stop->breakpoints.push_back(breakpoint.number);
    if (breakpoint.temporary && counting) done.push_back(breakpoint.number);
    stops = true;
  }
  for (int number : done) Delete(number);
  return stops;
}

Stop Debugger::Conclude(StopReason reason) {
  Stop stop;
  stop.reason = reason;
  stop.device = timeline_->stopped_device();
  stop.watches = std::exchange(pending_, {});
  std::erase_if(stop.watches, [&](const WatchHit& hit) {
    for (Watchpoint& watch : watchpoints_) {
      if (watch.number != hit.number) continue;
      ++watch.hits;
      RunScope scope(*timeline_, names_, stop.device, 0);
      scope.set_hits(watch.hits);
      ExpressionError error;
      return watch.hit_condition.has_value() && !watch.hit_condition->EvaluateCondition(scope, &error).value_or(true);
    }
    return false;
  });
  return stop;
}

Stop Debugger::Start() { return Conclude(timeline_->Start()); }

Stop Debugger::Restart() {
  pending_.clear();
  return Conclude(timeline_->Restart());
}

bool Debugger::StopsAtStart(Stop* stop) {
  for (int64_t f = 0; f < timeline_->device_count(); ++f) {
    if (!StopsHere(f, true, stop)) continue;
    stop->reason = StopReason::kBreakpoint;
    stop->device = f;
    return true;
  }
  return false;
}

bool Debugger::GoesOn(Stop* stop) {
  if (stop->reason == StopReason::kObserved) return stop->watches.empty();
  return stop->reason == StopReason::kBreakpoint && !StopsHere(stop->device, true, stop);
}

Stop Debugger::Continue() {
  for (;;) {
    Stop stop = Conclude(timeline_->RunAll());
    if (!GoesOn(&stop)) return stop;
  }
}

Stop Debugger::RunDevice(int64_t f, const StopWhen& when) {
  for (;;) {
    Stop stop = Conclude(timeline_->RunDevice(f, when));
    if (!GoesOn(&stop)) return stop;
    const absl::Span<const Frame> frames = timeline_->inspection(f).frames();
    if (stop.device == f && (timeline_->execution(f).position() >= when.position || frames.size() <= when.frames ||
                             (when.instruction.has_value() && frames.back().current == when.instruction))) {
      stop.reason = StopReason::kStep;
      return stop;
    }
  }
}

Stop Debugger::StepInto(int64_t f) { return RunDevice(f, timeline_->EndOfStepInto(f)); }
Stop Debugger::StepOver(int64_t f) { return RunDevice(f, timeline_->EndOfStepOver(f)); }
Stop Debugger::StepOut(int64_t f) { return RunDevice(f, timeline_->EndOfStepOut(f)); }

Stop Debugger::RunTo(int64_t f, InstructionId instruction) {
  StopWhen when;
  when.instruction = timeline_->breakpoints(f).StepAtOrAfter(instruction);
  return RunDevice(f, when);
}

absl::StatusOr<Stop> Debugger::GoToIteration(int64_t f, int64_t number) {
  const Inspection& inspection = timeline_->inspection(f);
  // The loop: the innermost around, or the one that comes next.
  size_t depth = inspection.frames().size();
  while (depth > 0 && inspection.frames()[depth - 1].iteration < 0) --depth;
  InstructionId loop;
  if (depth > 0) {
    loop = inspection.frames()[depth - 1].caller;
  } else if (!inspection.frames().empty()) {
    depth = inspection.frames().size() + 1;
    loop = inspection.frames().back().current;
  }
  if (!loop.has_value() || module().opcode(loop) != Opcode::kWhile) {
    return absl::FailedPreconditionError("there is no loop around this place, and the next step is none");
  }
  const auto arrived = [&]() {
    const absl::Span<const Frame> frames = inspection.frames();
    return frames.size() == depth && frames.back().caller == loop && frames.back().kind == FrameKind::kBody &&
           frames.back().iteration == number;
  };
  const bool inside = depth <= inspection.frames().size();
  if (inside && inspection.frames()[depth - 1].iteration >= number) {
    // To the first step of the iteration: back to before it, then forward.
    const int64_t parent = inspection.frames()[depth - 2].serial;
    const auto outside = [&](int64_t stepped, StopReason) {
      if (stepped != f) return false;
      const absl::Span<const Frame> frames = inspection.frames();
      if (frames.size() < depth - 1 || frames[depth - 2].serial != parent) return false;
      if (frames.size() < depth) return true;
      const Frame& frame = frames[depth - 1];
      return frame.caller == loop &&
             (frame.iteration < number || (frame.iteration == number && frame.kind == FrameKind::kCondition));
    };
    const absl::StatusOr<bool> back = timeline_->GoBack(true, outside);
    if (!back.ok()) return back.status();
    if (!*back) return absl::OutOfRangeError("the run has no earlier place outside this iteration");
  }
  for (;;) {
    // One step of the loop's own frames; what these call is run through.
    StopWhen when;
    if (inspection.frames().size() < depth) {
      when.position = timeline_->execution(f).position() + 1;
    } else {
      when.frames = depth;
    }
    Stop stop = RunDevice(f, when);
    if (stop.reason != StopReason::kStep) return stop;
    if (arrived()) return stop;
    if (inspection.frames().size() < depth) {
      return absl::OutOfRangeError(
          absl::StrCat("the loop ", module().InstructionName(loop), " ended before iteration ", number));
    }
  }
}

absl::StatusOr<std::optional<Stop>> Debugger::ReverseContinue() {
  pending_.clear();
  std::optional<Stop> found;
  const absl::StatusOr<bool> moved = timeline_->GoBack(false, [&](int64_t f, StopReason reason) {
    Stop stop;
    stop.device = f;
    stop.watches = std::exchange(pending_, {});
    const bool at_breakpoint = StopsHere(f, false, &stop);
    if (!at_breakpoint && stop.watches.empty()) return false;
    stop.reason = at_breakpoint ? StopReason::kBreakpoint : StopReason::kObserved;
    (void)reason;
    found = std::move(stop);
    return true;
  });
  pending_.clear();
  if (!moved.ok()) return moved.status();
  if (*moved) return found;
  return std::optional<Stop>();
}

// --- Values ---

namespace {

class RecordingObserver final : public ExecutionObserver {
 public:
  RecordingObserver(const Module& module, int64_t device, ValueRecord& record)
      : module_(module), device_(device), record_(record) {}
  void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
  bool WantsFrames() const override { return false; }
  bool OnComplete(absl::Span<const Frame> frames, InstructionId, const Value& value) override {
    record_.Add(device_, ExecutionPath(module_, frames), value);
    return false;
  }

 private:
  const Module& module_;
  const int64_t device_;
  ValueRecord& record_;
};

}  // namespace

absl::StatusOr<ValueRecord> Debugger::RecordValues() {
  ValueRecord record;
  std::vector<std::unique_ptr<RecordingObserver>> observers;
  for (int64_t f = 0; f < timeline_->device_count(); ++f) {
    observers.push_back(std::make_unique<RecordingObserver>(module(), f, record));
  }
  const absl::Status status = timeline_->Repeat([&](int64_t f) -> ExecutionObserver* {
    if (f == 0) record = ValueRecord();
    return observers[static_cast<size_t>(f)].get();
  });
  if (!status.ok()) return status;
  return record;
}

namespace {

class HistoryObserver final : public ExecutionObserver {
 public:
  // Of all devices.
  struct Total {
    size_t count = 0;
    int64_t bytes = 0;  // of the results
  };

  HistoryObserver(Timeline& timeline, const NameIndex& names, int64_t device, const Expression& expression,
                  std::vector<InstructionId> what, size_t limit, std::vector<Debugger::PastResult>& results,
                  Total& total)
      : timeline_(timeline),
        names_(names),
        device_(device),
        expression_(expression),
        what_(std::move(what)),
        limit_(limit),
        results_(results),
        total_(total) {}
  void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
  bool WantsFrames() const override { return false; }
  bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) override {
    if (!Contains(what_, id)) return false;
    if (results_.size() >= limit_ || total_.bytes >= kMaxHistoryBytes) {
      ++total_.count;
      return false;
    }
    RunScope scope(timeline_, names_, device_, frames.size() - 1);
    scope.set_fresh(id, &value);
    ExpressionError error;
    std::optional<Value> result = expression_.Evaluate(scope, &error);
    if (!result.has_value()) return false;
    // A view would keep the whole array.
    if (result->IsTensor()) {
      absl::StatusOr<Tensor> copy = result->tensor().Copy();
      if (copy.ok()) result = Value(*std::move(copy));
    }
    ++total_.count;
    result->ForEachTensor([&](const Tensor& tensor) { total_.bytes += tensor.byte_size(); });
    results_.push_back({device_, ExecutionPath(timeline_.module(), frames), *std::move(result)});
    return false;
  }

 private:
  Timeline& timeline_;
  const NameIndex& names_;
  const int64_t device_;
  const Expression& expression_;
  const std::vector<InstructionId> what_;
  const size_t limit_;
  std::vector<Debugger::PastResult>& results_;
  Total& total_;
};

}  // namespace

absl::StatusOr<std::vector<Debugger::PastResult>> Debugger::History(const Expression& expression, size_t limit,
                                                                    size_t* count) {
  HistoryObserver::Total total;
  std::vector<PastResult> results;
  std::vector<InstructionId> what;
  for (const std::string& name : expression.ValueNames()) {
    const absl::Span<const InstructionId> ids = names_.Instructions(name);
    what.insert(what.end(), ids.begin(), ids.end());
  }
  std::vector<std::unique_ptr<HistoryObserver>> observers;
  for (int64_t f = 0; f < timeline_->device_count(); ++f) {
    observers.push_back(
        std::make_unique<HistoryObserver>(*timeline_, names_, f, expression, what, limit, results, total));
  }
  const absl::Status status = timeline_->Repeat([&](int64_t f) -> ExecutionObserver* {
    if (f == 0) {
      total = {};
      results.clear();
    }
    return observers[static_cast<size_t>(f)].get();
  });
  if (!status.ok()) return status;
  if (count != nullptr) *count = total.count;
  return results;
}

}  // namespace hloscope::evaluator
