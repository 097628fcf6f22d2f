// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_values.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/comparison_text.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/replay.h"
#include "core/diagnostics/count_text.h"
#include "insight/html/html_report.h"
#include "insight/values/value_files.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using insight::FileComparison;
using insight::FilesComparison;

constexpr size_t kListed = 10;

std::string WordsOf(const FileComparison& one) {
  return one.problem.empty() ? BeyondText(one.comparison) : absl::StrCat("cannot be compared: ", OneLine(one.problem));
}

std::vector<const FileComparison*> Differing(const FilesComparison& comparison, bool only_frontier) {
  std::vector<const FileComparison*> list;
  for (const FileComparison& one : comparison.values) {
    if (!one.Agrees() && (one.is_frontier || !only_frontier)) list.push_back(&one);
  }
  return list;
}

std::string AsText(const Module& module, const FilesComparison& comparison, bool all) {
  const std::vector<const FileComparison*> differing = Differing(comparison, false);
  std::string text = absl::StrCat(CountOf(comparison.values.size(), "value"), " compared, ",
                                  comparison.values.size() - differing.size(), " agree\n");
  if (!comparison.unused.empty()) {
    absl::StrAppend(&text, CountOf(comparison.unused.size(), "file"), " of no executed instruction, ",
                    OneLine(comparison.unused[0]), " first\n");
  }
  if (differing.empty()) return text;
  text += "where agreement ends (what these are computed from agrees):\n";
  const auto append = [&](const FileComparison& one) {
    absl::StrAppend(&text, "  ", OneLine(module.InstructionName(one.instruction)), LeafText(one.comparison), " at ",
                    OneLine(one.path), "\n      ", WordsOf(one), "\n");
  };
  for (const FileComparison* one : Differing(comparison, true)) {
    append(*one);
    if (one->problem.empty()) text += StatisticsText(one->comparison, "      ");
  }
  text += "all that differ, in the order of execution:\n";
  const size_t listed = all ? differing.size() : std::min(differing.size(), kListed);
  for (size_t k = 0; k < listed; ++k) append(*differing[k]);
  if (listed < differing.size())
    absl::StrAppend(&text, "  and ", differing.size() - listed, " more (--all lists them)\n");
  return text;
}

Json AsJson(const Module& module, const FilesComparison& comparison) {
  Json divergences = Json::array();
  for (const FileComparison* one : Differing(comparison, false)) {
    Json json = {{"a", std::string(module.InstructionName(one->instruction))},
                 {"b", one->file},
                 {"path_a", one->path},
                 {"frontier", one->is_frontier}};
    if (one->problem.empty()) {
      json.update(ComparisonJson(one->comparison));
    } else {
      json["problem"] = one->problem;
    }
    divergences.push_back(std::move(json));
  }
  Json first;
  if (!divergences.empty()) first = {{"a", divergences[0]["a"]}, {"b", divergences[0]["b"]}};
  return {{"agree", comparison.Agrees()},
          {"first", std::move(first)},
          {"compared_values", comparison.values.size()},
          {"divergences", std::move(divergences)},
          {"unused", comparison.unused}};
}

insight::HtmlReport Page(const std::string& subtitle, const Module& module, const FilesComparison& comparison) {
  insight::HtmlReport report("Comparison with dumped values", subtitle);
  const insight::HtmlColumn columns[] = {{"instruction"}, {"file"}, {"agrees"}, {"where"}, {"difference"}};
  report.BeginTable(columns);
  for (const FileComparison& one : comparison.values) {
    insight::HtmlText verdict;
    if (one.Agrees()) {
      verdict.Added("agrees");
    } else {
      verdict.Removed(one.is_frontier ? "differs, here it begins" : "differs");
    }
    const insight::HtmlText cells[] = {insight::HtmlText().Code(module.InstructionName(one.instruction)), one.file,
                                       verdict, one.path, WordsOf(one)};
    report.AddRow(cells);
  }
  report.EndTable();
  return report;
}

}  // namespace

int CompareWithValues(const Arguments& arguments, const std::string& directory, evaluator::RunOptions options,
                      const std::vector<evaluator::ToleranceRule>& tolerances) {
  const std::shared_ptr<const Document> document = OpenToRun(arguments, arguments.operands()[0], &options);
  if (document == nullptr) return StatusOfReading();
  insight::TakeArguments(document->module(), directory, &options);
  evaluator::Buffer::SetLimit(options.session.memory_limit_bytes);
  insight::ModuleRun run(document, options, nullptr);
  if (const absl::Status status = run.Prepare(); !status.ok()) return ReportStatus(status);
  absl::StatusOr<FilesComparison> comparison = absl::CancelledError("");
  {
    const CancelOnSignal cancel(run.run());
    comparison = insight::CompareWithFiles(run, directory, tolerances);
  }
  if (!comparison.ok()) return ReportStatus(comparison.status());
  if (arguments.Has("html")) {
    const int status = WriteHtml(
        arguments, Page(absl::StrCat(arguments.operands()[0], " and ", directory), document->module(), *comparison));
    if (status != kExitGood) return status;
  }
  if (arguments.Value("html") != "-") {
    WriteOutput(arguments.Switch("json") ? DumpJson(AsJson(document->module(), *comparison))
                                         : AsText(document->module(), *comparison, arguments.Switch("all")));
  }
  return comparison->Agrees() ? kExitGood : kExitBadInput;
}

}  // namespace hloscope::cli
