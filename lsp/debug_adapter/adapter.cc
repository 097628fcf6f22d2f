// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/adapter.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lsp/debug_adapter/attach_relay.h"
#include "lsp/debug_adapter/rank_launch.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// How long the worker may take to come back when the session ends.
constexpr std::chrono::seconds kFarewell(2);
constexpr std::chrono::milliseconds kProgressInterval(500);

}  // namespace

Adapter::Adapter(lsp::Connection& connection, Options options)
    : connection_(connection),
      options_(std::move(options)),
      writer_(connection),
      session_(writer_, options_.version, options_.attached,
               [this](evaluator::DebugLaunch* launch) {
                 const int64_t flops = launch == nullptr ? 0 : evaluator::RunFlops(launch->debugger().module());
                 std::lock_guard<std::mutex> lock(mutex_);
                 launch_ = launch;
                 total_flops_ = flops;
               }),
      worker_([this] { Work(); }),
      progress_([this] { WatchProgress(); }) {}

Adapter::~Adapter() {
  if (worker_.joinable()) worker_.join();
  if (progress_.joinable()) progress_.join();
}

// --- The reader ---

void Adapter::Run() {
  while (!reader_done_) {
    const std::optional<lsp::MessageFramer::Event> event = connection_.Read([this] {
      // Whoever started the adapter died without closing the pipe, as when another process holds its end.
      return options_.parent_process <= 0 || getppid() == options_.parent_process;
    });
    if (!event.has_value()) return;
    if (event->kind == lsp::MessageFramer::Event::Kind::kError) {
      writer_.Output("stderr", absl::StrCat("hloscope-dap: ", event->text, "\n"));
    } else {
      HandlePayload(event->text);
    }
  }
}

bool Adapter::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
    queue_.clear();
    if (launch_ != nullptr) {
      // What was attached to goes on.
      if (options_.attached == nullptr) launch_->debugger().timeline().run().Cancel();
      launch_->debugger().timeline().RequestPause();
    }
  }
  connection_.StopWaiting();
  wake_.notify_all();
  progress_wake_.notify_all();
  std::unique_lock<std::mutex> lock(mutex_);
  const bool done = done_wake_.wait_for(lock, kFarewell, [this] { return worker_done_; });
  if (!done) writer_.Close();
  if (done && session_.terminated()) farewell_.end_run = true;
  return done;
}

bool Adapter::HasRun() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return launch_ != nullptr;
}

void Adapter::BeginRelay(const Message& message) {
  const int64_t port = IntegerOr(*message.arguments, "port", -1);
  absl::StatusOr<std::unique_ptr<AttachRelay>> relay = absl::InvalidArgumentError(
      "`port` is the port, from 1 to 65535, that `hloscope run FILE --listen` has printed; it is missing");
  if (port > 0 && port <= 65535) {
    relay = AttachRelay::Connect(static_cast<int>(port), writer_,
                                 {initialize_.head, *initialize_.arguments, message.head, *message.arguments});
  }
  if (!relay.ok()) return writer_.RespondError(message.head, relay.status(), true);
  remote_ = *std::move(relay);
}

void Adapter::BeginRanks(const Message& message) {
  absl::StatusOr<std::unique_ptr<RankLaunch>> ranks =
      RankLaunch::Start(writer_, {initialize_.head, *initialize_.arguments, message.head, *message.arguments});
  if (!ranks.ok()) return writer_.RespondError(message.head, ranks.status(), true);
  remote_ = *std::move(ranks);
}

void Adapter::PassOn(const std::string& payload) {
  const std::optional<json> message = lsp::ParsePayload(payload);
  if (!message.has_value() || StringOr(*message, "command", "") != "disconnect") return remote_->Send(payload);
  remote_->Disconnect(*message);
  reader_done_ = true;
}

void Adapter::HandlePayload(const std::string& payload) {
  if (remote_ != nullptr && !remote_->is_over()) return PassOn(payload);
  const std::optional<json> message = lsp::ParsePayload(payload);
  const auto complain = [this](absl::string_view what) {
    writer_.Output("stderr", absl::StrCat("hloscope-dap: a message was not understood: ", what, "\n"));
  };
  if (!message.has_value()) return complain("it is not JSON");
  const std::string type = StringOr(*message, "type", "");
  // Answers to requests of the adapter, which makes none.
  if (type == "response") return;
  const absl::StatusOr<int64_t> seq = RequiredInteger(*message, "seq");
  const absl::StatusOr<std::string> command = RequiredString(*message, "command");
  if (type != "request") return complain("its `type` is not \"request\"");
  if (!seq.ok()) return complain(seq.status().message());
  Message request;
  request.head = {*seq, command.ok() ? *command : ""};
  if (!command.ok()) return writer_.RespondError(request.head, command.status(), false);
  const json* const arguments = Member(*message, "arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    return writer_.RespondError(request.head, absl::InvalidArgumentError("`arguments` must be an object"), false);
  }
  request.arguments = std::make_shared<const json>(arguments == nullptr ? json::object() : *arguments);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    request.arrival = ++arrivals_;
  }
  if (HandleAtOnce(request)) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(request));
    // Ends for good what only the end of the session would end.
    const bool ends = queue_.back().head.command == "terminate" || queue_.back().head.command == "restart";
    if (ends && activity_ != Activity::kIdle) pause_arrival_ = queue_.back().arrival;
    const bool interrupts = activity_ == Activity::kMovingInterruptibly || (ends && activity_ != Activity::kIdle);
    if (interrupts && launch_ != nullptr) launch_->debugger().timeline().RequestPause();
  }
  wake_.notify_all();
}

bool Adapter::HandleAtOnce(const Message& message) {
  const std::string& command = message.head.command;
  if (command == "initialize") initialize_ = message;
  if (command == "attach" && options_.attached == nullptr && initialize_.arguments != nullptr) {
    BeginRelay(message);
    return true;
  }
  if (command == "launch" && options_.attached == nullptr && initialize_.arguments != nullptr && !HasRun() &&
      RankLaunch::IsWanted(*message.arguments)) {
    BeginRanks(message);
    return true;
  }
  if (command == "disconnect") {
    reader_done_ = true;
    farewell_.end_run = BoolOr(*message.arguments, "terminateDebuggee", false);
    farewell_.keep_waiting = BoolOr(*message.arguments, "suspendDebuggee", false);
    writer_.Respond(message.head, json());
    return true;
  }
  if (command == "cancel") {
    CancelRequest(message);
    return true;
  }
  if (command != "pause") return false;
  std::unique_lock<std::mutex> lock(mutex_);
  if (launch_ == nullptr) {
    lock.unlock();
    writer_.RespondError(message.head, absl::FailedPreconditionError("there is no run to pause: `launch` comes first"),
                         false);
    return true;
  }
  // Also for a move whose turn has not come.
  pause_arrival_ = message.arrival;
  // Under the lock: `stopped` must come after the answer.
  writer_.Respond(message.head, json());
  if (activity_ == Activity::kMoving || activity_ == Activity::kMovingInterruptibly) {
    launch_->debugger().timeline().RequestPause();
  }
  return true;
}

void Adapter::CancelRequest(const Message& message) {
  const int64_t seq = IntegerOr(*message.arguments, "requestId", -1);
  const std::string progress = StringOr(*message.arguments, "progressId", "");
  std::optional<Message> removed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto waiting =
        std::find_if(queue_.begin(), queue_.end(), [&](const Message& one) { return one.head.seq == seq; });
    const bool current =
        activity_ != Activity::kIdle && (seq == current_seq_ || progress == absl::StrCat("operation-", operation_));
    if (waiting != queue_.end()) {
      removed = std::move(*waiting);
      queue_.erase(waiting);
    } else if (current && launch_ != nullptr) {
      pause_arrival_ = message.arrival;
      launch_->debugger().timeline().RequestPause();
    }
  }
  if (removed.has_value()) writer_.RespondError(removed->head, absl::CancelledError("cancelled"), false);
  writer_.Respond(message.head, json());
}

// --- The worker ---

std::optional<Adapter::Message> Adapter::TakeMessage() {
  if (queue_.empty()) return std::nullopt;
  Message message = std::move(queue_.front());
  queue_.pop_front();
  return message;
}

void Adapter::Work() {
  for (;;) {
    std::optional<Message> message;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return quit_ || !queue_.empty(); });
      if (quit_) break;
      message = TakeMessage();
    }
    Execute(*message);
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    worker_done_ = true;
  }
  done_wake_.notify_all();
}

void Adapter::BeginOperation(Activity activity, std::string title, int64_t seq) {
  std::lock_guard<std::mutex> lock(mutex_);
  // Pauses were for something else.
  if (launch_ != nullptr) launch_->debugger().timeline().ClearPause();
  activity_ = activity;
  current_seq_ = seq;
  client_wants_progress_ = session_.reports_progress();
  title_ = std::move(title);
  began_ = Clock::now();
  ++operation_;
  progress_wake_.notify_all();
}

void Adapter::EndOperation() {
  std::lock_guard<std::mutex> lock(mutex_);
  activity_ = Activity::kIdle;
  progress_wake_.notify_all();
}

void Adapter::Execute(const Message& message) {
  BeginOperation(Activity::kAnswering, message.head.command, message.head.seq);
  session_.Handle(message.head, *message.arguments, false);
  EndOperation();
  while (std::optional<Move> move = session_.TakeMove()) {
    PerformMove(*std::move(move), message.arrival, message.head.seq);
  }
}

void Adapter::PerformMove(Move move, int64_t arrival, int64_t seq) {
  session_.BeginMove(move);
  BeginOperation(move.interruptible ? Activity::kMovingInterruptibly : Activity::kMoving, move.title, seq);
  absl::StatusOr<hloscope::evaluator::Stop> outcome = absl::CancelledError("paused");
  for (;;) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (quit_) break;
      // A pause that came before the first step, or one that was taken for something else.
      if (pause_arrival_ > arrival && queue_.empty()) break;
    }
    // What came before the run could be interrupted for it, too.
    if (move.interruptible) AnswerInterruptions();
    if (session_.terminated()) break;
    if (std::optional<Move> other = session_.TakeMove()) {
      std::lock_guard<std::mutex> lock(mutex_);
      move = *std::move(other);
      arrival = arrivals_;
      outcome = absl::CancelledError("paused");
      session_.BeginMove(move);
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (pause_arrival_ > arrival) break;
    }
    outcome = move.run();
    if (!outcome.ok() || outcome->reason != evaluator::StopReason::kPaused || !move.interruptible) break;
  }
  EndOperation();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (quit_) return;
  }
  session_.EndMove(move, outcome);
}

void Adapter::AnswerInterruptions() {
  for (;;) {
    std::optional<Message> message;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      message = TakeMessage();
    }
    if (!message.has_value()) return;
    session_.Handle(message->head, *message->arguments, true);
  }
}

// --- Progress ---

void Adapter::WatchProgress() {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto delay =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.progress_delay_seconds));
  while (!quit_) {
    if (activity_ == Activity::kIdle || !client_wants_progress_) {
      progress_wake_.wait(lock);
      continue;
    }
    const int64_t operation = operation_;
    const auto over = [&] { return quit_ || activity_ == Activity::kIdle || operation_ != operation; };
    if (progress_wake_.wait_until(lock, began_ + delay, over)) continue;
    const std::string id = absl::StrCat("operation-", operation);
    const int64_t before_flops = launch_ == nullptr ? 0 : launch_->progress().flops.load(std::memory_order_relaxed);
    const bool forwards = activity_ == Activity::kMovingInterruptibly;
    json start = {{"progressId", id}, {"title", title_}, {"cancellable", true}};
    if (activity_ == Activity::kAnswering) start["requestId"] = current_seq_;
    writer_.Event("progressStart", std::move(start));
    while (!progress_wake_.wait_for(lock, kProgressInterval, over)) {
      json update = {{"progressId", id}};
      if (launch_ != nullptr) {
        const evaluator::RunProgress& progress = launch_->progress();
        const int64_t flops = progress.flops.load(std::memory_order_relaxed);
        const int64_t making = progress.making.load(std::memory_order_relaxed);
        update["message"] = making >= 0
                                ? absl::StrFormat("making the value of parameter %d", making)
                                : absl::StrFormat("%d instructions", progress.steps.load(std::memory_order_relaxed));
        if (forwards && total_flops_ > 0 && flops > before_flops) {
          update["percentage"] =
              std::min(100.0, 100.0 * static_cast<double>(flops) / static_cast<double>(total_flops_));
        }
      }
      writer_.Event("progressUpdate", std::move(update));
    }
    writer_.Event("progressEnd", {{"progressId", id}});
  }
}

}  // namespace hloscope::dap
