// SPDX-License-Identifier: Apache-2.0
#include "gui/views/text_comparison_view.h"

#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QVBoxLayout>
#include <utility>

#include "gui/views/graph_coloring.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

ComparedText::ComparedText(QWidget* parent) : QPlainTextEdit(parent) {
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  setFont(CodeFont());
}

void ComparedText::Show(const QString& text, std::vector<InstructionChange> changes, std::vector<bool> titles) {
  changes_ = std::move(changes);
  titles_ = std::move(titles);
  setPlainText(text);
}

void ComparedText::paintEvent(QPaintEvent* event) {
  const Theme theme = Theme::For(palette());
  {
    QPainter painter(viewport());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
      const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
      if (place.top() > viewport()->height()) break;
      const auto line = static_cast<size_t>(block.blockNumber());
      if (line >= changes_.size()) break;
      const QRectF row(0, place.top(), viewport()->width(), place.height());
      if (titles_[line]) {
        painter.fillRect(row, theme.gutter);
      } else if (changes_[line] != InstructionChange::kSame) {
        // Text colours are made for the page: a tint leaves them as easy to read.
        painter.fillRect(row, Theme::Mixed(theme.page, ChangeFill(changes_[line], theme), 0.45));
      }
      if (textCursor().blockNumber() == block.blockNumber()) {
        painter.fillRect(QRectF(0, place.top(), 3, place.height()), theme.selection);
      }
    }
  }
  QPlainTextEdit::paintEvent(event);
}

TextComparisonView::TextComparisonView(QWidget* parent)
    : QWidget(parent),
      before_title_(new QLabel),
      after_title_(new QLabel),
      before_(new ComparedText),
      after_(new ComparedText) {
  auto* splitter = new QSplitter(Qt::Horizontal);
  for (const auto& [title, text] : {std::pair(before_title_, before_), std::pair(after_title_, after_)}) {
    title->setContentsMargins(Space::kTight, 0, Space::kTight, 0);
    title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* half = new QWidget;
    auto* column = new QVBoxLayout(half);
    column->setContentsMargins({});
    column->setSpacing(Space::kNone);
    column->addWidget(title);
    column->addWidget(text, 1);
    splitter->addWidget(half);
    connect(text, &QPlainTextEdit::cursorPositionChanged, this, [this, from = text] { FollowCursor(from); });
  }
  before_->setAccessibleName(tr("Text before"));
  after_->setAccessibleName(tr("Text after"));
  splitter->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->addWidget(splitter);
  // Lines are beside each other: both have as many.
  for (const auto bar : {&QPlainTextEdit::verticalScrollBar, &QPlainTextEdit::horizontalScrollBar}) {
    connect((before_->*bar)(), &QScrollBar::valueChanged, (after_->*bar)(), &QScrollBar::setValue);
    connect((after_->*bar)(), &QScrollBar::valueChanged, (before_->*bar)(), &QScrollBar::setValue);
    // Until its text is laid out, a side cannot follow as far.
    connect((before_->*bar)(), &QScrollBar::rangeChanged, this,
            [this, bar] { (before_->*bar)()->setValue((after_->*bar)()->value()); });
  }
  for (const auto& [key, step] : {std::pair(Qt::Key_N, 1), std::pair(Qt::Key_P, -1)}) {
    auto* shortcut = new QShortcut(QKeySequence(key), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this, by = step] { GoToChange(by); });
  }
}

void TextComparisonView::Show(std::vector<ComparedLine> lines, const QString& before_title,
                              const QString& after_title) {
  lines_ = std::move(lines);
  before_title_->setText(before_title);
  after_title_->setText(after_title);
  QString before, after;
  std::vector<InstructionChange> left, right;
  std::vector<bool> titles;
  for (const ComparedLine& line : lines_) {
    before += line.before + QLatin1Char('\n');
    after += line.after + QLatin1Char('\n');
    left.push_back(line.change == InstructionChange::kAdded ? InstructionChange::kSame : line.change);
    right.push_back(line.change == InstructionChange::kRemoved ? InstructionChange::kSame : line.change);
    titles.push_back(line.is_title);
  }
  before.chop(1);
  after.chop(1);
  moving_ = true;
  before_->Show(before, std::move(left), titles);
  after_->Show(after, std::move(right), std::move(titles));
  moving_ = false;
}

void TextComparisonView::GoToLine(int line) {
  moving_ = true;
  for (ComparedText* text : {before_, after_}) {
    text->setTextCursor(QTextCursor(text->document()->findBlockByNumber(line)));
    text->viewport()->update();
  }
  after_->centerCursor();
  before_->verticalScrollBar()->setValue(after_->verticalScrollBar()->value());
  moving_ = false;
}

bool TextComparisonView::Select(bool after, InstructionId id) {
  for (size_t line = 0; id.has_value() && line < lines_.size(); ++line) {
    if ((after ? lines_[line].b : lines_[line].a) != id) continue;
    GoToLine(static_cast<int>(line));
    return true;
  }
  return false;
}

void TextComparisonView::GoToChange(int step) {
  const int count = static_cast<int>(lines_.size());
  const auto differs = [&](int line) {
    return line >= 0 && line < count && lines_[static_cast<size_t>(line)].change != InstructionChange::kSame;
  };
  int line = after_->textCursor().blockNumber();
  for (int looked = 0; looked < count; ++looked) {
    line = (line + step + count) % count;
    if (!differs(line) || differs(line - 1)) continue;
    GoToLine(line);
    Q_EMIT Selected(lines_[static_cast<size_t>(line)].a, lines_[static_cast<size_t>(line)].b);
    return;
  }
}

void TextComparisonView::FollowCursor(const ComparedText* from) {
  if (moving_) return;
  const int line = from->textCursor().blockNumber();
  ComparedText* other = from == before_ ? after_ : before_;
  moving_ = true;
  other->setTextCursor(QTextCursor(other->document()->findBlockByNumber(line)));
  moving_ = false;
  for (ComparedText* text : {before_, after_}) text->viewport()->update();
  if (line < 0 || static_cast<size_t>(line) >= lines_.size()) return;
  Q_EMIT Selected(lines_[static_cast<size_t>(line)].a, lines_[static_cast<size_t>(line)].b);
}

}  // namespace hloscope::gui
