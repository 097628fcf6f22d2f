// SPDX-License-Identifier: Apache-2.0
// What a group of instructions is, in numbers: what it computes and moves, what goes in and what comes out.
#ifndef HLOSCOPE_GUI_MODELS_GROUP_SUMMARY_H_
#define HLOSCOPE_GUI_MODELS_GROUP_SUMMARY_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/cost.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"
#include "evaluator/engine/inspection.h"

namespace hloscope::gui {

struct GroupSummary {
  std::vector<std::pair<Opcode, int64_t>> opcodes;  // with their counts, most frequent first
  int64_t flops = 0;                                // of one execution, with what it calls
  int64_t bytes = 0;                                // moved
  double seconds = 0;                               // measured by the run so far, with what it calls
  int64_t runs = 0;                                 // of its instructions, as far as the run has come
  std::vector<InstructionId> parameters;            // of the computation, in it
  int64_t parameter_bytes = 0;
  std::vector<InstructionId> inputs;   // outside, used inside; in the order of their first use
  std::vector<InstructionId> outputs;  // inside, used outside or the computation's root
  int64_t input_bytes = 0, output_bytes = 0;
};

// `members`: of one computation, in the order of the text. `statistics` by instruction; empty: nothing ran. O(members +
// operands + users).
GroupSummary SummarizeGroup(const Module& module, const UserIndex& users, const CostAnalysis& costs,
                            absl::Span<const evaluator::InstructionStatistics> statistics,
                            absl::Span<const InstructionId> members);

// Seconds that each instruction has taken, with the instructions of what it calls. Empty if nothing ran.
std::vector<double> SecondsWithCalled(const Module& module,
                                      absl::Span<const evaluator::InstructionStatistics> statistics);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_GROUP_SUMMARY_H_
