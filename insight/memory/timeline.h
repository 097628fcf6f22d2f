// SPDX-License-Identifier: Apache-2.0
// The run of a whole module as one line of steps, called computations inside their callers, with the arrays that are
// alive at each.
#ifndef HLOSCOPE_INSIGHT_MEMORY_TIMELINE_H_
#define HLOSCOPE_INSIGHT_MEMORY_TIMELINE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/memory.h"
#include "core/ir/module.h"

namespace hloscope::insight {

// One execution of one instruction. Loops run once, conditionals through every branch, one after the other.
struct TimelineStep {
  InstructionId instruction;
  uint32_t depth = 0;  // calls around it
};

// An array and the steps, both included, during which it is needed.
struct LiveRange {
  static constexpr BufferTable::BufferId kNoBuffer = 0xFFFFFFFFu;
  BufferTable::BufferId buffer = kNoBuffer;
  ComputationId computation;  // of kNoBuffer: all it needs, in place of its steps, which would be too many
  uint32_t begin = 0, end = 0;
  uint32_t depth = 0;
};

struct Timeline {
  std::vector<TimelineStep> steps;
  std::vector<LiveRange> ranges;
  bool complete = true;  // false: some called computation is one range
};

inline constexpr size_t kMaxTimelineSteps = size_t{1} << 22;

// From the lifetimes of core/analysis/memory.h: the most bytes alive at a step are MemoryAnalysis::peak_bytes(). A
// called computation comes before the step of its caller; results of a loop exist from its first step on. `max_size`
// bounds steps and ranges together.
Timeline TimelineOf(const Module& module, const CallGraph& calls, const BufferTable& buffers,
                    const MemoryAnalysis& memory, size_t max_size = kMaxTimelineSteps);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_TIMELINE_H_
