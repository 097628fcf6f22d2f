// SPDX-License-Identifier: Apache-2.0
// Two texts side by side, line beside line, with colours for what changed. They scroll together.
#ifndef HLOSCOPE_GUI_VIEWS_TEXT_COMPARISON_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_TEXT_COMPARISON_VIEW_H_

#include <QLabel>
#include <QPlainTextEdit>
#include <QWidget>
#include <vector>

#include "gui/models/stage_comparison.h"

namespace hloscope::gui {

// One of the texts: paints the grounds of its lines.
class ComparedText : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ComparedText(QWidget* parent = nullptr);
  // `changes`: by line. Titles are painted as such.
  void Show(const QString& text, std::vector<InstructionChange> changes, std::vector<bool> titles);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<InstructionChange> changes_;
  std::vector<bool> titles_;
};

class TextComparisonView : public QWidget {
  Q_OBJECT

 public:
  explicit TextComparisonView(QWidget* parent = nullptr);

  // The titles say what the sides are.
  void Show(std::vector<ComparedLine> lines, const QString& before_title, const QString& after_title);
  // Goes to the line of an instruction of the version after, or before; false if it has none.
  bool Select(bool after, InstructionId id);
  // To the next run of lines that differ, or the one before.
  void GoToChange(int step);
  const std::vector<ComparedLine>& lines() const { return lines_; }
  ComparedText* text(bool after) { return after ? after_ : before_; }

 Q_SIGNALS:
  // The cursor is in the line of these; one may be none.
  void Selected(hloscope::InstructionId before, hloscope::InstructionId after);

 private:
  void FollowCursor(const ComparedText* from);
  void GoToLine(int line);

  std::vector<ComparedLine> lines_;
  QLabel *before_title_, *after_title_;
  ComparedText *before_, *after_;
  bool moving_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_TEXT_COMPARISON_VIEW_H_
