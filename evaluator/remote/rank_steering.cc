// SPDX-License-Identifier: Apache-2.0
#include "evaluator/remote/rank_steering.h"

namespace hloscope::evaluator {

class RankSteering::Saved final : public SteeredDevices::Snapshot {
 public:
  std::shared_ptr<const SessionSnapshot> session(int64_t device) const override { return sessions.at(device); }

  std::map<int, RemoteSnapshot::Number> numbers;  // by rank
  std::map<int64_t, std::shared_ptr<const RemoteSnapshot>> sessions;
};

RankSteering::RankSteering(RankGroup& group) : group_(group) {
  group_.set_answerer([this](WireReader& words, std::vector<Value>& values) {
    const auto event = static_cast<DeviceEvent>(words.Int());
    const auto session = sessions_.find(words.Int());
    return session == sessions_.end() ? PeerMessage() : session->second->OnEvent(event, words, values);
  });
}

RankSteering::~RankSteering() { group_.set_answerer(nullptr); }

void RankSteering::Begin(std::shared_ptr<const Module> module, const DeviceGrid& grid) {
  for (int64_t device = 0; device < grid.device_count(); ++device) {
    if (group_.IsLocal(device)) continue;
    const int number = group_.rank_of()[static_cast<size_t>(device)];
    Rank& rank = ranks_[number];
    if (rank.snapshots == nullptr) rank.snapshots = std::make_shared<RemoteSnapshots>(group_, number);
    rank.devices.push_back(device);
    sessions_[device] = std::make_unique<RemoteSession>(module, rank.snapshots, device);
  }
}

std::shared_ptr<const SteeredDevices::Snapshot> RankSteering::Save() {
  auto saved = std::make_shared<Saved>();
  for (auto& [number, rank] : ranks_) {
    if (const std::vector<int64_t> released = rank.snapshots->TakeReleased(); !released.empty()) {
      PeerMessage release;
      release.words.Int(static_cast<int64_t>(DeviceQuestion::kRelease));
      release.words.Ints(released);
      group_.Ask(number, release).IgnoreError();
    }
    PeerMessage question;
    question.words.Int(static_cast<int64_t>(DeviceQuestion::kSave));
    const absl::StatusOr<ReceivedMessage> answer = group_.Ask(number, question);
    WireReader words(answer.ok() ? absl::string_view(answer->words) : absl::string_view());
    RemoteSnapshot::Number held = RemoteSnapshot::Hold(rank.snapshots, answer.ok() ? words.Int() : -1);
    saved->numbers[number] = held;
    for (int64_t device : rank.devices) {
      saved->sessions[device] =
          std::make_shared<RemoteSnapshot>(rank.snapshots, held, device, ReadSnapshotDevice(words));
    }
  }
  return saved;
}

void RankSteering::SetStates(const Rank& rank, const absl::StatusOr<ReceivedMessage>& answer) {
  if (answer.ok()) {
    WireReader words(answer->words);
    for (int64_t device : rank.devices) sessions_.at(device)->SetState(ReadState(words));
    return;
  }
  for (int64_t device : rank.devices) {
    SessionState state;
    state.reason = StopReason::kFailed;
    state.status = answer.status();
    sessions_.at(device)->SetState(std::move(state));
  }
}

void RankSteering::Restore(const Snapshot& snapshot) {
  for (const auto& [number, rank] : ranks_) {
    PeerMessage question;
    question.words.Int(static_cast<int64_t>(DeviceQuestion::kRestore));
    question.words.Int(*static_cast<const Saved&>(snapshot).numbers.at(number));
    SetStates(rank, group_.Ask(number, question));
  }
}

void RankSteering::Restart() {
  for (const auto& [number, rank] : ranks_) {
    PeerMessage question;
    question.words.Int(static_cast<int64_t>(DeviceQuestion::kRestart));
    SetStates(rank, group_.Ask(number, question));
  }
}

}  // namespace hloscope::evaluator
