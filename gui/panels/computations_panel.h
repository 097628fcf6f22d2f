// SPDX-License-Identifier: Apache-2.0
// The list of computations with a search field; choosing one selects it. The search finds instructions, too.
#ifndef HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_
#define HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_

#include <QLineEdit>
#include <QListWidget>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QWidget>

#include "gui/models/computation_list_model.h"
#include "gui/models/selection.h"

namespace hloscope::gui {

class ComputationsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComputationsPanel(Selection* selection, QWidget* parent = nullptr);

  void FocusSearch();
  QTreeView* list() { return list_; }
  QLineEdit* search() { return search_; }
  QListWidget* found_instructions() { return found_; }

 private:
  void Search();
  void FollowSelection();

  Selection* selection_;
  ComputationListModel* model_;
  QSortFilterProxyModel* filter_;
  QLineEdit* search_;
  QTreeView* list_;
  QListWidget* found_;  // instructions whose name or opcode contains the pattern
  bool following_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_COMPUTATIONS_PANEL_H_
