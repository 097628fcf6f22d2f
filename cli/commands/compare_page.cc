// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/compare_page.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/comparison_text.h"
#include "core/analysis/graph.h"
#include "insight/html/html_report.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

using evaluator::InstructionAgreement;

constexpr size_t kRows = 2000;      // longer tables take browsers long
constexpr size_t kPictures = 5;     // of the places where agreement ends
constexpr size_t kDrawnNodes = 40;  // more around one of them are not legible
constexpr double kLayoutSeconds = 20;

// Red where values differ, green where they agree, grey where they were not compared.
std::string FillOf(const ComparedDocuments& compared, InstructionId id) {
  InstructionAgreement worst = InstructionAgreement::kNotCompared;
  for (InstructionId carrier : compared.flow_a.carriers(id)) {
    worst = std::max(worst, compared.comparison.agreement[carrier.index()]);
  }
  switch (worst) {
    case InstructionAgreement::kNotCompared:
      return "#ececec";
    case InstructionAgreement::kAgrees:
      return "#cfe8cf";
    case InstructionAgreement::kDiverges:
      return "#f3b9b2";
  }
  return "";
}

absl::StatusOr<std::string> PictureAround(const ComparedDocuments& compared, InstructionId center,
                                          const std::string& format) {
  const Module& module = compared.a.module();
  NeighbourhoodOptions around;
  around.depth = 2;
  around.max_nodes = kDrawnNodes;
  const Graph graph = Neighbourhood(module, compared.a.users(), center, around);
  DotOptions options;
  options.highlighted = center;
  for (const GraphNode& node : graph.nodes) options.fills.push_back(FillOf(compared, node.instruction));
  return reports::RunFilter({"dot", "-T" + format}, ToDot(module, graph, options), kLayoutSeconds);
}

// Whether it could be drawn.
bool AddPicture(const ComparedDocuments& compared, InstructionId center, insight::HtmlReport* report) {
  const absl::StatusOr<std::string> picture = PictureAround(compared, center, "svg");
  if (!picture.ok()) return false;
  report->AddPicture(*picture, absl::StrCat("the surroundings of ", compared.a.module().InstructionName(center)));
  return true;
}

void AddFrontier(const ComparedDocuments& compared, insight::HtmlReport* report) {
  std::vector<const evaluator::Divergence*> frontier;
  for (const evaluator::Divergence& one : compared.comparison.divergences) {
    if (one.is_frontier) frontier.push_back(&one);
  }
  if (frontier.empty()) return;
  report->BeginPart(absl::StrCat("Where agreement ends (", frontier.size(), ")"));
  report->AddParagraph(
      "Values that differ although everything that they are computed from agrees. Red: differs; green: agrees; grey: "
      "not "
      "compared.");
  bool draws = true;
  for (size_t k = 0; k < frontier.size() && k < kPictures; ++k) {
    const evaluator::Divergence& one = *frontier[k];
    report->BeginPart(insight::HtmlText().Code(compared.a.module().InstructionName(one.a)), k == 0);
    report->AddText(absl::StrCat(BeyondText(one.comparison), "\n", StatisticsText(one.comparison, "")));
    draws = draws && AddPicture(compared, one.a, report);
    report->EndPart();
  }
  report->EndPart();
}

insight::HtmlText Verdict(const evaluator::LeafComparison& comparison) {
  insight::HtmlText text;
  if (comparison.Agrees()) {
    text.Added("agrees");
  } else {
    text.Removed("differs");
  }
  return text;
}

void AddDivergences(const ComparedDocuments& compared, insight::HtmlReport* report) {
  const std::vector<evaluator::Divergence>& list = compared.comparison.divergences;
  report->BeginPart(absl::StrCat("Values that differ (", list.size(), ")"));
  const insight::HtmlColumn columns[] = {{"first module"}, {"second module"}, {"frontier"},
                                         {"where"},        {"difference"},    {"by ulp"}};
  report->BeginTable(columns);
  for (size_t k = 0; k < list.size() && k < kRows; ++k) {
    const evaluator::Divergence& one = list[k];
    const insight::HtmlText cells[] = {insight::HtmlText().Code(compared.a.module().InstructionName(one.a)),
                                       insight::HtmlText().Code(compared.b.module().InstructionName(one.b)),
                                       one.is_frontier ? "here it begins" : "",
                                       one.path_a,
                                       BeyondText(one.comparison),
                                       insight::HtmlText().Code(UlpBlocks(one.comparison.difference))};
    report->AddRow(cells);
  }
  report->EndTable();
  report->EndPart();
}

void AddValues(const ComparedDocuments& compared, insight::HtmlReport* report) {
  const std::vector<evaluator::ComparedValue>& list = compared.comparison.values;
  if (list.empty()) return;
  report->BeginPart(absl::StrCat("Every compared value (", list.size(), ")"), false);
  report->AddParagraph(
      "By ulp: a block for the elements that are equal, then for those 1, 2..3, 4..7, ... representable values apart, "
      "as high as the logarithm of their number. The execution that agrees least.");
  const insight::HtmlColumn columns[] = {{"first module"},   {"second module"},   {"agrees"},
                                         {"elements", true}, {"different", true}, {"largest relative", true},
                                         {"ulp", true},      {"tolerance", true}, {"by ulp"}};
  report->BeginTable(columns);
  for (size_t k = 0; k < list.size() && k < kRows; ++k) {
    const evaluator::LeafComparison& one = list[k].comparison;
    const evaluator::TensorDifference& d = one.difference;
    const insight::HtmlText cells[] = {insight::HtmlText().Code(compared.a.module().InstructionName(list[k].a)),
                                       insight::HtmlText().Code(compared.b.module().InstructionName(list[k].b)),
                                       Verdict(one),
                                       absl::StrCat(d.count),
                                       absl::StrCat(d.different),
                                       absl::StrFormat("%.3g", d.max_relative),
                                       absl::StrCat(d.max_ulps),
                                       absl::StrFormat("%.3g", one.tolerance.relative),
                                       insight::HtmlText().Code(UlpBlocks(d))};
    report->AddRow(cells);
  }
  report->EndTable();
  if (list.size() > kRows) report->AddParagraph(absl::StrCat(list.size() - kRows, " more are in the JSON."));
  report->EndPart();
}

}  // namespace

absl::StatusOr<std::string> ComparePicture(const ComparedDocuments& compared, const std::string& format) {
  for (const evaluator::Divergence& one : compared.comparison.divergences) {
    if (!one.is_frontier) continue;
    absl::StatusOr<std::string> picture = PictureAround(compared, one.a, format);
    if (!absl::IsNotFound(picture.status())) return picture;
    return absl::FailedPreconditionError("drawing needs Graphviz: the program `dot` was not found. Install graphviz");
  }
  return absl::NotFoundError("the values agree: there is nothing to draw");
}

insight::HtmlReport ComparePage(const std::string& subtitle, const std::string& summary,
                                const ComparedDocuments& compared) {
  insight::HtmlReport report("Comparison of two runs", subtitle);
  report.BeginPart("Result");
  report.AddText(summary);
  report.EndPart();
  AddFrontier(compared, &report);
  AddDivergences(compared, &report);
  AddValues(compared, &report);
  return report;
}

}  // namespace hloscope::cli
