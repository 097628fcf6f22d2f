// SPDX-License-Identifier: Apache-2.0
// Bookmarks and notes on instructions of the file.
#ifndef HLOSCOPE_GUI_PANELS_BOOKMARKS_PANEL_H_
#define HLOSCOPE_GUI_PANELS_BOOKMARKS_PANEL_H_

#include <QLabel>
#include <QTreeView>
#include <QWidget>

#include "gui/models/bookmarks.h"
#include "gui/models/selection.h"
#include "gui/models/workspace.h"

namespace hloscope::gui {

class BookmarksPanel : public QWidget {
  Q_OBJECT

 public:
  BookmarksPanel(Selection* selection, Workspace* workspace, QWidget* parent = nullptr);

  BookmarkModel* model() { return model_; }
  QTreeView* list() { return list_; }
  // At the selected instruction.
  void Toggle();

 private:
  void ChooseExport();

  Selection* selection_;
  BookmarkModel* model_;
  QTreeView* list_;
  QLabel* message_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_BOOKMARKS_PANEL_H_
