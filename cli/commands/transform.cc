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
#include "cli/module_text.h"
#include "cli/output.h"
#include "cli/transform_report.h"
#include "evaluator/engine/constant_folding.h"
#include "nlohmann/json.hpp"

namespace hloscope {
namespace {

constexpr OptionSpec kTransformOptions[] = {
    {"passes", OptionKind::kValue, "NAME,...", "what to do, in order, until nothing changes (see below)"},
    {"exact-only", OptionKind::kSwitch, "", "leave alone what would group floating-point sums or products differently"},
    {"target", OptionKind::kValue, "tpu|linear|TILES", "the memory layout that decides what pays: tpu, or T(8,128)"},
    {"instruction", OptionKind::kValue, "NAME", "start rewrites at instructions of this name only"},
    {"list", OptionKind::kSwitch, "", "print the rewrites that could be applied one by one, and no module"},
    {"explain", OptionKind::kSwitch, "", "print each rewrite with its conditions and instructions, and no module"},
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

int RunTransform(const Arguments& arguments) {
  const auto usage = [&](absl::string_view message) { return UsageError(arguments.command(), message); };
  TransformOptions options;
  if (const auto target = arguments.Value("target")) {
    absl::StatusOr<CostTarget> parsed = CostTarget::Parse(*target);
    if (!parsed.ok()) return usage(parsed.status().message());
    options.target = *std::move(parsed);
  }
  const absl::StatusOr<std::string> report = arguments.Choice("report", {"text", "json"});
  if (!report.ok()) return usage(report.status().message());
  const auto color = ErrorRenderOptions(arguments);
  if (!color.ok()) return usage(color.status().message());
  const bool json = arguments.Switch("json") || (arguments.Has("report") && *report == "json");
  const bool list = arguments.Switch("list"), explain = arguments.Switch("explain");
  const bool reports = list || explain || arguments.Has("report");
  if (json && !reports) return usage("--json goes with --list, --explain or --report");
  options.exact_only = arguments.Switch("exact-only");
  options.explain = explain;
  options.fold = FoldInstruction;
  options.only_instruction = arguments.Value("instruction").value_or("");
  const absl::StatusOr<int64_t> fold_limit = arguments.Bytes("fold-limit", options.fold_limit_bytes);
  if (!fold_limit.ok()) return usage(fold_limit.status().message());
  options.fold_limit_bytes = *fold_limit;
  const std::vector<std::string> passes = PassNames(arguments);
  // Unknown passes are found before a large file is read.
  if (const auto checked = FindApplications(Module(), passes, options); !checked.ok()) {
    return usage(checked.status().message());
  }

  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return kExitBadInput;
  const Module& module = document->module();
  nlohmann::ordered_json result = {
      {"module", std::string(module.name())}, {"target", options.target.name()}, {"passes", passes}};
  if (list) {
    const auto applications = FindApplications(module, passes, options);
    if (json) {
      result["applications"] = ApplicationsJson(*applications);
      WriteOutput(DumpJson(result));
    } else {
      WriteOutput(applications->empty() ? "nothing to rewrite\n" : ApplicationsText(*applications));
    }
    return kExitGood;
  }
  const absl::StatusOr<TransformResult> transformed = TransformModule(module, passes, options);
  std::string text;
  if (transformed->changed || !reports || arguments.Has("output")) {
    // Whatever went wrong, a module with errors never leaves this program.
    std::optional<std::string> checked = CheckedModuleText(transformed->module, document->options(), /*explain=*/true);
    if (!checked) {
      WriteError("hloscope: the rewritten module has errors; this is a mistake of hloscope, please report it\n");
      return kExitBadInput;
    }
    text = *std::move(checked);
  }
  if (transformed->gave_up) {
    WriteError("hloscope: not every candidate was tried: this module has too many that overlap\n");
  }
  if (const auto path = arguments.Value("output")) {
    if (const absl::Status status = WriteFileAtomically(*path, text); !status.ok()) {
      WriteError(absl::StrCat("hloscope: ", status.message(), "\n"));
      return kExitBadInput;
    }
  }
  if (!reports) {
    if (!arguments.Has("output")) WriteOutput(text);
    return kExitGood;
  }
  if (json) {
    result["changed"] = transformed->changed;
    result["complete"] = !transformed->gave_up;
    result["applications"] = ApplicationsJson(transformed->applications);
    result["before"] = ModuleCostJson(MeasureCost(module, options.target));
    result["after"] = ModuleCostJson(MeasureCost(transformed->module, options.target));
    WriteOutput(DumpJson(result));
    return kExitGood;
  }
  if (explain) {
    WriteOutput(transformed->applications.empty() ? "nothing to rewrite\n"
                                                  : ApplicationsText(transformed->applications));
  }
  if (arguments.Has("report")) {
    WriteOutput(CostTableText(MeasureCost(module, options.target), MeasureCost(transformed->module, options.target),
                              options.target.name()));
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

}  // namespace hloscope
