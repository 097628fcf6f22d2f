// SPDX-License-Identifier: Apache-2.0
#include "core/editing/repair_candidates.h"
#include "core/editing/repair_line.h"

namespace hloscope {

void AddSpellingCandidates(const Document& document, SourceRange range, std::vector<Repair>* candidates) {
  // Nobody writes by hand what is longer.
  constexpr uint32_t kMaxLine = 10000;
  if (range.size() > kMaxLine) return;
  RepairLine line(document, range, candidates);
  if (line.size() == 0) return;
  AddStatementSpellings(line);
  AddShapeSpellings(line);
  AddExpressionSpellings(line);
  AddOperandSpellings(line);
  AddLiteralSpellings(line);
  AddListSpellings(line);
  AddWindowSpellings(line);
  AddAttributeSpellings(line);
  AddHeaderSpellings(line);
}

}  // namespace hloscope
