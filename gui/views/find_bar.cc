#include "gui/views/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTextCursor>
#include <QToolButton>

namespace hloscope {

FindBar::FindBar(QPlainTextEdit* text, QWidget* parent)
    : QWidget(parent), text_(text), pattern_(new QLineEdit), message_(new QLabel) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(new QLabel(tr("Find:")));
  pattern_->setClearButtonEnabled(true);
  row->addWidget(pattern_, 1);
  auto add_button = [&](const QString& caption, const QString& tool_tip, auto slot) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(tool_tip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, slot);
    row->addWidget(button);
  };
  add_button(tr("Previous"), tr("Shift+Enter"), [this] { FindNext(true); });
  add_button(tr("Next"), tr("Enter"), [this] { FindNext(); });
  row->addWidget(message_);
  add_button(tr("Close"), tr("Esc"), [this] {
    hide();
    text_->setFocus();
  });
  connect(pattern_, &QLineEdit::textEdited, this, [this] {
    // Search as you type starts where the current match starts, so that a match can grow.
    QTextCursor cursor = text_->textCursor();
    cursor.setPosition(cursor.selectionStart());
    text_->setTextCursor(cursor);
    FindNext();
  });
  setFocusProxy(pattern_);
  hide();
}

void FindBar::Activate() {
  const QString selected = text_->textCursor().selectedText();
  if (!selected.isEmpty() && selected.size() < 200 && !selected.contains(QChar::ParagraphSeparator)) {
    pattern_->setText(selected);
  }
  show();
  pattern_->setFocus();
  pattern_->selectAll();
}

bool FindBar::FindNext(bool backward) {
  message_->clear();
  if (pattern_->text().isEmpty()) return false;
  QTextDocument::FindFlags flags;
  if (backward) flags |= QTextDocument::FindBackward;
  if (text_->find(pattern_->text(), flags)) return true;
  const QTextCursor before = text_->textCursor();
  text_->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
  if (text_->find(pattern_->text(), flags)) {
    message_->setText(tr("wrapped around"));
    return true;
  }
  text_->setTextCursor(before);
  message_->setText(tr("not found"));
  return false;
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    hide();
    text_->setFocus();
  } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    FindNext(event->modifiers().testFlag(Qt::ShiftModifier));
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace hloscope
