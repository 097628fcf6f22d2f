// SPDX-License-Identifier: Apache-2.0
#include "gui/views/text_completer.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

constexpr size_t kMostChoices = 100;
constexpr int kWidest = 560;

// After these, and within words, something can be chosen without being asked for.
bool Continues(const QString& typed) {
  if (typed.size() != 1) return false;
  const QChar c = typed[0];
  return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('-') || c == QLatin1Char('.') ||
         c == QLatin1Char('%');
}

}  // namespace

TextCompleter::TextCompleter(TextView* text, Selection* selection, QObject* parent)
    : QObject(parent),
      text_(text),
      selection_(selection),
      completer_(new QCompleter(this)),
      model_(new QStandardItemModel(this)) {
  completer_->setModel(model_);
  completer_->setWidget(text_);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->setMaxVisibleItems(12);
  completer_->popup()->setAccessibleName(tr("What can be written here"));
  connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this,
          [this](const QModelIndex& index) { Choose(index.row()); });
  text_->installEventFilter(this);
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    if (std::exchange(wanted_, false)) Complete();
  });
}

bool TextCompleter::is_shown() const { return completer_->popup()->isVisible(); }

void TextCompleter::Hide() {
  wanted_ = false;
  completer_->popup()->hide();
}

bool TextCompleter::eventFilter(QObject* watched, QEvent* event) {
  if (watched != text_ || event->type() != QEvent::KeyPress) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier) {
    Trigger();
    return true;
  }
  if (is_shown()) {
    switch (key->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
      case Qt::Key_Tab:
        // Without a choice the key means what it does without a list.
        if (!completer_->popup()->currentIndex().isValid()) {
          Hide();
          return false;
        }
        Choose(completer_->popup()->currentIndex().row());
        return true;
      case Qt::Key_Escape:
        Hide();
        return true;
      default:
        break;
    }
  }
  const bool plain = (key->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier;
  if (plain && !text_->isReadOnly() && (Continues(key->text()) || (is_shown() && key->key() == Qt::Key_Backspace))) {
    // The text first gets the key.
    QMetaObject::invokeMethod(this, &TextCompleter::Trigger, Qt::QueuedConnection);
  } else if (is_shown() && !key->text().isEmpty()) {
    Hide();
  }
  return false;
}

void TextCompleter::Trigger() {
  if (text_->isReadOnly() || selection_->document() == nullptr) return;
  if (text_->updating()) {
    wanted_ = true;
  } else {
    Complete();
  }
}

void TextCompleter::Complete() {
  if (text_->updating() || selection_->document() == nullptr || !text_->hasFocus()) return;
  const uint32_t offset = text_->OffsetOf(text_->textCursor());
  CompletionOptions options;
  options.max_choices = kMostChoices;
  options.snippets = false;
  CompletionChoices found = hloscope::Complete(*selection_->document(), offset, options);
  choices_ = std::move(found.choices);
  replaced_ = found.replaced;
  const absl::string_view word = selection_->document()->source().Slice(replaced_);
  const bool is_written = choices_.size() == 1 && choices_[0].insert == word;
  if (choices_.empty() || is_written) return Hide();
  model_->clear();
  for (const CompletionChoice& choice : choices_) {
    QString line = ToQString(choice.label);
    if (!choice.detail.empty()) line += QStringLiteral("   ") + Elide(ToQString(choice.detail), 60);
    model_->appendRow(new QStandardItem(line));
  }
  QRect at = text_->cursorRect();
  const auto* popup = completer_->popup();
  at.setWidth(std::min(kWidest, popup->sizeHintForColumn(0) + popup->verticalScrollBar()->sizeHint().width() + 16));
  at.translate(text_->viewport()->pos());
  completer_->complete(at);
  completer_->popup()->setCurrentIndex(model_->index(0, 0));
}

void TextCompleter::Choose(int row) {
  Hide();
  if (row < 0 || static_cast<size_t>(row) >= choices_.size() || text_->updating()) return;
  QTextCursor cursor = text_->textCursor();
  cursor.setPosition(text_->PositionOf(replaced_.begin));
  cursor.setPosition(text_->PositionOf(replaced_.end), QTextCursor::KeepAnchor);
  cursor.insertText(ToQString(choices_[static_cast<size_t>(row)].insert));
  text_->setTextCursor(cursor);
}

}  // namespace hloscope::gui
