// SPDX-License-Identifier: Apache-2.0
#include "insight/trace/call_ways.h"

#include <algorithm>

namespace hloscope::insight {

CallWays::CallWays(const evaluator::RunTrace& trace)
    : trace_(trace), depth_(trace.nodes().size(), 0), outer_(trace.nodes().size(), 0) {
  for (uint32_t n = 1; n < depth_.size(); ++n) {
    const uint32_t parent = trace.nodes()[n].parent;
    depth_[n] = depth_[parent] + 1;
    outer_[n] = depth_[n] <= kOuter ? n : outer_[parent];
  }
}

CallWays::Way CallWays::To(uint32_t node) const {
  Way way;
  uint32_t at = node;
  const uint32_t inner = depth_[node] > kOuter ? std::min(depth_[node] - kOuter, kInner) : 0;
  for (uint32_t k = 0; k < inner; ++k, at = trace_.nodes()[at].parent) way.nodes.push_back(at);
  way.left_out = depth_[at] - depth_[outer_[at]];
  for (at = outer_[at]; at != 0; at = trace_.nodes()[at].parent) way.nodes.push_back(at);
  std::reverse(way.nodes.begin(), way.nodes.end());
  return way;
}

}  // namespace hloscope::insight
