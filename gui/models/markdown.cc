#include "gui/models/markdown.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <vector>

#include "core/analysis/graph.h"
#include "core/analysis/scopes.h"
#include "core/diagnostics/render.h"
#include "core/print/literal_printer.h"
#include "evaluator/debugger/debugger.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Of an instruction that has more, the others are left out of its diagram.
constexpr size_t kMostNeighbours = 30;
constexpr qsizetype kLongestLine = 400;
constexpr qsizetype kLongestLabel = 60;
// Values of more elements are described.
constexpr int64_t kMostElements = 256;

QString Tr(const char* text) { return QCoreApplication::translate("Markdown", text); }

// A block of code, whatever is in the text.
QString Fenced(const QString& text, const QString& language) {
  QString fence = QStringLiteral("```");
  while (text.contains(fence)) fence += QLatin1Char('`');
  return QStringLiteral("%1%2\n%3\n%1\n").arg(fence, language, text);
}

QString InlineCode(const QString& text) {
  return text.contains(QLatin1Char('`')) ? QStringLiteral("`` %1 ``").arg(text) : QStringLiteral("`%1`").arg(text);
}

// As Mermaid reads it between quotation marks.
QString Label(const QStringList& lines) {
  QStringList escaped;
  for (const QString& line : lines) {
    QString text = Elide(line, kLongestLabel);
    text.replace(QLatin1Char('#'), QLatin1String("#35;")).replace(QLatin1Char('"'), QLatin1String("#quot;"));
    escaped << text.replace(QLatin1Char('<'), QLatin1String("#lt;")).replace(QLatin1Char('>'), QLatin1String("#gt;"));
  }
  return QStringLiteral("\"%1\"").arg(escaped.join(QLatin1String("<br>")));
}

void AddLevel(const Module& module, const VisibleGraph& graph, uint32_t number, const QString& indent, QString* out) {
  const VisibleGraph::Level& level = graph.levels[number];
  for (uint32_t i = level.begin; i < level.end; ++i) {
    const VisibleGraph::Box& box = graph.boxes[i];
    const QString name = QStringLiteral("n%1").arg(i);
    if (box.inside != VisibleGraph::kNone) {
      *out +=
          QStringLiteral("%1subgraph %2 [%3]\n").arg(indent, name, Label({ToQString(GroupTitle(module, graph, i))}));
      AddLevel(module, graph, box.inside, indent + QLatin1String("  "), out);
      *out += indent + QLatin1String("end\n");
    } else if (box.kind == VisibleGraph::BoxKind::kInstruction) {
      QStringList lines;
      for (const std::string& line : NodeLines(module, box.instruction)) lines << ToQString(line);
      *out += QStringLiteral("%1%2[%3]\n").arg(indent, name, Label(lines));
    } else {
      *out += QStringLiteral("%1%2[[%3]]\n").arg(indent, name, Label({ToQString(GroupTitle(module, graph, i))}));
    }
  }
}

}  // namespace

QString MermaidOf(const Module& module, const VisibleGraph& graph) {
  if (graph.boxes.size() > kMostMermaidBoxes || graph.levels.empty()) return QString();
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
  const Module& module = document.module();
  const SourceRange range = document.InstructionRange(id);
  QString text = Elide(ToQString(document.source().Slice(range)).simplified(), kLongestLine);
  const LineColumn at = HumanPosition(document.source(), range.begin);
  QString out = QStringLiteral("**%1** (%2:%3)\n\n")
                    .arg(InlineCode(ToQString(module.InstructionName(id))),
                         QFileInfo(QString::fromStdString(std::string(document.source().name()))).fileName())
                    .arg(at.line);
  out += Fenced(text, QStringLiteral("hlo"));
  VisibleGraphOptions options;
  options.computation = module.instruction(id).computation;
  options.only = {id};
  for (InstructionId operand : module.operands(id)) options.only.push_back(operand);
  for (InstructionId user : document.users().users(id)) options.only.push_back(user);
  options.only.erase(std::remove_if(options.only.begin(), options.only.end(),
                                    [&](InstructionId other) {
                                      return !other.has_value() ||
                                             module.instruction(other).computation != options.computation;
                                    }),
                     options.only.end());
  if (options.only.size() > kMostNeighbours) options.only.resize(kMostNeighbours);
  std::sort(options.only.begin(), options.only.end());
  options.only.erase(std::unique(options.only.begin(), options.only.end()), options.only.end());
  const VisibleGraph graph = BuildVisibleGraph(module, document.users(), ScopeTree(module), options);
  return out + QLatin1Char('\n') + Fenced(MermaidOf(module, graph).trimmed(), QStringLiteral("mermaid"));
}

QString MarkdownOfProblem(const SourceText& source, const QString& severity, const QString& message,
                          const QString& code, std::optional<SourceRange> range) {
  QString out = QStringLiteral("**%1**: %2").arg(severity, message);
  if (!code.isEmpty()) out += QStringLiteral(" (%1)").arg(InlineCode(code));
  out += QLatin1Char('\n');
  if (!range.has_value()) return out;
  const LineColumn at = HumanPosition(source, range->begin);
  out += QStringLiteral("%1:%2:%3\n\n")
             .arg(QFileInfo(QString::fromStdString(std::string(source.name()))).fileName())
             .arg(at.line)
             .arg(at.column);
  QString excerpt = ToQString(RenderExcerpt(source, *range, RenderOptions()));
  while (excerpt.endsWith(QLatin1Char('\n'))) excerpt.chop(1);
  return out + Fenced(excerpt, QStringLiteral("text"));
}

QString MarkdownOfValue(const QString& name, const evaluator::Value& value) {
  QString text;
  if (value.IsTensor() && value.tensor().element_count() <= kMostElements) {
    if (const absl::StatusOr<Literal> literal = evaluator::LiteralOf(value); literal.ok()) {
      text = ToQString(PrintLiteral(*literal));
    }
  }
  if (text.isEmpty()) text = ToQString(evaluator::BriefValue(value));
  const QString shape = value.IsTensor() ? ToQString(value.tensor().shape().ToString()) : Tr("tuple");
  return QStringLiteral("%1, %2\n\n").arg(InlineCode(name), InlineCode(shape)) + Fenced(text, QStringLiteral("text"));
}

}  // namespace hloscope::gui
