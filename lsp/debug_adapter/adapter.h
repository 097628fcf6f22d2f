// SPDX-License-Identifier: Apache-2.0
// A debug adapter for one client: the one place where threads meet.
//
// The caller's thread reads messages and never waits for the run. One worker answers requests and moves the run, one
// request after the other. A request that comes while the run goes on pauses it, is answered, and the run goes on;
// `pause`, `cancel`, `terminate` and `disconnect` interrupt it for good. A third thread tells how far a long operation
// has come. After an `attach` to the port of another process, or a `launch` of several, messages are passed on to the
// adapter there.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_ADAPTER_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_ADAPTER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lsp/debug_adapter/attached_run.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/message_writer.h"
#include "lsp/debug_adapter/remote_run.h"
#include "lsp/transport/connection.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

class Adapter {
 public:
  struct Options {
    std::string version;
    // What starts the adapter, as getppid() gives it; 0: nobody. When it is gone, the adapter ends.
    int64_t parent_process = 0;
    double progress_delay_seconds = 1;  // until a progress report begins
    // The run that `attach` means; it goes on after the session. Null: modules are launched. Outlives the adapter.
    const AttachedRun* attached = nullptr;
  };

  Adapter(lsp::Connection& connection, Options options);
  ~Adapter();
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;

  // Answers messages until the client disconnects or is gone.
  void Run();

  // After Stop: what becomes of a run that was attached to.
  struct Farewell {
    bool end_run = false;
    bool keep_waiting = false;  // stopped, for the next client
  };
  Farewell farewell() const { return farewell_; }

  // False if the worker did not come back: it is in the middle of something that nothing interrupts. The process can
  // only be left by _Exit then. Call after Run.
  bool Stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Message {
    RequestHead head;
    int64_t arrival = 0;  // messages in the order in which they came
    std::shared_ptr<const nlohmann::json> arguments;
  };
  // What the worker does, that a message may interrupt.
  enum class Activity : uint8_t { kIdle, kAnswering, kMoving, kMovingInterruptibly };

  // --- The reader ---
  void HandlePayload(const std::string& payload);
  // The requests that do not wait for their turn. True if it was one of them.
  bool HandleAtOnce(const Message& message);
  void CancelRequest(const Message& message);
  bool HasRun();
  // `attach` to another process.
  void BeginRelay(const Message& message);
  // `launch` of several processes.
  void BeginRanks(const Message& message);
  void PassOn(const std::string& payload);

  // --- The worker ---
  void Work();
  void Execute(const Message& message);
  void PerformMove(Move move, int64_t arrival, int64_t seq);
  // Answers what came while the run was going on.
  void AnswerInterruptions();
  std::optional<Message> TakeMessage();

  // --- Progress ---
  void WatchProgress();
  void BeginOperation(Activity activity, std::string title, int64_t seq);
  void EndOperation();

  lsp::Connection& connection_;
  const Options options_;
  MessageWriter writer_;
  DebugSession session_;  // the worker's

  std::mutex mutex_;
  std::condition_variable wake_;           // of the worker
  std::condition_variable progress_wake_;  // of the progress thread
  std::condition_variable done_wake_;
  std::deque<Message> queue_;
  int64_t arrivals_ = 0;
  int64_t pause_arrival_ = 0;  // of the latest pause
  bool quit_ = false;
  bool reader_done_ = false;  // the reader ends
  Message initialize_;        // for a remote run
  std::unique_ptr<RemoteRun> remote_;
  Farewell farewell_;
  bool worker_done_ = false;
  evaluator::DebugLaunch* launch_ = nullptr;  // that can be paused
  Activity activity_ = Activity::kIdle;
  int64_t current_seq_ = 0;  // of the request being worked on
  bool client_wants_progress_ = false;
  std::string title_;
  Clock::time_point began_;
  int64_t operation_ = 0;  // number
  int64_t total_flops_ = 0;
  std::thread worker_;
  std::thread progress_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_ADAPTER_H_
