// SPDX-License-Identifier: Apache-2.0
// `hloscope serve`: answers requests of scripts.
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <thread>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/serve/message_stream.h"
#include "cli/serve/service.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kServeOptions[] = {
    {"stdio", OptionKind::kSwitch, "", "requests on standard input, answers on standard output"},
};

// Codes of JSON-RPC, and our own for what a method says.
int CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
      return -32602;
    case absl::StatusCode::kUnimplemented:
      return -32601;
    case absl::StatusCode::kCancelled:
      return -32800;
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kDeadlineExceeded:
      return -32001;
    default:
      return -32000;
  }
}

// Requests that wait. One thread reads them, so that one can be cancelled while another is answered.
class Server {
 public:
  int Run() {
    std::thread reader([this] { Read(); });
    while (std::optional<ServeMessage> message = Next()) {
      if (!Answer(*message)) break;
    }
    // The reader waits for input that no one will answer; it goes with the process.
    reader.detach();
    return kExitGood;
  }

 private:
  void Read() {
    while (std::optional<ServeMessage> message = stream_.Read()) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (message->problem.empty() && message->json.value("method", "") == "cancel") {
        const Json params = message->json.value("params", Json::object());
        const Json id = params.is_object() ? params.value("id", Json()) : Json();
        if (!id.is_null() && id == running_) service_.Cancel();
        for (ServeMessage& waiting : queue_) {
          if (!id.is_null() && waiting.json.value("id", Json()) == id) waiting.problem = "cancelled";
        }
        continue;
      }
      queue_.push_back(*std::move(message));
      wake_.notify_one();
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
      wake_.notify_one();
    }
    // What was asked for is still answered, as long as somebody is there to read it.
    pollfd output = {STDOUT_FILENO, 0, 0};
    while (poll(&output, 1, 200) >= 0 || errno == EINTR) {
      if ((output.revents & (POLLERR | POLLNVAL)) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        continue;
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      is_alone_ = true;
      service_.Cancel();
      break;
    }
  }

  std::optional<ServeMessage> Next() {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [this] { return ended_ || !queue_.empty(); });
    if (queue_.empty()) return std::nullopt;
    ServeMessage message = std::move(queue_.front());
    queue_.pop_front();
    running_ = message.json.is_object() ? message.json.value("id", Json()) : Json();
    if (is_alone_) return std::nullopt;
    service_.ClearCancel();
    return message;
  }

  bool Fail(const Json& id, int code, absl::string_view text) {
    return stream_.Write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", std::string(text)}}}},
                         {});
  }

  // False to end.
  bool Answer(const ServeMessage& message) {
    const Json id = running_;
    if (message.problem == "cancelled") return Fail(id, -32800, "cancelled");
    if (!message.problem.empty()) return Fail(Json(), -32700, message.problem);
    const auto method = message.json.find("method");
    if (method == message.json.end() || !method->is_string()) return Fail(id, -32600, "a request has a `method`");
    const Json params = message.json.value("params", Json::object());
    if (!params.is_object()) return Fail(id, -32602, "`params` is an object");
    const std::string name = method->get<std::string>();
    if (name == "shutdown") {
      if (!id.is_null()) stream_.Write({{"jsonrpc", "2.0"}, {"id", id}, {"result", Json::object()}}, {});
      return false;
    }
    Service::Call call = {params, message.frames, {}};
    absl::StatusOr<Json> result = service_.Handle(name, call);
    // Notifications have no answer.
    if (id.is_null()) return true;
    if (!result.ok()) return Fail(id, CodeOf(result.status()), result.status().message());
    return stream_.Write({{"jsonrpc", "2.0"}, {"id", id}, {"result", *std::move(result)}}, call.answer_frames);
  }

  MessageStream stream_{STDIN_FILENO, STDOUT_FILENO};
  Service service_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<ServeMessage> queue_;  // these are guarded by mutex_
  Json running_;
  bool ended_ = false;     // nothing more will be asked
  bool is_alone_ = false;  // nobody reads the answers
};

int RunServe(const Arguments& arguments) {
  if (!arguments.Switch("stdio")) return UsageError(arguments.command(), "say where requests come from: --stdio");
  std::signal(SIGPIPE, SIG_IGN);
  // The reading thread may outlive the call: it must not outlive what it uses.
  static auto* const server = new Server();
  return server->Run();
}

}  // namespace

const Command& ServeCommand() {
  static constexpr Command kCommand = {
      "serve",
      "",
      "answer requests of scripts",
      "JSON-RPC 2.0 on standard input and output, for programs that look at many modules or run one many times:\n"
      "docs/serve.md has the methods. `hloscope.py` is a client for Python.",
      kServeOptions,
      0,
      0,
      RunServe};
  return kCommand;
}

}  // namespace hloscope::cli
