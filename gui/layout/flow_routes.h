// SPDX-License-Identifier: Apache-2.0
// The courses of edges between boxes in rows: straight, down rails, or jumps.
#ifndef HLOSCOPE_GUI_LAYOUT_FLOW_ROUTES_H_
#define HLOSCOPE_GUI_LAYOUT_FLOW_ROUTES_H_

#include "absl/types/span.h"
#include "gui/layout/flow_layout.h"

namespace hloscope::gui {

// Fills `layout->routes` from its corners, order, rows and row_of.
// O(edges * max_span log(boxes of a row)).
void RouteFlow(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges, const FlowOptions& options,
               FlowLayout* layout);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_FLOW_ROUTES_H_
