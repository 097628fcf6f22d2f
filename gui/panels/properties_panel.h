// SPDX-License-Identifier: Apache-2.0
// Properties of the selected instruction with links, and below them what its operation does.
#ifndef HLOSCOPE_GUI_PANELS_PROPERTIES_PANEL_H_
#define HLOSCOPE_GUI_PANELS_PROPERTIES_PANEL_H_

#include <QTextBrowser>
#include <QTreeView>
#include <QWidget>

#include "gui/models/property_model.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class PropertiesPanel : public QWidget {
  Q_OBJECT

 public:
  PropertiesPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  PropertyModel* model() { return model_; }
  QTextBrowser* help() { return help_; }
  // Selects what the row links to, if it is a link.
  void Follow(const QModelIndex& index);

 private:
  void FollowSelection();
  void ShowGroup();
  void ShowHelp(Opcode opcode);

  Selection* selection_;
  SessionController* session_;
  std::shared_ptr<DocumentAnalyses> analyses_;  // of the document whose group was shown last
  PropertyModel* model_;
  QTreeView* tree_;
  QTextBrowser* help_;
  Opcode shown_help_ = Opcode::kInvalid;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PROPERTIES_PANEL_H_
