// SPDX-License-Identifier: Apache-2.0
// A process whose devices rank 0 moves (RankSteering).
#ifndef HLOSCOPE_EVALUATOR_REMOTE_DEVICE_SERVER_H_
#define HLOSCOPE_EVALUATOR_REMOTE_DEVICE_SERVER_H_

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluator/engine/device_run.h"
#include "evaluator/remote/session_messages.h"

namespace hloscope::evaluator {

class DeviceServer {
 public:
  // `run` has the devices of this process, with their arguments. It and `group`, which has joined, outlive the object.
  DeviceServer(RankGroup& group, DeviceRun& run);
  ~DeviceServer();
  DeviceServer(const DeviceServer&) = delete;
  DeviceServer& operator=(const DeviceServer&) = delete;

  // Until rank 0 needs the devices no more. Errors: those of RankGroup::Serve.
  absl::Status Serve() { return group_.Serve(); }

 private:
  class Observer;
  class PauseWatch;
  struct Saved {
    std::shared_ptr<const DeviceRun::Snapshot> run;                      // null: of one device
    std::map<int64_t, std::shared_ptr<const SessionSnapshot>> sessions;  // by device
  };

  PeerMessage Answer(WireReader& words, std::vector<Value>& values);
  PeerMessage AnswerAboutAll(DeviceQuestion question, WireReader& words);
  PeerMessage AnswerAboutSnapshot(DeviceQuestion question, int64_t device, WireReader& words);
  void WriteStates(WireWriter& words) const;
  void RunUntil(int64_t device, WireReader& words, WireWriter& answer);
  void Observe(int64_t device, WireReader& words);

  RankGroup& group_;
  DeviceRun& run_;
  std::map<int64_t, Saved> saved_;  // by number
  int64_t next_number_ = 0;
  std::map<int64_t, std::unique_ptr<Observer>> observers_;  // by device
  const std::unique_ptr<PauseWatch> pauses_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_REMOTE_DEVICE_SERVER_H_
