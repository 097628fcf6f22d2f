// SPDX-License-Identifier: Apache-2.0
// The lines of a computation in two versions, beside each other where they correspond.
#ifndef HLOSCOPE_INSIGHT_DIFF_DIFF_ROWS_H_
#define HLOSCOPE_INSIGHT_DIFF_DIFF_ROWS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/module_diff.h"
#include "core/print/instruction_printer.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {

struct DiffRow {
  LineKind kind = LineKind::kSame;
  InstructionId a, b;   // none where that version has nothing
  size_t left_out = 0;  // > 0: the row stands for as many that are the same, and has no instructions
};

// In the order of the new version; what is gone is where it was.
std::vector<DiffRow> DiffRows(const Module& a, const Module& b, const ComputationDiff& diff);
// Only what changed, with `context` rows around it.
std::vector<DiffRow> Shortened(const std::vector<DiffRow>& rows, size_t context);

// The instructions of a module as rows show them. The module outlives the object.
class DiffLines {
 public:
  explicit DiffLines(const Module& module);
  std::string Of(InstructionId id);
  const Module& module() const { return module_; }

 private:
  const Module& module_;
  InstructionPrinter printer_;
};

// "computation f -> g: 2 changed, 1 removed, 0 added".
std::string DiffTitle(const Module& a, const Module& b, const ComputationDiff& diff);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_DIFF_DIFF_ROWS_H_
