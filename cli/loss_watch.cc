// SPDX-License-Identifier: Apache-2.0
#include "cli/loss_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "core/source/output_file.h"

namespace hloscope::cli {
namespace {

constexpr char kStop = 's';
// From the signal to the end there is a second: to see who is gone, to let the run end and say where it was, and for
// the others to hear of it.
constexpr std::chrono::milliseconds kLook(10), kRunEnds(400), kPlacesArrive(200), kOthersSay(1000);
constexpr int kLooks = 10;

}  // namespace

LossWatch::LossWatch(evaluator::RankGroup& group) : group_(group) {
  if (pipe2(pipe_, O_CLOEXEC) != 0) return;
  WatchTermination(pipe_[1]);
  thread_ = std::thread([this] { Watch(); });
}

LossWatch::~LossWatch() { Stop(); }

void LossWatch::Stop() {
  if (!thread_.joinable()) return;
  WatchTermination(-1);
  (void)!write(pipe_[1], &kStop, 1);
  thread_.join();
  close(pipe_[0]);
  close(pipe_[1]);
}

void LossWatch::Watch() {
  for (char what; read(pipe_[0], &what, 1) == 1 && what != kStop;) {
    std::vector<int> gone = group_.Gone();
    for (int i = 0; gone.empty() && i < kLooks; ++i) {
      std::this_thread::sleep_for(kLook);
      gone = group_.Gone();
    }
    const bool nothing_else_ends_it = what == kTerminatedIdle;
    if (gone.empty()) {
      if (nothing_else_ends_it) EndProcess();
      continue;
    }
    // The thread that runs has more to say, unless it waits for something that never comes.
    if (!nothing_else_ends_it) std::this_thread::sleep_for(kRunEnds);
    if (!is_saying_.exchange(true)) End(gone, {});
  }
}

void LossWatch::EndIfLost() {
  if (!thread_.joinable()) return;
  const std::vector<int> gone = group_.Gone();
  if (gone.empty()) return;
  if (!is_saying_.exchange(true)) End(gone, group_.ExchangePlaces(gone, kPlacesArrive));
  for (;;) pause();  // the other thread ends the process
}

void LossWatch::End(const std::vector<int>& gone, const std::map<int64_t, std::string>& places) {
  if (group_.SpeaksOf(gone)) {
    // Standard error of a process that is not the first one is kept for the first.
    const std::string message = group_.LossMessage(gone, places);
    (void)!write(STDERR_FILENO, message.data(), message.size());
  } else {
    // Who ends is gone too for those that look later.
    std::this_thread::sleep_for(kOthersSay);
  }
  EndProcess();
}

}  // namespace hloscope::cli
