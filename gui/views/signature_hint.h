// SPDX-License-Identifier: Apache-2.0
// What the operation at the cursor of the text view takes, in a line above it: while its operands are typed, and on
// Ctrl+Shift+Space.
#ifndef HLOSCOPE_GUI_VIEWS_SIGNATURE_HINT_H_
#define HLOSCOPE_GUI_VIEWS_SIGNATURE_HINT_H_

#include <QLabel>
#include <QObject>

#include "core/editing/signature.h"
#include "gui/models/selection.h"
#include "gui/views/text_view.h"

namespace hloscope::gui {

class SignatureHint : public QObject {
  Q_OBJECT

 public:
  SignatureHint(TextView* text, Selection* selection, QObject* parent = nullptr);

  // Shows it as soon as the document is the one of the text, and follows the cursor from then on.
  void Trigger();
  bool is_shown() const { return label_->isVisible(); }
  // With the parameter at the cursor in bold.
  QString text() const { return label_->text(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void Follow();
  void Hide();

  TextView* text_;
  Selection* selection_;
  QLabel* label_;
  bool wanted_ = false;
};

// The signature as rich text.
QString SignatureText(const Signature& signature);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_SIGNATURE_HINT_H_
