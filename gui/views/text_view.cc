// SPDX-License-Identifier: Apache-2.0
#include "gui/views/text_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <utility>

#include "core/diagnostics/folding.h"
#include "gui/models/text.h"
#include "gui/views/marked_scroll_bar.h"
#include "gui/views/metrics.h"
#include "gui/views/syntax_colors.h"

namespace hloscope::gui {
namespace {

// Mentions beyond this number are not marked: every mark costs time on every repaint.
constexpr size_t kMaxReferenceMarks = 300;

// Problems beyond this number are listed, but not underlined.
constexpr size_t kMaxSquiggles = 400;
// The rest of a longer message of a failed run is in the list of problems.
constexpr qsizetype kMaxFailureLength = 200;
// Values of larger arrays are not summed up for a hint.
constexpr int64_t kMaxHintElements = 1 << 16;
constexpr qsizetype kMaxHintLength = 80;
constexpr int kFoldWidth = 14;
// Before the numbers of lines: marks, and the bar of a problem at the left of them.
constexpr int kMarksWidth = 26, kProblemWidth = 3;

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
    return kMarksWidth + digits * fontMetrics().horizontalAdvance(QLatin1Char('9')) + 10 + kFoldWidth;
  }

 protected:
  void paintEvent(QPaintEvent* event) override { view_->PaintGutter(event); }
  void mousePressEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton) view_->ClickGutter(event->position().toPoint());
  }
  void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(view_->viewport(), event); }

 private:
  TextView* view_;
};

TextView::TextView(Selection* selection, SessionController* session, QWidget* parent)
    : QPlainTextEdit(parent),
      selection_(selection),
      session_(session),
      gutter_(new TextGutter(this)),
      marked_bar_(new MarkedScrollBar(Qt::Vertical)),
      live_(new LiveDocument(this)) {
  setVerticalScrollBar(marked_bar_);
  setReadOnly(true);
  setTabChangesFocus(true);
  setAccessibleName(tr("Text of the module"));
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setCenterOnScroll(false);
  setFrameShape(QFrame::NoFrame);
  setFont(CodeFont());
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
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    cursor_seen_ = true;
    gutter_->update();
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    if (resizing_ || moving_) return;
    cursor_seen_ = cursorRect().bottom() > 0 && cursorRect().top() < viewport()->height();
  });
  connect(selection_, &Selection::DocumentChanged, this, &TextView::ShowDocument);
  connect(selection_, &Selection::Changed, this, &TextView::ShowSelection);
  connect(selection_, &Selection::RangeRevealed, this, &TextView::ShowRange);
  connect(live_, &LiveDocument::Updated, this, &TextView::AdoptDocument);
  connect(session_, &SessionController::Stopped, this, [this] {
    hints_.clear();
    UpdateMarks();
    viewport()->update();
  });
  connect(session_, &SessionController::Recalled, this, [this] {
    hints_.clear();
    viewport()->update();
  });
  connect(session_, &SessionController::BreakpointsChanged, this, &TextView::UpdateMarks);
}

void TextView::SetFontSize(int points) {
  QFont font = this->font();
  font.setPointSize(points);
  setFont(font);
  gutter_->setFont(font);
  UpdateGutterWidth();
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
  hints_.clear();
  if (document_ != nullptr && document_ == selection_->document()) return;  // it was made of the text
  moving_ = true;
  document_ = selection_->document();
  setReadOnly(true);
  SharedText text = std::exchange(expected_text_, nullptr);
  if (document_ == nullptr) text = MakeEmptyText(font());
  ShowText(text != nullptr ? std::move(text) : MakeTextDocument(document_->source(), font()));
  setReadOnly(document_ == nullptr || !IsEditable(document_->source()));
  // A text that is only read can be walked through by keyboard, too.
  if (isReadOnly()) setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  live_->Reset(document_);
  document()->setModified(false);
  colored_.assign(static_cast<size_t>(blockCount()), false);
  FindFolds();
  UpdateGutterWidth();
  moving_ = false;
}

void TextView::ShowText(SharedText text) {
  setExtraSelections({});
  if (text->defaultFont() != font()) text->setDefaultFont(font());
  setDocument(text.get());
  live_->Follow(text.get());
  text_ = std::move(text);
  // Nothing has been done to it yet, whatever was done to the one before.
  Q_EMIT undoAvailable(false);
  Q_EMIT redoAvailable(false);
  Q_EMIT modificationChanged(false);
}

void TextView::AdoptDocument(std::shared_ptr<const Document> document) {
  document_ = std::move(document);
  colored_.assign(static_cast<size_t>(blockCount()), false);
  FindFolds();
  moving_ = true;  // the cursor stays where the user types
  selection_->SetDocument(document_, /*keep_place=*/true);
  moving_ = false;
  FollowCursor();
  UpdateMarks();
  UpdateGutterWidth();
  viewport()->update();
}

void TextView::FindFolds() {
  folds_.clear();
  if (document_ == nullptr) return;
  const SourceText& source = document_->source();
  for (uint32_t i = 0; i < document_->module().computations().size(); ++i) {
    const SourceRange range = document_->ComputationRange(ComputationId(i));
    if (range.empty()) continue;
    const int first = static_cast<int>(source.LineColumnAt(range.begin).line);
    const int last = static_cast<int>(source.LineColumnAt(range.end - 1).line);
    if (last > first + 1) folds_[first] = std::max(folds_[first], last);
  }
}

bool TextView::IsFolded(int line) const {
  const auto fold = folds_.find(line);
  return fold != folds_.end() && !document()->findBlockByNumber(line + 1).isVisible();
}

void TextView::SetProfile(ProfileOverlay* profile) {
  profile_ = profile;
  connect(profile, &ProfileOverlay::Changed, viewport(), qOverload<>(&QWidget::update));
}

void TextView::SetValueHints(bool shown) {
  value_hints_ = shown;
  viewport()->update();
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
  if (moving_ || document_ == nullptr || cursor.hasSelection() || live_->pending()) return;
  const uint32_t offset = OffsetOf(cursor);
  InstructionId instruction = document_->InstructionAt(offset);
  if (!instruction.has_value()) instruction = InstructionOnLine(cursor.blockNumber());
  moving_ = true;  // the cursor stays where the user put it
  if (instruction.has_value()) {
    selection_->SelectInstruction(instruction, Selection::Reach::kMark);
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
    case SymbolAtPosition::Kind::kNone:
    case SymbolAtPosition::Kind::kShape:
    case SymbolAtPosition::Kind::kOpcode:
    case SymbolAtPosition::Kind::kAttributeName:
    case SymbolAtPosition::Kind::kAttributeValue:
    case SymbolAtPosition::Kind::kModuleName:
      break;
  }
}

void TextView::ShowSelection() {
  UpdateMarks();
  if (moving_ || document_ == nullptr || live_->pending()) return;
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
  // What is selected can be seen.
  for (const auto& [first, last] : folds_) {
    if (first < cursor.blockNumber() && cursor.blockNumber() < last && IsFolded(first)) ToggleFold(first);
  }
  setTextCursor(cursor);
  const QRect caret = cursorRect(cursor);
  const int margin = 2 * caret.height();
  if (caret.top() < margin || caret.bottom() > viewport()->height() - margin) centerCursor();
  cursor_seen_ = true;
  moving_ = false;
}

void TextView::ShowRange(SourceRange range) {
  if (document_ == nullptr) return;
  QTextCursor cursor = textCursor();
  cursor.setPosition(PositionOf(range.begin));
  setTextCursor(cursor);  // selects the instruction it is in
  moving_ = true;
  cursor.setPosition(PositionOf(std::max(range.end, range.begin)), QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  centerCursor();
  selection_->SelectInstruction(selection_->instruction());
  moving_ = false;
  setFocus();
}

void TextView::UpdateMarks() {
  QList<QTextEdit::ExtraSelection> marks;
  FindProblemLines();
  breakpoint_lines_.clear();
  bookmark_lines_.clear();
  current_line_ = -1;
  if (document_ != nullptr && document_ == selection_->document() && !live_->pending()) {
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
    auto squiggle = [&](SourceRange range, const QColor& color) {
      if (range.empty()) range.end = range.begin + 1;
      mark(range, QColor(), false);
      QTextCharFormat& format = marks.back().format;
      format.clearBackground();
      format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
      format.setUnderlineColor(color);
    };
    if (const InstructionId failed = session_->failed_at(); failed.has_value()) {
      squiggle(document_->InstructionRange(failed), theme_.error);
    }
    // Of many of a kind, the list has a few, and so has the text; the gutter marks all.
    size_t squiggles = 0;
    for (const FoldedDiagnostics& folded : FoldDiagnostics(document_->diagnostics())) {
      if (++squiggles > kMaxSquiggles) break;
      const Diagnostic& problem = *folded.front();
      squiggle(problem.range, problem.severity == Severity::kError ? theme_.error : theme_.warning);
    }
    for (const auto& [id, settings] : session_->breakpoints()) breakpoint_lines_.push_back(line_of(id));
    for (InstructionId id : bookmarks_) {
      if (id.has_value() && id.index() < document_->module().instruction_count())
        bookmark_lines_.push_back(line_of(id));
    }
    for (std::vector<int>* lines : {&breakpoint_lines_, &bookmark_lines_}) std::sort(lines->begin(), lines->end());
  }
  setExtraSelections(marks);
  gutter_->update();
  UpdateScrollMarks();
}

void TextView::FindProblemLines() {
  problem_lines_.clear();
  if (document_ == nullptr || document_ != selection_->document()) return;
  for (const Diagnostic& problem : document_->diagnostics()) {
    bool& is_error = problem_lines_[static_cast<int>(document_->source().LineColumnAt(problem.range.begin).line)];
    is_error = is_error || problem.severity == Severity::kError;
  }
}

void TextView::SetBookmarks(std::vector<InstructionId> instructions) {
  if (bookmarks_ == instructions) return;  // a new document's marks follow with its selection
  bookmarks_ = std::move(instructions);
  UpdateMarks();
}

std::vector<TextView::GutterMark> TextView::GutterMarksOf(int line) const {
  std::vector<GutterMark> marks;
  const auto is_in = [line](const std::vector<int>& lines) {
    return std::binary_search(lines.begin(), lines.end(), line);
  };
  if (const auto problem = problem_lines_.find(line); problem != problem_lines_.end()) {
    marks.push_back(problem->second ? GutterMark::kError : GutterMark::kWarning);
  }
  if (is_in(bookmark_lines_)) marks.push_back(GutterMark::kBookmark);
  if (is_in(breakpoint_lines_)) marks.push_back(GutterMark::kBreakpoint);
  if (line == current_line_) marks.push_back(GutterMark::kCurrent);
  return marks;
}

void TextView::UpdateScrollMarks() {
  std::vector<MarkedScrollBar::Mark> marks;
  // Errors over warnings.
  for (const bool errors : {false, true}) {
    for (const auto& [line, is_error] : problem_lines_) {
      if (is_error == errors) marks.push_back({line, errors ? theme_.error : theme_.warning});
    }
  }
  for (int line : bookmark_lines_) marks.push_back({line, theme_.selection});
  for (int line : breakpoint_lines_) marks.push_back({line, theme_.breakpoint});
  if (current_line_ >= 0) marks.push_back({current_line_, theme_.current});
  marked_bar_->SetMarks(std::move(marks), blockCount());
}

void TextView::UpdateGutterWidth() {
  setViewportMargins(gutter_->Width(), 0, 0, 0);
  gutter_->setGeometry(QRect(contentsRect().topLeft(), QSize(gutter_->Width(), contentsRect().height())));
}

void TextView::resizeEvent(QResizeEvent* event) {
  resizing_ = true;
  // Lines are not wrapped: another width is no reason to lay them out again.
  QResizeEvent height(event->size(), QSize(event->size().width(), event->oldSize().height()));
  QPlainTextEdit::resizeEvent(&height);
  UpdateGutterWidth();
  // A panel that opens below must not hide what is looked at.
  if (cursor_seen_ && cursorRect().bottom() > viewport()->height()) centerCursor();
  resizing_ = false;
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
  if (value_hints_) PaintValueHints();
}

QString TextView::HintOf(InstructionId id) {
  // What is not known while a question is answered is known afterwards.
  if (session_->busy()) {
    const auto known = hints_.find(id);
    return known != hints_.end() ? known->second : QString();
  }
  const auto [it, inserted] = hints_.try_emplace(id);
  if (inserted && id == session_->failed_at()) {
    it->second = tr("failed: %1").arg(Elide(session_->failure(), kMaxFailureLength));
    return it->second;
  }
  if (!inserted || !session_->IsExecuted(id)) return it->second;
  const evaluator::Value value = session_->ValueOf(id);
  const hloscope::Shape& shape = document_->module().shape(id);
  if (!value.has_value() && session_->IsDropped(id) && shape.IsArray() && shape.ElementCount() <= kMaxHintElements) {
    it->second = tr("dropped");
  }
  if (!value.has_value() || value.IsTuple() || value.IsToken()) return it->second;
  if (value.tensor().element_count() <= kMaxHintElements) {
    it->second = Elide(ToQString(evaluator::BriefValue(value)), kMaxHintLength);
  }
  return it->second;
}

// What the run has computed and a profile has measured, after the lines that say how.
void TextView::PaintValueHints() {
  const bool is_measured = profile_ != nullptr && !profile_->SecondsOf(document_.get()).empty();
  if (document_ == nullptr || live_->pending() || (session_->executed_count() == 0 && !is_measured)) return;
  QPainter painter(viewport());
  painter.setFont(font());
  painter.setPen(theme_.muted);
  QTextBlock block = firstVisibleBlock();
  qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
  for (; block.isValid() && top <= viewport()->height(); block = block.next()) {
    const qreal height = block.isVisible() ? blockBoundingRect(block).height() : 0;
    if (height > 0) {
      const InstructionId id = InstructionOnLine(block.blockNumber());
      QString hint = id.has_value() ? HintOf(id) : QString();
      if (const QString time = is_measured ? profile_->TextOf(document_.get(), id) : QString(); !time.isEmpty()) {
        hint = hint.isEmpty() ? time : time + QStringLiteral("   ") + hint;
      }
      if (!hint.isEmpty()) {
        const QTextLine line = block.layout()->lineAt(0);
        // Long lines keep their hint in view, over their own end.
        const qreal wanted = contentOffset().x() + (line.isValid() ? line.naturalTextWidth() : 0) + 24;
        // It takes the room after the line, or a third of the view: the rest of the line can still be read.
        const qreal room = std::max(viewport()->width() - wanted - 8, viewport()->width() / 3.0);
        hint = painter.fontMetrics().elidedText(hint, Qt::ElideRight, static_cast<int>(room));
        const qreal width = painter.fontMetrics().horizontalAdvance(hint);
        const qreal x = std::min(wanted, viewport()->width() - width - 8);
        // The line of the cursor is being read or written: nothing covers it.
        const bool covers = x < wanted;
        if (covers && block == textCursor().block()) hint.clear();
        const evaluator::NonFinite health = session_->HealthOf(id);
        const bool bad = id == session_->failed_at() || health.nan || health.infinity;
        painter.setPen(bad ? theme_.error : theme_.muted);
        if (covers && !hint.isEmpty()) painter.fillRect(QRectF(x - 8, top, width + 16, height), theme_.gutter);
        painter.drawText(QRectF(x, top, width + 4, height), Qt::AlignLeft | Qt::AlignVCenter, hint);
      }
    }
    top += height;
  }
}

// In the room before the numbers of lines.
void TextView::PaintGutterMark(QPainter* painter, GutterMark mark, const QRectF& room) const {
  const qreal middle = room.center().y();
  switch (mark) {
    case GutterMark::kError:
    case GutterMark::kWarning:
      return painter->fillRect(QRectF(0, room.top(), kProblemWidth, room.height()),
                               mark == GutterMark::kError ? theme_.error : theme_.warning);
    case GutterMark::kBookmark: {
      painter->setBrush(theme_.selection);
      const QPointF ribbon[] = {
          {15, middle - 6}, {22, middle - 6}, {22, middle + 6}, {18.5, middle + 2}, {15, middle + 6}};
      painter->drawPolygon(ribbon, 5);
      return;
    }
    case GutterMark::kBreakpoint:
      painter->setBrush(theme_.breakpoint);
      painter->drawEllipse(QPointF(11, middle), 5, 5);
      return;
    case GutterMark::kCurrent: {
      painter->setBrush(theme_.current);
      const QPointF arrow[] = {{14, middle - 5}, {23, middle}, {14, middle + 5}};
      painter->drawPolygon(arrow, 3);
      return;
    }
  }
}

void TextView::PaintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(event->rect(), theme_.gutter);
  QTextBlock block = firstVisibleBlock();
  qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && document_ != nullptr && top <= event->rect().bottom()) {
    const qreal height = block.isVisible() ? blockBoundingRect(block).height() : 0;
    const int line = block.blockNumber();
    if (height > 0 && top + height >= event->rect().top()) {
      const bool is_current = line == current_line_;
      const bool has_cursor = line == textCursor().blockNumber();
      QFont number = font();
      number.setBold(has_cursor);
      painter.setFont(number);
      painter.setPen(is_current || has_cursor ? theme_.text : theme_.muted);
      painter.drawText(QRectF(0, top, gutter_->width() - 4 - kFoldWidth, height), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(line + 1));
      painter.setPen(Qt::NoPen);
      const qreal middle = top + height / 2;
      for (GutterMark mark : GutterMarksOf(line)) PaintGutterMark(&painter, mark, QRectF(0, top, kMarksWidth, height));
      if (folds_.count(line) > 0) {
        const qreal x = gutter_->width() - kFoldWidth / 2.0 - 1;
        painter.setBrush(theme_.muted);
        const QPointF open[] = {{x - 4, middle - 2}, {x + 4, middle - 2}, {x, middle + 3}};
        const QPointF closed[] = {{x - 2, middle - 4}, {x + 3, middle}, {x - 2, middle + 4}};
        painter.drawPolygon(IsFolded(line) ? closed : open, 3);
      }
    }
    top += height;
    block = block.next();
  }
}

void TextView::ClickGutter(QPoint at) {
  const int line = cursorForPosition(QPoint(0, at.y())).blockNumber();
  if (at.x() >= gutter_->width() - kFoldWidth && ToggleFold(line)) return;
  session_->ToggleBreakpoint(InstructionOnLine(line));
}

}  // namespace hloscope::gui
