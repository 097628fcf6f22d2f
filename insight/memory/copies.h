// SPDX-License-Identifier: Apache-2.0
// Copies that a module makes, and what for.
#ifndef HLOSCOPE_INSIGHT_MEMORY_COPIES_H_
#define HLOSCOPE_INSIGHT_MEMORY_COPIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/cost.h"
#include "core/ir/module.h"
#include "insight/memory/explanation.h"

namespace hloscope::insight {

struct CopyReason {
  InstructionId id;
  int64_t bytes = 0;  // of the result
  int64_t runs = 1;
  std::string reason;     // "layout {1,0} becomes {0,1}"
  bool is_added = false;  // without metadata: the compiler put it there
};

// copy, copy-start and what wraps them, those that move most first.
std::vector<CopyReason> ExplainCopies(const MemoryExplanation& memory, const CostAnalysis& cost);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_COPIES_H_
