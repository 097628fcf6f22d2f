// SPDX-License-Identifier: Apache-2.0
// The difference of two modules as HTML.
#ifndef HLOSCOPE_INSIGHT_DIFF_DIFF_PAGE_H_
#define HLOSCOPE_INSIGHT_DIFF_DIFF_PAGE_H_

#include <string>

#include "core/analysis/module_diff.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {

struct DiffPageOptions {
  std::string left = "before", right = "after";  // what the columns are called
  size_t context = 3;                            // unchanged lines around changed ones
  size_t max_rows = 20000;                       // of code; what is left out is said
};

// Groups of changes that are alike, then each computation that changed, side by side.
void AddDiff(const Module& a, const Module& b, const ModuleDiff& diff, const DiffPageOptions& options,
             HtmlReport* report);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_DIFF_DIFF_PAGE_H_
