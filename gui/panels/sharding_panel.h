// SPDX-License-Identifier: Apache-2.0
// Which device holds which part of the selected array, and how the selected collective moves data between devices.
#ifndef HLOSCOPE_GUI_PANELS_SHARDING_PANEL_H_
#define HLOSCOPE_GUI_PANELS_SHARDING_PANEL_H_

#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>

#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/views/device_grid_view.h"

namespace hloscope::gui {

class ShardingPanel : public QScrollArea {
  Q_OBJECT

 public:
  ShardingPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  const DeviceMap& map() const { return map_; }
  DeviceGridView* grid() { return grid_; }
  QSpinBox* leaf_box() { return leaf_; }
  QString message() const { return message_->isHidden() ? QString() : message_->text(); }
  QString text() const { return text_->text(); }
  QString device_text() const { return device_->text(); }

 private:
  void Refresh();
  void ShowDevice();

  Selection* selection_;
  SessionController* session_;
  QLabel *heading_, *text_, *message_, *device_, *leaf_label_;
  QSpinBox* leaf_;
  DeviceGridView* grid_;
  ArrayPartsView* parts_;
  QWidget* pictures_;
  DeviceMap map_;
  bool setting_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_SHARDING_PANEL_H_
