// `hloscope run`: evaluates the entry computation.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/run_statistics.h"
#include "core/print/literal_printer.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/summary.h"

namespace hloscope {
namespace {

constexpr OptionSpec kOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"out", OptionKind::kValue, "DIR", "write result0.npy, result1.npy, ... (leaves of tuples in order)"},
    {"print", OptionKind::kSwitch, "", "print the results as HLO literals"},
    {"stats", OptionKind::kSwitch, "", "print seconds and bytes by opcode and instruction"},
    {"json", OptionKind::kSwitch, "", "print the statistics as JSON"},
    {"check-nan", OptionKind::kValue, "off|warn|break", "report the first instruction that makes a NaN or an infinity"},
};

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int ExitStatusOf(const absl::Status& status) {
  return absl::IsResourceExhausted(status) || absl::IsCancelled(status) ? kExitLimit : kExitBadInput;
}

int ReportStatus(const absl::Status& status) {
  WriteError(absl::StrCat("hloscope: ", status.message(), "\n"));
  return ExitStatusOf(status);
}

std::string TensorLine(const Tensor& tensor) {
  const TensorSummary summary = Summarize(tensor.WithRunTimeSizes());
  std::string line =
      absl::StrFormat("%s  min %g  max %g  mean %g", tensor.shape().ToString(), summary.min, summary.max, summary.mean);
  if (summary.nan_count > 0) absl::StrAppend(&line, "  ", summary.nan_count, " NaN");
  if (summary.infinity_count > 0) absl::StrAppend(&line, "  ", summary.infinity_count, " infinite");
  return line;
}

class RunCommandImplementation {
 public:
  RunCommandImplementation(const Arguments& arguments, RunOptions options, RenderOptions render,
                           std::shared_ptr<const Document> document)
      : arguments_(arguments),
        options_(std::move(options)),
        render_(render),
        document_(std::move(document)),
        module_(document_->module()),
        runnable_(document_->shared_module()),
        grid_(GridOf(module_, options_)) {}

  int Run() {
    if (!module_.entry().has_value()) {
      WriteError(absl::StrCat("hloscope: ", document_->source().name(), ": the module has no entry computation\n"));
      return kExitBadInput;
    }
    const InstructionId exchange = FirstExchange(module_);
    if (grid_.count() > 1 && exchange.has_value()) {
      return ReportAt(exchange, DiagnosticKind::kEvaluationFailed,
                      {absl::StrCat("running ", OpcodeName(module_.opcode(exchange)), " on ", grid_.count(),
                                    " devices is not supported yet; only devices that exchange no data are")},
                      kExitBadInput);
    }
    if (options_.fill.has_value()) {
      if (const int status = FillLeftOutConstants(*options_.fill); status != kExitGood) return status;
    }
    Buffer::SetLimit(options_.session.memory_limit_bytes);
    Buffer::ResetPeak();
    const Clock::time_point start = Clock::now();
    for (int64_t device = 0; device < grid_.count(); ++device) {
      if (const int status = RunDevice(device, SecondsSince(start)); status != kExitGood) return status;
    }
    statistics_.seconds = SecondsSince(start);
    statistics_.peak_bytes = Buffer::PeakBytes();
    return PutOut();
  }

 private:
  // --fill also stands in for constants that the text leaves out; each is named.
  int FillLeftOutConstants(FillKind kind) {
    absl::StatusOr<FilledModule> filled = FillElidedConstants(runnable_, kind, options_.session.random_seed);
    if (!filled.ok()) return ReportStatus(filled.status());
    runnable_ = filled->module;
    for (InstructionId id : filled->filled) {
      ReportAt(id, DiagnosticKind::kElidedConstantFilled, {std::string(module_.InstructionName(id))}, 0);
    }
    return kExitGood;
  }

  int RunDevice(int64_t device, double seconds_used) {
    absl::StatusOr<std::vector<Value>> values = LoadArguments(module_, options_, grid_, device);
    if (!values.ok()) return ReportStatus(values.status());
    SessionOptions session_options = options_.session;
    session_options.replica_count = grid_.replicas;
    session_options.num_partitions = grid_.partitions;
    session_options.replica_id = device / grid_.partitions;
    session_options.partition_id = device % grid_.partitions;
    // The limits are those of the whole run.
    if (session_options.time_limit_seconds > 0 && device > 0) {
      session_options.time_limit_seconds = std::max(1e-9, session_options.time_limit_seconds - seconds_used);
    }
    if (session_options.step_limit > 0) {
      if (steps_used_ >= session_options.step_limit) {
        return ReportStatus(absl::ResourceExhaustedError(
            absl::StrCat("the limit of ", session_options.step_limit, " steps is reached")));
      }
      session_options.step_limit -= steps_used_;
    }
    absl::StatusOr<std::unique_ptr<Session>> created = Session::Create(runnable_, session_options);
    if (!created.ok()) return ReportStatus(created.status());
    Session& session = **created;
    session.set_keep_values(false);
    for (size_t k = 0; k < values->size(); ++k) {
      const absl::Status status = session.SetArgument(static_cast<int64_t>(k), std::move((*values)[k]));
      if (!status.ok()) return ReportStatus(status);
    }
    {
      const CancelOnSignal cancel(session);
      session.Run();
    }
    steps_used_ += session.executed_count();
    if (session.non_finite().has_value()) ReportNonFinite(*session.non_finite());
    if (!session.finished()) return ReportFailure(session);
    if (arguments_.Switch("stats")) statistics_.Add(session);
    absl::StatusOr<std::vector<Tensor>> leaves = Materialize(session.result());
    if (!leaves.ok()) return ReportStatus(leaves.status());
    results_.push_back(*std::move(leaves));
    return kExitGood;
  }

  // The arrays of a result in memory of their own: views may stand for more elements than any machine holds.
  static absl::StatusOr<std::vector<Tensor>> Materialize(const Value& result) {
    std::vector<Tensor> leaves;
    absl::Status status;
    result.ForEachTensor([&](const Tensor& tensor) {
      absl::StatusOr<Tensor> dense = status.ok() ? tensor.WithRunTimeSizes().Contiguous() : status;
      status = dense.status();
      if (status.ok()) leaves.push_back(*std::move(dense));
    });
    if (!status.ok()) return status;
    return leaves;
  }

  int ReportAt(InstructionId id, DiagnosticKind kind, std::vector<std::string> arguments, int status) const {
    const SourceRange range = document_->InstructionRange(id);
    const Diagnostic diagnostic{kind, InfoOf(kind).severity, range, std::move(arguments), {}, {}};
    WriteError(RenderDiagnostic(document_->source(), diagnostic, render_));
    return status;
  }

  int ReportFailure(const Session& session) const {
    const int status = ExitStatusOf(session.status());
    if (!session.failed_instruction().has_value()) return ReportStatus(session.status());
    return ReportAt(session.failed_instruction(),
                    status == kExitLimit ? DiagnosticKind::kEvaluationLimit : DiagnosticKind::kEvaluationFailed,
                    {std::string(session.status().message())}, status);
  }

  void ReportNonFinite(const NonFiniteReport& report) const {
    std::string where;
    if (report.path.find('/') != std::string::npos) where = absl::StrCat(" in ", report.path);
    ReportAt(report.instruction, DiagnosticKind::kNonFiniteValue,
             {report.is_nan ? "NaN" : "infinity", std::string(module_.InstructionName(report.instruction)), where}, 0);
    for (size_t k = 0; k < report.operands.size(); ++k) {
      if (!report.operands[k].IsTensor()) continue;
      WriteError(absl::StrCat("  operand ", k, " ", module_.InstructionName(module_.operand(report.instruction, k)),
                              ": ", TensorLine(report.operands[k].tensor()), "\n"));
    }
    if (report.result.IsTensor()) WriteError(absl::StrCat("  result: ", TensorLine(report.result.tensor()), "\n"));
  }

  int PutOut() {
    if (const std::optional<std::string> directory = arguments_.Value("out")) {
      if (const int status = WriteResults(*directory); status != kExitGood) return status;
    }
    const bool print = arguments_.Switch("print");
    const bool stats = arguments_.Switch("stats");
    if (print || (!stats && !arguments_.Has("out"))) {
      if (const int status = PrintResults(print); status != kExitGood) return status;
    }
    if (stats) {
      WriteOutput(arguments_.Switch("json") ? StatisticsJson(module_, statistics_)
                                            : StatisticsText(module_, statistics_));
    }
    return kExitGood;
  }

  // All files or none.
  int WriteResults(const std::string& directory) const {
    if (mkdir(directory.c_str(), 0777) != 0 && errno != EEXIST) {
      WriteError(absl::StrCat("hloscope: ", directory, ": cannot be created\n"));
      return kExitBadInput;
    }
    std::vector<std::string> written;
    absl::Status status;
    ForEachResult([&](const std::string& name, const Tensor& tensor) {
      if (!status.ok()) return;
      const std::string path = absl::StrCat(directory, "/", name, ".npy");
      status = WriteNpy(path, tensor);
      if (status.ok()) written.push_back(path);
    });
    if (status.ok()) return kExitGood;
    for (const std::string& path : written) std::remove(path.c_str());
    return ReportStatus(status);
  }

  int PrintResults(bool in_full) const {
    absl::Status status;
    ForEachResult([&](const std::string& name, const Tensor& tensor) {
      if (!status.ok()) return;
      if (!in_full) {
        WriteOutput(absl::StrCat(name, " = ", TensorLine(tensor), "\n"));
        return;
      }
      const absl::StatusOr<Literal> literal = LiteralOf(tensor);
      status = literal.status();
      if (!status.ok()) return;
      WriteOutput(absl::StrCat(name, " = ", literal->shape().ToString(), " ", PrintLiteral(*literal), "\n"));
    });
    return status.ok() ? kExitGood : ReportStatus(status);
  }

  // Calls `visit` with "result1.r0" and the like.
  void ForEachResult(absl::FunctionRef<void(const std::string& name, const Tensor& tensor)> visit) const {
    for (int64_t device = 0; device < grid_.count(); ++device) {
      const std::vector<Tensor>& leaves = results_[static_cast<size_t>(device)];
      for (size_t k = 0; k < leaves.size(); ++k) visit(absl::StrCat("result", k, grid_.Suffix(device)), leaves[k]);
    }
  }

  const Arguments& arguments_;
  const RunOptions options_;
  const RenderOptions render_;
  const std::shared_ptr<const Document> document_;
  const Module& module_;
  std::shared_ptr<const Module> runnable_;  // module_, with the elided constants that --fill stands in for
  const DeviceGrid grid_;
  int64_t steps_used_ = 0;
  std::vector<std::vector<Tensor>> results_;  // leaves, by device
  RunStatistics statistics_;
};

int RunRun(const Arguments& arguments) {
  absl::StatusOr<RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const absl::StatusOr<std::string> check_nan = arguments.Choice("check-nan", {"off", "warn", "break"});
  if (!check_nan.ok()) return UsageError(arguments.command(), check_nan.status().message());
  options->session.find_non_finite = *check_nan == "warn";
  options->session.stop_at_non_finite = *check_nan == "break";
  options->session.collect_statistics = arguments.Switch("stats");
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());

  DocumentOptions document_options;
  std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0], document_options);
  if (document == nullptr) return kExitBadInput;
  return RunCommandImplementation(arguments, *std::move(options), *render, std::move(document)).Run();
}

}  // namespace

const Command& RunCommand() {
  static constexpr Command kCommand = {
      "run",
      "FILE",
      "evaluate the entry computation",
      "Parameters come from --arg, then --args-dir (argN.npy, argN.I.npy for a leaf of a tuple, argN.rR.npy or\n"
      "argN.rR.pP.npy for one of several devices), then --fill. Without --out, --print and --stats a summary of each\n"
      "result is printed. If the run fails, no file is written.",
      kOptions,
      1,
      1,
      RunRun};
  return kCommand;
}

}  // namespace hloscope
