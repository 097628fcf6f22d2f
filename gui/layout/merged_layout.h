// SPDX-License-Identifier: Apache-2.0
// Two versions of a graph laid out as one, so that what both have is at the same place in both pictures.
#ifndef HLOSCOPE_GUI_LAYOUT_MERGED_LAYOUT_H_
#define HLOSCOPE_GUI_LAYOUT_MERGED_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "gui/layout/flow_layout.h"

namespace hloscope::gui {

struct FlowGraph {
  std::vector<FlowSize> sizes;
  std::vector<FlowEdge> edges;
};

struct MergedLayout {
  FlowLayout before, after;  // corners and routes of the boxes and edges of each; equal width and height
};

// `before_of`: by box of `after`, the box of `before` that it stands for, each at most once; kNoFlowBox: none.
MergedLayout LayOutMerged(const FlowGraph& before, const FlowGraph& after, const std::vector<uint32_t>& before_of);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_MERGED_LAYOUT_H_
