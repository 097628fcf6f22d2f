// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/listening_run.h"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "lsp/debug_adapter/adapter.h"

namespace hloscope::dap {
namespace {

constexpr int kPollMilliseconds = 50;

// Waits for clients on a thread of its own, one at a time, and pauses the run for each.
class ClientWaiter {
 public:
  ClientWaiter(LoopbackListener& listener, evaluator::Timeline& timeline)
      : listener_(listener), timeline_(timeline), thread_([this] { Listen(); }) {}
  ~ClientWaiter() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (client_.has_value()) close(*client_);
  }
  ClientWaiter(const ClientWaiter&) = delete;
  ClientWaiter& operator=(const ClientWaiter&) = delete;

  // A client that has come; `wait`: or the next one. Nothing: none has come, or none can come any more.
  std::optional<int> Take(bool wait) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (wait) changed_.wait(lock, [this] { return client_.has_value() || failed_; });
    std::optional<int> taken = std::exchange(client_, std::nullopt);
    lock.unlock();
    changed_.notify_all();
    return taken;
  }

 private:
  void Listen() {
    const auto wanted = [this] {
      const std::lock_guard<std::mutex> lock(mutex_);
      return !quit_;
    };
    for (;;) {
      const absl::StatusOr<int> client = listener_.Accept(wanted, kPollMilliseconds);
      std::unique_lock<std::mutex> lock(mutex_);
      if (!client.ok()) {
        failed_ = true;
        changed_.notify_all();
        return;
      }
      client_ = *client;
      timeline_.RequestPause();
      changed_.notify_all();
      changed_.wait(lock, [this] { return quit_ || !client_.has_value(); });
      if (quit_) return;
    }
  }

  LoopbackListener& listener_;
  evaluator::Timeline& timeline_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> client_;
  bool quit_ = false, failed_ = false;
  std::thread thread_;
};

Adapter::Farewell ServeClient(const AttachedRun& run, int client, const std::string& version) {
  lsp::Connection connection(client, client);
  Adapter::Options options;
  options.version = version;
  options.attached = &run;
  Adapter adapter(connection, std::move(options));
  adapter.Run();
  adapter.Stop();
  return adapter.farewell();
}

bool IsFinished(const evaluator::Timeline& timeline) {
  for (int64_t f = 0; f < timeline.device_count(); ++f) {
    if (!timeline.execution(f).finished()) return false;
  }
  return true;
}

}  // namespace

absl::Status RunListening(const AttachedRun& run, LoopbackListener& listener, const ListenOptions& options) {
  evaluator::Debugger& debugger = run.launch->debugger();
  evaluator::Stop stop;
  options.around_moves([&] { stop = debugger.Start(); });
  ClientWaiter clients(listener, debugger.timeline());
  bool wait = options.wait_for_client;
  for (;;) {
    if (const std::optional<int> client = clients.Take(wait); client.has_value()) {
      const Adapter::Farewell farewell = ServeClient(run, *client, options.version);
      close(*client);
      if (farewell.end_run && !IsFinished(debugger.timeline())) {
        return absl::CancelledError("the debugger that was attached ended the run");
      }
      wait = farewell.keep_waiting;
      continue;
    }
    if (wait) return absl::UnavailableError("no debugger can attach any more");
    if (IsFinished(debugger.timeline()) || stop.reason == evaluator::StopReason::kFailed) return absl::OkStatus();
    options.around_moves([&] { stop = debugger.Continue(); });
  }
}

}  // namespace hloscope::dap
