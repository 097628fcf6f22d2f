// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/flow_routes.h"

#include <algorithm>

namespace hloscope::gui {
namespace {

constexpr float kRailMargin = 5;

class Router {
 public:
  Router(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges, const FlowOptions& options,
         FlowLayout* layout)
      : sizes_(sizes), edges_(edges), options_(options), layout_(*layout) {}

  void Run() {
    const size_t count = sizes_.size();
    auto is_forward = [&](const FlowEdge& edge) { return edge.from < edge.to && edge.to < count; };
    std::vector<uint32_t> operands(count, 0), operands_seen(count, 0);
    for (const FlowEdge& edge : edges_) {
      if (is_forward(edge)) ++operands[edge.to];
    }
    layout_.routes.assign(edges_.size(), FlowRoute());
    for (size_t e = 0; e < edges_.size(); ++e) {
      const FlowEdge& edge = edges_[e];
      if (edge.from >= count || edge.to >= count) continue;
      FlowRoute& route = layout_.routes[e];
      route.from_x = Center(edge.from);
      route.to_x = Center(edge.to);
      if (!is_forward(edge)) continue;
      const float place = static_cast<float>(++operands_seen[edge.to]);
      route.to_x += sizes_[edge.to].width * (place / static_cast<float>(operands[edge.to] + 1) - 0.5F);
      const uint32_t above = layout_.row_of[edge.from], below = layout_.row_of[edge.to];
      const bool near = above < below && below - above <= options_.max_span;
      if (!near || layout_.rows[above].column != layout_.rows[below].column) continue;
      if (below - above == 1) {
        route.kind = FlowRoute::Kind::kStraight;
        continue;
      }
      route.kind = FlowRoute::Kind::kRail;
      const FlowRow &first = layout_.rows[above + 1], &last = layout_.rows[below - 1];
      route.rail_top = first.y - options_.row_gap * 0.4F;
      route.rail_bottom = last.y + last.height + options_.row_gap * 0.4F;
      route.rail_x = RailX(edge, route, above, below);
    }
  }

 private:
  float Left(uint32_t box) const { return layout_.corners[box].x; }
  float Center(uint32_t box) const { return Left(box) + sizes_[box].width / 2; }

  // No box of the row is at x.
  bool IsFree(const FlowRow& row, float x) const {
    const auto begin = layout_.order.begin() + row.begin, end = layout_.order.begin() + row.end;
    const auto next =
        std::partition_point(begin, end, [&](uint32_t box) { return Left(box) + sizes_[box].width + kRailMargin < x; });
    return next == end || Left(*next) - kRailMargin > x;
  }

  bool IsFreeBetween(uint32_t above, uint32_t below, float x) const {
    for (uint32_t r = above + 1; r < below; ++r) {
      if (!IsFree(layout_.rows[r], x)) return false;
    }
    return true;
  }

  float RailX(const FlowEdge& edge, const FlowRoute& route, uint32_t above, uint32_t below) const {
    if (IsFreeBetween(above, below, route.from_x)) return route.from_x;
    if (IsFreeBetween(above, below, route.to_x)) return route.to_x;
    float left = layout_.rows[above + 1].left, right = layout_.rows[above + 1].right;
    for (uint32_t r = above + 2; r < below; ++r) {
      left = std::min(left, layout_.rows[r].left);
      right = std::max(right, layout_.rows[r].right);
    }
    // Rails of different producers lie beside each other.
    const float track = kRailMargin + 2 + 5 * static_cast<float>(edge.from % 5);
    const float middle = (route.from_x + route.to_x) / 2;
    return middle - left < right - middle ? left - track : right + track;
  }

  const absl::Span<const FlowSize> sizes_;
  const absl::Span<const FlowEdge> edges_;
  const FlowOptions& options_;
  FlowLayout& layout_;
};

}  // namespace

void RouteFlow(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges, const FlowOptions& options,
               FlowLayout* layout) {
  Router(sizes, edges, options, layout).Run();
}

}  // namespace hloscope::gui
