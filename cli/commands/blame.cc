// SPDX-License-Identifier: Apache-2.0
// `hloscope blame`: which pass made the results of a module wrong, from a folder of dumps.
#include "insight/blame/blame.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/comparison_text.h"
#include "cli/diagnostics_json.h"
#include "cli/dump_input.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/reading_limit.h"
#include "cli/run_options.h"
#include "core/diagnostics/count_text.h"
#include "core/print/printer.h"
#include "core/source/output_file.h"
#include "insight/blame/reproduce.h"
#include "insight/html/html_report.h"
#include "insight/passes/stage_reader.h"
#include "insight/runs/made_up_numbers.h"
#include "nlohmann/json.hpp"
#include "replay/run_inputs.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using insight::BlameResult;
using insight::StageVerdict;

constexpr OptionSpec kBlameOptions[] = {
    HLOSCOPE_RUN_OPTIONS,
    {"inputs", OptionKind::kValue, "PLACE",
     "a snapshot whose arguments are taken, or a folder or archive as of --args-dir"},
    HLOSCOPE_TOLERANCE_OPTIONS,
    {"reproduce", OptionKind::kValue, "DIR", "write the difference as two small modules with their inputs"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    HLOSCOPE_HTML_OPTION,
};

std::string LineOf(const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.percent = false;
  return OneLine(PrintInstruction(module, id, options));
}

class BlameCommandImplementation {
 public:
  BlameCommandImplementation(const Arguments& arguments, DumpInput input, insight::BlameOptions options)
      : arguments_(arguments),
        input_(std::move(input)),
        options_(std::move(options)),
        read_([this, read = insight::MakeStageReader(true, ExpandedLimit(arguments))](const insight::Stage& stage) {
          const ReadingLimit limit(arguments_, stage.file, options_.SecondsUsed());
          return read(stage);
        }) {
    options_.on_progress = [this](const std::string& what) { status_line_.Show(what); };
    options_.on_run = [this](evaluator::DeviceRun* run, evaluator::DeviceRun* other) {
      cancel_.reset();
      if (run != nullptr) cancel_.emplace(*run, other);
    };
  }

  int Run() {
    OutputFilesTogether files;
    absl::StatusOr<BlameResult> result = insight::Blame(stages(), read_, options_);
    status_line_.Show("");
    if (!result.ok()) return ReportStatus(result.status());
    std::vector<std::string> written;
    if (const std::optional<std::string> directory = arguments_.Value("reproduce"); directory && !result->agree) {
      absl::StatusOr<std::vector<std::string>> paths = insight::WriteReproduction(*result, options_, *directory);
      if (paths.ok()) {
        written = *std::move(paths);
      } else {
        WriteError(absl::StrCat("hloscope: nothing was written to ", OneLine(*directory), ": ",
                                OneLine(paths.status().message()), "\n"));
        if (ExitStatusOf(paths.status()) == kExitLimit) return kExitLimit;
      }
    }
    if (arguments_.Has("html")) {
      if (const int status = WriteHtml(arguments_, Page(*result)); status != kExitGood) return status;
    }
    IgnoreSignals();
    if (const absl::Status status = files.Finish(); !status.ok()) return ReportStatus(status);
    if (arguments_.Value("html") != "-") {
      WriteOutput(arguments_.Switch("json") ? DumpJson(AsJson(*result, written)) : AsText(*result, written));
    }
    return result->agree ? kExitGood : kExitBadInput;
  }

 private:
  const std::vector<insight::Stage>& stages() const { return input_.stages; }
  std::string StageText(size_t k) const {
    return absl::StrCat("stage ", stages()[k].order, ", ", OneLine(stages()[k].pass), " (", OneLine(stages()[k].file),
                        ")");
  }
  static size_t CountOfKind(const BlameResult& result, StageVerdict::Kind kind, bool only_runs) {
    size_t count = 0;
    for (const StageVerdict& verdict : result.verdicts) {
      count += verdict.kind == kind && !(only_runs && verdict.by_fingerprint);
    }
    return count;
  }

  std::string AsText(const BlameResult& result, const std::vector<std::string>& written) const {
    const size_t agreeing = CountOfKind(result, StageVerdict::Kind::kAgrees, true);
    const size_t differing = CountOfKind(result, StageVerdict::Kind::kDiffers, true);
    std::string text = absl::StrCat(agreeing + differing, " of ", stages().size(), " stages were evaluated\n");
    for (size_t k = 0; k < stages().size(); ++k) {
      if (result.verdicts[k].kind != StageVerdict::Kind::kCannotTell) continue;
      absl::StrAppend(&text, StageText(k), " cannot be compared: ", OneLine(result.verdicts[k].problem), "\n");
    }
    if (result.reference_not_finite) {
      absl::StrAppend(&text, "the results of ", StageText(result.reference),
                      " hold NaN or infinities: other inputs (--fill, --args-dir) may show more\n");
    }
    if (result.agree) return absl::StrCat(text, "all agree\n");
    absl::StrAppend(&text, "first difference after: ", StageText(result.bad),
                    "\nlast that agrees:       ", StageText(result.good), "\n");
    if (const std::string& problem = result.verdicts[result.bad].problem; !problem.empty()) {
      absl::StrAppend(&text, OneLine(problem), "\n");
    }
    for (const insight::ResultDifference& one : result.results) {
      absl::StrAppend(&text, "result", LeafText(one.comparison), ": ", BeyondText(one.comparison), "\n");
    }
    AppendCulprit(result, &text);
    if (!result.lone_constants.empty()) {
      absl::StrAppend(&text,
                      insight::LoneConstantsText(result.bad_document->module(), result.lone_constants,
                                                 absl::StrCat("stage ", stages()[result.reference].order)),
                      ": the difference may come from what was made up\n");
    }
    for (const std::string& path : written) absl::StrAppend(&text, "wrote ", OneLine(path), "\n");
    return text;
  }

  void AppendCulprit(const BlameResult& result, std::string* text) const {
    if (!result.culprit) {
      absl::StrAppend(text, "no single value could be compared that differs\n");
      return;
    }
    const Module &bad = result.bad_document->module(), &good = result.good_document->module();
    const insight::Culprit& culprit = *result.culprit;
    absl::StrAppend(
        text, culprit.is_changed ? "first instruction that differs: " : "differences grow beyond the tolerance at: ",
        OneLine(bad.InstructionName(culprit.instruction)), " in ",
        OneLine(bad.ComputationName(bad.instruction(culprit.instruction).computation)), "\n    ",
        LineOf(bad, culprit.instruction), "\n");
    if (culprit.before.has_value()) absl::StrAppend(text, "  before:\n    ", LineOf(good, culprit.before), "\n");
    if (culprit.divergence == insight::Culprit::kNone) return;
    const evaluator::Divergence& one = result.divergences[culprit.divergence];
    absl::StrAppend(text, "  ", OneLine(bad.InstructionName(one.b)), LeafText(one.comparison), " at ",
                    OneLine(one.path_b), ": ", BeyondText(one.comparison), "\n",
                    StatisticsText(one.comparison, "    "));
  }

  Json StageJson(size_t k) const {
    return {{"order", stages()[k].order}, {"pass", stages()[k].pass}, {"file", stages()[k].file}};
  }

  Json AsJson(const BlameResult& result, const std::vector<std::string>& written) const {
    Json json = {{"agree", result.agree}};
    if (!result.agree) {
      json["stage"] = StageJson(result.bad);
      json["computation"] = Json();
      json["instruction"] = Json();
      if (result.culprit) {
        const Module& bad = result.bad_document->module();
        const InstructionId id = result.culprit->instruction;
        json["computation"] = std::string(bad.ComputationName(bad.instruction(id).computation));
        json["instruction"] = std::string(bad.InstructionName(id));
        if (result.culprit->before.has_value()) {
          json["before"] = std::string(result.good_document->module().InstructionName(result.culprit->before));
        }
        if (result.culprit->divergence != insight::Culprit::kNone) {
          const evaluator::Divergence& one = result.divergences[result.culprit->divergence];
          json["value"] = {{"instruction", std::string(bad.InstructionName(one.b))}, {"path", one.path_b}};
          json["value"].update(ComparisonJson(one.comparison));
        }
        json["is_changed"] = result.culprit->is_changed;
      }
      if (!result.results.empty()) {
        const insight::ResultDifference& one = result.results[0];
        json["result"] = {{"index", one.comparison.difference.first_beyond},
                          {"expected", one.comparison.first_element},
                          {"got", one.comparison.second_element},
                          {"number", one.number},
                          {"leaf", one.leaf},
                          {"device", one.device}};
        if (!one.comparison.mismatch.empty()) json["result"]["mismatch"] = one.comparison.mismatch;
      }
      json["last_good"] = StageJson(result.good);
      for (InstructionId id : result.lone_constants) {
        json["lone_constants"].push_back(std::string(result.bad_document->module().InstructionName(id)));
      }
    }
    Json list = Json::array();
    for (size_t k = 0; k < stages().size(); ++k) {
      Json one = StageJson(k);
      one["verdict"] = insight::VerdictWords(result.verdicts[k]);
      if (!result.verdicts[k].problem.empty()) one["problem"] = result.verdicts[k].problem;
      list.push_back(std::move(one));
    }
    json["stages"] = std::move(list);
    json["reference_not_finite"] = result.reference_not_finite;
    if (!written.empty()) json["written"] = written;
    return json;
  }

  insight::HtmlReport Page(const BlameResult& result) const {
    insight::HtmlReport report("Blame", absl::StrCat(input_.folder, ", module ", input_.module));
    report.BeginPart("Result");
    report.AddText(AsText(result, {}));
    report.EndPart();
    report.BeginPart("Stages");
    const insight::HtmlColumn columns[] = {{"stage", true}, {"pass"}, {"verdict"}, {"file"}};
    report.BeginTable(columns);
    for (size_t k = 0; k < stages().size(); ++k) {
      const bool is_bad = !result.agree && k == result.bad;
      insight::HtmlText pass, verdict(insight::VerdictWords(result.verdicts[k]));
      if (is_bad) {
        pass.Removed(stages()[k].pass);
      } else {
        pass.Add(stages()[k].pass);
      }
      if (!result.verdicts[k].problem.empty()) verdict.Add(": ").Add(result.verdicts[k].problem);
      const insight::HtmlText cells[] = {absl::StrCat(stages()[k].order), pass, verdict, stages()[k].file};
      report.AddRow(cells);
    }
    report.EndTable();
    report.EndPart();
    if (!result.divergences.empty()) AddDivergences(result, &report);
    return report;
  }

  static void AddDivergences(const BlameResult& result, insight::HtmlReport* report) {
    constexpr size_t kListed = 2000;
    report->BeginPart(absl::StrCat("Values that differ (", result.divergences.size(), ")"));
    const insight::HtmlColumn columns[] = {{"before"}, {"after"}, {"where"}, {"difference"}};
    report->BeginTable(columns);
    for (size_t k = 0; k < result.divergences.size() && k < kListed; ++k) {
      const evaluator::Divergence& one = result.divergences[k];
      const insight::HtmlText cells[] = {
          insight::HtmlText().Code(result.good_document->module().InstructionName(one.a)),
          insight::HtmlText().Code(result.bad_document->module().InstructionName(one.b)), one.path_b,
          BeyondText(one.comparison)};
      report->AddRow(cells);
    }
    report->EndTable();
    report->EndPart();
  }

  const Arguments& arguments_;
  const DumpInput input_;
  insight::BlameOptions options_;
  const insight::StageReader read_;
  StatusLine status_line_;
  std::optional<CancelOnSignal> cancel_;
};

// Where --inputs leads. Error: for the user.
absl::Status TakeInputsOf(const Arguments& arguments, const std::string& place, const DumpInput& input,
                          evaluator::RunOptions* options) {
  const insight::StageReader read = insight::MakeStageReader(false, ExpandedLimit(arguments));
  const absl::StatusOr<std::shared_ptr<const Document>> document = read(input.stages[0]);
  if (!document.ok()) return document.status();
  return replay::TakeInputs(place, (*document)->module(), options);
}

int RunBlame(const Arguments& arguments) {
  absl::StatusOr<evaluator::RunOptions> run = ReadRunOptions(arguments);
  if (!run.ok()) return UsageError(arguments.command(), run.status().message());
  const auto tolerances = ReadTolerances(arguments);
  if (!tolerances.ok()) return UsageError(arguments.command(), tolerances.status().message());
  if (const auto render = ErrorRenderOptions(arguments); !render.ok()) {
    return UsageError(arguments.command(), render.status().message());
  }
  std::optional<DumpInput> input = ReadDump(arguments, arguments.operands()[0]);
  if (!input) return kExitBadInput;
  insight::BlameOptions options;
  options.run = *std::move(run);
  options.tolerances = *tolerances;
  if (const std::optional<std::string> place = arguments.Value("inputs")) {
    if (const absl::Status status = TakeInputsOf(arguments, *place, *input, &options.run); !status.ok())
      return ReportStatus(status);
  }
  evaluator::Buffer::SetLimit(options.run.session.memory_limit_bytes);
  return BlameCommandImplementation(arguments, *std::move(input), std::move(options)).Run();
}

}  // namespace

const Command& BlameCommand() {
  static constexpr Command kCommand = {
      "blame",
      "DIR",
      "which pass made the results wrong, from a folder of dumps",
      "Evaluates the stages on the same inputs, the first and the last, then by halves, and names the first whose\n"
      "results differ from those of the first stage, and the first instruction that computes something else. If the\n"
      "last stage agrees, all are evaluated. Equal stages are evaluated once; those that cannot be run are passed\n"
      "over and named. Tolerances as of `hloscope compare`. --reproduce writes good/module.hlo and bad/module.hlo,\n"
      "cut out around that instruction, with their inputs. Exit status 0 if all agree, 1 if one differs, 3 at a limit.",
      kBlameOptions,
      1,
      1,
      RunBlame};
  return kCommand;
}

}  // namespace hloscope::cli
