// SPDX-License-Identifier: Apache-2.0
// Runs a module under the debugger without ever blocking the caller: forwards, backwards, on several devices. The
// debugger lives on a worker thread and gets one command at a time; between commands, and only then, its state is read
// directly.
#ifndef HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_
#define HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "evaluator/debugger/debugger.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/non_finite.h"
#include "gui/models/background_task.h"
#include "gui/models/debugged_run.h"
#include "gui/models/run_place.h"

namespace hloscope::gui {

class SessionController : public QObject {
  Q_OBJECT

 public:
  enum class State {
    kIdle,      // no session; the first command makes one
    kBusy,      // a command is under way
    kStopped,   // before the current instruction
    kFinished,  // results are there
    kFailed,    // failure() says why; the state up to there can be looked at
  };
  using Command = RunCommand;

  explicit SessionController(QObject* parent = nullptr);
  ~SessionController() override;

  // Cancels and drops the session. Breakpoints go to the instructions of the same names; those without are dropped. May
  // be null. `is_edit`: it is another version of the module before, and what its run was at is remembered.
  void SetModule(std::shared_ptr<const Module> module, bool is_edit = false);
  // A run that a change of the text has ended.
  struct EndedRun {
    State state = State::kIdle;  // that it was in
    RunPlace place;              // empty unless it was stopped
  };
  // Null if there was none, or as soon as there is a run of the new version.
  const EndedRun* ended_run() const { return ended_run_.has_value() ? &*ended_run_ : nullptr; }
  void ForgetEndedRun();
  // Runs the new version to where that run was. Does nothing if the place is not there any more.
  void GoToEndedPlace();
  void SetArguments(ArgumentSource source);
  // What all values of this process may take, in bytes (0: no limit), and the threads of runs that are started from now
  // on (0: one per core).
  void SetLimits(int64_t memory_bytes, int threads);
  const ArgumentSource& arguments() const { return arguments_; }

  State state() const { return state_; }
  bool busy() const { return state_ == State::kBusy; }
  bool has_module() const { return module_ != nullptr; }
  // Milliseconds since the running command began.
  qint64 elapsed() const { return timer_.elapsed(); }
  const QString& failure() const { return failure_; }
  // Where the run failed; none if it did not, or not at an instruction.
  InstructionId failed_at() const { return state_ == State::kFailed ? current() : InstructionId(); }

  // Starts the session if there is none; a step command then stops before the first instruction. Ignored while busy.
  // `iteration`: of kGoToIteration.
  void Execute(Command command, InstructionId target = InstructionId(), int64_t iteration = 0);
  // Enters what the next instruction applies to elements, at this one of its result. Requires AppliesToElements().
  void EnterElement(std::vector<int64_t> index);
  // Takes the run, from its begin on, to where another run of the same module with the same arguments was.
  void GoToMoment(RunMoment moment);
  // Where the run is; no place without one and while a command runs.
  RunMoment moment() const;
  // Whether the next instruction applies a computation to single elements: a reduction, a sort, a scatter ...
  bool AppliesToElements() const;
  // Stops the running command before the next instruction.
  void Pause();
  // Drops the session and everything it computed. Arguments and breakpoints stay.
  void Stop();
  // Back to the first instruction.
  void Restart();

  // Asks the debugger about the past. The question runs on the worker and leaves the run where it is; what it returns
  // runs here afterwards. False, and nothing happens, while a command runs or if nothing ran.
  using Answer = std::function<void()>;
  bool Ask(std::function<Answer(evaluator::Debugger&)> question);

  void ToggleBreakpoint(InstructionId instruction);
  // What is wrong with the condition; empty if nothing, and then the breakpoint is set.
  QString SetBreakpoint(InstructionId instruction, const BreakpointSettings& settings);
  bool HasBreakpoint(InstructionId instruction) const { return breakpoints_.count(instruction) > 0; }
  const std::map<InstructionId, BreakpointSettings>& breakpoints() const { return breakpoints_; }

  // What is wrong with the expression; empty if nothing, and then it is watched.
  QString AddWatch(const QString& expression);
  void RemoveWatch(int number);
  const QStringList& watches() const { return watches_; }
  // As of the last stop; as many as there are watches.
  const std::vector<WatchResult>& watch_results() const { return watch_results_; }

  // The device that is stepped and looked at.
  int device() const { return device_; }
  int device_count() const { return arguments_.replicas * arguments_.partitions; }
  void SetDevice(int device);

  // What the running command is at, in words: "Making x", "Running dot.5". Empty if there is none.
  QString phase_text() const;
  // How much of the running command's module is done, in operations: between 0 and 1; below 0 if nobody knows.
  double progress() const;

  // --- As of the last stop; there are no values while a command runs ---
  const std::vector<evaluator::Frame>& frames() const { return frames_; }
  // Executed next; none if nothing is.
  InstructionId current() const;
  // Innermost frame of the computation; -1 if it is not active.
  int FrameOf(ComputationId computation) const;
  // The instruction's value in the innermost frame of its computation. A constant has one without a session, too.
  evaluator::Value ValueOf(InstructionId instruction) const;
  bool IsExecuted(InstructionId instruction) const;
  // Whether the run has come to where memory was short, and keeps no more values than it needs.
  bool drops_values() const { return !value_states_.empty(); }
  // Whether it was executed, but its value was dropped because memory was short. Also while a question is answered.
  bool IsDropped(InstructionId instruction) const;
  // Whether it was dropped before anybody has looked for NaNs in it.
  bool IsDroppedUnseen(InstructionId instruction) const;
  // What is shown, if it was dropped: it is made again on the worker, as Ask does, as soon as there is time for it, and
  // Recalled follows. ValueOf then has it until the next command, unless later ones need the room. Something else than
  // before: that is no longer made. None: nothing that was dropped is shown.
  void Recall(InstructionId instruction);
  // What is being made again; none if nothing is.
  InstructionId recalling() const { return recalling_; }
  // NaNs and infinities in the values that the run has computed, as far as it has looked: large values are looked
  // through after the stop.
  evaluator::NonFinite HealthOf(InstructionId instruction) const;
  // The same for constants and broadcasts of them, whose NaNs and infinities are meant: HealthOf has none for these.
  evaluator::NonFinite WrittenHealthOf(InstructionId instruction) const;
  // The same for all values of the run up to here, also of computations that have returned; what HealthOf says until
  // AskHealthOfRun was answered.
  evaluator::NonFinite HealthInRun(InstructionId instruction) const;
  // Looks through all values of the run, as Ask does; HealthChanged follows. False, and nothing happens, if they are
  // known, while a command runs or if nothing ran.
  bool AskHealthOfRun();
  bool looking_for_non_finite() const { return large_task_->busy(); }
  // The instruction that was executed last, whatever command did it; none if that is not known.
  InstructionId last_executed() const { return last_executed_; }
  int64_t executed_count() const { return executed_count_; }
  // Why the last command stopped, in words: "Breakpoint", "NaN in x". Empty if there is nothing to say.
  const QString& stop_text() const { return stop_text_; }
  // By instruction; empty if nothing ran yet.
  const std::vector<evaluator::InstructionStatistics>& statistics() const { return statistics_; }
  // What was executed when since the run began; null without a run and while a command runs.
  const evaluator::RunTrace* trace() const { return busy() || run_ == nullptr ? nullptr : &run_->trace; }
  // The last position of the run that was reached, and where it is now, in steps.
  int64_t position() const { return position_; }
  // Constants whose values the text leaves out, and which were filled.
  int64_t filled_constants() const { return filled_constants_; }

 Q_SIGNALS:
  void StateChanged();
  void EndedRunChanged();
  // A command ended: frames and values are new.
  void Stopped();
  void BreakpointsChanged();
  void WatchesChanged();
  void Failed(const QString& message);
  // HealthOf knows more than at the stop.
  void HealthChanged();
  // A value that was dropped is there again; or it is not, and `problem` says why.
  void Recalled(InstructionId instruction, const QString& problem);

 private:
  const evaluator::NameIndex& names();
  void SetState(State state);
  void Start(Command command, CommandDetails details);
  void Post(std::function<void(DebuggedRun&)> work);
  // Begins to make what Recall asks for, or ends what is being made instead.
  void StartRecall();
  void FinishRecall(InstructionId instruction, int64_t frame, const absl::StatusOr<evaluator::Value>& value,
                    const evaluator::NonFinite* health);
  ValueState StateOf(InstructionId instruction) const;
  // Looks through the values that were too large to be looked through at the stop.
  void ScanLargeValues();
  void FinishCommand(const std::shared_ptr<DebuggedRun>& run);
  void DropRun();
  // Frees the run on the worker, and gives the memory back to the system.
  void Free(std::shared_ptr<DebuggedRun> run);
  void ClearSnapshot();
  void ReadSnapshot();
  // Of the device that is shown; null without a run.
  const evaluator::Inspection* inspection() const;
  const evaluator::Execution* execution() const;
  // As the session has it; null if the instruction's computation is not active. Not while the worker is at work.
  const evaluator::Value* Computed(InstructionId instruction) const;

  std::shared_ptr<const Module> module_;
  std::unique_ptr<evaluator::NameIndex> names_;  // of module_; null: to be made
  ArgumentSource arguments_;
  std::map<InstructionId, BreakpointSettings> breakpoints_;
  QStringList watches_;
  int threads_ = 0;
  int device_ = 0;
  State state_ = State::kIdle;
  QString failure_;
  QElapsedTimer timer_;
  std::optional<EndedRun> ended_run_;

  std::shared_ptr<DebuggedRun> run_;  // null: no session
  Command command_ = Command::kStart;
  bool resume_ = false;  // paused only to change breakpoints
  bool asking_ = false;  // busy, but the run stays where it is

  std::vector<evaluator::Frame> frames_;
  std::vector<WatchResult> watch_results_;
  std::vector<evaluator::InstructionStatistics> statistics_;
  InstructionId last_executed_;
  int64_t executed_count_ = 0;
  int64_t position_ = 0;
  int64_t filled_constants_ = 0;
  QString stop_text_;
  // By frame's serial: what ScanLargeValues found.
  evaluator::NonFinite FoundIn(InstructionId instruction) const;
  // Null: nobody has looked for NaNs in it.
  const evaluator::NonFinite* KnownHealth(InstructionId instruction) const;

  std::map<std::pair<int64_t, InstructionId>, evaluator::NonFinite> large_health_;
  BackgroundTask* large_task_;
  std::vector<evaluator::NonFinite> health_of_run_;  // by instruction; empty: not asked for

  std::vector<ValueState> value_states_;  // as in DebuggedRun, of the last stop
  InstructionId wanted_, recalling_;      // of Recall: what is shown; what is being made
  struct RecalledValue {
    InstructionId instruction;
    evaluator::Value value;
  };
  std::deque<RecalledValue> recalled_;  // the latest one last

  QThread thread_;
  QObject* worker_;  // lives on thread_
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_
