// Runs a module without ever blocking the caller. The Session lives on a worker thread and gets one command at a time;
// between commands, and only then, its state is read directly.
#ifndef HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_
#define HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_

#include <QElapsedTimer>
#include <QMap>
#include <QObject>
#include <QString>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "evaluator/engine/non_finite.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"

namespace hloscope {

// Where the entry computation's arguments come from.
struct ArgumentSource {
  FillKind fill = FillKind::kRandom;
  uint64_t seed = 0;
  // .npy file of array parameters, by parameter number; the others are filled.
  QMap<int, QString> files;
};

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
  enum class Command { kStart, kRun, kStepOver, kStepInto, kStepOut, kRunTo };

  explicit SessionController(QObject* parent = nullptr);
  ~SessionController() override;

  // Cancels and drops the session. Breakpoints are dropped too: they name instructions of the old module. May be null.
  void SetModule(std::shared_ptr<const Module> module);
  void SetArguments(ArgumentSource source);
  const ArgumentSource& arguments() const { return arguments_; }

  State state() const { return state_; }
  bool busy() const { return state_ == State::kBusy; }
  bool has_module() const { return module_ != nullptr; }
  // Milliseconds since the running command began.
  qint64 elapsed() const { return timer_.elapsed(); }
  const QString& failure() const { return failure_; }

  // Starts the session if there is none; a step command then stops before the first instruction. Ignored while busy.
  void Execute(Command command, InstructionId target = InstructionId());
  // Stops the running command before the next instruction.
  void Pause();
  // Drops the session and everything it computed. Arguments and breakpoints stay.
  void Stop();
  // Back to the first instruction.
  void Restart();

  void ToggleBreakpoint(InstructionId instruction);
  bool HasBreakpoint(InstructionId instruction) const { return breakpoints_.count(instruction) > 0; }
  const std::set<InstructionId>& breakpoints() const { return breakpoints_; }

  // --- As of the last stop; there are no values while a command runs ---
  const std::vector<Frame>& frames() const { return frames_; }
  // Executed next; none if nothing is.
  InstructionId current() const;
  // Innermost frame of the computation; -1 if it is not active.
  int FrameOf(ComputationId computation) const;
  // The instruction's value in the innermost frame of its computation. A constant has one without a session, too.
  Value ValueOf(InstructionId instruction) const;
  bool IsExecuted(InstructionId instruction) const;
  // NaNs and infinities in the values that the run has computed, as far as it has looked.
  NonFinite HealthOf(InstructionId instruction) const;
  // The instruction that the last step executed; none if that is not known.
  InstructionId last_executed() const { return last_executed_; }
  int64_t executed_count() const { return executed_count_; }

 Q_SIGNALS:
  void StateChanged();
  // A command ended: frames and values are new.
  void Stopped();
  void BreakpointsChanged();
  void Failed(const QString& message);

 private:
  // Shared with the worker; everything but `cancelled` is touched only by the worker during a command and only by the
  // controller between commands.
  struct Run {
    std::shared_ptr<const Module> module;
    std::shared_ptr<Session> session;
    absl::Status start_status;
    StopReason reason = StopReason::kNotStarted;
    std::atomic<bool> cancelled{false};
    std::atomic<Session*> stoppable{nullptr};  // for RequestPause and Cancel
  };

  static absl::Status Start(Run& run, const ArgumentSource& arguments);
  void SetState(State state);
  void Post(std::function<void(Run&)> work);
  void FinishCommand(const std::shared_ptr<Run>& run);
  void DropRun();
  void ClearSnapshot();
  // As the session has it; null if the instruction's computation is not active. Not while the worker is at work.
  const Value* Computed(InstructionId instruction) const;

  std::shared_ptr<const Module> module_;
  ArgumentSource arguments_;
  std::set<InstructionId> breakpoints_;
  State state_ = State::kIdle;
  QString failure_;
  QElapsedTimer timer_;

  std::shared_ptr<Run> run_;  // null: no session
  Command command_ = Command::kStart;
  bool resume_ = false;  // paused only to change breakpoints
  InstructionId executing_;
  int64_t executing_depth_ = 0;

  std::vector<Frame> frames_;
  InstructionId last_executed_;
  int64_t executed_count_ = 0;

  QThread thread_;
  QObject* worker_;  // lives on thread_
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_MODELS_SESSION_CONTROLLER_H_
