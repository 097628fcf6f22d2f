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

#include "absl/strings/match.h"
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
#include "evaluator/engine/dense_result.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/npz.h"
#include "evaluator/tensor/summary.h"

namespace hloscope {
namespace {

constexpr OptionSpec kOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"out", OptionKind::kValue, "DIR",
     "write result0.npy, result1.npy, ... (leaves of tuples in order); NAME.npz: one archive"},
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
        grid_(GridOf(module_, options_)),
        loader_(module_, options_, grid_) {}

  int Run() {
    if (!module_.entry().has_value()) {
      WriteError(absl::StrCat("hloscope: ", document_->source().name(), ": the module has no entry computation\n"));
      return kExitBadInput;
    }
    if (options_.fill.has_value()) {
      if (const int status = FillLeftOutConstants(*options_.fill); status != kExitGood) return status;
    }
    Buffer::SetLimit(options_.session.memory_limit_bytes);
    Buffer::ResetPeak();
    const Clock::time_point start = Clock::now();
    if (const int status = Evaluate(); status != kExitGood) return status;
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

  int Evaluate() {
    absl::StatusOr<std::unique_ptr<DeviceRun>> created = DeviceRun::Create(runnable_, grid_, options_.session);
    if (!created.ok()) return ReportStatus(created.status());
    DeviceRun& run = **created;
    for (int64_t f = 0; f < run.device_count(); ++f) {
      if (const absl::Status status = Prepare(run, f); !status.ok()) return ReportStatus(status);
    }
    StopReason reason;
    {
      const CancelOnSignal cancel(run);
      reason = run.Run();
    }
    for (int64_t f = 0; f < run.device_count(); ++f) {
      if (run.device(f).non_finite().has_value()) ReportNonFinite(run, f);
    }
    if (reason != StopReason::kFinished) return ReportFailure(run);
    for (int64_t f = 0; f < run.device_count(); ++f) {
      if (arguments_.Switch("stats")) statistics_.Add(run.device(f));
      absl::StatusOr<std::vector<Tensor>> leaves = DenseResult(run.device(f).result(), options_.session.threads);
      if (!leaves.ok()) return ReportStatus(leaves.status());
      results_.push_back(*std::move(leaves));
      std::vector<std::vector<Tensor>> outfed;
      for (const Value& item : run.host(f).outfeed()) {
        absl::StatusOr<std::vector<Tensor>> parts = DenseResult(item, options_.session.threads);
        if (!parts.ok()) return ReportStatus(parts.status());
        outfed.push_back(*std::move(parts));
      }
      outfeed_.push_back(std::move(outfed));
    }
    return kExitGood;
  }

  // Gives a device its arguments and what its host sends.
  absl::Status Prepare(DeviceRun& run, int64_t f) {
    Session& session = run.device(f);
    session.set_keep_values(false);
    absl::StatusOr<std::vector<Value>> values = loader_.Arguments(f);
    if (!values.ok()) return values.status();
    for (size_t k = 0; k < values->size(); ++k) {
      const absl::Status status = session.SetArgument(static_cast<int64_t>(k), std::move((*values)[k]));
      if (!status.ok()) return status;
    }
    run.host(f).set_infeed([this, f](int64_t item, const Shape& shape) { return loader_.Infeed(f, item, shape); });
    run.host(f).set_receive([this, f](const std::string& channel, int64_t item, const Shape& shape) {
      return loader_.Receive(f, channel, item, shape);
    });
    return absl::OkStatus();
  }

  int ReportAt(InstructionId id, DiagnosticKind kind, std::vector<std::string> arguments, int status) const {
    const SourceRange range = document_->InstructionRange(id);
    const Diagnostic diagnostic{kind, InfoOf(kind).severity, range, std::move(arguments), {}, {}};
    WriteError(RenderDiagnostic(document_->source(), diagnostic, render_));
    return status;
  }

  // " on device 1 (r0,p1)" where there are several.
  std::string OnDevice(const DeviceRun& run, int64_t f) const {
    return run.device_count() == 1 ? "" : absl::StrCat(" on ", run.DeviceName(f));
  }

  int ReportFailure(const DeviceRun& run) const {
    const int status = ExitStatusOf(run.status());
    const InstructionId at = run.device(run.stopped_device()).failed_instruction();
    if (!at.has_value()) return ReportStatus(run.status());  // a deadlock among them
    return ReportAt(at, status == kExitLimit ? DiagnosticKind::kEvaluationLimit : DiagnosticKind::kEvaluationFailed,
                    {absl::StrCat(run.status().message(), OnDevice(run, run.stopped_device()))}, status);
  }

  void ReportNonFinite(const DeviceRun& run, int64_t f) const {
    const NonFiniteReport& report = *run.device(f).non_finite();
    std::string where;
    if (report.path.find('/') != std::string::npos) where = absl::StrCat(" in ", report.path);
    where += OnDevice(run, f);
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
    if (absl::EndsWith(directory, ".npz")) return WriteArchive(directory);
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

  int WriteArchive(const std::string& path) const {
    NpzWriter writer(path);
    absl::Status status;
    ForEachResult([&](const std::string& name, const Tensor& tensor) {
      if (status.ok()) status = writer.Add(name, tensor);
    });
    if (status.ok()) status = writer.Write();
    return status.ok() ? kExitGood : ReportStatus(status);
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

  // Calls `visit` with "result1.r0" and the like, then with "outfeed0.1.r0": leaf 1 of the first item.
  void ForEachResult(absl::FunctionRef<void(const std::string& name, const Tensor& tensor)> visit) const {
    for (int64_t device = 0; device < grid_.device_count(); ++device) {
      const std::string suffix = DeviceSuffix(grid_, device);
      const std::vector<Tensor>& leaves = results_[static_cast<size_t>(device)];
      for (size_t k = 0; k < leaves.size(); ++k) visit(absl::StrCat("result", k, suffix), leaves[k]);
    }
    for (int64_t device = 0; device < grid_.device_count(); ++device) {
      const std::string suffix = DeviceSuffix(grid_, device);
      const std::vector<std::vector<Tensor>>& items = outfeed_[static_cast<size_t>(device)];
      for (size_t item = 0; item < items.size(); ++item) {
        for (size_t k = 0; k < items[item].size(); ++k) {
          const std::string leaf = items[item].size() == 1 ? "" : absl::StrCat(".", k);
          visit(absl::StrCat("outfeed", item, leaf, suffix), items[item][k]);
        }
      }
    }
  }

  const Arguments& arguments_;
  const RunOptions options_;
  const RenderOptions render_;
  const std::shared_ptr<const Document> document_;
  const Module& module_;
  std::shared_ptr<const Module> runnable_;  // module_, with the elided constants that --fill stands in for
  const DeviceGrid grid_;
  ArgumentLoader loader_;
  std::vector<std::vector<Tensor>> results_;               // leaves, by device
  std::vector<std::vector<std::vector<Tensor>>> outfeed_;  // leaves of items, by device
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
      "argN.rR.pP.npy for one of several devices), then --fill. Several devices are simulated; what a device sends by\n"
      "outfeed is written beside its results as outfeedN.npy. Without --out, --print and --stats a summary of each\n"
      "result is printed. If the run fails, no file is written.",
      kOptions,
      1,
      1,
      RunRun};
  return kCommand;
}

}  // namespace hloscope
