#include "gui/views/graph_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

QString Tr(const char* text) { return QCoreApplication::translate("GraphExport", text); }

QString WriteFile(const QString& path, const QByteArray& content) {
  const QString problem = WriteWholeFile(path, content.data(), content.size());
  return problem.isEmpty() ? QString() : Tr("%1 could not be written: %2").arg(path, problem);
}

// The text of a picture, in which names keep no character that a terminal obeys, an XML reader refuses or that turns
// the direction of writing.
QByteArray Harmless(QString text) {
  for (QChar& c : text) {
    const char16_t u = c.unicode();
    const bool is_control = (u < 0x20 && u != '\n' && u != '\t') || (u >= 0x7F && u < 0xA0);
    const bool turns =
        u == 0x61C || u == 0x200E || u == 0x200F || (u >= 0x2028 && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069);
    if (is_control || turns) c = QChar::ReplacementCharacter;
  }
  return text.toUtf8();
}

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
  return Harmless(out + QLatin1String("}\n"));
}

}  // namespace

QString ExportGraph(const QString& path, const GraphCanvas& canvas, DocumentAnalyses& analyses) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const QRectF all = canvas.graph().bounds();
  if (suffix == QLatin1String("dot") || suffix == QLatin1String("gv")) {
    return WriteFile(path, DotText(canvas.graph(), canvas.look()));
  }
  if (suffix == QLatin1String("svg")) {
    QByteArray content;
    QBuffer buffer(&content);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(all.size().toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), all.size()));
    generator.setTitle(ToQString(analyses.module().name()));
    QPainter painter(&generator);
    canvas.PaintExport(&painter, all, 1);
    painter.end();
    return WriteFile(path, Harmless(QString::fromUtf8(content)));
  }
  if (suffix == QLatin1String("png")) {
    constexpr double kMostPixels = 1e8;
    constexpr double kMostSide = 30'000;
    double scale = std::min(2.0, std::sqrt(kMostPixels / (all.width() * all.height())));
    scale = std::min(scale, kMostSide / std::max(all.width(), all.height()));
    QImage image((all.size() * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
    if (image.isNull()) return Tr("There is not enough memory for the picture.");
    QPainter painter(&image);
    canvas.PaintExport(&painter, all, scale);
    painter.end();
    QByteArray content;
    QBuffer buffer(&content);
    image.save(&buffer, "PNG");
    return WriteFile(path, content);
  }
  return Tr("%1: pictures are written as .svg, .png or .dot").arg(path);
}

}  // namespace hloscope::gui
