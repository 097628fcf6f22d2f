// SPDX-License-Identifier: Apache-2.0
// The ways of calls to the nodes of a trace, short enough to write each of them in full.
#ifndef HLOSCOPE_INSIGHT_TRACE_CALL_WAYS_H_
#define HLOSCOPE_INSIGHT_TRACE_CALL_WAYS_H_

#include <cstdint>
#include <vector>

#include "evaluator/engine/run_trace.h"

namespace hloscope::insight {

class CallWays {
 public:
  // Of a longer way, so many nodes at each end are there: all ways together take no more than a multiple of the trace,
  // however deep its calls are.
  static constexpr uint32_t kOuter = 128, kInner = 128;

  // O(nodes). The trace must outlive the object.
  explicit CallWays(const evaluator::RunTrace& trace);

  struct Way {
    std::vector<uint32_t> nodes;  // from the outermost caller to the node itself
    uint32_t left_out = 0;        // nodes between the first kOuter and the others
  };
  Way To(uint32_t node) const;
  uint32_t depth(uint32_t node) const { return depth_[node]; }  // 0 for the entry computation

 private:
  const evaluator::RunTrace& trace_;
  std::vector<uint32_t> depth_;
  std::vector<uint32_t> outer_;  // by node: the one at depth kOuter on the way to it, or itself
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_TRACE_CALL_WAYS_H_
