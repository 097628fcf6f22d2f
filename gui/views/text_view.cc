#include "gui/views/text_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/syntax_colors.h"

namespace hloscope {
namespace {

// Mentions beyond this number are not marked: every mark costs time on every repaint.
constexpr size_t kMaxReferenceMarks = 300;

}  // namespace

// The strip left of the text: breakpoints, the arrow of the next instruction, line numbers.
class TextGutter : public QWidget {
 public:
  explicit TextGutter(TextView* view) : QWidget(view), view_(view) {
    setToolTip(TextView::tr("Click to set or remove a breakpoint"));
    setCursor(Qt::PointingHandCursor);
  }

  QSize sizeHint() const override { return QSize(Width(), 0); }
  int Width() const {
    const int digits = static_cast<int>(QString::number(std::max(view_->blockCount(), 100)).size());
    return 26 + digits * fontMetrics().horizontalAdvance(QLatin1Char('9')) + 10;
  }

 protected:
  void paintEvent(QPaintEvent* event) override { view_->PaintGutter(event); }
  void mousePressEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton) view_->ClickGutter(static_cast<int>(event->position().y()));
  }
  void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(view_->viewport(), event); }

 private:
  TextView* view_;
};

TextView::TextView(Selection* selection, SessionController* session, QWidget* parent)
    : QPlainTextEdit(parent), selection_(selection), session_(session), gutter_(new TextGutter(this)) {
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setUndoRedoEnabled(false);
  setCenterOnScroll(false);
  setFrameShape(QFrame::NoFrame);
  setFont(Theme::CodeFont());
  gutter_->setFont(font());
  setPlaceholderText(tr("Open an HLO module: File > Open, or drop a file here."));
  viewport()->setMouseTracking(true);
  ApplyTheme();
  UpdateGutterWidth();

  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy != 0) {
      gutter_->scroll(0, dy);
    } else {
      gutter_->update(0, rect.y(), gutter_->width(), rect.height());
    }
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &TextView::FollowCursor);
  connect(selection_, &Selection::DocumentChanged, this, &TextView::ShowDocument);
  connect(selection_, &Selection::Changed, this, &TextView::ShowSelection);
  connect(selection_, &Selection::RangeRevealed, this, &TextView::ShowRange);
  connect(session_, &SessionController::Stopped, this, &TextView::UpdateMarks);
  connect(session_, &SessionController::BreakpointsChanged, this, &TextView::UpdateMarks);
}

void TextView::ApplyTheme() {
  theme_ = Theme::For(palette());
  std::fill(colored_.begin(), colored_.end(), false);
}

void TextView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  ApplyTheme();
  UpdateMarks();
}

void TextView::ShowDocument() {
  moving_ = true;
  document_ = selection_->document();
  setPlainText(document_ != nullptr ? DisplayText(document_->source()) : QString());
  colored_.assign(static_cast<size_t>(blockCount()), false);
  UpdateGutterWidth();
  moving_ = false;
}

int TextView::PositionOf(uint32_t offset) const {
  if (document_ == nullptr) return 0;
  const LineColumn place = document_->source().LineColumnAt(offset, ColumnUnit::kUtf16);
  const QTextBlock block = document()->findBlockByNumber(static_cast<int>(place.line));
  if (!block.isValid()) return 0;
  return block.position() + std::min(static_cast<int>(place.column), block.length() - 1);
}

uint32_t TextView::OffsetOf(const QTextCursor& cursor) const {
  return document_->source().OffsetAt(
      {static_cast<uint32_t>(cursor.blockNumber()), static_cast<uint32_t>(cursor.positionInBlock())},
      ColumnUnit::kUtf16);
}

InstructionId TextView::InstructionOnLine(int line) const {
  if (document_ == nullptr || line < 0 || static_cast<uint32_t>(line) >= document_->source().line_count()) return {};
  const absl::string_view text = document_->source().Line(static_cast<uint32_t>(line));
  const size_t first = text.find_first_not_of(" \t");
  if (first == absl::string_view::npos) return {};
  return document_->InstructionAt(document_->source().LineStart(static_cast<uint32_t>(line)) +
                                  static_cast<uint32_t>(first));
}

void TextView::FollowCursor() {
  const QTextCursor cursor = textCursor();
  if (moving_ || document_ == nullptr || cursor.hasSelection()) return;
  const uint32_t offset = OffsetOf(cursor);
  InstructionId instruction = document_->InstructionAt(offset);
  if (!instruction.has_value()) instruction = InstructionOnLine(cursor.blockNumber());
  moving_ = true;  // the cursor stays where the user put it
  if (instruction.has_value()) {
    selection_->SelectInstruction(instruction);
  } else {
    selection_->SelectComputation(document_->ComputationAt(offset));
  }
  moving_ = false;
}

void TextView::FollowNameAt(uint32_t offset) {
  if (document_ == nullptr) return;
  const SymbolAtPosition symbol = document_->SymbolAt(offset);
  switch (symbol.kind) {
    case SymbolAtPosition::Kind::kOperand:
    case SymbolAtPosition::Kind::kControlPredecessor:
    case SymbolAtPosition::Kind::kInstructionName:
      selection_->SelectInstruction(symbol.instruction);
      break;
    case SymbolAtPosition::Kind::kComputationUse:
    case SymbolAtPosition::Kind::kComputationName:
      selection_->SelectComputation(symbol.computation);
      break;
    default:
      break;
  }
}

void TextView::ShowSelection() {
  UpdateMarks();
  if (moving_ || document_ == nullptr) return;
  SourceRange range;
  if (selection_->instruction().has_value()) {
    range = document_->NameRange(selection_->instruction());
    if (range.empty()) range = document_->InstructionRange(selection_->instruction());
  } else if (selection_->computation().has_value()) {
    range = document_->ComputationNameRange(selection_->computation());
    if (range.empty()) range = document_->ComputationRange(selection_->computation());
  }
  if (range.empty()) return;
  moving_ = true;
  QTextCursor cursor = textCursor();
  cursor.setPosition(PositionOf(range.begin));
  setTextCursor(cursor);
  const QRect caret = cursorRect(cursor);
  const int margin = 2 * caret.height();
  if (caret.top() < margin || caret.bottom() > viewport()->height() - margin) centerCursor();
  moving_ = false;
}

void TextView::ShowRange(SourceRange range) {
  if (document_ == nullptr) return;
  QTextCursor cursor = textCursor();
  cursor.setPosition(PositionOf(range.begin));
  setTextCursor(cursor);  // selects the instruction it stands in
  moving_ = true;
  cursor.setPosition(PositionOf(std::max(range.end, range.begin)), QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  centerCursor();
  moving_ = false;
  setFocus();
}

void TextView::UpdateMarks() {
  QList<QTextEdit::ExtraSelection> marks;
  breakpoint_lines_.clear();
  current_line_ = -1;
  if (document_ != nullptr && document_ == selection_->document()) {
    auto mark = [&](SourceRange range, const QColor& color, bool full_width) {
      QTextEdit::ExtraSelection selection;
      selection.format.setBackground(color);
      selection.format.setProperty(QTextFormat::FullWidthSelection, full_width);
      selection.cursor = QTextCursor(document());
      selection.cursor.setPosition(PositionOf(range.begin));
      if (!full_width) selection.cursor.setPosition(PositionOf(range.end), QTextCursor::KeepAnchor);
      marks.push_back(selection);
    };
    auto line_of = [&](InstructionId id) {
      return static_cast<int>(document_->source().LineColumnAt(document_->InstructionRange(id).begin).line);
    };
    const InstructionId selected = selection_->instruction();
    if (selected.has_value()) mark(document_->InstructionRange(selected), theme_.selection_fill, true);
    const InstructionId current = session_->current();
    if (current.has_value() && current.index() < document_->module().instruction_count()) {
      current_line_ = line_of(current);
      mark(document_->InstructionRange(current), theme_.current_fill, true);
    }
    if (selected.has_value()) {
      const std::vector<SourceRange> references = document_->ReferencesTo(selected);
      for (size_t i = 0; i < references.size() && i < kMaxReferenceMarks; ++i) {
        QTextEdit::ExtraSelection selection;
        mark(references[i], theme_.reference_fill, false);
        marks.back().format.setFontUnderline(i > 0);
      }
    }
    for (InstructionId id : session_->breakpoints()) breakpoint_lines_.push_back(line_of(id));
    std::sort(breakpoint_lines_.begin(), breakpoint_lines_.end());
  }
  setExtraSelections(marks);
  gutter_->update();
}

void TextView::UpdateGutterWidth() {
  setViewportMargins(gutter_->Width(), 0, 0, 0);
  gutter_->setGeometry(QRect(contentsRect().topLeft(), QSize(gutter_->Width(), contentsRect().height())));
}

void TextView::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  UpdateGutterWidth();
}

void TextView::ColorVisibleLines() {
  if (document_ == nullptr) return;
  QTextBlock block = firstVisibleBlock();
  qreal y = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && y <= viewport()->height()) {
    const size_t line = static_cast<size_t>(block.blockNumber());
    if (line < colored_.size() && !colored_[line]) {
      colored_[line] = true;
      block.layout()->setFormats(LineColors(*document_, static_cast<uint32_t>(line), theme_));
      document()->markContentsDirty(block.position(), block.length());
    }
    y += blockBoundingRect(block).height();
    block = block.next();
  }
}

void TextView::paintEvent(QPaintEvent* event) {
  ColorVisibleLines();
  QPlainTextEdit::paintEvent(event);
}

void TextView::PaintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(event->rect(), theme_.gutter);
  painter.setFont(font());
  QTextBlock block = firstVisibleBlock();
  qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && document_ != nullptr && top <= event->rect().bottom()) {
    const qreal height = blockBoundingRect(block).height();
    const int line = block.blockNumber();
    if (top + height >= event->rect().top()) {
      const bool is_current = line == current_line_;
      painter.setPen(is_current ? theme_.current : theme_.muted);
      painter.drawText(QRectF(0, top, gutter_->width() - 8, height), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(line + 1));
      painter.setPen(Qt::NoPen);
      const qreal middle = top + height / 2;
      if (std::binary_search(breakpoint_lines_.begin(), breakpoint_lines_.end(), line)) {
        painter.setBrush(theme_.breakpoint);
        painter.drawEllipse(QPointF(11, middle), 5, 5);
      }
      if (is_current) {
        painter.setBrush(theme_.current);
        const QPointF arrow[] = {{14, middle - 5}, {23, middle}, {14, middle + 5}};
        painter.drawPolygon(arrow, 3);
      }
    }
    top += height;
    block = block.next();
  }
}

void TextView::ClickGutter(int y) {
  const QTextCursor cursor = cursorForPosition(QPoint(0, y));
  session_->ToggleBreakpoint(InstructionOnLine(cursor.blockNumber()));
}

void TextView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier) && document_ != nullptr) {
    FollowNameAt(OffsetOf(cursorForPosition(event->position().toPoint())));
    return;
  }
  QPlainTextEdit::mousePressEvent(event);
}

void TextView::mouseMoveEvent(QMouseEvent* event) {
  const bool link = event->modifiers().testFlag(Qt::ControlModifier);
  viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::IBeamCursor);
  if (!link) QPlainTextEdit::mouseMoveEvent(event);
}

}  // namespace hloscope
