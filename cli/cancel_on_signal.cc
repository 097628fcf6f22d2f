// SPDX-License-Identifier: Apache-2.0
#include "cli/cancel_on_signal.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "cli/command.h"
#include "core/source/output_file.h"

namespace hloscope::cli {
namespace {

std::atomic<evaluator::DeviceRun*> runs_to_cancel[2];

std::atomic<bool> is_cancelling{false};

void EndNow(int) {
  OutputFile::RemoveUnfinished();
  _exit(kExitLimit);
}

// DeviceRun::Cancel only stores to atomics, which a signal handler may do. Who asks twice does not want to wait.
void Cancel(int signal) {
  if (is_cancelling.exchange(true)) EndNow(signal);
  for (const std::atomic<evaluator::DeviceRun*>& one : runs_to_cancel) {
    evaluator::DeviceRun* const run = one.load();
    if (run != nullptr) run->Cancel();
  }
}

std::atomic<bool> is_noticed{false};

void Notice(int signal) {
  if (is_noticed.exchange(true)) EndNow(signal);
}

}  // namespace

void EndOnSignal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who starts a process in the background may have made it deaf.
    if (std::signal(signal, EndNow) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void IgnoreSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
}

CancelOnSignal::CancelOnSignal(evaluator::DeviceRun& run, evaluator::DeviceRun* other) {
  runs_to_cancel[0] = &run;
  runs_to_cancel[1] = other;
  is_cancelling = false;
  before_[0] = std::signal(SIGINT, Cancel);
  before_[1] = std::signal(SIGTERM, Cancel);
}

CancelOnSignal::~CancelOnSignal() {
  std::signal(SIGINT, before_[0]);
  std::signal(SIGTERM, before_[1]);
  bool is_reported = false;  // by who reads the status
  for (std::atomic<evaluator::DeviceRun*>& one : runs_to_cancel) {
    const evaluator::DeviceRun* const run = one.exchange(nullptr);
    is_reported |= run != nullptr && !run->status().ok();
  }
  if (is_cancelling && !is_reported) EndNow(0);
}

NoticeSignal::NoticeSignal() {
  is_noticed = false;
  before_[0] = std::signal(SIGINT, Notice);
  before_[1] = std::signal(SIGTERM, Notice);
}

NoticeSignal::~NoticeSignal() {
  std::signal(SIGINT, before_[0]);
  std::signal(SIGTERM, before_[1]);
}

const std::atomic<bool>& NoticeSignal::noticed() { return is_noticed; }

}  // namespace hloscope::cli
