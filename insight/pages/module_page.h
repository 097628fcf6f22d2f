// SPDX-License-Identifier: Apache-2.0
// A module, or some of its instructions, in a report.
#ifndef HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_
#define HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {

// The text of the module, each computation a part that can be folded: the entry computation is open. Constants of more
// than ten elements are left out. `marked`: this instruction is highlighted, its computation open.
void AddModule(const Module& module, InstructionId marked, HtmlReport* report);

// The text of these instructions, in this order, in a part of its own.
void AddInstructions(const Module& module, absl::Span<const InstructionId> instructions, InstructionId marked,
                     HtmlReport* report);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PAGES_MODULE_PAGE_H_
