// SPDX-License-Identifier: Apache-2.0
// A whole module in a report.
#ifndef HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_
#define HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_

#include "core/ir/module.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {

// The text of the module, each computation a part that can be folded: the entry computation is open. Constants of more
// than ten elements are left out. `marked`: this instruction is highlighted, its computation open.
void AddModule(const Module& module, InstructionId marked, HtmlReport* report);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_
