#include "cli/cancel_on_signal.h"

#include <atomic>
#include <csignal>

namespace hloscope {
namespace {

std::atomic<DeviceRun*> run_to_cancel{nullptr};

// DeviceRun::Cancel only stores to atomics, which a signal handler may do.
void Cancel(int) {
  DeviceRun* const run = run_to_cancel.load();
  if (run != nullptr) run->Cancel();
}

}  // namespace

CancelOnSignal::CancelOnSignal(DeviceRun& run) {
  run_to_cancel = &run;
  std::signal(SIGINT, Cancel);
  std::signal(SIGTERM, Cancel);
}

CancelOnSignal::~CancelOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  run_to_cancel = nullptr;
}

}  // namespace hloscope
