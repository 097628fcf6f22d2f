// SPDX-License-Identifier: Apache-2.0
// Ctrl+F under the text view.
#ifndef HLOSCOPE_GUI_VIEWS_FIND_BAR_H_
#define HLOSCOPE_GUI_VIEWS_FIND_BAR_H_

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <optional>

#include "gui/models/selection.h"
#include "gui/views/text_view.h"

namespace hloscope::gui {

class FindBar : public QWidget {
  Q_OBJECT

 public:
  enum class Mode { kText, kPattern, kName, kOpcode, kShape, kOpName };

  FindBar(TextView* text, Selection* selection, QWidget* parent = nullptr);
  void SetMode(Mode mode) { mode_->setCurrentIndex(static_cast<int>(mode)); }
  QLineEdit* pattern() { return pattern_; }

  // Shows the bar with the selected word, ready to type.
  void Activate();
  // Goes to the next (or previous) place and wraps around. False if there is none.
  bool FindNext(bool backward = false);
  // Puts the replacement where the match is and goes on. False if nothing was replaced.
  bool Replace();
  // Everywhere, as one change that undo takes back. How often.
  int ReplaceAll();
  QLineEdit* replacement() { return replacement_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // The next instruction that the field of the mode fits, from where the text's cursor is.
  bool FindInstruction(bool backward);
  bool FindText(bool backward);
  // What stands for the text that the cursor has selected; nothing if that is no match.
  std::optional<QString> ReplacementOf(const QString& selected) const;

  TextView* text_;
  Selection* selection_;
  QComboBox* mode_;
  QLineEdit* pattern_;
  QLineEdit* replacement_;
  QLabel* message_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_FIND_BAR_H_
