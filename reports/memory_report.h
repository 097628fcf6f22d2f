// SPDX-License-Identifier: Apache-2.0
// What `hloscope memory` prints.
#ifndef HLOSCOPE_REPORTS_MEMORY_REPORT_H_
#define HLOSCOPE_REPORTS_MEMORY_REPORT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/analysis/cost.h"
#include "core/analysis/users.h"
#include "insight/html/html_report.h"
#include "insight/memory/copies.h"
#include "insight/memory/donations.h"
#include "insight/memory/explanation.h"
#include "insight/memory/readers.h"
#include "insight/memory/what_if.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::reports {

struct MemoryReport {
  // The document must outlive the report. `assignment` may be null; `source` says where it is from.
  MemoryReport(const Document& document, const insight::MemoryOptions& options, std::string source);

  insight::MemoryExplanation memory;
  insight::ReaderIndex readers;
  UserIndex users;
  CostAnalysis cost;
  std::vector<insight::Donation> donations;
  std::vector<insight::CopyReason> copies;
  std::vector<insight::WhatIf> suggestions;
  std::vector<insight::WhatIf> answers;  // of --what-if
  std::string source;                    // the file of the assignment; empty: our own
};

// Tables for people; `rows` limits each.
std::string MemoryReportText(const MemoryReport& report, size_t rows, bool color);
// All of it.
nlohmann::ordered_json MemoryReportJson(const MemoryReport& report);

// One page; `file` is what it says it is about.
insight::HtmlReport MemoryReportHtml(const MemoryReport& report, absl::string_view file);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_MEMORY_REPORT_H_
