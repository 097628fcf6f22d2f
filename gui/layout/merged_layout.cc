// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/merged_layout.h"

#include <algorithm>

namespace hloscope::gui {

MergedLayout LayOutMerged(const FlowGraph& before, const FlowGraph& after, const std::vector<uint32_t>& before_of) {
  const auto count_before = static_cast<uint32_t>(before.sizes.size());
  const auto count_after = static_cast<uint32_t>(after.sizes.size());
  std::vector<bool> is_matched(count_before, false);
  for (uint32_t box : before_of) {
    if (box < count_before) is_matched[box] = true;
  }
  // The order of the version after; what is only in the one before comes before what followed it there.
  std::vector<uint32_t> place_before(count_before, kNoFlowBox), place_after(count_after, kNoFlowBox);
  uint32_t count = 0, next = 0;
  for (uint32_t box = 0; box <= count_after; ++box) {
    const uint32_t match = box < count_after ? before_of[box] : count_before;
    for (; match <= count_before && next < match; ++next) {
      if (!is_matched[next]) place_before[next] = count++;
    }
    if (box == count_after) break;
    place_after[box] = count++;
    if (match < count_before) place_before[match] = place_after[box];
  }
  std::vector<FlowSize> sizes(count);
  auto add_sizes = [&](const FlowGraph& graph, const std::vector<uint32_t>& places) {
    for (uint32_t i = 0; i < places.size(); ++i) {
      FlowSize& size = sizes[places[i]];
      size.width = std::max(size.width, graph.sizes[i].width);
      size.height = std::max(size.height, graph.sizes[i].height);
    }
  };
  add_sizes(before, place_before);
  add_sizes(after, place_after);
  std::vector<FlowEdge> edges;
  auto add_edges = [&](const FlowGraph& graph, const std::vector<uint32_t>& places) {
    for (const FlowEdge& edge : graph.edges) {
      const bool good = edge.from < places.size() && edge.to < places.size();
      edges.push_back(good ? FlowEdge{places[edge.from], places[edge.to]} : FlowEdge{count, count});
    }
  };
  add_edges(before, place_before);
  add_edges(after, place_after);
  const FlowLayout all = LayOutFlow(sizes, edges, {});
  auto part = [&](const FlowGraph& graph, const std::vector<uint32_t>& places, size_t first_edge) {
    FlowLayout layout;
    layout.width = all.width;
    layout.height = all.height;
    for (uint32_t i = 0; i < places.size(); ++i) {
      FlowLayout::Corner corner = all.corners[places[i]];
      // In the middle of the room that the larger one of both needs.
      corner.x += (sizes[places[i]].width - graph.sizes[i].width) / 2;
      layout.corners.push_back(corner);
    }
    const auto begin = all.routes.begin() + static_cast<std::ptrdiff_t>(first_edge);
    layout.routes.assign(begin, begin + static_cast<std::ptrdiff_t>(graph.edges.size()));
    return layout;
  };
  return {part(before, place_before, 0), part(after, place_after, before.edges.size())};
}

}  // namespace hloscope::gui
