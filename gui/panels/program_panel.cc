// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/program_panel.h"

#include <QTextBlock>
#include <QVBoxLayout>
#include <utility>

#include "core/source/text_origin.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"

namespace hloscope::gui {

ProgramPanel::ProgramPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent), selection_(selection), session_(session), text_(new QPlainTextEdit), note_(new QLabel) {
  text_->setReadOnly(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setFont(CodeFont());
  text_->setAccessibleName(tr("Text of the program"));
  note_->setWordWrap(true);
  note_->setContentsMargins(Space::kMargin, Space::kGap, Space::kMargin, Space::kGap);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(Space::kNone);
  column->addWidget(note_);
  column->addWidget(text_, 1);
  connect(selection_, &Selection::DocumentChanged, this, &ProgramPanel::ShowDocument);
  connect(selection_, &Selection::Changed, this, &ProgramPanel::ShowMarks);
  connect(session_, &SessionController::Stopped, this, &ProgramPanel::ShowMarks);
  connect(text_, &QPlainTextEdit::cursorPositionChanged, this, &ProgramPanel::FollowCursor);
  ShowDocument();
}

void ProgramPanel::ShowDocument() {
  const auto& document = selection_->document();
  const TextOrigin* origin = document != nullptr ? document->source().origin() : nullptr;
  const std::shared_ptr<const SourceText> before =
      std::exchange(program_, origin != nullptr ? origin->source : nullptr);
  if (program_ == before && program_ != nullptr) return;
  moving_ = true;
  text_->setPlainText(program_ != nullptr ? DisplayText(*program_) : QString());
  moving_ = false;
  text_->setVisible(program_ != nullptr);
  note_->setText(program_ != nullptr
                     ? tr("The module was made from this program. What is selected in one is shown in the other.")
                     : tr("The module was not made from another program: open a StableHLO text (.mlir)."));
  ShowMarks();
}

SourceRange ProgramPanel::RangeOf(InstructionId id) const {
  const auto& document = selection_->document();
  if (program_ == nullptr || !id.has_value() || document == nullptr || document->source().origin() == nullptr)
    return {};
  return document->source().origin()->OriginalRange(document->InstructionRange(id));
}

int ProgramPanel::LineOf(InstructionId id) const {
  const SourceRange range = RangeOf(id);
  return range.empty() ? -1 : static_cast<int>(program_->LineColumnAt(range.begin).line);
}

void ProgramPanel::ShowMarks() {
  QList<QTextEdit::ExtraSelection> marks;
  const Theme theme = Theme::For(palette());
  const auto mark = [&](int line, const QColor& color) {
    const QTextBlock block = text_->document()->findBlockByNumber(line);
    if (line < 0 || !block.isValid()) return;
    QTextEdit::ExtraSelection selection;
    selection.format.setBackground(color);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selection.cursor = QTextCursor(block);
    marks.push_back(selection);
  };
  const int selected = LineOf(selection_->instruction());
  mark(selected, theme.selection_fill);
  mark(LineOf(session_->current()), theme.current_fill);
  text_->setExtraSelections(marks);
  if (moving_ || selected < 0 || selected == text_->textCursor().blockNumber()) return;
  moving_ = true;
  text_->setTextCursor(QTextCursor(text_->document()->findBlockByNumber(selected)));
  text_->centerCursor();
  moving_ = false;
}

// The instruction that was made from what is at the cursor, or next after it.
void ProgramPanel::FollowCursor() {
  if (moving_ || program_ == nullptr || selection_->document() == nullptr) return;
  const SourceText& made = selection_->document()->source();
  if (made.origin() == nullptr) return;
  const QTextCursor cursor = text_->textCursor();
  const auto line = static_cast<uint32_t>(cursor.blockNumber());
  if (line >= program_->line_count()) return;
  // Of the line, since it is a line that people click at.
  const TextOrigin::Part* part = made.origin()->FirstPartFrom(program_->LineStart(line));
  if (part == nullptr || program_->LineColumnAt(part->original.begin).line != line) return;
  const InstructionId id = selection_->document()->InstructionAt(part->made.begin);
  moving_ = true;  // the cursor stays where it was put
  if (id.has_value()) selection_->SelectInstruction(id);
  moving_ = false;
}

}  // namespace hloscope::gui
