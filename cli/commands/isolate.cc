// SPDX-License-Identifier: Apache-2.0
// `hloscope isolate`: every called computation and fusion alone, on the values that it really gets.
#include <unistd.h>

#include <algorithm>
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
#include "cli/comparison_text.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/progress_line.h"
#include "cli/replay.h"
#include "cli/run_options.h"
#include "core/diagnostics/count_text.h"
#include "core/source/output_file.h"
#include "evaluator/engine/run_progress.h"
#include "insight/values/isolation.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using insight::IsolatedCall;

constexpr OptionSpec kIsolateOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"instruction", OptionKind::kValue, "NAME", "only this one"},
    {"out", OptionKind::kValue, "DIR", "write DIR/INSTRUCTION/module.hlo with its arguments and results as arrays"},
    HLOSCOPE_TOLERANCE_OPTIONS,
    {"json", OptionKind::kSwitch, "", "print JSON"},
};

std::string Words(const IsolatedCall& call) {
  if (!call.problem.empty()) return absl::StrCat("cannot run alone: ", OneLine(call.problem));
  if (call.is_passed_over) return "passed over: what it calls was run alone";
  for (const evaluator::LeafComparison& one : call.results) {
    if (!one.Agrees()) return absl::StrCat("differs from the whole run", LeafText(one), ": ", BeyondText(one));
  }
  return call.has_nan        ? "agrees; makes NaN of finite values"
         : call.has_infinity ? "agrees; makes infinities of finite values"
                             : "agrees";
}

std::string AsText(const Module& module, const std::vector<IsolatedCall>& calls) {
  std::string text;
  size_t agreeing = 0;
  for (const IsolatedCall& call : calls) {
    agreeing += call.Agrees() && !call.is_passed_over;
    absl::StrAppend(&text,
                    absl::StrFormat("%-12s %-40s %12.6f s  ", std::string(OpcodeName(module.opcode(call.instruction))),
                                    OneLine(module.InstructionName(call.instruction)), call.seconds),
                    Words(call), "\n");
  }
  return absl::StrCat(text, agreeing, " of ", CountOf(calls.size(), "called computation"),
                      " agree with the whole run\n");
}

Json AsJson(const Module& module, const std::vector<IsolatedCall>& calls) {
  Json list = Json::array();
  bool agree = true;
  for (const IsolatedCall& call : calls) {
    agree = agree && call.Agrees();
    Json results = Json::array(), computations = Json::array();
    for (const evaluator::LeafComparison& one : call.results) results.push_back(ComparisonJson(one));
    module.ForEachCalledComputation(call.instruction, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) computations.push_back(std::string(module.ComputationName(callee)));
    });
    Json one = {{"instruction", std::string(module.InstructionName(call.instruction))},
                {"opcode", std::string(OpcodeName(module.opcode(call.instruction)))},
                {"computations", std::move(computations)},
                {"path", call.path},
                {"seconds", call.seconds},
                {"agrees", call.Agrees()},
                {"makes_nan", call.has_nan},
                {"makes_infinity", call.has_infinity},
                {"results", std::move(results)}};
    if (!call.problem.empty()) one["problem"] = call.problem;
    if (call.is_passed_over) one["passed_over"] = true;
    if (!call.files.empty()) one["files"] = call.files;
    list.push_back(std::move(one));
  }
  return {{"agree", agree}, {"calls", std::move(list)}};
}

int RunIsolate(const Arguments& arguments) {
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return UsageError(arguments.command(), options.status().message());
  const auto tolerances = ReadTolerances(arguments);
  if (!tolerances.ok()) return UsageError(arguments.command(), tolerances.status().message());
  if (const auto render = ErrorRenderOptions(arguments); !render.ok()) {
    return UsageError(arguments.command(), render.status().message());
  }
  const std::shared_ptr<const Document> document = OpenToRun(arguments, arguments.operands()[0], &*options);
  if (document == nullptr) return StatusOfReading();
  evaluator::Buffer::SetLimit(options->session.memory_limit_bytes);
  evaluator::RunProgress progress(document->module());
  if (IsTerminal(STDERR_FILENO)) options->session.progress = &progress;
  insight::ModuleRun run(document, *options, nullptr);
  if (const absl::Status status = run.Prepare(); !status.ok()) return ReportStatus(status);
  insight::IsolationOptions isolation;
  isolation.tolerances = *tolerances;
  isolation.directory = arguments.Value("out").value_or("");
  isolation.only = arguments.Value("instruction").value_or("");
  absl::StatusOr<std::vector<IsolatedCall>> calls = absl::CancelledError("");
  OutputFilesTogether files;
  {
    std::optional<CancelOnSignal> cancel;
    isolation.on_run = [&](evaluator::DeviceRun* alone) {
      cancel.reset();
      cancel.emplace(run.run(), alone);
    };
    isolation.on_run(nullptr);
    // Steps of the whole run: its calls are run alone on the way.
    const ProgressLine line(progress, evaluator::RunFlops(document->module()));
    calls = insight::IsolateCalls(run, *options, isolation);
  }
  if (!calls.ok()) return ReportStatus(calls.status());
  if (!isolation.only.empty() && calls->empty()) {
    WriteError(absl::StrCat("hloscope isolate: no executed fusion, call, loop or conditional '",
                            OneLine(isolation.only), "'\n"));
    return kExitBadInput;
  }
  WriteOutput(arguments.Switch("json") ? DumpJson(AsJson(document->module(), *calls))
                                       : AsText(document->module(), *calls));
  if (!isolation.directory.empty()) {
    FlushOutput();  // whoever reads it may be slow
    IgnoreSignals();
  }
  if (const absl::Status status = files.Finish(); !status.ok()) return ReportStatus(status);
  const bool agree = std::all_of(calls->begin(), calls->end(), [](const IsolatedCall& call) { return call.Agrees(); });
  return agree ? kExitGood : kExitBadInput;
}

}  // namespace

const Command& IsolateCommand() {
  static constexpr Command kCommand = {
      "isolate",
      "FILE",
      "run every called computation alone, on the values that it really gets",
      "Runs the module once, and the first execution of every fusion, call, loop and conditional again as a module of\n"
      "its own. Tells whether it agrees with the whole run, and which of them make NaN or infinities of finite "
      "values.\n"
      "--out writes each with its inputs, to be run elsewhere. Exit status 0 if all agree, 1 if not, 3 at a limit.",
      kIsolateOptions,
      1,
      1,
      RunIsolate};
  return kCommand;
}

}  // namespace hloscope::cli
