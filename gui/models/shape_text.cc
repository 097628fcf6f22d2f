// SPDX-License-Identifier: Apache-2.0
#include "gui/models/shape_text.h"

#include <QCoreApplication>

#include "core/semantics/shape_reader.h"
#include "core/source/source_text.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

struct ShapeTextWords {
  Q_DECLARE_TR_FUNCTIONS(ShapeText)
};

}  // namespace

std::optional<Shape> ReadTypedShape(const QString& text, TextProblem* problem) {
  *problem = {};
  const auto source = SourceText::FromString("shape", text.toStdString());
  DiagnosticSink sink;
  std::optional<Shape> shape = ReadShapeText(*source, sink);
  if (shape) return shape;
  problem->message = ShapeTextWords::tr("This is no shape.");
  problem->length = static_cast<int>(text.size());
  if (!sink.diagnostics().empty()) {
    const Diagnostic& first = sink.diagnostics()[0];
    problem->message = ToQString(first.Message());
    problem->begin = static_cast<int>(source->LineColumnAt(first.range.begin, ColumnUnit::kUtf16).column);
    problem->length =
        static_cast<int>(source->LineColumnAt(first.range.end, ColumnUnit::kUtf16).column) - problem->begin;
  }
  return std::nullopt;
}

std::optional<Shape> ReadTypedArray(const QString& text, TextProblem* problem) {
  std::optional<Shape> shape = ReadTypedShape(text, problem);
  if (!shape || shape->IsArray()) return shape;
  *problem = {ShapeTextWords::tr("One array is needed here, such as f32[2,3]{0,1}."), 0, static_cast<int>(text.size())};
  return std::nullopt;
}

std::optional<std::vector<int64_t>> ReadTypedList(const QString& text, TextProblem* problem) {
  *problem = {};
  QString rest = text.trimmed();
  const bool opened = rest.startsWith(QLatin1Char('{')), closed = rest.endsWith(QLatin1Char('}'));
  if (opened != closed) {
    *problem = {ShapeTextWords::tr("A brace is missing."), 0, static_cast<int>(text.size())};
    return std::nullopt;
  }
  if (opened) rest = rest.mid(1, rest.size() - 2).trimmed();
  std::vector<int64_t> list;
  if (rest.isEmpty()) return list;
  for (const QString& word : rest.split(QLatin1Char(','))) {
    bool good = false;
    list.push_back(word.trimmed().toLongLong(&good));
    if (good) continue;
    const qsizetype at = word.trimmed().isEmpty() ? -1 : text.indexOf(word.trimmed());
    *problem = {ShapeTextWords::tr("`%1` is not a number; a list is written 0,2,1.").arg(word.trimmed()),
                static_cast<int>(std::max<qsizetype>(at, 0)),
                static_cast<int>(at < 0 ? text.size() : word.trimmed().size())};
    return std::nullopt;
  }
  return list;
}

}  // namespace hloscope::gui
