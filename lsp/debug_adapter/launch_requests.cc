// SPDX-License-Identifier: Apache-2.0
// Requests about the session as a whole: its beginning and its end.
#include <unistd.h>

#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "lsp/debug_adapter/capabilities.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/launched_module.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "lsp/protocol/file_uri.h"
#include "nlohmann/json.hpp"
#include "replay/recorded_comparison.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// A member that may be given in several forms: numbers as text too.
absl::StatusOr<std::optional<int64_t>> Count(const json& arguments, absl::string_view name, int64_t least,
                                             int64_t most) {
  absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(arguments, name);
  if (!number.ok() || !number->has_value()) return number;
  if (**number < least || **number > most) {
    return absl::InvalidArgumentError(absl::StrCat("`", name, "` is a number from ", least, " to ", most));
  }
  return number;
}

absl::StatusOr<int64_t> Bytes(const json& arguments, absl::string_view name) {
  if (const absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(arguments, name); number.ok()) {
    if (!number->has_value()) return 0;
    if (**number >= 0) return **number;
  }
  const std::optional<int64_t> bytes = evaluator::BytesFromText(StringOr(arguments, name, "?"));
  if (bytes.has_value()) return *bytes;
  return absl::InvalidArgumentError(absl::StrCat("`", name, "` is a number of bytes such as 1000000 or \"512M\""));
}

// `"shapes": {"0": "3x4", "%x": "<=8x4"}`: what --shape of the command line says.
absl::StatusOr<stablehlo::ImportOptions> ProgramOptions(const json& arguments) {
  stablehlo::ImportOptions options;
  const json* const given = Member(arguments, "shapes");
  if (given == nullptr) return options;
  constexpr absl::string_view kForm = "`shapes` is an object from arguments to sizes, {\"0\": \"3x4\"}";
  if (!given->is_object()) return absl::InvalidArgumentError(kForm);
  for (const auto& [argument, sizes] : given->items()) {
    const auto* const text = sizes.get_ptr<const json::string_t*>();
    if (text == nullptr) return absl::InvalidArgumentError(kForm);
    absl::StatusOr<stablehlo::ArgumentShape> shape = stablehlo::ParseArgumentShape(absl::StrCat(argument, "=", *text));
    if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("`shapes`: ", shape.status().message()));
    options.shapes.push_back(*std::move(shape));
  }
  return options;
}

absl::StatusOr<evaluator::RunOptions> ReadLaunch(const json& arguments) {
  evaluator::RunOptions options;
  options.wording.argument = "`arguments` $0";
  options.wording.give_argument =
      "give it in `arguments` (\"$0\": \"FILE.npy\"), name an `argumentsDirectory`, or `fill`";
  options.wording.give_infeed = "name an `infeedDirectory`";
  options.wording.fill = "`fill`";
  options.wording.custom_call = "`customCalls`";
  if (const json* given = Member(arguments, "arguments")) {
    if (!given->is_object()) {
      return absl::InvalidArgumentError("`arguments` is an object from numbers of parameters to .npy files");
    }
    for (const auto& [name, path] : given->items()) {
      const auto* text = path.get_ptr<const json::string_t*>();
      if (absl::Status status = evaluator::AddArgument(name, text == nullptr ? "" : *text, &options); !status.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("`arguments` \"", name, "\": ", status.message()));
      }
    }
  }
  for (const auto& [name, target] : {std::pair("argumentsDirectory", &options.arguments_directory),
                                     std::pair("infeedDirectory", &options.infeed_directory)}) {
    absl::StatusOr<std::optional<std::string>> text = OptionalString(arguments, name);
    if (!text.ok()) return text.status();
    *target = text->value_or("");
  }
  absl::StatusOr<std::optional<std::string>> fill = OptionalString(arguments, "fill");
  if (!fill.ok()) return fill.status();
  if (fill->has_value() && !(*fill)->empty()) {
    options.fill = evaluator::FillRuleFromText(**fill);
    if (!options.fill.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`fill` is zeros, ones, iota, random, normal, positive or uniform:LO:HI, not `", **fill, "`"));
    }
  }
  const auto seed = Count(arguments, "seed", 0, std::numeric_limits<int64_t>::max());
  const auto replicas = Count(arguments, "replicas", 1, evaluator::kMaxDevices);
  const auto partitions = Count(arguments, "partitions", 1, evaluator::kMaxDevices);
  const auto threads = Count(arguments, "threads", 0, 1024);
  for (const auto* number : {&seed, &replicas, &partitions, &threads}) {
    if (!number->ok()) return number->status();
  }
  const absl::StatusOr<int64_t> memory = Bytes(arguments, "memoryLimit");
  if (!memory.ok()) return memory.status();
  options.session.random_seed = static_cast<uint64_t>(seed->value_or(0));
  options.session.threads = static_cast<int>(threads->value_or(0));
  options.session.memory_limit_bytes = *memory;
  options.session.run_dead_instructions = BoolOr(arguments, "runDeadCode", false);
  options.replicas = *replicas;
  options.partitions = *partitions;
  for (const json& plugin : ListOf(arguments, "customCallPlugins")) {
    if (const auto* path = plugin.get_ptr<const json::string_t*>()) options.plugins.push_back(*path);
  }
  if (const json* calls = Member(arguments, "customCalls"); calls != nullptr && calls->is_object()) {
    for (const auto& [name, value] : calls->items()) {
      if (const auto* text = value.get_ptr<const json::string_t*>()) options.custom_calls[name][""] = *text;
    }
  }
  return options;
}

}  // namespace

absl::StatusOr<json> DebugSession::Initialize(const json& arguments) {
  if (state_ != State::kNew) return absl::FailedPreconditionError("`initialize` may be sent only once");
  client_.lines_from_1 = BoolOr(arguments, "linesStartAt1", true);
  client_.columns_from_1 = BoolOr(arguments, "columnsStartAt1", true);
  client_.uris = StringOr(arguments, "pathFormat", "path") == "uri";
  client_.progress = BoolOr(arguments, "supportsProgressReporting", false);
  client_.invalidated = BoolOr(arguments, "supportsInvalidatedEvent", false);
  client_.memory = BoolOr(arguments, "supportsMemoryEvent", false);
  state_ = State::kInitialized;
  return Capabilities();
}

namespace {

// The name or number of one of several modules.
absl::StatusOr<std::optional<std::string>> OptionalModule(const json& arguments) {
  const json* const given = Member(arguments, "module");
  if (given != nullptr && given->is_number_integer()) return std::optional<std::string>(given->dump());
  return OptionalString(arguments, "module");
}

}  // namespace

absl::Status DebugSession::Load(const json& arguments) {
  absl::StatusOr<std::string> program = RequiredString(arguments, "program");
  if (!program.ok()) {
    return absl::InvalidArgumentError("`program` names the module to run, a file; it is missing");
  }
  if (client_.uris) program = lsp::PathFromUri(*program).value_or(*program);
  absl::StatusOr<evaluator::RunOptions> options = ReadLaunch(arguments);
  if (!options.ok()) return options.status();
  const absl::StatusOr<int64_t> history = Bytes(arguments, "historyLimit");
  if (!history.ok()) return history.status();
  const absl::StatusOr<std::optional<std::string>> wanted = OptionalModule(arguments);
  if (!wanted.ok()) return wanted.status();
  const absl::StatusOr<stablehlo::ImportOptions> program_options = ProgramOptions(arguments);
  if (!program_options.ok()) return program_options.status();
  std::string diagnostics;
  absl::StatusOr<LaunchedModule> opened = OpenLaunchedModule(*program, *wanted, *program_options, &diagnostics);
  if (!diagnostics.empty()) writer_.Output("stderr", diagnostics);
  if (!opened.ok()) return opened.status();
  const bool has_own = !options->arguments.empty() || !options->arguments_directory.empty();
  if (!has_own) options->recorded = opened->arguments;
  evaluator::TimelineOptions timeline_options;
  timeline_options.history_bytes = *history;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch = evaluator::DebugLaunch::Create(
      opened->document->shared_module(), *std::move(options), timeline_options,
      [this](const std::string& message) { writer_.Output("important", absl::StrCat("warning: ", message, "\n")); });
  if (!launch.ok()) return launch.status();
  Use(std::move(opened->document), *std::move(launch));
  is_in_file_ = opened->is_in_file;
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
  BeginMove();
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
