// SPDX-License-Identifier: Apache-2.0
// `hloscope run`: evaluates the entry computation.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cli/arguments.h"
#include "cli/array_summary.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/commands/drawing_format.h"
#include "cli/gathered_results.h"
#include "cli/input.h"
#include "cli/joined_processes.h"
#include "cli/launched_processes.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/progress_line.h"
#include "cli/replay.h"
#include "cli/result_output.h"
#include "cli/run_options.h"
#include "cli/run_statistics.h"
#include "core/analysis/users.h"
#include "core/source/output_file.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/engine/dense_result.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/engine/reproducer.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/engine/run_trace.h"
#include "evaluator/remote/rank_steering.h"
#include "evaluator/tensor/npy.h"
#include "insight/trace/trace_files.h"
#include "interop/files/gzip.h"
#include "interop/files/write_file.h"
#include "lsp/debug_adapter/listening_run.h"
#include "replay/recorded_comparison.h"
#include "replay/recorded_values.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kRunOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"devices", OptionKind::kValue, "N", "number of devices in all, as partitions or replicas as the module asks"},
    HLOSCOPE_RANK_OPTIONS,
    {"results", OptionKind::kValue, "gathered|per-rank",
     "under mpirun: process 0 writes the results of all devices, or each process those of its own (gathered)"},
    {"out", OptionKind::kValue, "DIR",
     "write result0.npy, result1.npy, ... (leaves of tuples in order); NAME.npz: one archive"},
    {"save-args", OptionKind::kValue, "DIR",
     "write the arguments that the run uses: argN.npy, argN.I.npy for a leaf of a tuple"},
    {"iterations", OptionKind::kValue, "N", "run N times, with seeds from --seed on (1)"},
    {"print", OptionKind::kSwitch, "", "print the results as HLO literals"},
    {"stats", OptionKind::kSwitch, "", "print seconds and bytes by opcode and instruction"},
    {"json", OptionKind::kSwitch, "", "print the statistics as JSON"},
    {"trace", OptionKind::kValue, "FILE",
     "write what was executed when: .json (Chrome), .pb (pprof), .xplane.pb (for `hloscope profile`), .html "
     "(timeline), "
     ".svg, .png and .pdf (flame graphs), .folded; each also with .gz"},
    {"check-nan", OptionKind::kValue, "off|warn|break", "report the first instruction that makes a NaN or an infinity"},
    {"listen", OptionKind::kValue, "PORT",
     "let debuggers attach while it runs, at this port of 127.0.0.1 (0: any free one); the port is printed"},
    {"wait-for-debugger", OptionKind::kSwitch, "", "with --listen: begin when a debugger has attached"},
    {"history-limit", OptionKind::kValue, "BYTES",
     "with --listen: of values kept for going back (a quarter of the memory, half of --memory-limit at most)"},
    {"run-dead-code", OptionKind::kSwitch, "", "execute also what no result needs"},
    {"reproducer", OptionKind::kValue, "DIR",
     "with --check-nan: write that instruction as a module of its own, with its operands as arguments"},
};

// "png" or "pdf" for a trace that is a picture of these formats; else empty.
std::string PictureFormatOf(absl::string_view path) {
  absl::ConsumeSuffix(&path, ".gz");
  for (const char* format : {"png", "pdf"}) {
    if (absl::EndsWith(path, absl::StrCat(".", format))) return format;
  }
  return "";
}

std::optional<insight::TraceForm> TraceFormOf(absl::string_view path) {
  return PictureFormatOf(path).empty() ? insight::TraceFormOf(path) : insight::TraceForm::kFlame;
}

class RunCommandImplementation {
 public:
  RunCommandImplementation(const Arguments& arguments, evaluator::RunOptions options, RenderOptions render,
                           std::shared_ptr<const Document> document, std::shared_ptr<const interop::OpenedFile> file,
                           LaunchedProcesses* processes)
      : arguments_(arguments),
        processes_(processes),
        file_(std::move(file)),
        memory_limit_(options.session.memory_limit_bytes),
        dense_(options.session.threads),
        time_limit_seconds_(options.session.time_limit_seconds),
        seconds_before_(options.session.seconds_before),
        history_bytes_(arguments.Bytes("history-limit", 0).value_or(0)),
        progress_(document->module()),
        prepared_(std::move(document), WithProgress(WithTrace(std::move(options)), &progress_), render),
        module_(prepared_.module()),
        grid_(prepared_.grid()) {}

  int Run() {
    evaluator::Buffer::SetLimit(memory_limit_);
    evaluator::Buffer::ResetPeak();
    limit_ = TimeLimit(time_limit_seconds_, seconds_before_);
    if (const int status = Evaluate(); status != kExitGood) return status;
    statistics_.seconds = limit_.SecondsUsed();
    statistics_.peak_bytes = evaluator::Buffer::PeakBytes();
    if (processes_ != nullptr && !ArePerRank()) {
      if (const int status = Gather(); status != kExitGood || !processes_->IsFirst()) return status;
    }
    if (arguments_.Switch("stats")) statistics_.liveness_bytes = LivenessBytes(module_, grid_.device_count());
    // Compared before files are put in their places, after which there is nothing to interrupt.
    const absl::StatusOr<std::optional<Differences>> differences = DifferencesFromRecorded();
    if (const int status = PutOut(); status != kExitGood) return status;
    return ReportRecorded(differences);
  }

 private:
  using Differences = std::vector<std::string>;

  int WriteTrace() const {
    const std::optional<std::string> path = arguments_.Value("trace");
    if (!path) return kExitGood;
    const insight::TraceForm form = *TraceFormOf(*path);
    if (form == insight::TraceForm::kProfile &&
        !IsWithinMemoryLimit("a profile, which holds the module with its constants,",
                             interop::BytesToEncode(module_, interop::OutputForm::kProto), memory_limit_)) {
      return kExitLimit;
    }
    absl::StatusOr<std::string> bytes = EncodeTrace(form, PictureFormatOf(*path));
    if (bytes.ok() && interop::IsCompressedName(*path)) bytes = interop::Gzip(*bytes);
    const absl::Status status = bytes.ok() ? WriteFileAtomically(*path, *bytes) : bytes.status();
    if (!status.ok()) return ReportStatus(status);
    // Sums, of which the other forms are made, count all steps.
    const bool has_steps = form == insight::TraceForm::kChrome || form == insight::TraceForm::kProfile ||
                           form == insight::TraceForm::kPage;
    if (has_steps && trace_.left_out() > 0) {
      WriteError(absl::StrCat("hloscope: ", *path, " has the first ", trace_.steps().size(), " steps of the run; ",
                              trace_.left_out(), " later ones are left out\n"));
    }
    return kExitGood;
  }

  // Pictures and pages are for others, who want to know how they were made.
  absl::StatusOr<std::string> EncodeTrace(insight::TraceForm form, const std::string& picture) const {
    if (form == insight::TraceForm::kPage) {
      insight::HtmlReport page = insight::TracePage(module_, trace_);
      page.AddParagraph(insight::HtmlText("Made by ").Code(CommandLine(arguments_)));
      return std::move(page).Finish();
    }
    absl::StatusOr<std::string> bytes = insight::EncodeTrace(module_, trace_, form);
    return bytes.ok() && !picture.empty() ? DrawingAs(picture, *bytes) : std::move(bytes);
  }

  evaluator::RunOptions WithTrace(evaluator::RunOptions options) {
    if (arguments_.Has("trace")) options.session.trace = &trace_;
    return options;
  }

  // Nobody looks at the progress of a run whose errors go to a file.
  static evaluator::RunOptions WithProgress(evaluator::RunOptions options, evaluator::RunProgress* progress) {
    if (IsTerminal(STDERR_FILENO)) options.session.progress = progress;
    return options;
  }

  bool ArePerRank() const { return arguments_.Value("results") == "per-rank"; }

  int Gather() {
    std::string errors;
    const absl::Status status = GatherResults(processes_->group(), &results_, &statistics_, &errors);
    WriteError(errors);
    return status.ok() ? kExitGood : ReportStatus(status);
  }

  int Evaluate() {
    const bool listens = arguments_.Has("listen");
    const bool is_first = processes_ == nullptr || processes_->IsFirst();
    if (processes_ != nullptr) {
      const int status = JoinProcesses(arguments_, prepared_.document(), grid_, *processes_);
      if (status != kExitGood) return status;
      if (!listens || !is_first) prepared_.SetProcesses(&processes_->group());
    }
    // Debuggers move the devices of all processes from the first one.
    if (processes_ != nullptr && listens && is_first) steering_.emplace(processes_->group());
    if (const int status = listens && is_first
                               ? prepared_.PrepareForDebugger(history_bytes_, steering_ ? &*steering_ : nullptr)
                               : prepared_.Prepare();
        status != kExitGood) {
      return status;
    }
    if (const std::optional<std::string> directory = arguments_.Value("save-args"); directory.has_value() && is_first) {
      if (const int status = SaveArguments(*directory); status != kExitGood) return status;
    }
    evaluator::DeviceRun& run = prepared_.run();
    bool finished = true;
    if (listens && !is_first) {
      if (const int status = ServeDevices(*processes_, prepared_); status != kExitGood) return status;
    } else if (listens) {
      if (const absl::Status status = RunUnderDebuggers(); !status.ok()) return ReportStatus(status);
      for (int64_t f = 0; f < run.device_count(); ++f) finished &= run.device(f).finished();
      if (finished && steering_.has_value()) processes_->group().Dismiss();
    } else {
      const CancelOnSignal cancel(run);
      const ProgressLine line(progress_, evaluator::RunFlops(module_) * run.device_count());
      finished = run.Run() == evaluator::StopReason::kFinished;
    }
    for (int64_t f : run.local_devices()) {
      if (run.device(f).inspection().non_finite().has_value()) ReportNonFinite(run, f);
    }
    if (const int status = WriteFirstReproducer(run); status != kExitGood) return status;
    if (!finished) return prepared_.ReportFailure();
    results_.resize(static_cast<size_t>(run.device_count()));
    for (int64_t f : run.local_devices()) {
      if (arguments_.Switch("stats")) statistics_.Add(run.device(f).inspection());
      if (const absl::Status status = TakeResults(run, f); !status.ok()) return ReportStatus(status);
    }
    return kExitGood;
  }

  // --listen: to the end of the run, with what debuggers do to it meanwhile.
  absl::Status RunUnderDebuggers() {
    int port = 0;
    if (!absl::SimpleAtoi(arguments_.Value("listen").value_or(""), &port)) port = -1;
    absl::StatusOr<dap::LoopbackListener> listener = dap::LoopbackListener::Open(port);
    if (!listener.ok()) return listener.status();
    WriteError(absl::StrCat("hloscope: debuggers can attach at port ", listener->port(), "\n"));
    // A debugger that goes away shows as a failing write.
    void (*const before)(int) = std::signal(SIGPIPE, SIG_IGN);
    const dap::AttachedRun attached{prepared_.shared_document(), prepared_.launch()};
    dap::ListenOptions options;
    options.version = HLOSCOPE_VERSION;
    options.wait_for_client = arguments_.Switch("wait-for-debugger");
    options.around_moves = [&](const std::function<void()>& move) {
      const CancelOnSignal cancel(prepared_.run());
      move();
    };
    absl::Status status = dap::RunListening(attached, *listener, options);
    std::signal(SIGPIPE, before);
    return status;
  }

  absl::Status TakeResults(evaluator::DeviceRun& run, int64_t f) {
    DeviceResults& results = results_[static_cast<size_t>(f)];
    absl::StatusOr<std::vector<evaluator::Tensor>> leaves = dense_.LeavesOf(run.device(f).result());
    if (!leaves.ok()) return leaves.status();
    results.leaves = *std::move(leaves);
    const auto take = [&](std::string name, const evaluator::Value& item) -> absl::Status {
      absl::StatusOr<std::vector<evaluator::Tensor>> parts = dense_.LeavesOf(item);
      if (!parts.ok()) return parts.status();
      results.to_host.push_back({std::move(name), *std::move(parts)});
      return absl::OkStatus();
    };
    const evaluator::HostChannel& host = run.host(f);
    for (size_t n = 0; n < host.outfeed().size(); ++n) {
      if (absl::Status status = take(absl::StrCat("outfeed", n), host.outfeed()[n]); !status.ok()) return status;
    }
    std::map<std::string, int> counts;  // by what names of channels become, which may be the same for two
    for (const auto& [channel, value] : host.sent()) {
      const std::string part = FileNamePart(channel);
      if (absl::Status status = take(absl::StrCat("send", part, ".", counts[part]++), value); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  // A channel's name without what leads to other folders.
  static std::string FileNamePart(std::string channel) {
    for (char& c : channel) {
      if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    }
    return channel;
  }

  // Before the run, so that one that fails can be repeated too. All files or none.
  int SaveArguments(const std::string& directory) {
    OutputFilesTogether files;
    absl::Status status = MakeFolder(directory);
    const std::vector<InstructionId>& parameters = module_.computation(module_.entry()).parameters;
    for (int64_t f = 0; f < grid_.device_count() && status.ok(); ++f) {
      for (size_t k = 0; k < parameters.size() && status.ok(); ++k) {
        const absl::StatusOr<evaluator::Value> value = prepared_.ArgumentOf(f, static_cast<int64_t>(k));
        status = value.ok() ? SaveLeaves(*value, absl::StrCat(directory, "/arg", k), evaluator::DeviceSuffix(grid_, f))
                            : value.status();
      }
    }
    if (status.ok()) status = files.Finish();
    return status.ok() ? kExitGood : ReportStatus(status);
  }

  absl::Status SaveLeaves(const evaluator::Value& value, const std::string& stem, const std::string& suffix) const {
    if (value.IsTensor()) {
      if (absl::Status status = limit_.Check(); !status.ok()) return status;
      return evaluator::WriteNpy(absl::StrCat(stem, suffix, ".npy"), value.tensor());
    }
    if (!value.IsTuple()) return absl::OkStatus();  // a token
    for (size_t i = 0; i < value.elements().size(); ++i) {
      absl::Status status = SaveLeaves(value.elements()[i], absl::StrCat(stem, ".", i), suffix);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  void ReportNonFinite(const evaluator::DeviceRun& run, int64_t f) const {
    const evaluator::NonFiniteReport& report = *run.device(f).inspection().non_finite();
    std::string where;
    if (report.path.find('/') != std::string::npos) where = absl::StrCat(" in ", report.path);
    where += prepared_.OnDevice(f);
    prepared_.ReportAt(
        report.instruction, DiagnosticKind::kNonFiniteValue,
        {report.is_nan ? "NaN" : "infinity", std::string(module_.InstructionName(report.instruction)), where}, 0);
    SummaryBudget budget;
    for (size_t k = 0; k < report.operands.size(); ++k) {
      if (!report.operands[k].IsTensor()) continue;
      WriteError(absl::StrCat("  operand ", k, " ", module_.InstructionName(module_.operand(report.instruction, k)),
                              ": ", ArrayLine(report.operands[k].tensor(), &budget), "\n"));
    }
    if (report.result.IsTensor())
      WriteError(absl::StrCat("  result: ", ArrayLine(report.result.tensor(), &budget), "\n"));
  }

  // --reproducer, for the first device that has one to show.
  int WriteFirstReproducer(const evaluator::DeviceRun& run) const {
    const std::optional<std::string> directory = arguments_.Value("reproducer");
    if (!directory.has_value()) return kExitGood;
    for (int64_t f : run.local_devices()) {
      if (!run.device(f).inspection().non_finite().has_value()) continue;
      const evaluator::NonFiniteReport& report = *run.device(f).inspection().non_finite();
      if (const absl::Status made = MakeFolder(*directory); !made.ok()) return ReportStatus(made);
      const auto value_of = [&](InstructionId id) -> absl::StatusOr<evaluator::Value> {
        for (size_t k = 0; k < report.operands.size(); ++k) {
          if (module_.operand(report.instruction, k) == id) return report.operands[k];
        }
        return absl::NotFoundError(absl::StrCat(
            "no reproducer is written: ", module_.InstructionName(report.instruction), " cannot run by itself without ",
            module_.InstructionName(id), "; `origin` and `reproduce` of hloscope debug follow it further"));
      };
      const absl::StatusOr<std::vector<std::string>> paths =
          evaluator::WriteReproducer(module_, UserIndex(module_), report.instruction, value_of, *directory);
      if (!paths.ok()) return ReportStatus(paths.status());
      WriteError(absl::StrCat("  alone: hloscope run ", reports::ShellQuoted((*paths)[0]), " --args-dir ",
                              reports::ShellQuoted(*directory), "\n"));
      return kExitGood;
    }
    return kExitGood;
  }

  // No file is left of what does not come to its end.
  int PutOut() {
    OutputFilesTogether files;
    if (const int status = WriteTrace(); status != kExitGood) return status;
    const ResultOutput output(grid_, results_, limit_);
    if (const std::optional<std::string> directory = arguments_.Value("out")) {
      if (const absl::Status status = output.WriteFiles(*directory); !status.ok()) return ReportStatus(status);
    }
    if (const absl::Status status = Print(output); !status.ok()) return ReportStatus(status);
    if (!arguments_.Has("out") && !arguments_.Has("trace")) return kExitGood;
    FlushOutput();  // whoever reads it may be slow
    IgnoreSignals();
    const absl::Status status = files.Finish();
    return status.ok() ? kExitGood : ReportStatus(status);
  }

  absl::Status Print(const ResultOutput& output) const {
    const bool print = arguments_.Switch("print");
    const bool stats = arguments_.Switch("stats");
    if (print && stats && arguments_.Switch("json")) return output.PrintJson(StatisticsJson(module_, statistics_));
    absl::Status status;
    if (print) {
      status = output.PrintLiterals();
    } else if (!stats && !arguments_.Has("out")) {
      status = output.PrintSummaries();
    }
    if (stats && status.ok()) {
      WriteOutput(arguments_.Switch("json") ? StatisticsJson(module_, statistics_)
                                            : StatisticsText(module_, statistics_));
    }
    return status;
  }

  // Between the results and those of the snapshot that the module comes from; nothing if it has none or a file replaced
  // an argument.
  absl::StatusOr<std::optional<Differences>> DifferencesFromRecorded() const {
    if (processes_ != nullptr && !processes_->IsFirst()) return std::nullopt;
    if (!file_->snapshot || arguments_.Has("arg") || arguments_.Has("args-dir")) return std::nullopt;
    const absl::StatusOr<std::vector<evaluator::Tensor>> recorded = replay::RecordedResult(*file_->snapshot);
    if (!recorded.ok()) return recorded.status();
    if (recorded->empty()) return std::nullopt;
    return replay::DifferencesFromRecorded(results_[0].leaves, *recorded);
  }

  static int ReportRecorded(const absl::StatusOr<std::optional<Differences>>& differences) {
    if (!differences.ok()) return ReportStatus(differences.status());
    if (!differences->has_value()) return kExitGood;
    for (const std::string& difference : **differences) WriteError(absl::StrCat("hloscope: ", difference, "\n"));
    if (!(*differences)->empty()) return kExitBadInput;
    WriteError("hloscope: the results agree with the snapshot's\n");
    return kExitGood;
  }

  const Arguments& arguments_;
  LaunchedProcesses* const processes_;  // null: this one alone
  const std::shared_ptr<const interop::OpenedFile> file_;
  const int64_t memory_limit_;
  evaluator::DenseResults dense_;
  const double time_limit_seconds_, seconds_before_;
  const int64_t history_bytes_;
  TimeLimit limit_{0};  // of reading and of the run, which begins with Run()
  evaluator::RunProgress progress_;
  evaluator::RunTrace trace_;
  std::optional<evaluator::RankSteering> steering_;
  PreparedRun prepared_;
  const Module& module_;
  const evaluator::DeviceGrid& grid_;
  std::vector<DeviceResults> results_;  // by device
  RunStatistics statistics_;
};

// Ends with the first iteration that fails.
int RunIterations(const Arguments& arguments, int64_t iterations, const evaluator::RunOptions& options,
                  const RenderOptions& render, const std::shared_ptr<const Document>& document,
                  const std::shared_ptr<const interop::OpenedFile>& file, LaunchedProcesses* processes) {
  int status = kExitGood;
  for (int64_t i = 0; i < iterations && status == kExitGood; ++i) {
    evaluator::RunOptions of_iteration = options;
    of_iteration.session.random_seed += static_cast<uint64_t>(i);
    if (iterations > 1) {
      WriteOutput(absl::StrCat("iteration ", i, ", seed ", of_iteration.session.random_seed, "\n"));
      FlushOutput();
    }
    status = RunCommandImplementation(arguments, std::move(of_iteration), render, document, file, processes).Run();
  }
  return status;
}

// Wrong use of the options that speak of several processes; empty if there is none.
std::string MisuseOfRanks(const Arguments& arguments, int64_t iterations, const LaunchedProcesses* processes) {
  const absl::StatusOr<std::string> results = arguments.Choice("results", {"gathered", "per-rank"});
  if (!results.ok()) return std::string(results.status().message());
  if (processes == nullptr) return "";
  if (iterations > 1) return "--iterations is for one process";
  const std::string out = arguments.Value("out").value_or("");
  if (*results == "per-rank" && (out.empty() || absl::EndsWith(out, ".npz"))) {
    return "--results=per-rank needs --out DIR";
  }
  return "";
}

std::string MisuseOfListen(const Arguments& arguments, int64_t iterations) {
  if (!arguments.Has("listen")) {
    for (const char* option : {"wait-for-debugger", "history-limit"}) {
      if (arguments.Has(option)) return absl::StrCat("--", option, " needs --listen");
    }
    return "";
  }
  if (const absl::StatusOr<int64_t> history = arguments.Bytes("history-limit", 0); !history.ok()) {
    return std::string(history.status().message());
  }
  const absl::StatusOr<int64_t> port = arguments.Int("listen", 0, 0, 65535);
  if (!port.ok()) return std::string(port.status().message());
  return iterations > 1 ? "--listen is for one run: it does not go with --iterations" : "";
}

int RunWith(const Arguments& arguments, LaunchedProcesses* processes) {
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<std::string> check_nan = arguments.Choice("check-nan", {"off", "warn", "break"});
  if (!check_nan.ok()) return UsageError(arguments.command(), check_nan.status().message());
  if (arguments.Has("reproducer") && *check_nan == "off") {
    return UsageError(arguments.command(), "--reproducer needs --check-nan=warn or --check-nan=break");
  }
  if (arguments.Switch("json") && !arguments.Switch("stats")) {
    return UsageError(arguments.command(), "--json prints the statistics: it needs --stats");
  }
  options->session.run_dead_instructions = arguments.Switch("run-dead-code");
  options->session.find_non_finite = *check_nan == "warn";
  options->session.stop_at_non_finite = *check_nan == "break";
  options->session.collect_statistics = arguments.Switch("stats") || arguments.Has("trace");
  if (const std::optional<std::string> trace = arguments.Value("trace"); trace && !TraceFormOf(*trace)) {
    return UsageError(arguments.command(),
                      "--trace takes NAME.json, .pb, .xplane.pb, .html, .svg, .png, .pdf or .folded, perhaps with .gz");
  }
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());

  const absl::StatusOr<int64_t> iterations = arguments.Int("iterations", 1, 1, 1'000'000'000);
  if (!iterations.ok()) return UsageError(arguments.command(), iterations.status().message());
  for (const char* option : {"out", "save-args", "json", "reproducer", "trace"}) {
    if (*iterations == 1 || !arguments.Has(option)) continue;
    return UsageError(arguments.command(),
                      absl::StrCat("--", option, " is of one run: it does not go with --iterations"));
  }

  if (const std::string misuse = MisuseOfListen(arguments, *iterations); !misuse.empty()) {
    return UsageError(arguments.command(), misuse);
  }
  const absl::StatusOr<int64_t> devices = arguments.Int("devices", 0, 1, evaluator::kMaxDevices);
  if (!devices.ok()) return UsageError(arguments.command(), devices.status().message());
  if (const std::string misuse = MisuseOfRanks(arguments, *iterations, processes); !misuse.empty()) {
    return UsageError(arguments.command(), misuse);
  }

  std::shared_ptr<const interop::OpenedFile> file;
  std::shared_ptr<const Document> document = OpenToRun(arguments, arguments.operands()[0], &*options, &file);
  if (document == nullptr) return StatusOfReading();
  if (*devices > 0) {
    const absl::Status status = SetDevices(*devices, document->module(), &*options);
    if (!status.ok()) return UsageError(arguments.command(), status.message());
  }
  return RunIterations(arguments, *iterations, *options, *render, document, file, processes);
}

int RunRun(const Arguments& arguments) {
  const absl::StatusOr<std::unique_ptr<LaunchedProcesses>> processes = LaunchedProcesses::Find();
  if (!processes.ok()) return ReportStatus(processes.status());
  const int status = RunWith(arguments, processes->get());
  return *processes == nullptr ? status : (*processes)->Finish(status);
}

}  // namespace

const Command& RunCommand() {
  static constexpr Command kCommand = {
      "run",
      "FILE",
      "evaluate the entry computation",
      "Parameters come from --arg, then --args-dir (argN.npy, argN.I.npy for a leaf of a tuple, argN.rR.npy or\n"
      "argN.rR.pP.npy for one of several devices), then --fill. Several devices are simulated, or spread over the\n"
      "processes that `mpirun -n N hloscope run ...` starts, with the same results; what a device sends by outfeed is\n"
      "written beside its results as outfeedN.npy, by send on channel C as sendC.N.npy. Without --out, --print and\n"
      "--stats a summary of each result is printed. If the run fails, no result is written. --iterations prints\n"
      "results and statistics of each run and ends with the first one that fails.",
      kRunOptions,
      1,
      1,
      RunRun};
  return kCommand;
}

}  // namespace hloscope::cli
