// SPDX-License-Identifier: Apache-2.0
// A run under a debugger: a timeline with breakpoints, watchpoints and expressions. What every front end of the
// debugger (terminal, editors) works on.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_DEBUGGER_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_DEBUGGER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluator/debugger/breakpoints.h"
#include "evaluator/debugger/expression.h"
#include "evaluator/debugger/name_index.h"
#include "evaluator/debugger/timeline.h"

namespace hloscope::evaluator {

// The values that expressions see from a frame: its own instructions, then those of the frames around it.
class RunScope : public ExpressionScope {
 public:
  RunScope(Timeline& timeline, const NameIndex& names, int64_t device, size_t frame)
      : timeline_(timeline), names_(names), device_(device), frame_(frame) {
    set_limit(timeline.NewQuestion());
  }

  // A value that was computed this moment and that its frame does not hold yet. With one, nothing is made again: what
  // was dropped is missing.
  void set_fresh(InstructionId id, const Value* value) {
    fresh_ = id;
    fresh_value_ = value;
  }
  void set_hits(int64_t hits) { hits_ = hits; }

  // The instruction that a name means here, and the frame that has it. Errors: NotFound with a suggestion;
  // FailedPrecondition if its computation has no frame here.
  struct Place {
    size_t frame = 0;
    InstructionId instruction;
  };
  absl::StatusOr<Place> PlaceOf(absl::string_view name) const;

  absl::StatusOr<Value> Named(absl::string_view name) override;
  absl::StatusOr<double> Variable(absl::string_view name) override;
  absl::StatusOr<Tensor> File(const std::string& path) override;

 private:
  Timeline& timeline_;
  const NameIndex& names_;
  const int64_t device_;
  const size_t frame_;
  InstructionId fresh_;
  const Value* fresh_value_ = nullptr;
  std::optional<int64_t> hits_;
};

// A watchpoint that made the run stop.
struct WatchHit {
  int number = 0;
  InstructionId instruction;
  std::string path;  // where
  Value value;
  std::string what;  // happened, of an event
};

// Why a command ended.
struct Stop {
  StopReason reason = StopReason::kNotStarted;
  int64_t device = 0;
  std::vector<int> breakpoints;  // numbers
  std::vector<WatchHit> watches;
  std::vector<std::string> problems;  // conditions that could not be evaluated: the run stopped to say so
};

class Debugger {
 public:
  // `timeline` has its arguments; Start has not been called.
  explicit Debugger(std::unique_ptr<Timeline> timeline);
  ~Debugger();

  Timeline& timeline() { return *timeline_; }
  const Module& module() const { return timeline_->module(); }
  const NameIndex& names() const { return names_; }
  // Takes the messages of log points.
  void set_log(std::function<void(const std::string&)> log) { log_ = std::move(log); }

  Stop Start();
  Stop Restart();
  // After Start: whether a breakpoint stops the run before its first step; counts as a hit.
  bool StopsAtStart(Stop* stop);

  // --- Forwards ---
  Stop Continue();  // all devices
  Stop RunDevice(int64_t f, const StopWhen& when);
  Stop StepInto(int64_t f);
  Stop StepOver(int64_t f);
  Stop StepOut(int64_t f);
  // Until `instruction` is next in any frame of the device.
  Stop RunTo(int64_t f, InstructionId instruction);
  // To the next begin of an iteration `number` of the innermost loop around; earlier iterations are gone back to.
  absl::StatusOr<Stop> GoToIteration(int64_t f, int64_t number);

  // --- Backwards. False: the run is where it was, because there is no such place. ---
  absl::StatusOr<std::optional<Stop>> ReverseContinue();

  // --- Breakpoints and watchpoints have numbers of one series. ---
  int Add(Breakpoint breakpoint);
  int Add(Watchpoint watchpoint);
  bool Delete(int number);
  bool Enable(int number, bool enabled);
  std::vector<Breakpoint>& breakpoints() { return breakpoints_; }
  const std::vector<Watchpoint>& watchpoints() const { return watchpoints_; }
  int next_number() const { return next_number_; }

  // --- Values ---
  // Checksums of all values up to now. Errors: those of repeating the run.
  absl::StatusOr<ValueRecord> RecordValues();
  // What the expression was worth whenever one of its values was computed, up to now: the first `limit` times, or fewer
  // if their elements take more than a gigabyte. `count`, if not null, becomes how many times there were.
  struct PastResult {
    int64_t device = 0;
    std::string path;
    Value value;
  };
  absl::StatusOr<std::vector<PastResult>> History(const Expression& expression, size_t limit, size_t* count = nullptr);
  // The text with what is in braces replaced by its value.
  std::string Interpolate(const std::string& text, RunScope& scope) const;

 private:
  class Observer;

  Stop Conclude(StopReason reason);
  // Whether what stopped the run was a log point, or one whose conditions do not hold.
  bool GoesOn(Stop* stop);
  // What stops the device at the step it is at. `counting`: hits count, log points speak.
  bool StopsHere(int64_t f, bool counting, Stop* stop);
  void Install();

  std::unique_ptr<Timeline> timeline_;
  const NameIndex names_;
  std::vector<std::unique_ptr<Observer>> observers_;  // by device
  std::vector<Breakpoint> breakpoints_;
  std::vector<Watchpoint> watchpoints_;
  std::vector<WatchHit> pending_;  // reported by the observers
  std::vector<std::string> pending_problems_;
  std::function<void(const std::string&)> log_;
  int next_number_ = 1;
};

// A value in few words: "1.5", "f32[2,3] {...}", with statistics for long arrays.
std::string BriefValue(const Value& value);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_DEBUGGER_H_
