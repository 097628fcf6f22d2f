// SPDX-License-Identifier: Apache-2.0
// What the files of the graph's painter share.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_PARTS_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_PARTS_H_

#include <QColor>
#include <QPointF>
#include <QRectF>

#include "gui/views/theme.h"

namespace hloscope::gui {

inline QColor Mixed(const QColor& a, const QColor& b, double share_of_b) { return Theme::Mixed(a, b, share_of_b); }

// The fill of what is beside the point while something else is highlighted.
inline QColor Dimmed(const QColor& fill, const Theme& theme) { return Mixed(fill, theme.page, 0.75); }

// From the graph's coordinates to the painter's.
struct Mapping {
  QPointF origin;
  double scale;
  QPointF operator()(QPointF p) const { return (p - origin) * scale; }
  QRectF operator()(const QRectF& r) const { return QRectF((*this)(r.topLeft()), r.size() * scale); }
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_PAINTER_PARTS_H_
