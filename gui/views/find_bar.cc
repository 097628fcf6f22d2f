// SPDX-License-Identifier: Apache-2.0
#include "gui/views/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>
#include <algorithm>

#include "gui/models/instruction_query.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {

FindBar::FindBar(TextView* text, Selection* selection, QWidget* parent)
    : QWidget(parent),
      text_(text),
      selection_(selection),
      mode_(new QComboBox),
      pattern_(new QLineEdit),
      replacement_(new QLineEdit),
      message_(new QLabel) {
  mode_->addItems({tr("Text"), tr("Pattern"), tr("Name"), tr("Opcode"), tr("Shape"), tr("op_name")});
  mode_->setAccessibleName(tr("What to find"));
  mode_->setToolTip(tr(
      "Text or a regular expression anywhere, or instructions by name, opcode, shape or op_name (/.../ is a pattern)"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, Space::kTight);
  row->addWidget(new QLabel(tr("Find:")));
  row->addWidget(mode_);
  pattern_->setClearButtonEnabled(true);
  pattern_->setAccessibleName(tr("Find"));
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
  replacement_->setPlaceholderText(tr("Replace with"));
  replacement_->setClearButtonEnabled(true);
  replacement_->setAccessibleName(tr("Replace with"));
  replacement_->setToolTip(tr("Of a pattern, \\1 stands for what its first brackets found"));
  replacement_->setMaximumWidth(200);
  row->addWidget(replacement_);
  add_button(tr("Replace"), tr("Replace this one and go to the next"), [this] { Replace(); });
  add_button(tr("All"), tr("Replace all of them"), [this] { ReplaceAll(); });
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
  const Mode mode = static_cast<Mode>(mode_->currentIndex());
  return mode == Mode::kText || mode == Mode::kPattern ? FindText(backward) : FindInstruction(backward);
}

bool FindBar::FindText(bool backward) {
  QTextDocument::FindFlags flags;
  if (backward) flags |= QTextDocument::FindBackward;
  const bool is_pattern = static_cast<Mode>(mode_->currentIndex()) == Mode::kPattern;
  const QRegularExpression pattern(pattern_->text(), QRegularExpression::CaseInsensitiveOption);
  if (is_pattern && !pattern.isValid()) {
    message_->setText(tr("not a pattern: %1").arg(pattern.errorString()));
    return false;
  }
  auto find = [&] { return is_pattern ? text_->find(pattern, flags) : text_->find(pattern_->text(), flags); };
  if (find()) return true;
  const QTextCursor before = text_->textCursor();
  text_->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
  if (find()) {
    message_->setText(tr("wrapped around"));
    return true;
  }
  text_->setTextCursor(before);
  message_->setText(tr("not found"));
  return false;
}

std::optional<QString> FindBar::ReplacementOf(const QString& selected) const {
  const Mode mode = static_cast<Mode>(mode_->currentIndex());
  if (mode == Mode::kText) {
    if (selected.compare(pattern_->text(), Qt::CaseInsensitive) != 0 || selected.isEmpty()) return std::nullopt;
    return replacement_->text();
  }
  if (mode != Mode::kPattern) return std::nullopt;
  const QRegularExpression pattern(QRegularExpression::anchoredPattern(pattern_->text()),
                                   QRegularExpression::CaseInsensitiveOption);
  if (!pattern.isValid() || selected.isEmpty() || !pattern.match(selected).hasMatch()) return std::nullopt;
  return QString(selected).replace(pattern, replacement_->text());
}

bool FindBar::Replace() {
  if (text_->isReadOnly()) return false;
  QTextCursor cursor = text_->textCursor();
  const std::optional<QString> other = ReplacementOf(cursor.selectedText());
  if (other.has_value()) cursor.insertText(*other);
  FindNext();
  return other.has_value();
}

int FindBar::ReplaceAll() {
  const Mode mode = static_cast<Mode>(mode_->currentIndex());
  if (text_->isReadOnly() || pattern_->text().isEmpty() || (mode != Mode::kText && mode != Mode::kPattern)) return 0;
  const QRegularExpression pattern(
      mode == Mode::kText ? QRegularExpression::escape(pattern_->text()) : pattern_->text(),
      QRegularExpression::CaseInsensitiveOption);
  if (!pattern.isValid()) {
    message_->setText(tr("not a pattern: %1").arg(pattern.errorString()));
    return 0;
  }
  QTextDocument* document = text_->document();
  QTextCursor edit(document);
  edit.beginEditBlock();
  int count = 0;
  for (QTextCursor at = document->find(pattern, 0); !at.isNull(); at = document->find(pattern, at)) {
    const std::optional<QString> other = ReplacementOf(at.selectedText());
    if (!other.has_value()) break;  // nothing was found, as of x*
    edit.setPosition(at.selectionStart());
    edit.setPosition(at.selectionEnd(), QTextCursor::KeepAnchor);
    edit.insertText(*other);
    at = edit;
    ++count;
  }
  edit.endEditBlock();
  message_->setText(tr("%1 replaced").arg(count));
  return count;
}

bool FindBar::FindInstruction(bool backward) {
  if (selection_->document() == nullptr) return false;
  using Field = InstructionQuery::Field;
  const Mode mode = static_cast<Mode>(mode_->currentIndex());
  QString text = pattern_->text().trimmed();
  const bool is_pattern = text.size() > 2 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/'));
  if (is_pattern) text = text.mid(1, text.size() - 2);
  const InstructionQuery query(mode == Mode::kName     ? Field::kName
                               : mode == Mode::kOpcode ? Field::kOpcode
                               : mode == Mode::kShape  ? Field::kShape
                                                       : Field::kOpName,
                               text, is_pattern);
  if (!query.error().isEmpty()) {
    message_->setText(tr("not a pattern: %1").arg(query.error()));
    return false;
  }
  const Module& module = selection_->module();
  const std::vector<InstructionId> found = query.Find(module, module.instruction_count());
  if (found.empty()) {
    message_->setText(tr("not found"));
    return false;
  }
  const InstructionId at = selection_->instruction();
  auto next = found.begin();
  if (at.has_value()) {
    next =
        backward ? std::lower_bound(found.begin(), found.end(), at) : std::upper_bound(found.begin(), found.end(), at);
    if (backward) next = next == found.begin() ? found.end() - 1 : next - 1;
    if (next == found.end()) next = found.begin();
  }
  selection_->SelectInstruction(*next);
  message_->setText(tr("%1 of %2").arg(next - found.begin() + 1).arg(found.size()));
  return true;
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

}  // namespace hloscope::gui
