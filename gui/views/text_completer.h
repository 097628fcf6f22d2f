// SPDX-License-Identifier: Apache-2.0
// What can be written at the cursor of the text view, in a list below it: on Ctrl+Space, and as words are typed.
#ifndef HLOSCOPE_GUI_VIEWS_TEXT_COMPLETER_H_
#define HLOSCOPE_GUI_VIEWS_TEXT_COMPLETER_H_

#include <QCompleter>
#include <QObject>
#include <QStandardItemModel>
#include <vector>

#include "core/editing/completion.h"
#include "gui/models/selection.h"
#include "gui/views/text_view.h"

namespace hloscope::gui {

class TextCompleter : public QObject {
  Q_OBJECT

 public:
  TextCompleter(TextView* text, Selection* selection, QObject* parent = nullptr);

  // Shows the list as soon as the document is the one of the text.
  void Trigger();
  bool is_shown() const;
  const std::vector<CompletionChoice>& choices() const { return choices_; }
  // Puts a choice in the place of the word; one change that undo takes back.
  void Choose(int row);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void Complete();
  void Hide();

  TextView* text_;
  Selection* selection_;
  QCompleter* completer_;
  QStandardItemModel* model_;
  std::vector<CompletionChoice> choices_;
  SourceRange replaced_;
  bool wanted_ = false;  // when the document is there
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_TEXT_COMPLETER_H_
