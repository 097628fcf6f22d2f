// Interrupting a run with Ctrl-C: the run is cancelled and the command ends with its own exit status.
#ifndef HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_
#define HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_

#include "evaluator/engine/device_run.h"

namespace hloscope {

// While one of these lives, SIGINT and SIGTERM cancel its run, and the other one if two are under way. One at a time.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(DeviceRun& run, DeviceRun* other = nullptr);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CLI_CANCEL_ON_SIGNAL_H_
