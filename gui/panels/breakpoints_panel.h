// SPDX-License-Identifier: Apache-2.0
// Breakpoints with their conditions, and expressions that are worked out at every stop.
#ifndef HLOSCOPE_GUI_PANELS_BREAKPOINTS_PANEL_H_
#define HLOSCOPE_GUI_PANELS_BREAKPOINTS_PANEL_H_

#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QWidget>

#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class BreakpointsPanel : public QWidget {
  Q_OBJECT

 public:
  BreakpointsPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  QTableWidget* breakpoints() { return breakpoints_; }
  QTableWidget* watches() { return watches_; }
  QLineEdit* new_watch() { return new_watch_; }
  // What is wrong with what was typed last; empty if nothing.
  QString problem() const { return problem_->text(); }

 private:
  void ShowBreakpoints();
  void ShowWatches();
  void ChangeBreakpoint(QTableWidgetItem* item);
  void SetProblem(const QString& problem);

  Selection* selection_;
  SessionController* session_;
  QTableWidget* breakpoints_;
  QTableWidget* watches_;
  QLineEdit* new_watch_;
  QLabel* problem_;
  bool filling_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_BREAKPOINTS_PANEL_H_
