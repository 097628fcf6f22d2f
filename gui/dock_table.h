// SPDX-License-Identifier: Apache-2.0
// The panels around the center, one row each. A new panel is a row in dock_table.cc and nothing else: the window makes
// its dock, its entry in the View menu and in the command palette, and keeps its place between sessions.
#ifndef HLOSCOPE_GUI_DOCK_TABLE_H_
#define HLOSCOPE_GUI_DOCK_TABLE_H_

#include <QWidget>

#include "absl/types/span.h"
#include "gui/models/opened_profile.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/workspace.h"

namespace hloscope::gui {

// What every panel may look at and act on. Everything outlives the panels.
struct PanelContext {
  Selection* selection = nullptr;        // the document, the selected instruction
  Workspace* workspace = nullptr;        // the file
  SessionController* session = nullptr;  // the moment of the run, its values
  ProfileOverlay* profile = nullptr;     // times that were measured elsewhere
};

struct DockRow {
  const char* name;   // object name; part of the saved layout, so never changed
  const char* title;  // untranslated, of the context "DockTable"
  Qt::DockWidgetArea area;
  // Name of an earlier row of the same area whose tabs it joins; null: a place of its own.
  const char* tab_with;
  bool shown;  // at the first start
  QWidget* (*make)(const PanelContext& context);
};

// In the order in which docks are added to their areas.
absl::Span<const DockRow> DockTable();

// Title of a row in the user's language.
QString DockTitle(const DockRow& row);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_DOCK_TABLE_H_
