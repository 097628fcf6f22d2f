// SPDX-License-Identifier: Apache-2.0
// What a process of a run under mpirun says when another one is gone: killed, out of memory, crashed.
#ifndef HLOSCOPE_CLI_LOSS_WATCH_H_
#define HLOSCOPE_CLI_LOSS_WATCH_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "evaluator/devices/rank_group.h"

namespace hloscope::cli {

// The launcher sends SIGTERM to the processes that are left, and kills them a second later. Until then the first one
// that lives on the machine says which is gone, and where the devices of the others are; then all end with kExitLimit.
// One at a time.
class LossWatch {
 public:
  // `group` outlives the object.
  explicit LossWatch(evaluator::RankGroup& group);
  ~LossWatch();
  LossWatch(const LossWatch&) = delete;
  LossWatch& operator=(const LossWatch&) = delete;

  // The run of this process has failed: does not return if another process is gone.
  void EndIfLost();
  // From now on processes may end: it is no loss.
  void Stop();

 private:
  void Watch();
  [[noreturn]] void End(const std::vector<int>& gone, const std::map<int64_t, std::string>& places);

  evaluator::RankGroup& group_;
  int pipe_[2] = {-1, -1};
  std::atomic<bool> is_saying_{false};
  std::thread thread_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_LOSS_WATCH_H_
