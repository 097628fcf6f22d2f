// SPDX-License-Identifier: Apache-2.0
// A run of one module on several simulated devices (docs/ops/control.md 4.5, 4.15, 7.11).
#ifndef HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_
#define HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/devices/process_group.h"
#include "evaluator/engine/session.h"
#include "evaluator/engine/steered_devices.h"

namespace hloscope::evaluator {

// One session for each device of this process, which take turns in the caller's thread: each goes on until it has to
// wait for another. A run on one device is a run like any other.
class DeviceRun {
 public:
  // `options` holds for each device; limits count for all together; its replica_id, partition_id, link, host and shared
  // are set here. Where `processes` is given, the devices that it calls remote are in other processes, which move them.
  // It and `steered` outlive the run. Errors: those of Session::Create.
  static absl::StatusOr<std::unique_ptr<DeviceRun>> Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options,
                                                           ProcessGroup* processes = nullptr);
  // The same where this run moves the devices of other processes, too: one at a time, as if all were here.
  static absl::StatusOr<std::unique_ptr<DeviceRun>> Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options, SteeredDevices& steered);

  const DeviceGrid& grid() const { return grid_; }
  int64_t device_count() const { return grid_.device_count(); }
  // Those of this process, in order. Whatever takes the number of a device but DeviceName is for these and, but for
  // `host`, for those that are steered.
  absl::Span<const int64_t> local_devices() const { return local_; }
  Session& device(int64_t f) { return *devices_[static_cast<size_t>(f)]->session; }
  const Session& device(int64_t f) const { return *devices_[static_cast<size_t>(f)]->session; }
  HostChannel& host(int64_t f) { return devices_[static_cast<size_t>(f)]->host; }
  // What the device waits for; nothing if it does not wait.
  const std::optional<DeviceLink::Waiting>& waiting(int64_t f) const {
    const Device& device = *devices_[static_cast<size_t>(f)];
    return device.link.has_value() ? device.link->waiting() : steered_->waiting(f);
  }
  DeviceState StateOf(int64_t f) const;
  // "device 1 (r0,p1)".
  std::string DeviceName(int64_t f) const;

  // Runs every device until the first reason to stop: all finished (kFinished), one failed (kFailed), stopped at a
  // breakpoint or was paused. stopped_device() tells which; status() says why the run failed: the device's own status,
  // or Aborted with the report of a deadlock.
  StopReason Run();
  // The same where `run_device` gives device f its turn, and says whether it got on.
  StopReason RunInTurns(absl::FunctionRef<StopReason(int64_t f, bool* progress)> run_device);
  void Restart();
  // One device alone, until it has to wait (kBlocked) or for a reason of its own. True in `progress` if it got on: a
  // step, or a message to others.
  StopReason RunDevice(int64_t f, const StopWhen& when, bool* progress);

  // All of the run that later steps depend on: sessions, messages under way, what the hosts gave and got.
  struct Snapshot {
    struct DeviceState {
      std::shared_ptr<const SessionSnapshot> session;
      std::optional<DeviceLink> link;  // none: of another process
      HostChannel host;
    };
    DeviceExchange exchange;
    std::vector<DeviceState> devices;  // that the run moves
    std::shared_ptr<const SteeredDevices::Snapshot> steered;
  };
  std::shared_ptr<const Snapshot> Save();
  // Requires a snapshot of this run.
  void Restore(const Snapshot& snapshot);

  // What every device is at or waits for, and a hint where two do not fit together. Requires that no device can go on.
  std::string DeadlockReport() const { return DeadlockReport(States()); }
  // One line: "  device 1 (r0,p1): waits at e::ar (all-reduce, execution 1) for data of {0}: missing {0}" and the path.
  std::string WaitingReport(int64_t f) const;

  // kNoDevice if another process, or all of them together, ended the run.
  static constexpr int64_t kNoDevice = -1;
  int64_t stopped_device() const { return stopped_device_; }
  const absl::Status& status() const { return status_; }

  // The time that both take counts toward the limits of each: runs side by side end when one of them may no longer.
  void ShareTime(DeviceRun& other);

  // Of the whole run; 0: none.
  double time_limit_seconds() const { return time_limit_seconds_; }

  // From any thread.
  void Cancel();
  void RequestPause();

 private:
  struct Device {
    std::optional<DeviceLink> link;  // none: of another process
    HostChannel host;
    std::unique_ptr<Session> own;
    Session* session = nullptr;
  };

  DeviceRun(std::shared_ptr<const Module> module, DeviceGrid grid, ProcessGroup* processes, SteeredDevices* steered)
      : module_(std::move(module)), grid_(grid), processes_(processes), steered_(steered) {}

  static absl::StatusOr<std::unique_ptr<DeviceRun>> Create(std::shared_ptr<const Module> module, DeviceGrid grid,
                                                           const SessionOptions& options, ProcessGroup* processes,
                                                           SteeredDevices* steered);

  // Gives each device that is not done a turn. True if one of them got on.
  bool Round(absl::FunctionRef<StopReason(int64_t f, bool* progress)> run_device, StopReason* stopped);

  // Stops the run with an error.
  bool Stop(int64_t device, absl::Status status, StopReason* stopped);
  // Nobody here gets on: waits for other processes. True if the run goes on.
  bool WaitForOthers(bool all_finished, StopReason* stopped);
  absl::Status MayWait();
  std::vector<DeviceState> States() const;
  std::string WaitingLine(const DeviceState& state) const;
  std::string DeadlockReport(absl::Span<const DeviceState> states) const;
  std::string PlaceOf(InstructionId id) const;

  const std::shared_ptr<const Module> module_;
  const DeviceGrid grid_;
  ProcessGroup* const processes_;  // that move their devices; null: there are none
  SteeredDevices* const steered_;  // null: there are none
  std::shared_ptr<SharedRunState> shared_;
  double time_limit_seconds_ = 0, seconds_before_ = 0;
  std::optional<std::chrono::steady_clock::time_point> last_wait_;  // when it was asked whether to wait
  std::atomic<bool> is_cancelled_{false};
  DeviceExchange exchange_;
  std::vector<int64_t> local_, moved_;            // in this process; moved by this run
  std::vector<std::unique_ptr<Device>> devices_;  // null: another process moves it
  int64_t stopped_device_ = 0;                    // or kNoDevice
  absl::Status status_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_DEVICE_RUN_H_
