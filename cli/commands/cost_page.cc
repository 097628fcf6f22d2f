// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cost_page.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "insight/html/html_report.h"
#include "insight/pages/module_page.h"

namespace hloscope::cli {
namespace {

using insight::HtmlText;

// Browsers take seconds for tables that are longer than this; the module's text below has every instruction.
constexpr size_t kListedInstructions = 1000;

void AddInstructions(const reports::CostReport& report, insight::HtmlReport* page) {
  const Module& module = report.module;
  struct Row {
    InstructionId id;
    int64_t runs;
    Cost cost;
  };
  std::vector<Row> rows;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const int64_t runs = report.cost.Runs(module.instruction(id).computation);
    const Cost cost = report.cost.Of(id).Times(runs);
    if (cost.flops > 0 || cost.bytes() > 0) rows.push_back({id, runs, cost});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::make_pair(a.cost.flops, a.cost.bytes()) > std::make_pair(b.cost.flops, b.cost.bytes());
  });
  const size_t listed = std::min(rows.size(), kListedInstructions);
  page->BeginPart(absl::StrCat("Instructions, most operations first (", listed, " of ", rows.size(), ")"));
  const insight::HtmlColumn columns[] = {{"instruction"},          {"opcode"},           {"computation"},
                                         {"runs", true},           {"FLOP", true},       {"of the whole"},
                                         {"transcendental", true}, {"bytes read", true}, {"bytes written", true}};
  page->BeginTable(columns);
  for (size_t k = 0; k < listed; ++k) {
    const auto& [id, runs, cost] = rows[k];
    const HtmlText cells[] = {HtmlText().Code(module.InstructionName(id)),
                              OpcodeName(module.opcode(id)),
                              module.ComputationName(module.instruction(id).computation),
                              absl::StrCat(runs),
                              absl::StrCat(cost.flops),
                              HtmlText().Bar(static_cast<double>(cost.flops), static_cast<double>(report.total.flops)),
                              absl::StrCat(cost.transcendentals),
                              absl::StrCat(cost.bytes_read),
                              absl::StrCat(cost.bytes_written)};
    page->AddRow(cells);
  }
  page->EndTable();
  page->EndPart();
}

}  // namespace

insight::HtmlReport CostPage(absl::string_view file, const reports::CostReport& report, absl::string_view movement) {
  insight::HtmlReport page("Cost", file);
  const std::pair<std::string, HtmlText> facts[] = {{"module", report.module.name()},
                                                    {"operations", absl::StrCat(report.total.flops)},
                                                    {"transcendental", absl::StrCat(report.total.transcendentals)},
                                                    {"bytes read", absl::StrCat(report.total.bytes_read)},
                                                    {"bytes written", absl::StrCat(report.total.bytes_written)},
                                                    {"peak of live arrays", absl::StrCat(report.memory.peak_bytes())}};
  page.AddFacts(facts);
  const auto add_code = [&](absl::string_view title, absl::string_view text) {
    page.BeginPart(title, false);
    page.AddText(text);
    page.EndPart();
  };
  add_code("Summary", reports::CostReportText(report, 50, false));
  add_code("Movement of data", movement);
  AddInstructions(report, &page);
  page.BeginPart("Module", false);
  insight::AddModule(report.module, InstructionId(), &page);
  page.EndPart();
  return page;
}

}  // namespace hloscope::cli
