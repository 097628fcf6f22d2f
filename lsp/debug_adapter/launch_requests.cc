// SPDX-License-Identifier: Apache-2.0
// Requests about the session as a whole: its beginning and its end.
#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/capabilities.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/launch_configuration.h"
#include "lsp/debug_adapter/launched_module.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"
#include "replay/recorded_comparison.h"

namespace hloscope::dap {

using nlohmann::json;

absl::StatusOr<json> DebugSession::Initialize(const json& arguments) {
  if (state_ != State::kNew) return absl::FailedPreconditionError("`initialize` may be sent only once");
  client_.lines_from_1 = BoolOr(arguments, "linesStartAt1", true);
  client_.columns_from_1 = BoolOr(arguments, "columnsStartAt1", true);
  client_.uris = StringOr(arguments, "pathFormat", "path") == "uri";
  client_.progress = BoolOr(arguments, "supportsProgressReporting", false);
  client_.invalidated = BoolOr(arguments, "supportsInvalidatedEvent", false);
  client_.memory = BoolOr(arguments, "supportsMemoryEvent", false);
  variables_.set_client(BoolOr(arguments, "supportsVariableType", false),
                        BoolOr(arguments, "supportsMemoryReferences", false));
  state_ = State::kInitialized;
  return Capabilities();
}

absl::Status DebugSession::Load(const json& arguments) {
  absl::StatusOr<LaunchConfiguration> read = ReadLaunch(arguments, client_.uris);
  if (!read.ok()) return read.status();
  evaluator::RunOptions& options = read->run;
  std::string diagnostics;
  absl::StatusOr<LaunchedModule> opened = OpenLaunchedModule(read->program, read->module, read->program_options,
                                                             options.session.memory_limit_bytes, &diagnostics);
  if (!diagnostics.empty()) writer_.Output("stderr", diagnostics);
  if (!opened.ok()) return opened.status();
  const bool has_own = !options.arguments.empty() || !options.arguments_directory.empty();
  if (!has_own) options.recorded = opened->arguments;
  evaluator::TimelineOptions timeline_options;
  timeline_options.history_bytes = read->history_bytes;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch = evaluator::DebugLaunch::Create(
      opened->document->shared_module(), std::move(options), timeline_options,
      [this](const std::string& message) { writer_.Output("important", absl::StrCat("warning: ", message, "\n")); });
  if (!launch.ok()) return launch.status();
  Use(std::move(opened->document), *std::move(launch));
  is_in_file_ = opened->is_in_file;
  text_uri_ = is_in_file_ ? "" : read->text_uri;
  if (!has_own) recorded_results_ = std::move(opened->results);
  launch_arguments_ = std::make_shared<const json>(arguments);
  stop_on_entry_ = BoolOr(arguments, "stopOnEntry", false);
  no_debug_ = BoolOr(arguments, "noDebug", false);
  stop_at_end_ = BoolOr(arguments, "stopAtEnd", true) && !no_debug_;
  if (!launch_->filled().empty()) {
    writer_.Output("important", absl::StrCat(launch_->filled().size(),
                                             " constants whose values the text leaves out were filled, first ",
                                             module().InstructionName(launch_->filled()[0]), "\n"));
  }
  return absl::OkStatus();
}

void DebugSession::Use(std::shared_ptr<const Document> document, std::shared_ptr<evaluator::DebugLaunch> launch) {
  Unload();
  is_in_file_ = true;
  text_uri_.clear();
  recorded_results_.clear();
  document_ = std::move(document);
  launch_ = std::move(launch);
  console_ = std::make_unique<Console>(document_, debugger());
  debugger().set_log([this](const std::string& message) { writer_.Output("console", absl::StrCat(message, "\n")); });
  run_changed_(launch_.get());
}

void DebugSession::Unload() {
  if (launch_ == nullptr) return;
  run_changed_(nullptr);
  ForgetPlaces();
  move_.reset();
  ended_.clear();
  if (attached_ != nullptr) {
    // It goes on without the session.
    breakpoints_.Clear(debugger());
    debugger().set_log([](const std::string&) {});
    timeline().set_together(true);
  }
  stop_ = evaluator::Stop();
  console_.reset();
  launch_.reset();
}

absl::StatusOr<json> DebugSession::Launch(const json& arguments) {
  if (state_ == State::kTerminated) return absl::FailedPreconditionError("the session has ended");
  if (launch_ != nullptr) return absl::FailedPreconditionError("a module is launched already; `restart` begins again");
  if (attached_ != nullptr) {
    return absl::FailedPreconditionError("this is a run that goes on already: `attach` to it instead of `launch`");
  }
  if (absl::Status status = Load(arguments); !status.ok()) return status;
  TellLaunched("launch");
  return json();
}

void DebugSession::TellLaunched(absl::string_view start_method) {
  state_ = State::kLaunched;
  after_response_.push_back([this, start_method = std::string(start_method)] {
    writer_.Event("process", {{"name", document_->source().name()},
                              {"systemProcessId", static_cast<int64_t>(getpid())},
                              {"isLocalProcess", true},
                              {"startMethod", start_method}});
    writer_.Event("module", {{"reason", "new"}, {"module", ModuleJson()}});
    writer_.Event("initialized", json());
  });
}

absl::StatusOr<json> DebugSession::ConfigurationDone(const json&) {
  if (state_ != State::kLaunched) return absl::FailedPreconditionError("the run has begun already");
  state_ = State::kStarted;
  after_response_.push_back([this] {
    for (int64_t f = 0; f < timeline().device_count(); ++f) {
      writer_.Event("thread", {{"reason", "started"}, {"threadId", f + 1}});
    }
  });
  if (attached_ != nullptr) {
    BeginAttached();
  } else {
    Begin();
  }
  return json();
}

void DebugSession::Begin() {
  Move move;
  move.reason = "entry";
  move.title = "Running";
  move.run = [this, opened = false]() mutable -> absl::StatusOr<evaluator::Stop> {
    if (!opened) {
      opened = true;
      evaluator::Stop stop = attached_ == nullptr ? debugger().Start() : debugger().Restart();
      if (stop_on_entry_ && !no_debug_) {
        if (stop.reason == evaluator::StopReason::kBreakpoint) stop.reason = evaluator::StopReason::kStep;
        return stop;
      }
      // A breakpoint at the very first step.
      if (stop.reason == evaluator::StopReason::kFailed || stop.reason == evaluator::StopReason::kFinished) return stop;
      if (!no_debug_ && debugger().StopsAtStart(&stop)) return stop;
    }
    return debugger().Continue();
  };
  move_ = std::move(move);
}

absl::StatusOr<json> DebugSession::Restart(const json& arguments) {
  if (state_ != State::kStarted && state_ != State::kLaunched) {
    return absl::FailedPreconditionError("there is no run to restart");
  }
  if (attached_ != nullptr) {
    ended_.clear();
    stop_on_entry_ = true;
    Begin();
    return json();
  }
  // The file may be another by now, and the configuration too.
  const json* const given = Member(arguments, "arguments");
  const json launch = given != nullptr && Member(*given, "program") != nullptr ? *given : *launch_arguments_;
  if (absl::Status status = Load(launch); !status.ok()) return status;
  RenewBreakpoints();
  if (state_ == State::kStarted) Begin();
  after_response_.push_back([this] { writer_.Event("module", {{"reason", "changed"}, {"module", ModuleJson()}}); });
  return json();
}

void DebugSession::TellFinished() {
  for (int64_t f = 0; f < timeline().device_count(); ++f) {
    if (HasEnded(f)) continue;
    const std::string on = timeline().device_count() > 1 ? absl::StrCat(timeline().run().DeviceName(f), ": ") : "";
    const evaluator::Value& result = timeline().execution(f).result();
    if (!result.IsTuple()) {
      writer_.Output("stdout", absl::StrCat(on, "result = ", ShortValue(result), "\n"));
      continue;
    }
    constexpr size_t kShown = 16;
    const size_t count = result.elements().size();
    for (size_t i = 0; i < std::min(kShown, count); ++i) {
      writer_.Output("stdout", absl::StrCat(on, "result{", i, "} = ", ShortValue(result.elements()[i]), "\n"));
    }
    if (count > kShown) writer_.Output("stdout", absl::StrCat(on, "and ", count - kShown, " more results\n"));
  }
  TellAgreement();
}

// The results with those that were recorded with the module.
void DebugSession::TellAgreement() {
  if (recorded_results_.empty()) return;
  std::vector<evaluator::Tensor> computed;
  timeline().execution(0).result().ForEachTensor([&](const evaluator::Tensor& tensor) { computed.push_back(tensor); });
  const absl::StatusOr<std::vector<std::string>> differences =
      replay::DifferencesFromRecorded(computed, recorded_results_);
  if (!differences.ok()) {
    writer_.Output("stderr", absl::StrCat(differences.status().message(), "\n"));
    return;
  }
  for (const std::string& difference : *differences) writer_.Output("stderr", absl::StrCat(difference, "\n"));
  if (differences->empty()) writer_.Output("stdout", "the results agree with the snapshot's\n");
}

void DebugSession::Terminated(int exit_code) {
  state_ = State::kTerminated;
  for (int64_t f = 0; launch_ != nullptr && f < timeline().device_count(); ++f) {
    writer_.Event("thread", {{"reason", "exited"}, {"threadId", f + 1}});
  }
  writer_.Event("exited", {{"exitCode", exit_code}});
  writer_.Event("terminated", json());
}

absl::StatusOr<json> DebugSession::Terminate(const json&) {
  if (state_ == State::kTerminated) return json();
  move_.reset();
  after_response_.push_back([this] { Terminated(0); });
  return json();
}

}  // namespace hloscope::dap
