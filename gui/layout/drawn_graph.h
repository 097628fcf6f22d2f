// SPDX-License-Identifier: Apache-2.0
// A visible graph with coordinates: rectangles of boxes, courses of edges, stubs of jumps, and an index that finds what
// lies in a part of the picture. In pixels at scale 1, y downwards.
#ifndef HLOSCOPE_GUI_LAYOUT_DRAWN_GRAPH_H_
#define HLOSCOPE_GUI_LAYOUT_DRAWN_GRAPH_H_

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <functional>
#include <vector>

#include "gui/layout/flow_layout.h"
#include "gui/layout/graph_layout.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {

// Puts things into square cells by their rectangles, and finds those of the cells that a rectangle touches.
class SpatialIndex {
 public:
  // `rect_of(i)` for i < count, inside `bounds`. O(count + cells covered).
  void Build(const QRectF& bounds, uint32_t count, const std::function<QRectF(uint32_t)>& rect_of);
  // Calls `visit` once for everything whose cells `rect` touches: all that lies in it, and some that lies near.
  // Until `visit` returns false.
  void Find(const QRectF& rect, const std::function<bool(uint32_t)>& visit) const;

 private:
  struct Range {
    int x0, y0, x1, y1;
  };
  Range CellsOf(const QRectF& rect) const;
  size_t CellAt(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x);
  }

  QRectF bounds_;
  double cell_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<uint32_t> begin_, items_;  // by cell
  std::vector<uint32_t> large_;          // that cover too many cells
  mutable std::vector<uint32_t> stamp_;  // of the last search that found it
  mutable uint32_t search_ = 0;
};

class DrawnGraph {
 public:
  static constexpr float kHeader = 22;   // above what is inside of an open group
  static constexpr float kPadding = 14;  // around it

  enum class EdgeShape : uint8_t {
    kLines,   // through its points
    kCurves,  // cubic: first point, then three for each piece
    kJump,    // not drawn from end to end
  };
  struct Edge {
    uint32_t points = 0;  // first of its points
    uint16_t count = 0;
    EdgeShape shape = EdgeShape::kJump;
  };
  // One end of an edge that is not drawn.
  struct Stub {
    uint32_t box = 0;
    bool incoming = false;
    QPointF at;                            // on the border of the box
    uint32_t other = VisibleGraph::kNone;  // box at the other end; kNone if it is not in the graph
    InstructionId instruction;             // at the other end
  };

  DrawnGraph() = default;
  // Lays out every level with LayOutFlow. `size_of` gives the size of a box that is not open. `previous`: what was
  // drawn before an edit; boxes that it has stay where they are. May be null. Thread-safe if `size_of` is.
  DrawnGraph(VisibleGraph graph, const std::function<FlowSize(const VisibleGraph&, uint32_t box)>& size_of,
             const DrawnGraph* previous = nullptr);
  // Of a graph of one level that was laid out by somebody else: `layout` has its boxes and edges, in order.
  DrawnGraph(VisibleGraph graph, const std::vector<FlowSize>& sizes, const FlowLayout& layout);
  // Puts the boxes of the first level where `layout` has them: its nodes and edges are those of that level, in order.
  void ApplyToFirstLevel(const GraphLayout& layout);

  // The first level was not laid out but updated: what was there before an edit has kept its place.
  bool is_update() const { return is_update_; }

  const VisibleGraph& graph() const { return graph_; }
  bool empty() const { return graph_.empty(); }
  QRectF bounds() const { return bounds_; }
  const QRectF& rect(uint32_t box) const { return rects_[box]; }
  const std::vector<QRectF>& rects() const { return rects_; }
  const Edge& edge(uint32_t i) const { return edges_[i]; }
  const QPointF* points(const Edge& edge) const { return points_.data() + edge.points; }
  const std::vector<Stub>& stubs() const { return stubs_; }
  // The stubs of a box: [first, second).
  std::pair<uint32_t, uint32_t> StubsOf(uint32_t box) const { return {stub_begin_[box], stub_begin_[box + 1]}; }

  // What may be seen in a part of the picture, each once. Boxes: outer ones before inner ones.
  void FindBoxes(const QRectF& rect, std::vector<uint32_t>* boxes) const;
  // The same in any order, and if there are more than `most`, that many and one.
  void FindFewBoxes(const QRectF& rect, size_t most, std::vector<uint32_t>* boxes) const;
  void FindEdges(const QRectF& rect, std::vector<uint32_t>* edges) const;
  // The innermost box at a point; kNone beside all. Of an open group, its header and its border count.
  uint32_t BoxAt(QPointF point) const;

 private:
  // Corners and courses of a level, relative to the level's own corner.
  void DrawLevel(uint32_t level, const FlowLayout& layout);
  // `former`: what the level's boxes were in the level of `previous`; empty if it was laid out afresh.
  FlowLayout LayOutLevel(uint32_t level, const DrawnGraph* previous, std::vector<uint32_t>* former) const;
  // Edges of the first level keep the curves that Graphviz has drawn for them, where these still lead somewhere.
  void KeepCurves(const DrawnGraph& previous, const std::vector<uint32_t>& former, const FlowLayout& layout);
  void PlaceLevels();
  void MoveLevel(uint32_t level, QPointF by);
  void DrawEdges(uint32_t level, const FlowLayout& layout);
  void CollectStubs();
  void BuildIndex();

  VisibleGraph graph_;
  std::vector<QRectF> rects_;
  std::vector<Edge> edges_;  // as graph_.edges
  std::vector<QPointF> points_;
  std::vector<Stub> stubs_;  // by box
  std::vector<uint32_t> stub_begin_;
  std::vector<FlowLayout> flows_;  // by level, without routes; for updates
  bool is_update_ = false;
  QRectF bounds_;
  SpatialIndex box_index_, edge_index_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_DRAWN_GRAPH_H_
