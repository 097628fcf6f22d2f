// A run of one module on several simulated devices (spec/ops-c-control-collectives.md 4.5, 4.15, 7.11).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_
#define HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/engine/session.h"

namespace hloscope {

// One session for each device, which take turns in the caller's thread: each goes on until it has to wait for another.
// A run on one device is a run like any other.
class DeviceRun {
 public:
  // `options` holds for each device; limits count for all together; its replica_id, partition_id, link, host and shared
  // are set here. Errors: those of Session::Create.
  static absl::StatusOr<std::unique_ptr<DeviceRun>> Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options);

  const DeviceGrid& grid() const { return grid_; }
  int64_t device_count() const { return grid_.device_count(); }
  Session& device(int64_t f) { return *devices_[static_cast<size_t>(f)]->session; }
  const Session& device(int64_t f) const { return *devices_[static_cast<size_t>(f)]->session; }
  HostChannel& host(int64_t f) { return devices_[static_cast<size_t>(f)]->host; }
  // What the device waits for; nothing if it does not wait.
  const std::optional<DeviceLink::Waiting>& waiting(int64_t f) const {
    return devices_[static_cast<size_t>(f)]->link.waiting();
  }
  // "device 1 (r0,p1)".
  std::string DeviceName(int64_t f) const;

  // Runs every device until the first reason to stop: all finished (kFinished), one failed (kFailed), stopped at a
  // breakpoint or was paused. stopped_device() tells which; status() says why the run failed: the device's own status,
  // or Aborted with the report of a deadlock.
  StopReason Run();
  void Restart();

  int64_t stopped_device() const { return stopped_device_; }
  const absl::Status& status() const { return status_; }

  // From any thread.
  void Cancel();
  void RequestPause();

 private:
  struct Device {
    Device(DeviceExchange& exchange, int64_t number) : link(exchange, number) {}
    DeviceLink link;
    HostChannel host;
    std::unique_ptr<Session> session;
  };

  DeviceRun(std::shared_ptr<const Module> module, DeviceGrid grid) : module_(std::move(module)), grid_(grid) {}

  // Gives each device that is not done a turn. True if one of them got on.
  bool Round(StopReason* stopped);
  std::string DeadlockReport() const;
  std::string WaitingReport(int64_t f) const;

  const std::shared_ptr<const Module> module_;
  const DeviceGrid grid_;
  DeviceExchange exchange_;
  std::vector<std::unique_ptr<Device>> devices_;
  int64_t stopped_device_ = 0;
  absl::Status status_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_
