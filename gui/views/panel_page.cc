// SPDX-License-Identifier: Apache-2.0
#include "gui/views/panel_page.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QBuffer>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gui/models/text.h"
#include "gui/views/picture_export.h"
#include "insight/html/html_report.h"

namespace hloscope::gui {
namespace {

constexpr int kIndent = 2;  // blanks for each level of a tree

std::string Text(const QString& text) { return HarmlessText(text).toStdString(); }

insight::HtmlReport Begin(const PageFacts& facts, const QByteArray& picture) {
  insight::HtmlReport page(Text(facts.title), Text(facts.file));
  std::vector<std::pair<std::string, insight::HtmlText>> rows;
  if (!facts.instruction.isEmpty()) rows.push_back({"instruction", insight::HtmlText().Code(Text(facts.instruction))});
  for (const QString& command : facts.commands) rows.push_back({"again", insight::HtmlText().Code(Text(command))});
  if (!rows.empty()) page.AddFacts(rows);
  page.AddPicture(absl::string_view(picture.data(), static_cast<size_t>(picture.size())), Text(facts.title));
  return page;
}

QByteArray Finish(insight::HtmlReport page) { return QByteArray::fromStdString(std::move(page).Finish()); }

// The rows of a model with those below them, as far as a page holds them.
class TablePart {
 public:
  TablePart(const QAbstractItemModel& model, insight::HtmlReport* page) : model_(model), page_(page) {}

  void Write(const QString& title, bool is_open) {
    const int columns = std::min(model_.columnCount(), kMostPageColumns);
    if (columns == 0 || model_.rowCount() == 0) return;
    page_->BeginPart(Text(title), is_open);
    // Numbers of rows are part of what a table of elements says.
    std::vector<insight::HtmlColumn> heads;
    has_row_titles_ = model_.headerData(0, Qt::Vertical).isValid() && model_.columnCount() > 1 && IsGrid();
    if (has_row_titles_) heads.push_back({""});
    for (int column = 0; column < columns; ++column) {
      heads.push_back({Text(model_.headerData(column, Qt::Horizontal).toString())});
    }
    page_->BeginTable(heads);
    WriteRows(QModelIndex(), columns, 0);
    page_->EndTable();
    if (left_out_ > 0) page_->AddParagraph(absl::StrCat(left_out_, " more rows are left out."));
    if (model_.columnCount() > columns) {
      page_->AddParagraph(absl::StrCat(model_.columnCount() - columns, " more columns are left out."));
    }
    page_->EndPart();
  }

 private:
  // A table of elements has numbers over its columns.
  bool IsGrid() const {
    bool is_number = false;
    model_.headerData(0, Qt::Horizontal).toString().toInt(&is_number);
    return is_number;
  }

  void WriteRows(const QModelIndex& parent, int columns, int depth) {
    const int rows = model_.rowCount(parent);
    for (int row = 0; row < rows; ++row) {
      if (written_ >= kMostPageRows) {
        left_out_ += rows - row;
        return;
      }
      ++written_;
      std::vector<insight::HtmlText> cells;
      if (has_row_titles_) cells.push_back(Text(model_.headerData(row, Qt::Vertical).toString()));
      for (int column = 0; column < columns; ++column) {
        const QString text = model_.index(row, column, parent).data().toString();
        cells.push_back(Text(column == 0 ? QString(depth * kIndent, QChar::Nbsp) + text : text));
      }
      page_->AddRow(cells);
      WriteRows(model_.index(row, 0, parent), columns, depth + 1);
    }
  }

  const QAbstractItemModel& model_;
  insight::HtmlReport* page_;
  bool has_row_titles_ = false;
  int written_ = 0, left_out_ = 0;
};

// Whether the widget is part of what is shown, though tabs may cover it.
bool IsPartOf(const QWidget* child, const QWidget* whole) {
  for (const QWidget* at = child; at != nullptr && at != whole; at = at->parentWidget()) {
    const bool is_page = at->parentWidget() != nullptr && at->parentWidget()->inherits("QStackedWidget");
    if (at->isHidden() && !is_page) return false;
  }
  return true;
}

QString PlainText(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  QTextDocument document;
  document.setHtml(text);
  return document.toPlainText();
}

}  // namespace

bool IsPagePath(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return suffix == QLatin1String("html") || suffix == QLatin1String("htm");
}

QByteArray PageOfWidget(QWidget* widget, const PageFacts& facts) {
  insight::HtmlReport page = Begin(facts, SvgPicture(widget->size(), facts.title, PainterOf(widget)));
  for (const QLabel* label : widget->findChildren<QLabel*>()) {
    const QString text = PlainText(label->text()).trimmed();
    if (!text.isEmpty() && text.size() > 12 && IsPartOf(label, widget)) page.AddParagraph(Text(text));
  }
  for (const QAbstractItemView* view : widget->findChildren<QAbstractItemView*>()) {
    // Lists that fold out of boxes, and parts of other tables, are none of the panel's own.
    const bool is_own = view->model() != nullptr && !view->inherits("QHeaderView") &&
                        !view->inherits("QComboBoxListView") && view->window() == widget->window();
    if (is_own && IsPartOf(view, widget)) {
      TablePart(*view->model(), &page)
          .Write(view->accessibleName().isEmpty() ? facts.title : view->accessibleName(), view->isVisible());
    }
  }
  for (const QPlainTextEdit* text : widget->findChildren<QPlainTextEdit*>()) {
    if (!IsPartOf(text, widget) || text->document()->isEmpty()) continue;
    page.BeginPart(Text(text->accessibleName()), text->isVisible());
    std::vector<insight::CodeLine> lines;
    QTextBlock block = text->document()->begin();
    for (; block.isValid() && lines.size() < static_cast<size_t>(kMostPageRows); block = block.next()) {
      lines.push_back({insight::LineKind::kSame, Text(block.text())});
    }
    page.AddCode(lines);
    if (block.isValid()) page.AddParagraph("The rest is left out.");
    page.EndPart();
  }
  return Finish(std::move(page));
}

QByteArray PageOfGraph(const GraphCanvas& canvas, DocumentAnalyses& analyses, const PageFacts& facts) {
  const QRectF all = canvas.graph().bounds();
  insight::HtmlReport page = Begin(facts, SvgPicture(all.size(), facts.title, [&](QPainter* painter, double scale) {
                                     canvas.PaintExport(painter, all, scale);
                                   }));
  const VisibleGraph& graph = canvas.graph().graph();
  const Module& module = analyses.module();
  const CostAnalysis& costs = analyses.costs();
  page.BeginPart("Instructions");
  page.BeginTable({{{"instruction"}, {"opcode"}, {"shape"}, {"FLOP", true}, {"bytes", true}, {"op_name"}}});
  size_t shown = 0, written = 0;
  for (uint32_t i = 0; i < graph.box_of.size(); ++i) {
    if (graph.box_of[i] == kNoItem) continue;
    ++shown;
    if (written >= static_cast<size_t>(kMostPageRows)) continue;
    ++written;
    const InstructionId id(i);
    const Metadata* metadata = module.MetadataOf(id);
    page.AddRow({{insight::HtmlText().Code(module.InstructionName(id)), OpcodeName(module.opcode(id)),
                  module.shape(id).ToString(), absl::StrCat(costs.Of(id).flops), absl::StrCat(costs.Of(id).bytes()),
                  metadata != nullptr ? insight::HtmlText(module.string(metadata->op_name)) : insight::HtmlText()}});
  }
  page.EndTable();
  if (shown > written) page.AddParagraph(absl::StrCat(shown - written, " more instructions are left out."));
  page.EndPart();
  return Finish(std::move(page));
}

}  // namespace hloscope::gui
