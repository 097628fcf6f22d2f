// SPDX-License-Identifier: Apache-2.0
// The stack of active computations, the device, and the iteration of the innermost loop; choosing a frame selects its
// next instruction, moving the slider goes to another iteration.
#ifndef HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_
#define HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTreeView>
#include <QWidget>

#include "gui/models/frames_model.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class FramesPanel : public QWidget {
  Q_OBJECT

 public:
  FramesPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  FramesModel* model() { return model_; }
  QString state_text() const { return state_->text(); }
  QSlider* iteration() { return iteration_; }
  QComboBox* devices() { return devices_; }

 private:
  void ShowState();
  void ShowIteration();
  void ShowDevices();

  Selection* selection_;
  SessionController* session_;
  FramesModel* model_;
  QTreeView* list_;
  QLabel* state_;
  QComboBox* devices_;
  QSlider* iteration_;
  QLabel* iteration_caption_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_
