// SPDX-License-Identifier: Apache-2.0
// Diagnostics about the document and failures of opening and running; a click shows the place.
#ifndef HLOSCOPE_GUI_PANELS_DIAGNOSTICS_PANEL_H_
#define HLOSCOPE_GUI_PANELS_DIAGNOSTICS_PANEL_H_

#include <QTreeView>
#include <QWidget>

#include "gui/models/diagnostics_model.h"
#include "gui/models/selection.h"

namespace hloscope::gui {

class DiagnosticsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DiagnosticsPanel(Selection* selection, QWidget* parent = nullptr);

  DiagnosticsModel* model() { return model_; }
  const QTreeView* list() const { return list_; }
  // What the first problems need.
  int HeightOfRows() const;
  // Shows the place that the row is about.
  void Follow(const QModelIndex& index);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void TakeColors();

  Selection* selection_;
  DiagnosticsModel* model_;
  QTreeView* list_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_DIAGNOSTICS_PANEL_H_
