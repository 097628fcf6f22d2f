// SPDX-License-Identifier: Apache-2.0
// What `hloscope cost` prints.
#ifndef HLOSCOPE_REPORTS_COST_REPORT_H_
#define HLOSCOPE_REPORTS_COST_REPORT_H_

#include <string>

#include "core/analysis/buffers.h"
#include "core/analysis/cost.h"
#include "core/analysis/memory.h"
#include "core/analysis/scopes.h"
#include "core/document/document.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::reports {

// Every analysis of one module.
struct CostReport {
  explicit CostReport(const Document& document);

  const Module& module;
  CallGraph calls;
  BufferTable buffers;
  MemoryAnalysis memory;
  CostAnalysis cost;
  ScopeTree scopes;
  // By scope: the costs of its instructions, times how often they run, and those of the scopes inside it. What runs
  // inside fusions and element by element is part of the instruction that calls it.
  std::vector<Cost> scope_costs;
  Cost total;
};

// Tables for people: totals, peak memory and what is alive there, the most expensive instructions, the scope tree.
// `rows` limits each table.
std::string CostReportText(const CostReport& report, size_t rows, bool color);
// All of it; "schedule" is the entry computation's order with the bytes alive at each step.
nlohmann::ordered_json CostReportJson(const CostReport& report);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_COST_REPORT_H_
