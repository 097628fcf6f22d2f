// SPDX-License-Identifier: Apache-2.0
// Interrupting a run with Ctrl-C: the run is cancelled and the command ends with its own exit status.
#ifndef HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_
#define HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_

#include <atomic>

#include "evaluator/engine/device_run.h"

namespace hloscope::cli {

// From now on SIGINT, SIGTERM and SIGHUP end the process with kExitLimit; files that it had begun to write are removed.
void EndOnSignal();

// From now on they do nothing: what is left is to finish a file that is made already, and to give memory back.
void IgnoreSignals();

// While one of these lives, SIGINT and SIGTERM cancel its run, and the other one if two are under way; the second
// signal ends the process. Where the signal came too late to cancel any of them, the process ends with this object. One
// at a time; the runs outlive it.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(evaluator::DeviceRun& run, evaluator::DeviceRun* other = nullptr);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

 private:
  void (*before_[2])(int);
};

// While one of these lives, SIGINT and SIGTERM are noticed; the second one ends the process. One at a time.
class NoticeSignal {
 public:
  NoticeSignal();
  ~NoticeSignal();
  NoticeSignal(const NoticeSignal&) = delete;
  NoticeSignal& operator=(const NoticeSignal&) = delete;
  // Whether there was one.
  static const std::atomic<bool>& noticed();

 private:
  void (*before_[2])(int);
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_
