// SPDX-License-Identifier: Apache-2.0
// Says below the text that a change of it has ended the run, and takes a run of the new text to the same place.
#ifndef HLOSCOPE_GUI_VIEWS_ENDED_RUN_BAR_H_
#define HLOSCOPE_GUI_VIEWS_ENDED_RUN_BAR_H_

#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class EndedRunBar : public QWidget {
  Q_OBJECT

 public:
  EndedRunBar(Selection* selection, SessionController* session, QWidget* parent = nullptr);
  QString message() const { return message_->text(); }
  QToolButton* again() { return again_; }
  QToolButton* restart() { return restart_; }
  QToolButton* dismiss() { return dismiss_; }

 private:
  void Follow();
  void RunAgain();

  Selection* selection_;
  SessionController* session_;
  QLabel* message_;
  QToolButton* again_;
  QToolButton* restart_;
  QToolButton* dismiss_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_ENDED_RUN_BAR_H_
