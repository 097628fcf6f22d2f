// SPDX-License-Identifier: Apache-2.0
// What an update of a picture that Graphviz made keeps of it: its boxes are in rows, so that UpdateFlow can add to
// them, and the curves of edges between boxes that have not changed are stretched where rows have moved apart.
#ifndef HLOSCOPE_GUI_LAYOUT_KEPT_CURVES_H_
#define HLOSCOPE_GUI_LAYOUT_KEPT_CURVES_H_

#include <QPointF>
#include <QRectF>
#include <vector>

#include "absl/types/span.h"
#include "gui/layout/flow_layout.h"

namespace hloscope::gui {

// Boxes that somebody else has placed, as one column of rows: those whose heights overlap are in one row. Without
// routes. O(boxes log(boxes)).
FlowLayout RowsOf(absl::Span<const QRectF> rects, float width, float height);

// Where heights of a picture are after an update of it: whatever is above a row that has moved down stays, what is
// below moves with it, and what is between is stretched. Both layouts are of one column.
class StretchedHeights {
 public:
  // `former`: as for UpdateFlow, which made `after` of `before`.
  StretchedHeights(const FlowLayout& before, const FlowLayout& after, absl::Span<const uint32_t> former);
  double operator()(double y) const;

 private:
  struct Knot {
    double before, after;
  };
  std::vector<Knot> knots_;  // from top to bottom
};

// Whether a piecewise cubic curve (first point, then three for each piece) enters one of the boxes.
bool CurveEnters(absl::Span<const QPointF> curve, absl::Span<const QRectF> boxes);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_KEPT_CURVES_H_
