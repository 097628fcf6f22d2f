// SPDX-License-Identifier: Apache-2.0
// Pictures of a graph for other programs.
#ifndef HLOSCOPE_GUI_VIEWS_GRAPH_EXPORT_H_
#define HLOSCOPE_GUI_VIEWS_GRAPH_EXPORT_H_

#include <QString>

#include "gui/models/document_analyses.h"
#include "gui/views/graph_canvas.h"

namespace hloscope::gui {

// Writes what the canvas shows, all of it: as a picture (picture_export.h), as text for Graphviz (.dot), or as a page
// (.html), which names the command that makes such a picture again. What went wrong, for the user; empty if nothing.
QString ExportGraph(const QString& path, const GraphCanvas& canvas, DocumentAnalyses& analyses, const QString& command);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_GRAPH_EXPORT_H_
