// SPDX-License-Identifier: Apache-2.0
#include "gui/models/markdown.h"

#include <string>

#include "absl/types/span.h"
#include "core/analysis/graph.h"
#include "gui/models/text.h"
#include "reports/markdown.h"

namespace hloscope::gui {
namespace {

QString Label(absl::Span<const std::string> lines) { return ToQString(reports::MermaidLabel(lines)); }

void AddLevel(const Module& module, const VisibleGraph& graph, uint32_t number, const QString& indent, QString* out) {
  const VisibleGraph::Level& level = graph.levels[number];
  for (uint32_t i = level.begin; i < level.end; ++i) {
    const VisibleGraph::Box& box = graph.boxes[i];
    const QString name = QStringLiteral("n%1").arg(i);
    if (box.inside != VisibleGraph::kNone) {
      *out += QStringLiteral("%1subgraph %2 [%3]\n").arg(indent, name, Label({GroupTitle(module, graph, i)}));
      AddLevel(module, graph, box.inside, indent + QLatin1String("  "), out);
      *out += indent + QLatin1String("end\n");
    } else if (box.kind == VisibleGraph::BoxKind::kInstruction) {
      *out += QStringLiteral("%1%2[%3]\n").arg(indent, name, Label(NodeLines(module, box.instruction)));
    } else {
      *out += QStringLiteral("%1%2[[%3]]\n").arg(indent, name, Label({GroupTitle(module, graph, i)}));
    }
  }
}

}  // namespace

QString MermaidOf(const Module& module, const VisibleGraph& graph) {
  if (graph.boxes.size() > reports::kMostMermaidBoxes || graph.levels.empty()) return QString();
  QString out = QStringLiteral("flowchart TD\n");
  AddLevel(module, graph, 0, QStringLiteral("  "), &out);
  for (const VisibleGraph::Edge& edge : graph.edges) {
    out += QStringLiteral("  n%1 %2 n%3\n")
               .arg(edge.from)
               .arg(edge.control ? QLatin1String("-.->") : QLatin1String("-->"))
               .arg(edge.to);
  }
  return out;
}

QString MarkdownOfInstruction(const Document& document, InstructionId id) {
  return ToQString(reports::MarkdownOfInstruction(document, id));
}

QString MarkdownOfProblem(const SourceText& source, const QString& severity, const QString& message,
                          const QString& code, std::optional<SourceRange> range) {
  return ToQString(
      reports::MarkdownOfDiagnostic(source, severity.toStdString(), message.toStdString(), code.toStdString(), range));
}

QString MarkdownOfValue(const QString& name, const evaluator::Value& value) {
  return ToQString(reports::MarkdownOfValue(name.toStdString(), value));
}

}  // namespace hloscope::gui
