// SPDX-License-Identifier: Apache-2.0
// The text of the program that the module was made from (StableHLO), beside the module and linked with it both ways.
#ifndef HLOSCOPE_GUI_PANELS_PROGRAM_PANEL_H_
#define HLOSCOPE_GUI_PANELS_PROGRAM_PANEL_H_

#include <QLabel>
#include <QPlainTextEdit>
#include <QWidget>
#include <memory>

#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class ProgramPanel : public QWidget {
  Q_OBJECT

 public:
  ProgramPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  QPlainTextEdit* text() { return text_; }
  // Whether the module was made from a program.
  bool has_program() const { return program_ != nullptr; }
  // The line, from 0, of the operation that an instruction was made from; -1 if there is none.
  int LineOf(InstructionId id) const;

 private:
  void ShowDocument();
  void ShowMarks();
  void FollowCursor();
  SourceRange RangeOf(InstructionId id) const;

  Selection* selection_;
  SessionController* session_;
  QPlainTextEdit* text_;
  QLabel* note_;
  std::shared_ptr<const SourceText> program_;  // null: the module is its own text
  bool moving_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PROGRAM_PANEL_H_
