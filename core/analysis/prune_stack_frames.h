// SPDX-License-Identifier: Apache-2.0
// Stack frames of a part of a module.
#ifndef HLOSCOPE_CORE_ANALYSIS_PRUNE_STACK_FRAMES_H_
#define HLOSCOPE_CORE_ANALYSIS_PRUNE_STACK_FRAMES_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "core/ir/module.h"

namespace hloscope {

// Leaves out of the tables of stack frames, file names, function names and locations what no instruction that `stays`
// leads to. Rows are numbered again, in their old order; metadata follows.
void PruneStackFrames(Module& module, absl::FunctionRef<bool(InstructionId)> stays);

// What `frames` lead to, without the module: takes no longer than what it returns is large.
struct PrunedStackFrames {
  StackFrameTables tables;
  absl::flat_hash_map<int32_t, int32_t> numbers;  // of the frames that stay: their old ones to their new ones
};
PrunedStackFrames PruneStackFrames(const StackFrameTables& tables, const std::vector<int32_t>& frames);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_PRUNE_STACK_FRAMES_H_
