// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/message_writer.h"

#include <utility>

#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr absl::string_view kNotStopped = "notStopped";
// Bytes of messages that may wait for the client before output stops the run.
constexpr size_t kMaxQueuedBytes = size_t{8} << 20;

}  // namespace

absl::Status NotStopped() { return absl::UnavailableError(kNotStopped); }

void MessageWriter::Send(json message) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return;
  message["seq"] = next_seq_++;
  connection_.Send(lsp::JsonText(message));
}

void MessageWriter::Respond(const RequestHead& request, json body) {
  json message = {{"type", "response"}, {"request_seq", request.seq}, {"success", true}, {"command", request.command}};
  if (!body.is_null()) message["body"] = std::move(body);
  Send(std::move(message));
}

void MessageWriter::RespondError(const RequestHead& request, const absl::Status& status, bool show) {
  const bool not_stopped = absl::IsUnavailable(status) && status.message() == kNotStopped;
  const bool cancelled = absl::IsCancelled(status);
  const std::string text = not_stopped ? "The run is going on; pause it first."
                           : cancelled ? "Cancelled."
                                       : std::string(status.message());
  // Messages may hold braces, which mean variables in a format.
  json error = {{"id", 1000 + static_cast<int>(status.code())},
                {"format", "{_message}"},
                {"variables", {{"_message", text}}},
                {"showUser", show}};
  Send({{"type", "response"},
        {"request_seq", request.seq},
        {"success", false},
        {"command", request.command},
        {"message", not_stopped ? std::string(kNotStopped)
                    : cancelled ? "cancelled"
                                : text},
        {"body", {{"error", std::move(error)}}}});
}

void MessageWriter::Event(absl::string_view name, json body) {
  json message = {{"type", "event"}, {"event", std::string(name)}};
  if (!body.is_null()) message["body"] = std::move(body);
  Send(std::move(message));
}

void MessageWriter::Output(absl::string_view category, absl::string_view text) {
  connection_.WaitUntilBelow(kMaxQueuedBytes);
  Event("output", {{"category", std::string(category)}, {"output", std::string(text)}});
}

void MessageWriter::Forward(json message) {
  connection_.WaitUntilBelow(kMaxQueuedBytes);
  Send(std::move(message));
}

void MessageWriter::Close() {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
}

}  // namespace hloscope::dap
