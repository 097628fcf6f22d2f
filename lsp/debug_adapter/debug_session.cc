// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/debug_session.h"

#include "absl/strings/str_cat.h"
#include "core/diagnostics/suggestions.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {

using nlohmann::json;

DebugSession::DebugSession(MessageWriter& writer, std::string version, const AttachedRun* attached,
                           RunChanged run_changed)
    : writer_(writer), version_(std::move(version)), run_changed_(std::move(run_changed)), attached_(attached) {}

DebugSession::~DebugSession() { Unload(); }

absl::Span<const DebugSession::Row> DebugSession::Rows() {
  static constexpr Row kRows[] = {
#define DAP_REQUEST(command, Method, when) {command, &DebugSession::Method, When::when},
#include "lsp/debug_adapter/requests.def"
  };
  return kRows;
}

void DebugSession::Handle(const RequestHead& request, const json& arguments, bool running) {
  const Row* row = nullptr;
  std::vector<absl::string_view> commands;
  for (const Row& one : Rows()) {
    if (one.command == request.command) row = &one;
    commands.push_back(one.command);
  }
  after_response_.clear();
  absl::StatusOr<json> body = json();
  if (row == nullptr) {
    body = absl::UnimplementedError(
        absl::StrCat("there is no request `", request.command, "`", DidYouMean(request.command, commands)));
  } else if (state_ == State::kNew && request.command != "initialize" && request.command != "terminate") {
    body = absl::FailedPreconditionError("`initialize` comes first");
  } else if (row->when != When::kAlways && launch_ == nullptr) {
    body = absl::FailedPreconditionError(
        absl::StrCat("`", request.command, "` needs a module: `launch` comes first, or `attach`"));
  } else if (row->when == When::kStopped && running) {
    body = NotStopped();
  } else if (row->when == When::kStopped && state_ != State::kStarted) {
    body = absl::FailedPreconditionError(
        state_ == State::kTerminated ? "the run has ended" : "the run has not begun: `configurationDone` starts it");
  } else {
    body = (this->*row->method)(arguments);
  }
  if (body.ok()) {
    writer_.Respond(request, *std::move(body));
  } else {
    writer_.RespondError(request, body.status(), request.command == "launch" || request.command == "attach");
  }
  for (const std::function<void()>& tell : after_response_) tell();
  after_response_.clear();
}

void DebugSession::ForgetPlaces() {
  frames_.clear();
  latest_frame_.reset();
  variables_.Clear();
}

void DebugSession::BeginMove(const Move& move) {
  ForgetPlaces();
  // Else editors take the other threads for stopped, where they were, and offer no pause.
  if (move.moves_all_threads && timeline().device_count() > 1) {
    writer_.Event("continued", {{"threadId", stop_.device + 1}, {"allThreadsContinued", true}});
  }
}

void DebugSession::EndMove(const Move& move, const absl::StatusOr<evaluator::Stop>& outcome) {
  if (state_ == State::kTerminated) return;
  if (!outcome.ok()) {
    // It did not move: what was shown before holds again.
    if (!absl::IsCancelled(outcome.status())) writer_.Output("stderr", absl::StrCat(outcome.status().message(), "\n"));
    stop_.breakpoints.clear();
    stop_.watches.clear();
    stop_.problems.clear();
  } else {
    stop_ = *outcome;
  }
  for (const std::string& problem : stop_.problems) writer_.Output("stderr", absl::StrCat(problem, "\n"));
  if (IsFinished() && outcome.ok() && stop_.reason == evaluator::StopReason::kFinished) {
    TellFinished();
    if (!stop_at_end_ && stop_.watches.empty()) {
      Terminated(0);
      return;
    }
  }
  if (stop_.reason == evaluator::StopReason::kFailed && no_debug_) {
    writer_.Output("stderr", absl::StrCat(timeline().status().message(), "\n"));
    Terminated(1);
    return;
  }
  json body = {{"threadId", stop_.device + 1}, {"allThreadsStopped", true}};
  if (outcome.ok()) {
    DescribeStop(move, stop_, &body);
  } else {
    body["reason"] = absl::IsCancelled(outcome.status()) ? "pause" : move.reason;
    body["description"] = std::string(outcome.status().message());
  }
  writer_.Event("stopped", std::move(body));
}

}  // namespace hloscope::dap
