// SPDX-License-Identifier: Apache-2.0
// A run of the debugger as the worker thread of SessionController sees it.
#ifndef HLOSCOPE_GUI_MODELS_DEBUGGED_RUN_H_
#define HLOSCOPE_GUI_MODELS_DEBUGGED_RUN_H_

#include <QCoreApplication>
#include <QMap>
#include <QString>
#include <QStringList>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "evaluator/debugger/debugger.h"
#include "evaluator/engine/non_finite.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/engine/run_trace.h"
#include "evaluator/tensor/fill.h"
#include "gui/models/run_moment.h"
#include "gui/models/run_place.h"

namespace hloscope::gui {

// Where the entry computation's arguments come from.
struct ArgumentSource {
  evaluator::FillKind fill = evaluator::FillKind::kRandom;
  uint64_t seed = 0;
  // .npy file of array parameters, by parameter number; the others are filled.
  QMap<int, QString> files;
  // Where a parameter is filled with something else than the others.
  QMap<int, evaluator::FillKind> fills;
  // Values of the parameters that were recorded with the module; null: none, or not to be used.
  std::shared_ptr<const std::vector<evaluator::Value>> recorded;
  // How many devices are simulated; each gets the same arguments.
  int replicas = 1, partitions = 1;
};

struct BreakpointSettings {
  bool enabled = true;
  QString condition;   // an expression of the debugger; empty: always
  int iteration = -1;  // of the innermost loop; -1: every one
  friend bool operator==(const BreakpointSettings&, const BreakpointSettings&) = default;
};

// What is there of an instruction's value.
enum class ValueState : uint8_t {
  kNone,     // it was not executed
  kHeld,     // all of it
  kDropped,  // nothing: it was executed, but memory was short, and no later step needs it
};

// An expression that is worked out again at every stop.
struct WatchResult {
  QString expression;
  QString value;
  bool failed = false;  // `value` says why
};

// What a run can be asked to do.
enum class RunCommand {
  kStart,
  kRun,
  kStepOver,
  kStepInto,
  kStepOut,
  kRunTo,
  kRunToNonFinite,  // past the next instruction that gives a NaN or an infinity
  kGoToIteration,   // of the innermost loop
  kGoToMoment,      // from the begin of the run
  kGoToPlace,       // from the begin of the run, by names
  kEnterElement,    // what the next instruction applies, at one element of its result
  // Backwards.
  kStepBack,     // undoes the last step, with what it called
  kStepBackOut,  // to where the computation was entered
  kReverse,      // to the breakpoint before
};

// What some commands need to know.
struct CommandDetails {
  InstructionId target = {};          // of kRunTo
  int64_t iteration = 0;              // of kGoToIteration
  std::vector<int64_t> element = {};  // of kEnterElement
  RunMoment moment = {};              // of kGoToMoment
  std::vector<PlaceStep> place = {};  // of kGoToPlace
};

// Whether the command moves a run forwards, so that one that has ended begins again.
bool IsForward(RunCommand command);

// What the worker is doing.
enum class RunPhase : uint8_t { kPreparing, kRunning, kGoingBack, kReturning, kAsking, kLooking };

// Shared by the worker and the controller; everything but the atomic members is touched only by the worker during a
// command and only by the controller between commands.
struct DebuggedRun {
  Q_DECLARE_TR_FUNCTIONS(DebuggedRun)

 public:
  // A longer run is traced whole, with short steps joined.
  static constexpr size_t kMostTracedSteps = size_t{1} << 16;

  std::shared_ptr<const Module> module;
  std::unique_ptr<evaluator::RunProgress> progress;
  // Declared before what writes into it.
  evaluator::RunTrace trace{kMostTracedSteps, evaluator::RunTrace::Beyond::kJoin};
  std::unique_ptr<evaluator::Timeline> timeline;  // until the debugger has it
  std::unique_ptr<evaluator::Debugger> debugger;
  absl::Status start_status;
  evaluator::Stop stop;
  QString message;                                          // why a command had no effect
  bool began = false;                                       // Debugger::Start was called
  std::map<InstructionId, BreakpointSettings> breakpoints;  // that the debugger has
  std::vector<WatchResult> watches;
  std::map<std::pair<int64_t, InstructionId>, evaluator::NonFinite> health;  // by frame's serial
  std::map<std::pair<int64_t, InstructionId>, evaluator::Value> large;  // that LookAround left to be looked through
  // By instruction, in the innermost frame of its computation; empty as long as all values are kept.
  std::vector<ValueState> value_states;
  int64_t filled = 0;
  std::atomic<bool> cancelled{false};
  std::atomic<bool> pausing{false};  // asked for while there was nothing yet to be paused
  std::atomic<RunPhase> phase{RunPhase::kPreparing};
  std::atomic<int64_t> returned{0}, returning{0};        // steps of kGoToMoment: done, and all
  std::atomic<evaluator::Timeline*> stoppable{nullptr};  // for RequestPause and Cancel

  // Makes `debugger`, with all arguments. Errors: an argument that cannot be made, with the parameter's number; those
  // of Timeline::Create; Cancelled.
  absl::Status Start(const ArgumentSource& arguments, int threads);
  // The rest requires that Start succeeded.
  void SetBreakpoints(const std::map<InstructionId, BreakpointSettings>& wanted);
  void Perform(RunCommand command, int64_t device, const CommandDetails& details);
  // Works out the watches, looks for NaNs in the values that are new, and at which ones were dropped.
  void LookAround(int64_t device, const QStringList& expressions);
  // Where the run is.
  RunMoment Moment() const;
  // Why the last command stopped, in words; empty if there is nothing to say.
  QString DescribeStop() const;

 private:
  void LookForDropped(int64_t device);
  // Begins, or begins again, what a command needs to begin; true if that is all there is to do.
  bool BeginFor(RunCommand command);
  // As the breakpoints are set, or none of them.
  void EnableBreakpoints(bool enabled);
  void RunToNonFinite();
  void GoToIteration(int64_t device, int64_t number);
  void EnterElement(int64_t device, const std::vector<int64_t>& index);
  void GoToMoment(const RunMoment& moment);
  void GoToPlace(int64_t device, const std::vector<PlaceStep>& place);
  // Runs on to what is next there, in its iteration. False if the device did not come there.
  bool ReachStep(int64_t device, const PlaceStep& step);
  void RunBackwards();
  // What a step backwards led to.
  void Conclude(int64_t device, const absl::StatusOr<bool>& moved);

  std::vector<RunMoment::Entered> entered_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DEBUGGED_RUN_H_
