// SPDX-License-Identifier: Apache-2.0
// The stages of a dump as HTML.
#ifndef HLOSCOPE_INSIGHT_PASSES_PASSES_PAGE_H_
#define HLOSCOPE_INSIGHT_PASSES_PASSES_PAGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "insight/html/html_report.h"
#include "insight/passes/instruction_trace.h"
#include "insight/passes/stage_changes.h"
#include "insight/passes/stages.h"

namespace hloscope::insight {

// A table of all stages, and each change side by side. `trace`: null, or an instruction that was followed. Reads the
// stages that changed something again. Error Cancelled.
absl::StatusOr<HtmlReport> PassesPage(const std::string& title, const std::vector<Stage>& stages,
                                      const std::vector<StageChange>& changes, const StageReader& read,
                                      const InstructionTrace* trace, const StageProgress& progress = {});

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PASSES_PASSES_PAGE_H_
