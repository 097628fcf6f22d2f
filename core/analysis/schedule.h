// SPDX-License-Identifier: Apache-2.0
// Orders in which the instructions of a computation can run.
#ifndef HLOSCOPE_CORE_ANALYSIS_SCHEDULE_H_
#define HLOSCOPE_CORE_ANALYSIS_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/analysis/buffers.h"
#include "core/ir/module.h"

namespace hloscope {

enum class ScheduleKind : uint8_t {
  kGiven,      // the module is scheduled: the order of its text (docs/ops/control.md 6.13)
  kText,       // the order of the text of a module without schedule
  kPostOrder,  // depth first from the root, operands from the first
  kLargest,    // depth first from the root, the operand that needs most memory first
  kList,       // of what is ready, always what frees most memory
};
absl::string_view ScheduleKindName(ScheduleKind kind);  // "given", "text", "post-order", "largest first", "list"

// Operands and control predecessors before their users; every instruction of the computation once. kText requires that
// the text does so already, which the verifier checks.
//
// O(n log n) in the instructions and operands of the computation.
std::vector<InstructionId> ScheduleOf(const Module& module, const BufferTable& buffers, ComputationId computation,
                                      ScheduleKind kind);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SCHEDULE_H_
