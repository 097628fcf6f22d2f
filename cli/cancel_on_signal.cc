#include "cli/cancel_on_signal.h"

#include <atomic>
#include <csignal>

namespace hloscope {
namespace {

std::atomic<DeviceRun*> runs_to_cancel[2];

// DeviceRun::Cancel only stores to atomics, which a signal handler may do.
void Cancel(int) {
  for (const std::atomic<DeviceRun*>& one : runs_to_cancel) {
    DeviceRun* const run = one.load();
    if (run != nullptr) run->Cancel();
  }
}

}  // namespace

CancelOnSignal::CancelOnSignal(DeviceRun& run, DeviceRun* other) {
  runs_to_cancel[0] = &run;
  runs_to_cancel[1] = other;
  std::signal(SIGINT, Cancel);
  std::signal(SIGTERM, Cancel);
}

CancelOnSignal::~CancelOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  for (std::atomic<DeviceRun*>& one : runs_to_cancel) one = nullptr;
}

}  // namespace hloscope
