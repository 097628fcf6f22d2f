// SPDX-License-Identifier: Apache-2.0
// The devices of other processes that one process moves as if they were its own.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_STEERED_DEVICES_H_
#define HLOSCOPE_EVALUATOR_ENGINE_STEERED_DEVICES_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ir/module.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/process_group.h"
#include "evaluator/engine/session.h"

namespace hloscope::evaluator {

// Not thread-safe, but for what sessions say of themselves.
class SteeredDevices {
 public:
  virtual ~SteeredDevices() = default;

  // The processes; `processes().IsRemote` says of which devices this is about.
  virtual ProcessGroup& processes() = 0;
  // Before anything else. The other processes run the same module.
  virtual void Begin(std::shared_ptr<const Module> module, const DeviceGrid& grid) = 0;

  // Lives as long as this object. Arguments are given where the device is.
  virtual Session& session(int64_t device) = 0;
  // As DeviceRun::RunDevice.
  virtual StopReason Run(int64_t device, const StopWhen& when, bool* progress) = 0;
  // What the device has been waiting for since it last ran.
  virtual const std::optional<DeviceLink::Waiting>& waiting(int64_t device) const = 0;
  virtual DeviceState StateOf(int64_t device) = 0;

  // All that these devices and what passes between them depend on.
  class Snapshot {
   public:
    virtual ~Snapshot() = default;
    virtual std::shared_ptr<const SessionSnapshot> session(int64_t device) const = 0;
  };
  virtual std::shared_ptr<const Snapshot> Save() = 0;
  virtual void Restore(const Snapshot& snapshot) = 0;
  virtual void Restart() = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_STEERED_DEVICES_H_
