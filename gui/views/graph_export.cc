// SPDX-License-Identifier: Apache-2.0
#include "gui/views/graph_export.h"

#include <QFileInfo>

#include "gui/models/text.h"
#include "gui/views/panel_page.h"
#include "gui/views/picture_export.h"

namespace hloscope::gui {
namespace {

// Boxes as nodes, groups as clusters, edges as they are drawn.
QByteArray DotText(const DrawnGraph& drawn, const GraphPainter::Look& look) {
  const VisibleGraph& graph = drawn.graph();
  auto quoted = [](QString text) {
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
                                            .replace(QLatin1Char('"'), QLatin1String("\\\""))
                                            .replace(QLatin1Char('\n'), QLatin1String("\\n")));
  };
  QString out = QStringLiteral("digraph {\n  compound=true;\n  node [shape=box, style=\"rounded,filled\"];\n");
  GraphPainter painter;
  auto write_level = [&](auto&& self, uint32_t number, const QString& indent) -> void {
    const VisibleGraph::Level& level = graph.levels[number];
    for (uint32_t i = level.begin; i < level.end; ++i) {
      if (graph.boxes[i].inside != VisibleGraph::kNone) {
        out += QStringLiteral("%1subgraph cluster_%2 {\n%1  label=%3;\n")
                   .arg(indent)
                   .arg(i)
                   .arg(quoted(look.group_title != nullptr ? look.group_title(i) : QString()));
        // What edges to the group hold on to.
        out += QStringLiteral("%1  n%2 [shape=point, style=invis];\n").arg(indent).arg(i);
        self(self, graph.boxes[i].inside, indent + QLatin1String("  "));
        out += indent + QLatin1String("}\n");
        continue;
      }
      out += QStringLiteral("%1n%2 [label=%3, fillcolor=\"%4\"];\n")
                 .arg(indent)
                 .arg(i)
                 .arg(quoted(look.text->Lines(graph, i).join(QLatin1Char('\n'))), painter.Fill(drawn, look, i).name());
    }
  };
  write_level(write_level, 0, QStringLiteral("  "));
  for (const VisibleGraph::Edge& edge : graph.edges) {
    out += QStringLiteral("  n%1 -> n%2").arg(edge.from).arg(edge.to);
    if (edge.control) out += QLatin1String(" [style=dashed]");
    out += QLatin1String(";\n");
  }
  return HarmlessText(out + QLatin1String("}\n"));
}

}  // namespace

QString ExportGraph(const QString& path, const GraphCanvas& canvas, DocumentAnalyses& analyses,
                    const QString& command) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const QRectF all = canvas.graph().bounds();
  if (suffix == QLatin1String("dot") || suffix == QLatin1String("gv")) {
    return WritePicture(path, DotText(canvas.graph(), canvas.look()));
  }
  if (IsPagePath(path)) {
    PageFacts facts;
    facts.title = ToQString(analyses.module().name());
    facts.file = ToQString(analyses.document()->source().name());
    facts.commands << command;
    return WritePicture(path, PageOfGraph(canvas, analyses, facts));
  }
  return ExportPicture(path, all.size(), ToQString(analyses.module().name()),
                       [&](QPainter* painter, double scale) { canvas.PaintExport(painter, all, scale); });
}

}  // namespace hloscope::gui
