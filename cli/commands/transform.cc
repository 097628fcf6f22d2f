// SPDX-License-Identifier: Apache-2.0
// `hloscope transform`: rewrites a module, and says what that saves.
#include "core/transform/transform.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/module_text.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/transform_report.h"
#include "core/diagnostics/count_text.h"
#include "evaluator/engine/constant_folding.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kTransformOptions[] = {
    {"passes", OptionKind::kValue, "NAME,...", "what to do, in order, until nothing changes (see below)"},
    {"exact-only", OptionKind::kSwitch, "", "leave alone what would group floating-point sums or products differently"},
    {"target", OptionKind::kValue, "tpu|linear|TILES", "the memory layout that decides what pays: tpu, or T(8,128)"},
    {"instruction", OptionKind::kValue, "NAME", "start rewrites at instructions of this name only"},
    {"list", OptionKind::kSwitch, "", "print the rewrites that could be applied one by one, and no module"},
    {"explain", OptionKind::kSwitch, "",
     "print each rewrite with its conditions and instructions, what was not rewritten and why, and no module"},
    {"report", OptionKind::kChoice, "text|json", "print the costs before and after, and no module"},
    {"json", OptionKind::kSwitch, "", "--list, --explain and --report as JSON"},
    {"fold-limit", OptionKind::kValue, "BYTES",
     "results of more bytes are not folded unless operands were larger (64K)"},
    {"output", OptionKind::kValue, "FILE", "write the module to a file"},
};

std::vector<std::string> PassNames(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& list : arguments.Values("passes")) {
    for (absl::string_view name : absl::StrSplit(list, ',', absl::SkipWhitespace())) names.emplace_back(name);
  }
  return arguments.Has("passes") ? names : DefaultPasses();
}

// What is asked for.
struct TransformRequest {
  TransformOptions options;
  std::vector<std::string> passes;
  bool json = false, list = false, explain = false, report = false;
  // Whether something is printed instead of the module.
  bool reports() const { return list || explain || report; }
};

// Error InvalidArgument: how the command was called.
absl::StatusOr<TransformRequest> ReadRequest(const Arguments& arguments) {
  TransformRequest request;
  TransformOptions& options = request.options;
  if (const auto target = arguments.Value("target")) {
    absl::StatusOr<CostTarget> parsed = CostTarget::Parse(*target);
    if (!parsed.ok()) return parsed.status();
    options.target = *std::move(parsed);
  }
  const absl::StatusOr<std::string> report = arguments.Choice("report", {"text", "json"});
  if (!report.ok()) return report.status();
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) return color.status();
  request.list = arguments.Switch("list");
  request.explain = arguments.Switch("explain");
  request.report = arguments.Has("report");
  request.json = arguments.Switch("json") || (request.report && *report == "json");
  if (request.json && !request.reports()) {
    return absl::InvalidArgumentError("--json goes with --list, --explain or --report");
  }
  options.exact_only = arguments.Switch("exact-only");
  options.explain = request.explain;
  options.fold = evaluator::FoldInstruction;
  options.only_instruction = arguments.Value("instruction").value_or("");
  const absl::StatusOr<int64_t> fold_limit = arguments.Bytes("fold-limit", options.fold_limit_bytes);
  if (!fold_limit.ok()) return fold_limit.status();
  options.fold_limit_bytes = *fold_limit;
  request.passes = PassNames(arguments);
  // Unknown passes are found before a large file is read.
  if (const auto checked = FindApplications(Module(), request.passes, options); !checked.ok()) return checked.status();
  return request;
}

// What every report in JSON begins with.
nlohmann::ordered_json ReportHeader(const Module& module, const TransformRequest& request) {
  return {
      {"module", std::string(module.name())}, {"target", request.options.target.name()}, {"passes", request.passes}};
}

void WriteList(const Module& module, const TransformRequest& request) {
  const auto applications = FindApplications(module, request.passes, request.options);
  if (!request.json) {
    WriteOutput(applications->empty() ? "nothing to rewrite\n" : ApplicationsText(*applications));
    return;
  }
  nlohmann::ordered_json result = ReportHeader(module, request);
  result["applications"] = ApplicationsJson(*applications);
  WriteOutput(DumpJson(result));
}

// What passes did that do not list their rewrites.
std::string CleanUpText(const Module& before, const Module& after) {
  return absl::StrCat("cleaned up: ", CountOf(before.instruction_count(), "instruction"), " before, ",
                      after.instruction_count(), " after\n");
}

void WriteReports(const Module& module, const TransformResult& transformed, const TransformRequest& request) {
  const CostTarget& target = request.options.target;
  if (request.json) {
    nlohmann::ordered_json result = ReportHeader(module, request);
    result["changed"] = transformed.changed;
    result["complete"] = !transformed.gave_up;
    result["applications"] = ApplicationsJson(transformed.applications);
    if (request.explain) result["refusals"] = RefusalsJson(transformed.refusals);
    result["before"] = ModuleCostJson(MeasureCost(module, target));
    result["after"] = ModuleCostJson(MeasureCost(transformed.module, target));
    WriteOutput(DumpJson(result));
    return;
  }
  if (request.explain) {
    WriteOutput(!transformed.applications.empty() ? ApplicationsText(transformed.applications)
                : transformed.changed             ? CleanUpText(module, transformed.module)
                                                  : "nothing to rewrite\n");
    WriteOutput(RefusalsText(transformed.refusals));
  }
  if (request.report) {
    WriteOutput(CostTableText(MeasureCost(module, target), MeasureCost(transformed.module, target), target.name()));
  }
}

int RunTransform(const Arguments& arguments) {
  const absl::StatusOr<TransformRequest> request = ReadRequest(arguments);
  if (!request.ok()) return UsageError(arguments.command(), request.status().message());
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  const Module& module = document->module();
  if (request->list) {
    WriteList(module, *request);
    return kExitGood;
  }
  const absl::StatusOr<TransformResult> transformed = TransformModule(module, request->passes, request->options);
  std::string text;
  if (transformed->changed || !request->reports() || arguments.Has("output")) {
    // Whatever went wrong, a module with errors never leaves this program.
    std::optional<std::string> checked = CheckedModuleText(transformed->module, *document, /*explain=*/true);
    if (!checked) {
      WriteError("hloscope: the rewritten module has errors; this is a bug in hloscope, please report it\n");
      return kExitBadInput;
    }
    text = *std::move(checked);
  }
  if (transformed->gave_up) {
    WriteError("hloscope: not every candidate was tried: this module has too many that overlap\n");
  }
  if (const auto path = arguments.Value("output")) {
    if (const absl::Status status = WriteLastFile(*path, text); !status.ok()) {
      return ReportStatus(status);
    }
  }
  if (request->reports()) {
    WriteReports(module, *transformed, *request);
  } else if (!arguments.Has("output")) {
    WriteOutput(text);
  }
  return kExitGood;
}

}  // namespace

const Command& TransformCommand() {
  static const std::string& description = *new std::string([] {
    std::string text =
        "Prints the rewritten module. Without --passes, reduces and elementwise computations move to the side of a\n"
        "reshape where less data moves. Rewrites happen only where the target then moves fewer bytes; control\n"
        "dependencies, sharding and metadata go over to what takes an instruction's place.\n\npasses:\n";
    for (const PassInfo& pass : AllPasses()) {
      absl::StrAppend(&text, "  ", pass.name, std::string(pass.name.size() < 22 ? 22 - pass.name.size() : 1, ' '),
                      pass.summary, "\n");
    }
    text.pop_back();
    return text;
  }());
  static const Command kCommand = {
      "transform", "FILE",      "rewrite a module so that it moves less data", description, kTransformOptions, 1,
      1,           RunTransform};
  return kCommand;
}

}  // namespace hloscope::cli
