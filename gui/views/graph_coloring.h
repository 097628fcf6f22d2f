// SPDX-License-Identifier: Apache-2.0
// What the colours of a graph's boxes say, and the legend that tells it.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_COLORING_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_COLORING_H_

#include <QColor>
#include <QString>
#include <vector>

#include "gui/models/document_analyses.h"
#include "gui/models/session_controller.h"
#include "gui/models/version_comparison.h"
#include "gui/models/visible_graph.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

enum class GraphColoring { kCategory, kFlops, kBytes, kHealth, kSharding, kChanges, kTime };

struct LegendEntry {
  QColor color;
  QString text;
  friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

struct GraphColors {
  std::vector<QColor> fills;  // by box; empty: by category of the operation
  std::vector<LegendEntry> legend;
};

// `changes`: of the analyses' document, for kChanges; null if it was not compared with anything. `session`: of
// kHealth and kTime. `profiled`: seconds of the document's instructions, for kTime in place of those of the run; may be
// empty. A group has the colour of what is most striking in it.
GraphColors ColorGraph(GraphColoring coloring, const VisibleGraph& graph, DocumentAnalyses& analyses,
                       const SessionController& session, const std::vector<double>& profiled,
                       const ComparedVersion* changes, const Theme& theme);

// Of boxes by what became of their instructions.
QColor ChangeFill(InstructionChange change, const Theme& theme);
std::vector<QColor> ChangeFills(const VisibleGraph& graph, const ComparedVersion& version, const Theme& theme);
std::vector<LegendEntry> ChangeLegend(const Theme& theme);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_COLORING_H_
