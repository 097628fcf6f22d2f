// SPDX-License-Identifier: Apache-2.0
// Rank 0 moves the devices of all other ranks (DeviceServer is what they are).
#ifndef HLOSCOPE_EVALUATOR_REMOTE_RANK_STEERING_H_
#define HLOSCOPE_EVALUATOR_REMOTE_RANK_STEERING_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "evaluator/engine/steered_devices.h"
#include "evaluator/remote/remote_session.h"

namespace hloscope::evaluator {

class RankSteering final : public SteeredDevices {
 public:
  // `group` has joined and outlives the object.
  explicit RankSteering(RankGroup& group);
  ~RankSteering() override;

  ProcessGroup& processes() override { return group_; }
  void Begin(std::shared_ptr<const Module> module, const DeviceGrid& grid) override;
  Session& session(int64_t device) override { return *sessions_.at(device); }
  StopReason Run(int64_t device, const StopWhen& when, bool* progress) override {
    return sessions_.at(device)->RunUntil(when, progress);
  }
  const std::optional<DeviceLink::Waiting>& waiting(int64_t device) const override {
    return sessions_.at(device)->waiting();
  }
  DeviceState StateOf(int64_t device) override { return sessions_.at(device)->StateOf(); }
  std::shared_ptr<const Snapshot> Save() override;
  void Restore(const Snapshot& snapshot) override;
  void Restart() override;

 private:
  class Saved;
  struct Rank {
    std::shared_ptr<RemoteSnapshots> snapshots;
    std::vector<int64_t> devices;
  };

  void SetStates(const Rank& rank, const absl::StatusOr<ReceivedMessage>& answer);

  RankGroup& group_;
  std::map<int, Rank> ranks_;  // that have devices
  std::map<int64_t, std::unique_ptr<RemoteSession>> sessions_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_REMOTE_RANK_STEERING_H_
