// SPDX-License-Identifier: Apache-2.0
// What the app shows as one interactive HTML page: a picture, the tables behind it, and the commands that make it
// again.
#ifndef HLOSCOPE_GUI_VIEWS_PANEL_PAGE_H_
#define HLOSCOPE_GUI_VIEWS_PANEL_PAGE_H_

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "gui/models/document_analyses.h"
#include "gui/views/graph_canvas.h"

namespace hloscope::gui {

// Whether the name of a file asks for a page.
bool IsPagePath(const QString& path);

struct PageFacts {
  QString title;
  QString file;          // what it is about
  QString instruction;   // that is selected; may be empty
  QStringList commands;  // lines for a shell that show or make the same again
};

// Rows of a table, and columns, that a page holds; the page says how many there are.
inline constexpr int kMostPageRows = 1000, kMostPageColumns = 64;

// The widget as it is seen, and its tables, texts and labels, also those of tabs that are covered.
QByteArray PageOfWidget(QWidget* widget, const PageFacts& facts);
// All of the graph that the canvas shows, and its instructions with their costs.
QByteArray PageOfGraph(const GraphCanvas& canvas, DocumentAnalyses& analyses, const PageFacts& facts);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_PANEL_PAGE_H_
