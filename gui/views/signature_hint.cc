// SPDX-License-Identifier: Apache-2.0
#include "gui/views/signature_hint.h"

#include <QKeyEvent>
#include <QScreen>
#include <QToolTip>
#include <algorithm>

#include "gui/models/text.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {

QString SignatureText(const Signature& signature) {
  const auto part = [&](size_t begin, size_t end) {
    return ToQString(signature.label.substr(begin, end - begin)).toHtmlEscaped();
  };
  if (!signature.active_parameter.has_value()) return part(0, signature.label.size());
  const auto [begin, end] = signature.parameters[*signature.active_parameter];
  QString text = part(0, begin) + QStringLiteral("<b>") + part(begin, end) + QStringLiteral("</b>") +
                 part(end, signature.label.size());
  const std::string& doc = signature.parameter_docs[*signature.active_parameter];
  if (!doc.empty()) text += QStringLiteral("<br>") + ToQString(doc).toHtmlEscaped();
  return text;
}

SignatureHint::SignatureHint(TextView* text, Selection* selection, QObject* parent)
    : QObject(parent), text_(text), selection_(selection), label_(new QLabel(text, Qt::ToolTip)) {
  label_->setTextFormat(Qt::RichText);
  label_->setMargin(Space::kTight);
  label_->setFrameShape(QFrame::StyledPanel);
  label_->setForegroundRole(QPalette::ToolTipText);
  label_->setBackgroundRole(QPalette::ToolTipBase);
  label_->setAutoFillBackground(true);
  label_->setAccessibleName(tr("What the operation at the cursor takes"));
  label_->setAttribute(Qt::WA_ShowWithoutActivating);
  label_->setFocusPolicy(Qt::NoFocus);
  text_->installEventFilter(this);
  connect(text_, &QPlainTextEdit::cursorPositionChanged, this, &SignatureHint::Follow);
  connect(selection_, &Selection::DocumentChanged, this, &SignatureHint::Follow);
}

bool SignatureHint::eventFilter(QObject* watched, QEvent* event) {
  if (watched != text_) return false;
  // The list of what can be written is a popup; the text goes on being typed.
  const bool left =
      event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason;
  if (left || event->type() == QEvent::Hide) Hide();
  if (event->type() != QEvent::KeyPress) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Space && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
    Trigger();
    return true;
  }
  if (key->key() == Qt::Key_Escape && wanted_) {
    const bool was_shown = is_shown();
    Hide();
    return was_shown;
  }
  // The text first gets the key.
  if (key->text() == QLatin1String("(") || key->text() == QLatin1String(",")) {
    QMetaObject::invokeMethod(this, &SignatureHint::Trigger, Qt::QueuedConnection);
  }
  return false;
}

void SignatureHint::Trigger() {
  if (selection_->document() == nullptr) return;
  wanted_ = true;
  Follow();
}

void SignatureHint::Hide() {
  wanted_ = false;
  label_->hide();
}

void SignatureHint::Follow() {
  if (!wanted_ || text_->updating() || selection_->document() == nullptr) return;
  const std::optional<Signature> signature = SignatureAt(*selection_->document(), text_->OffsetOf(text_->textCursor()));
  if (!signature.has_value()) return Hide();
  label_->setPalette(QToolTip::palette());
  label_->setText(SignatureText(*signature));
  label_->adjustSize();
  const QRect caret = text_->cursorRect();
  QPoint at = text_->viewport()->mapToGlobal(caret.topLeft()) - QPoint(0, label_->height() + 4);
  if (const QScreen* screen = text_->screen()) {
    const QRect room = screen->availableGeometry();
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - label_->width())));
  }
  label_->move(at);
  label_->show();
}

}  // namespace hloscope::gui
