// The stack of active computations; choosing a frame selects its next instruction.
#ifndef HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_
#define HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_

#include <QLabel>
#include <QTreeView>
#include <QWidget>

#include "gui/models/frames_model.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"

namespace hloscope {

class FramesPanel : public QWidget {
  Q_OBJECT

 public:
  FramesPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  FramesModel* model() { return model_; }
  QString state_text() const { return state_->text(); }

 private:
  void ShowState();

  Selection* selection_;
  SessionController* session_;
  FramesModel* model_;
  QTreeView* list_;
  QLabel* state_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_PANELS_FRAMES_PANEL_H_
