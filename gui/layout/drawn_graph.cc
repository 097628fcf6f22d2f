// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/drawn_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "gui/layout/kept_curves.h"

namespace hloscope::gui {
namespace {

constexpr double kMargin = 40;
// Something that covers more cells is looked at in every search.
constexpr int kMostCells = 64;

}  // namespace

SpatialIndex::Range SpatialIndex::CellsOf(const QRectF& rect) const {
  auto cell = [&](double at, double origin, int count) {
    return static_cast<int>(std::clamp(std::floor((at - origin) / cell_), 0.0, static_cast<double>(count - 1)));
  };
  return {cell(rect.left(), bounds_.left(), columns_), cell(rect.top(), bounds_.top(), rows_),
          cell(rect.right(), bounds_.left(), columns_), cell(rect.bottom(), bounds_.top(), rows_)};
}

void SpatialIndex::Build(const QRectF& bounds, uint32_t count, const std::function<QRectF(uint32_t)>& rect_of) {
  bounds_ = bounds;
  // About four things in a cell, and cells no smaller than a box.
  cell_ = std::max(200.0, std::sqrt(std::max(1.0, bounds.width() * bounds.height()) / std::max(1u, count) * 4));
  columns_ = std::max(1, static_cast<int>(std::ceil(bounds.width() / cell_)));
  rows_ = std::max(1, static_cast<int>(std::ceil(bounds.height() / cell_)));
  begin_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_) + 1, 0);
  large_.clear();
  stamp_.assign(count, 0);
  search_ = 0;
  std::vector<Range> ranges(count);
  auto is_large = [](const Range& r) { return (r.x1 - r.x0 + 1) * (r.y1 - r.y0 + 1) > kMostCells; };
  auto for_each_cell = [&](const Range& r, auto visit) {
    for (int y = r.y0; y <= r.y1; ++y) {
      for (int x = r.x0; x <= r.x1; ++x) visit(CellAt(x, y));
    }
  };
  for (uint32_t i = 0; i < count; ++i) {
    ranges[i] = CellsOf(rect_of(i));
    if (is_large(ranges[i])) {
      large_.push_back(i);
    } else {
      for_each_cell(ranges[i], [&](size_t cell) { ++begin_[cell + 1]; });
    }
  }
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  items_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_large(ranges[i])) for_each_cell(ranges[i], [&](size_t cell) { items_[next[cell]++] = i; });
  }
}

void SpatialIndex::Find(const QRectF& rect, const std::function<bool(uint32_t)>& visit) const {
  if (begin_.empty() || !rect.intersects(bounds_.adjusted(-1, -1, 1, 1))) return;
  ++search_;
  for (uint32_t item : large_) {
    if (!visit(item)) return;
  }
  const Range range = CellsOf(rect);
  for (int y = range.y0; y <= range.y1; ++y) {
    for (int x = range.x0; x <= range.x1; ++x) {
      const size_t cell = CellAt(x, y);
      for (uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        if (std::exchange(stamp_[items_[i]], search_) != search_ && !visit(items_[i])) return;
      }
    }
  }
}

// The layout of one level, relative to its own corner; the boxes have their sizes.
FlowLayout DrawnGraph::LayOutLevel(uint32_t number, const DrawnGraph* previous, std::vector<uint32_t>* former) const {
  former->clear();
  const VisibleGraph::Level& level = graph_.levels[number];
  std::vector<FlowSize> sizes;
  std::vector<FlowEdge> edges;
  for (uint32_t i = level.begin; i < level.end; ++i) {
    sizes.push_back({static_cast<float>(rects_[i].width()), static_cast<float>(rects_[i].height())});
  }
  for (uint32_t i = level.edges_begin; i < level.edges_end; ++i) {
    edges.push_back({graph_.edges[i].from - level.begin, graph_.edges[i].to - level.begin});
  }
  auto key_of = [](const VisibleGraph& graph, uint32_t level_number) {
    const uint32_t box = graph.levels[level_number].box;
    return box == kNoItem ? uint64_t{0} : graph.boxes[box].key;
  };
  for (uint32_t old = 0; previous != nullptr && old < previous->flows_.size(); ++old) {
    if (key_of(previous->graph_, old) != key_of(graph_, number)) continue;
    const VisibleGraph::Level& before = previous->graph_.levels[old];
    absl::flat_hash_map<uint64_t, uint32_t> by_key;
    for (uint32_t i = before.begin; i < before.end; ++i) {
      by_key.try_emplace(previous->graph_.boxes[i].key, i - before.begin);
    }
    for (uint32_t i = level.begin; i < level.end; ++i) {
      const auto found = by_key.find(graph_.boxes[i].key);
      former->push_back(found == by_key.end() ? kNoFlowBox : found->second);
    }
    const FlowLayout& flow = previous->flows_[old];
    if (!CanUpdateFlow(flow, *former)) break;
    FlowOptions options;
    // Graphviz draws edges of any length.
    if (flow.centered) options.max_span = std::numeric_limits<uint32_t>::max();
    return UpdateFlow(flow, *former, sizes, edges, options);
  }
  former->clear();
  std::vector<uint32_t> identities;
  for (uint32_t i = level.begin; i < level.end; ++i) identities.push_back(static_cast<uint32_t>(graph_.boxes[i].key));
  return LayOutFlow(sizes, edges, identities);
}

DrawnGraph::DrawnGraph(VisibleGraph graph, const std::function<FlowSize(const VisibleGraph&, uint32_t box)>& size_of,
                       const DrawnGraph* previous)
    : graph_(std::move(graph)) {
  rects_.resize(graph_.boxes.size());
  edges_.resize(graph_.edges.size());
  for (uint32_t i = 0; i < graph_.boxes.size(); ++i) {
    if (graph_.boxes[i].inside != kNoItem) continue;
    const FlowSize size = size_of(graph_, i);
    rects_[i].setSize(QSizeF(size.width, size.height));
  }
  // Inner levels first: an open group is as large as what is in it.
  flows_.resize(graph_.levels.size());
  for (uint32_t number = static_cast<uint32_t>(graph_.levels.size()); number-- > 0;) {
    const VisibleGraph::Level& level = graph_.levels[number];
    FlowLayout& layout = flows_[number];
    std::vector<uint32_t> former;
    layout = LayOutLevel(number, previous, &former);
    DrawLevel(number, layout);
    layout.routes = {};
    if (level.box != kNoItem) {
      rects_[level.box].setSize(
          QSizeF(std::max(layout.width + 2 * kPadding, 120.0F), layout.height + kHeader + 2 * kPadding));
    } else {
      is_update_ = !former.empty();
      // Updates may have moved the uppermost row up.
      const float top = is_update_ && !layout.band_tops.empty() ? std::min(layout.band_tops[0], 0.0F) : 0;
      bounds_ = QRectF(0, top, layout.width, layout.height - top);
      if (is_update_ && layout.centered) KeepCurves(*previous, former, layout);
    }
  }
  PlaceLevels();
  CollectStubs();
  BuildIndex();
}

DrawnGraph::DrawnGraph(VisibleGraph graph, const std::vector<FlowSize>& sizes, const FlowLayout& layout)
    : graph_(std::move(graph)) {
  rects_.resize(graph_.boxes.size());
  edges_.resize(graph_.edges.size());
  for (uint32_t i = 0; i < rects_.size(); ++i) rects_[i].setSize(QSizeF(sizes[i].width, sizes[i].height));
  if (!graph_.levels.empty()) DrawLevel(0, layout);
  bounds_ = QRectF(0, 0, layout.width, layout.height);
  CollectStubs();
  BuildIndex();
}

void DrawnGraph::DrawLevel(uint32_t number, const FlowLayout& layout) {
  const VisibleGraph::Level& level = graph_.levels[number];
  for (uint32_t i = level.begin; i < level.end; ++i) {
    const FlowLayout::Corner corner = layout.corners[i - level.begin];
    rects_[i].moveTo(corner.x, corner.y);
  }
  DrawEdges(number, layout);
}

void DrawnGraph::DrawEdges(uint32_t level_number, const FlowLayout& layout) {
  const VisibleGraph::Level& level = graph_.levels[level_number];
  for (uint32_t i = level.edges_begin; i < level.edges_end; ++i) {
    const FlowRoute& route = layout.routes[i - level.edges_begin];
    if (route.kind == FlowRoute::Kind::kJump) continue;
    Edge& edge = edges_[i];
    edge.points = static_cast<uint32_t>(points_.size());
    edge.shape = EdgeShape::kLines;
    const double top = rects_[graph_.edges[i].from].bottom(), bottom = rects_[graph_.edges[i].to].top();
    points_.emplace_back(route.from_x, top);
    if (route.kind == FlowRoute::Kind::kRail) {
      points_.emplace_back(route.rail_x, std::max<double>(route.rail_top, top));
      points_.emplace_back(route.rail_x, route.rail_bottom);
    } else if (rects_[graph_.edges[i].from].height() > 0) {
      // A row that a larger box makes higher: down beside that box first.
      const double turn = bottom - FlowOptions().row_gap * 0.9;
      if (turn > top + 4) points_.emplace_back(route.from_x, turn);
    }
    points_.emplace_back(route.to_x, bottom);
    edge.count = static_cast<uint16_t>(points_.size() - edge.points);
  }
}

// Outer levels come before inner ones, so every group is in its place before what is inside follows it.
void DrawnGraph::PlaceLevels() {
  for (uint32_t number = 1; number < graph_.levels.size(); ++number) {
    const VisibleGraph::Level& level = graph_.levels[number];
    const QRectF& outer = rects_[level.box];
    MoveLevel(number, outer.topLeft() + QPointF(kPadding, kHeader + kPadding));
  }
}

void DrawnGraph::MoveLevel(uint32_t number, QPointF by) {
  const VisibleGraph::Level& level = graph_.levels[number];
  for (uint32_t i = level.begin; i < level.end; ++i) rects_[i].translate(by);
  for (uint32_t i = level.edges_begin; i < level.edges_end; ++i) {
    for (uint16_t k = 0; k < edges_[i].count; ++k) points_[edges_[i].points + k] += by;
  }
}

void DrawnGraph::KeepCurves(const DrawnGraph& previous, const std::vector<uint32_t>& former, const FlowLayout& layout) {
  const VisibleGraph::Level &first = graph_.levels[0], &before = previous.graph_.levels[0];
  const StretchedHeights stretched(previous.flows_[0], layout, former);
  // Boxes that are as wide and as far to the right as they did, by their numbers before.
  std::vector<uint32_t> same(before.end - before.begin, kNoItem);
  std::vector<QRectF> obstacles;
  for (uint32_t i = 0; i < former.size(); ++i) {
    const QRectF& rect = rects_[first.begin + i];
    if (former[i] != kNoFlowBox) {
      const QRectF& old = previous.rects_[before.begin + former[i]];
      if (std::abs(rect.left() - old.left()) < 0.5 && std::abs(rect.width() - old.width()) < 0.5) {
        same[former[i]] = first.begin + i;
        continue;
      }
    }
    obstacles.push_back(rect);
  }
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> edge_of;
  for (uint32_t i = first.edges_begin; i < first.edges_end; ++i) {
    edge_of.try_emplace({graph_.edges[i].from, graph_.edges[i].to}, i);
  }
  std::vector<QPointF> curve;
  for (uint32_t i = before.edges_begin; i < before.edges_end; ++i) {
    const Edge& old = previous.edges_[i];
    if (old.shape != EdgeShape::kCurves || old.count < 7) continue;
    const uint32_t old_from = previous.graph_.edges[i].from, old_to = previous.graph_.edges[i].to;
    const uint32_t from = same[old_from - before.begin], to = same[old_to - before.begin];
    if (from == kNoItem || to == kNoItem) continue;
    const auto found = edge_of.find({from, to});
    if (found == edge_of.end()) continue;
    curve.assign(previous.points(old), previous.points(old) + old.count);
    // Ends stay as far from their boxes' borders as they were, however the way between them is stretched.
    auto correction = [&](uint32_t now, uint32_t then, double end) {
      const bool lower = end > previous.rects_[then].center().y();
      const double then_at = lower ? previous.rects_[then].bottom() : previous.rects_[then].top();
      return (lower ? rects_[now].bottom() : rects_[now].top()) + end - then_at - stretched(end);
    };
    const double at_start = correction(from, old_from, curve.front().y());
    const double at_end = correction(to, old_to, curve.back().y());
    for (QPointF& point : curve) point.setY(stretched(point.y()));
    curve.front().ry() += at_start;
    for (size_t k = curve.size() - 4; k < curve.size(); ++k) curve[k].ry() += at_end;
    if (CurveEnters(curve, obstacles)) continue;
    Edge& edge = edges_[found->second];
    edge.points = static_cast<uint32_t>(points_.size());
    edge.shape = EdgeShape::kCurves;
    edge.count = old.count;
    for (const QPointF& point : curve) {
      points_.push_back(point);
      bounds_ |= QRectF(point, QSizeF(1, 1));
    }
  }
}

void DrawnGraph::ApplyToFirstLevel(const GraphLayout& layout) {
  if (graph_.levels.empty()) return;
  const VisibleGraph::Level& first = graph_.levels[0];
  if (layout.centers.size() != first.end - first.begin || layout.edges.size() != first.edges_end - first.edges_begin) {
    return;
  }
  // Levels are ordered outer before inner, so what is inside of a box moves by what the box has moved.
  std::vector<QPointF> moved(graph_.levels.size());
  for (uint32_t i = first.begin; i < first.end; ++i) {
    const QPointF corner = layout.centers[i - first.begin] - QPointF(rects_[i].width(), rects_[i].height()) / 2;
    if (graph_.boxes[i].inside != kNoItem) moved[graph_.boxes[i].inside] = corner - rects_[i].topLeft();
    rects_[i].moveTo(corner);
  }
  for (uint32_t number = 1; number < graph_.levels.size(); ++number) {
    const VisibleGraph::Level& level = graph_.levels[number];
    const uint32_t parent = graph_.boxes[level.box].level;
    if (parent != 0) moved[number] = moved[parent];
    MoveLevel(number, moved[number]);
  }
  for (uint32_t i = first.edges_begin; i < first.edges_end; ++i) {
    const GraphLayout::Edge& drawn = layout.edges[i - first.edges_begin];
    Edge& edge = edges_[i];
    edge = Edge();
    if (drawn.path.isEmpty()) continue;
    edge.points = static_cast<uint32_t>(points_.size());
    edge.shape = EdgeShape::kCurves;
    for (int k = 0; k < drawn.path.elementCount() && k < 3000; ++k) points_.push_back(drawn.path.elementAt(k));
    // The arrow's tip belongs to the course.
    points_.push_back(points_.back());
    points_.push_back(drawn.arrow_tip);
    points_.push_back(drawn.arrow_tip);
    edge.count = static_cast<uint16_t>(points_.size() - edge.points);
  }
  bounds_ = QRectF(QPointF(0, 0), layout.size);
  flows_.resize(graph_.levels.size());
  flows_[0] = RowsOf(absl::MakeConstSpan(rects_).subspan(first.begin, first.end - first.begin),
                     static_cast<float>(layout.size.width()), static_cast<float>(layout.size.height()));
  CollectStubs();
  BuildIndex();
}

void DrawnGraph::CollectStubs() {
  stubs_.clear();
  auto add = [&](uint32_t box, bool incoming, uint32_t other, InstructionId instruction) {
    stubs_.push_back({box, incoming, QPointF(), other, instruction});
  };
  for (uint32_t i = 0; i < edges_.size(); ++i) {
    if (edges_[i].shape != EdgeShape::kJump) continue;
    const VisibleGraph::Edge& edge = graph_.edges[i];
    add(edge.to, true, edge.from, edge.producer);
    add(edge.from, false, edge.to, graph_.boxes[edge.to].instruction);
  }
  for (const VisibleGraph::Loose& loose : graph_.loose) {
    add(loose.box, loose.incoming, graph_.BoxOf(loose.other), loose.other);
  }
  std::stable_sort(stubs_.begin(), stubs_.end(), [](const Stub& a, const Stub& b) {
    return a.box != b.box ? a.box < b.box : a.incoming > b.incoming;
  });
  stub_begin_.assign(graph_.boxes.size() + 1, 0);
  for (const Stub& stub : stubs_) ++stub_begin_[stub.box + 1];
  for (size_t i = 1; i < stub_begin_.size(); ++i) stub_begin_[i] += stub_begin_[i - 1];
  for (Stub& stub : stubs_) {
    const QRectF& rect = rects_[stub.box];
    stub.at = stub.incoming ? rect.topLeft() + QPointF(10, 0) : rect.bottomRight() - QPointF(10, 0);
  }
}

void DrawnGraph::BuildIndex() {
  bounds_ = bounds_.adjusted(-kMargin, -kMargin, kMargin, kMargin);
  box_index_.Build(bounds_, static_cast<uint32_t>(rects_.size()), [this](uint32_t i) { return rects_[i]; });
  edge_index_.Build(bounds_, static_cast<uint32_t>(edges_.size()), [this](uint32_t i) {
    const Edge& edge = edges_[i];
    if (edge.count == 0) return QRectF(rects_[graph_.edges[i].to].topLeft(), QSizeF(1, 1));
    const QPointF* p = points(edge);
    double left = p[0].x(), right = left, top = p[0].y(), bottom = top;
    for (uint16_t k = 1; k < edge.count; ++k) {
      left = std::min(left, p[k].x());
      right = std::max(right, p[k].x());
      top = std::min(top, p[k].y());
      bottom = std::max(bottom, p[k].y());
    }
    return QRectF(left, top, right - left, bottom - top);
  });
}

void DrawnGraph::FindBoxes(const QRectF& rect, std::vector<uint32_t>* boxes) const {
  boxes->clear();
  if (rect.contains(bounds_)) {
    for (uint32_t i = 0; i < rects_.size(); ++i) boxes->push_back(i);
    return;
  }
  box_index_.Find(rect, [&](uint32_t i) {
    if (rects_[i].intersects(rect)) boxes->push_back(i);
    return true;
  });
  // Boxes have ascending numbers from outer to inner levels.
  std::sort(boxes->begin(), boxes->end());
}

void DrawnGraph::FindFewBoxes(const QRectF& rect, size_t most, std::vector<uint32_t>* boxes) const {
  boxes->clear();
  box_index_.Find(rect, [&](uint32_t i) {
    if (rects_[i].intersects(rect)) boxes->push_back(i);
    return boxes->size() <= most;
  });
}

void DrawnGraph::FindEdges(const QRectF& rect, std::vector<uint32_t>* edges) const {
  edges->clear();
  if (rect.contains(bounds_)) {
    for (uint32_t i = 0; i < edges_.size(); ++i) edges->push_back(i);
    return;
  }
  edge_index_.Find(rect, [&](uint32_t i) {
    edges->push_back(i);
    return true;
  });
}

uint32_t DrawnGraph::BoxAt(QPointF point) const {
  uint32_t found = kNoItem;
  box_index_.Find(QRectF(point, QSizeF(0.01, 0.01)), [&](uint32_t i) {
    const bool is_inner = found == kNoItem || graph_.boxes[i].level > graph_.boxes[found].level;
    if (is_inner && rects_[i].contains(point)) found = i;
    return true;
  });
  return found;
}

}  // namespace hloscope::gui
