// SPDX-License-Identifier: Apache-2.0
// The list of computations with a search field; choosing one selects it. The search finds instructions of the whole
// module, too, by all that InstructionQuery knows.
#ifndef HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_
#define HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QWidget>

#include "gui/models/computation_list_model.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class ComputationsPanel : public QWidget {
  Q_OBJECT

 public:
  ComputationsPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  void FocusSearch();
  QTreeView* list() { return list_; }
  QLineEdit* search() { return search_; }
  QListWidget* found_instructions() { return found_; }
  // How many were found, and which of them is chosen.
  QString note() const { return note_->text(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void Search();
  void ShowCount();
  // To the next one that was found, or the one before.
  void FindNext(int step);
  void FollowSelection();

  Selection* selection_;
  SessionController* session_;
  ComputationListModel* model_;
  QSortFilterProxyModel* filter_;
  QLineEdit* search_;
  QTreeView* list_;
  QListWidget* found_;  // instructions, not more than a list is good for
  QLabel* note_;
  size_t found_count_ = 0;  // all
  bool following_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_
