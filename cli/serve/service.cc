// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/service.h"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cli/diagnostics_json.h"
#include "cli/serve/request_parameters.h"
#include "cli/serve/run_request.h"
#include "core/ir/opcode.h"
#include "core/resources/own_program.h"
#include "evaluator/engine/dense_result.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/tensor.h"
#include "interop/modules/open_modules.h"
#include "interop/modules/shown_diagnostics.h"
#include "replay/recorded_values.h"
#include "reports/cost_report.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

// Folders that are there while a command runs.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "hloscope-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Json ParametersJson(const Module& module) {
  Json parameters = Json::array();
  if (!module.entry().has_value()) return parameters;
  for (const InstructionId id : module.computation(module.entry()).parameters) {
    parameters.push_back({{"name", std::string(module.InstructionName(id))}, {"shape", module.shape(id).ToString()}});
  }
  return parameters;
}

}  // namespace

// Takes what a run executes, until it has as much as was asked for.
class Service::Collector final : public evaluator::ExecutionObserver {
 public:
  struct Step {
    InstructionId instruction;
    evaluator::Value value;
  };
  explicit Collector(bool into) : into_(into) {}
  void Want(size_t count) { wanted_ = count; }
  std::vector<Step> Take() { return std::exchange(steps_, {}); }

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame> frames, InstructionId id, const evaluator::Value& value) override {
    if (!into_ && frames.size() > 1) return false;
    steps_.push_back({id, value});
    return steps_.size() >= wanted_;
  }

 private:
  const bool into_;
  size_t wanted_ = 1;
  std::vector<Step> steps_;
};

Service::Service() = default;
Service::~Service() = default;

absl::Span<const Service::MethodRow> Service::Methods() {
  static constexpr MethodRow kMethods[] = {
      {"version", &Service::Version}, {"open", &Service::Open},
      {"check", &Service::Check},     {"text", &Service::Text},
      {"cost", &Service::Cost},       {"run", &Service::Run},
      {"start", &Service::Start},     {"nan_origin", &Service::NanOrigin},
      {"next", &Service::Next},       {"command", &Service::Command},
      {"close", &Service::Close},
  };
  return kMethods;
}

bool Service::HasMethod(absl::string_view method) const {
  return std::any_of(Methods().begin(), Methods().end(), [&](const MethodRow& row) { return row.name == method; });
}

absl::StatusOr<Json> Service::Handle(absl::string_view method, Call& call) {
  for (const MethodRow& row : Methods()) {
    if (row.name == method) return (this->*row.method)(call);
  }
  return absl::UnimplementedError(absl::StrCat("there is no method `", method, "`"));
}

void Service::Cancel() {
  cancelled_ = true;
  const std::lock_guard<std::mutex> lock(running_mutex_);
  if (running_ != nullptr) running_->debugger().timeline().run().Cancel();
}

absl::StatusOr<Json> Service::Version(Call&) {
  Json methods = Json::array();
  for (const MethodRow& row : Methods()) methods.push_back(std::string(row.name));
  return Json{{"version", HLOSCOPE_VERSION}, {"methods", std::move(methods)}};
}

// --- Modules ---

absl::StatusOr<Service::OpenModule*> Service::ModuleOf(Call& call) {
  const absl::StatusOr<std::optional<int64_t>> handle = IntegerParam(call.params, "handle");
  if (!handle.ok()) return handle.status();
  const auto found = handle->has_value() ? modules_.find(**handle) : modules_.end();
  if (found == modules_.end()) return absl::NotFoundError("`handle` names no open module");
  return &found->second;
}

absl::StatusOr<Json> Service::Open(Call& call) {
  const absl::StatusOr<std::optional<std::string>> path = TextParam(call.params, "path");
  const absl::StatusOr<std::optional<std::string>> text = TextParam(call.params, "text");
  const absl::StatusOr<std::optional<std::string>> name = TextParam(call.params, "name");
  const absl::StatusOr<std::optional<std::string>> wanted = TextParam(call.params, "module");
  for (const auto* value : {&path, &text, &name, &wanted}) {
    if (!value->ok()) return value->status();
  }
  const auto frame = call.params.find("frame");
  const bool has_frame = frame != call.params.end();
  if (path->has_value() + text->has_value() + has_frame != 1) {
    return absl::InvalidArgumentError("`open` takes one of `path`, `text` and `frame`");
  }
  absl::StatusOr<interop::OpenedModules> opened = absl::UnknownError("");
  if (path->has_value()) {
    if (**path == "-") return absl::InvalidArgumentError("standard input is where requests come from");
    opened = interop::OpenModules(**path, {}, *wanted);
  } else {
    std::string bytes = text->value_or("");
    if (has_frame) {
      const absl::StatusOr<const std::string*> data = FrameOf(call.frames, *frame);
      if (!data.ok()) return data.status();
      bytes = **data;
    }
    opened = interop::OpenModulesOfBytes(name->value_or("<text>"), std::move(bytes), {}, *wanted);
  }
  if (!opened.ok()) return opened.status();
  if (opened->modules.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat("it holds several modules; choose one with `module`: ",
                                                   interop::ModuleList(opened->file->modules)));
  }
  interop::HloSource& source = opened->modules[0];
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  OpenModule module;
  module.document = Document::Parse(source.text, options);
  module.of_program = std::move(source.diagnostics);
  module.has_errors = source.has_errors || module.document->has_errors();
  module.obstacles = opened->file->obstacles;
  if (opened->file->snapshot && !module.has_errors) {
    absl::StatusOr<std::vector<evaluator::Value>> recorded =
        replay::RecordedArguments(*opened->file->snapshot, module.document->module());
    if (!recorded.ok()) return recorded.status();
    module.recorded = *std::move(recorded);
  }
  const Module& read = module.document->module();
  Json result = {{"handle", next_},
                 {"name", std::string(read.name())},
                 {"ok", !module.has_errors},
                 {"computations", read.computations().size()},
                 {"instructions", read.instruction_count()},
                 {"parameters", ParametersJson(read)}};
  if (read.entry().has_value() && read.computation(read.entry()).root.has_value()) {
    result["result"] = read.shape(read.computation(read.entry()).root).ToString();
  }
  modules_.emplace(next_++, std::move(module));
  return result;
}

absl::StatusOr<Json> Service::Check(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  const interop::ShownDiagnostics shown = interop::DiagnosticsToShow(*(*module)->document, (*module)->of_program);
  Json diagnostics = Json::array();
  int64_t errors = 0, warnings = 0;
  for (const Diagnostic& diagnostic : shown.diagnostics) {
    diagnostics.push_back(DiagnosticToJson(*shown.source, diagnostic));
    errors += diagnostic.severity == Severity::kError;
    warnings += diagnostic.severity == Severity::kWarning;
  }
  return Json{{"ok", errors == 0}, {"errors", errors}, {"warnings", warnings}, {"diagnostics", std::move(diagnostics)}};
}

absl::StatusOr<Json> Service::Text(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  return Json{{"text", std::string((*module)->document->source().text())}};
}

absl::StatusOr<Json> Service::Cost(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  if ((*module)->has_errors) return absl::FailedPreconditionError("the module has errors; `check` lists them");
  return reports::CostReportJson(reports::CostReport(*(*module)->document));
}

absl::StatusOr<Json> Service::Close(Call& call) {
  for (const char* name : {"handle", "run"}) {
    const absl::StatusOr<std::optional<int64_t>> number = IntegerParam(call.params, name);
    if (!number.ok()) return number.status();
    if (!number->has_value()) continue;
    const bool is_open = std::string(name) == "run" ? runs_.erase(**number) > 0 : modules_.erase(**number) > 0;
    if (!is_open) return absl::NotFoundError(absl::StrCat("`", name, "` names nothing that is open"));
  }
  return Json::object();
}

// --- Runs ---

absl::StatusOr<evaluator::RunOptions> Service::OptionsOf(Call& call, const OpenModule& module) {
  if (module.has_errors) return absl::FailedPreconditionError("the module has errors; `check` lists them");
  if (!module.obstacles.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("it cannot be executed: ", module.obstacles[0]));
  }
  const Module& read = module.document->module();
  if (!read.entry().has_value()) return absl::FailedPreconditionError("there is no entry computation");
  absl::StatusOr<evaluator::RunOptions> options = RunOptionsOfRequest(call.params);
  if (!options.ok()) return options;
  options->recorded = module.recorded;
  const auto arguments = call.params.find("arguments");
  if (arguments == call.params.end() || arguments->is_null()) return options;
  absl::StatusOr<std::vector<evaluator::Value>> values = ArgumentsOfRequest(*arguments, call.frames, read, *options);
  if (!values.ok()) return values.status();
  options->recorded = *std::move(values);
  return options;
}

absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> Service::Launch(Call&, OpenModule& module,
                                                                        evaluator::RunOptions options,
                                                                        const evaluator::TimelineOptions& timeline) {
  const std::shared_ptr<const Module> shared(module.document, &module.document->module());
  return evaluator::DebugLaunch::Create(shared, std::move(options), timeline, [](const std::string&) {});
}

absl::Status Service::RunToEnd(evaluator::DebugLaunch& launch) {
  {
    const std::lock_guard<std::mutex> lock(running_mutex_);
    running_ = &launch;
    if (cancelled_) launch.debugger().timeline().run().Cancel();
  }
  evaluator::Timeline& timeline = launch.debugger().timeline();
  if (timeline.inspection(0).frames().empty()) timeline.Start();
  const evaluator::StopReason reason = timeline.RunAll();
  {
    const std::lock_guard<std::mutex> lock(running_mutex_);
    running_ = nullptr;
  }
  if (reason != evaluator::StopReason::kFailed) return absl::OkStatus();
  return timeline.status().ok() ? absl::UnknownError("the run failed") : timeline.status();
}

absl::StatusOr<Json> Service::ValueJson(const evaluator::Value& value, Call& call) {
  absl::StatusOr<std::vector<evaluator::Tensor>> leaves = evaluator::DenseResults(0).LeavesOf(value);
  if (!leaves.ok()) return leaves.status();
  Json arrays = Json::array();
  for (const evaluator::Tensor& leaf : *leaves) {
    std::ostringstream stream;
    if (absl::Status status = evaluator::WriteNpy(stream, leaf); !status.ok()) return status;
    arrays.push_back({{"shape", leaf.shape().ToString()}, {"frame", call.answer_frames.size()}});
    call.answer_frames.push_back(std::move(stream).str());
  }
  return arrays;
}

absl::StatusOr<Json> Service::Run(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  absl::StatusOr<evaluator::RunOptions> options = OptionsOf(call, **module);
  if (!options.ok()) return options.status();
  // Nothing is gone back to.
  evaluator::TimelineOptions timeline;
  timeline.history_bytes = 1;
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch =
      Launch(call, **module, *std::move(options), timeline);
  if (!launch.ok()) return launch.status();
  if (absl::Status status = RunToEnd(**launch); !status.ok()) return status;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Json devices = Json::array();
  const evaluator::Timeline& done = (*launch)->debugger().timeline();
  for (int64_t f = 0; f < done.device_count(); ++f) {
    absl::StatusOr<Json> results = ValueJson(done.execution(f).result(), call);
    if (!results.ok()) return results.status();
    devices.push_back(*std::move(results));
  }
  return Json{{"results", devices[0]}, {"devices", std::move(devices)}, {"seconds", seconds.count()}};
}

absl::StatusOr<Json> Service::NanOrigin(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  absl::StatusOr<evaluator::RunOptions> options = OptionsOf(call, **module);
  if (!options.ok()) return options.status();
  options->session.stop_at_non_finite = true;
  evaluator::TimelineOptions timeline;
  timeline.history_bytes = 1;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch =
      Launch(call, **module, *std::move(options), timeline);
  if (!launch.ok()) return launch.status();
  const absl::Status status = RunToEnd(**launch);
  const Module& read = (*module)->document->module();
  const evaluator::Timeline& done = (*launch)->debugger().timeline();
  for (int64_t f = 0; f < done.device_count(); ++f) {
    const std::optional<evaluator::NonFiniteReport>& report = done.inspection(f).non_finite();
    if (!report.has_value()) continue;
    Json operands = Json::array();
    for (size_t k = 0; k < report->operands.size(); ++k) {
      absl::StatusOr<Json> arrays = ValueJson(report->operands[k], call);
      if (!arrays.ok()) return arrays.status();
      operands.push_back({{"instruction", std::string(read.InstructionName(read.operand(report->instruction, k)))},
                          {"value", *std::move(arrays)}});
    }
    absl::StatusOr<Json> value = ValueJson(report->result, call);
    if (!value.ok()) return value.status();
    return Json{{"found", true},
                {"kind", report->is_nan ? "nan" : "infinity"},
                {"instruction", std::string(read.InstructionName(report->instruction))},
                {"path", report->path},
                {"device", f},
                {"value", *std::move(value)},
                {"operands", std::move(operands)}};
  }
  if (!status.ok()) return status;
  return Json{{"found", false}};
}

absl::StatusOr<Json> Service::Start(Call& call) {
  const absl::StatusOr<OpenModule*> module = ModuleOf(call);
  if (!module.ok()) return module.status();
  const auto into = Param<bool>(call.params, "into", "true or false");
  if (!into.ok()) return into.status();
  absl::StatusOr<evaluator::RunOptions> options = OptionsOf(call, **module);
  if (!options.ok()) return options.status();
  OpenRun run;
  run.document = (*module)->document;
  evaluator::TimelineOptions timeline;
  timeline.history_bytes = 1;
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> launch =
      Launch(call, **module, *std::move(options), timeline);
  if (!launch.ok()) return launch.status();
  run.launch = *std::move(launch);
  if (run.launch->debugger().timeline().device_count() > 1) {
    return absl::InvalidArgumentError("steps are of one device: `hloscope debug` steps through several");
  }
  run.collector = std::make_unique<Collector>(into->value_or(true));
  run.launch->debugger().timeline().SetObserver(0, run.collector.get());
  runs_.emplace(next_, std::move(run));
  return Json{{"run", next_++}};
}

absl::StatusOr<Json> Service::Next(Call& call) {
  constexpr int64_t kMostSteps = 1 << 20;
  const auto number = IntegerParam(call.params, "run"), count = IntegerParam(call.params, "count");
  const auto values = Param<bool>(call.params, "values", "true or false");
  for (const absl::Status& status : {number.status(), count.status(), values.status()}) {
    if (!status.ok()) return status;
  }
  const auto found = number->has_value() ? runs_.find(**number) : runs_.end();
  if (found == runs_.end()) return absl::NotFoundError("`run` names no open run");
  if (count->value_or(1) < 1 || count->value_or(1) > kMostSteps) {
    return absl::InvalidArgumentError(absl::StrCat("`count` is from 1 to ", kMostSteps));
  }
  OpenRun& run = found->second;
  run.collector->Want(static_cast<size_t>(count->value_or(1)));
  evaluator::Timeline& timeline = run.launch->debugger().timeline();
  absl::Status status;
  if (!timeline.execution(0).finished()) status = RunToEnd(*run.launch);
  const Module& module = run.document->module();
  Json steps = Json::array();
  for (const Collector::Step& step : run.collector->Take()) {
    Json json = {{"instruction", std::string(module.InstructionName(step.instruction))},
                 {"computation", std::string(module.ComputationName(module.instruction(step.instruction).computation))},
                 {"opcode", std::string(OpcodeName(module.opcode(step.instruction)))},
                 {"shape", module.shape(step.instruction).ToString()}};
    if (values->value_or(true)) {
      absl::StatusOr<Json> value = ValueJson(step.value, call);
      if (!value.ok()) return value.status();
      json["value"] = *std::move(value);
    }
    steps.push_back(std::move(json));
  }
  if (!status.ok()) return status;
  return Json{{"steps", std::move(steps)}, {"finished", timeline.execution(0).finished()}};
}

// --- Other commands ---

absl::StatusOr<Json> Service::Command(Call& call) {
  constexpr double kSeconds = 24 * 3600;
  const auto arguments = call.params.find("arguments");
  const bool is_list =
      arguments != call.params.end() && arguments->is_array() &&
      std::all_of(arguments->begin(), arguments->end(), [](const Json& word) { return word.is_string(); });
  if (!is_list || arguments->empty())
    return absl::InvalidArgumentError("`arguments` is a list of words: [\"diff\", \"@1\", \"@2\"]");
  const TemporaryFolder folder;
  if (folder.path().empty()) return absl::UnavailableError("there is no folder for temporary files");
  const std::string errors = folder.path() + "/errors";
  // The shell puts the messages into a file, where they can be told from the results.
  std::vector<std::string> command = {"/bin/sh", "-c", "e=$1; shift; exec \"$@\" 2>\"$e\"", "sh", errors, OwnProgram()};
  for (const Json& word : *arguments) {
    std::string text = word.get<std::string>();
    int64_t handle = 0;
    if (absl::StartsWith(text, "@") && absl::SimpleAtoi(absl::string_view(text).substr(1), &handle)) {
      const auto module = modules_.find(handle);
      if (module == modules_.end()) return absl::NotFoundError(absl::StrCat("`", text, "` names no open module"));
      text = absl::StrCat(folder.path(), "/module_", handle, ".hlo");
      std::ofstream(text, std::ios::binary) << module->second.document->source().text();
    }
    command.push_back(std::move(text));
  }
  const absl::StatusOr<reports::ProgramResult> result =
      reports::RunProgram(command, "", kSeconds, /*silent=*/false, {.interrupted = &cancelled_});
  if (!result.ok()) return result.status();
  return Json{{"exit_status", result->exit_status}, {"output", result->output}, {"errors", ReadAll(errors)}};
}

}  // namespace hloscope::cli
