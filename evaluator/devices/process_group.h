// SPDX-License-Identifier: Apache-2.0
// The processes of a run whose devices are in several of them, as a run sees them (rank_group.h has the protocol).
#ifndef HLOSCOPE_EVALUATOR_DEVICES_PROCESS_GROUP_H_
#define HLOSCOPE_EVALUATOR_DEVICES_PROCESS_GROUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/device_state.h"

namespace hloscope::evaluator {

class ProcessGroup : public RemoteDevices {
 public:
  // From now on what other processes post goes to `exchange`, which outlives the run; null: nowhere.
  virtual void Attach(DeviceExchange* exchange) = 0;
  // Takes what has arrived, without waiting. Errors: the status with which another process ended the run.
  virtual absl::Status Poll() = 0;

  // What the processes ask each other while they wait. `report` says what a deadlock of these devices looks like.
  struct Questions {
    bool has_finished;                           // all devices of this process
    absl::FunctionRef<absl::Status()> may_wait;  // an error ends the waiting
    absl::FunctionRef<std::vector<DeviceState>()> states;
    absl::FunctionRef<std::string(absl::Span<const DeviceState>)> report;
  };
  // No device of this process can go on, or all have finished: waits until something arrives for them (true), or all
  // devices of all processes have finished (false). Errors: those of `may_wait`; Aborted with a report when no device
  // of any process can go on; the status with which another process ended the run.
  virtual absl::StatusOr<bool> Wait(const Questions& questions) = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_PROCESS_GROUP_H_
