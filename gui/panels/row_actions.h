// SPDX-License-Identifier: Apache-2.0
// What every list of the app has in its context menu.
#ifndef HLOSCOPE_GUI_PANELS_ROW_ACTIONS_H_
#define HLOSCOPE_GUI_PANELS_ROW_ACTIONS_H_

#include <QString>
#include <QTreeView>

namespace hloscope::gui {

// Rows of the selection, or all that are unfolded with the names of the columns above them: tabs between columns, two
// spaces before what is a level deeper.
QString TextOfRows(const QTreeView& view, bool all);

// Adds copying to the context menus of the lists below `parent`, after what they have.
void AddRowActions(QWidget* parent);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_ROW_ACTIONS_H_
