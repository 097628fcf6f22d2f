// SPDX-License-Identifier: Apache-2.0
// Coordinates of a drawn graph, in points, y downwards.
#ifndef HLOSCOPE_GUI_LAYOUT_GRAPH_LAYOUT_H_
#define HLOSCOPE_GUI_LAYOUT_GRAPH_LAYOUT_H_

#include <QByteArray>
#include <QPainterPath>
#include <QPointF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace hloscope::gui {

struct GraphLayout {
  struct Edge {
    QPainterPath path;   // from the producer's box to the base of the arrow head; empty if the edge was not routed
    QPointF arrow_base;  // the path's end
    QPointF arrow_tip;
  };
  QSizeF size;
  std::vector<QPointF> centers;  // by node
  std::vector<Edge> edges;       // by edge
};

// Reads what hloscope-graph-layout writes: lines "graph W H", "node I X Y", "edge I TIPX TIPY X0 Y0 X1 Y1 ..." (a
// piecewise cubic Bezier curve). Nothing if a node is missing or a line makes no sense.
std::optional<GraphLayout> ParseLayout(const QByteArray& text, size_t node_count, size_t edge_count);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_GRAPH_LAYOUT_H_
