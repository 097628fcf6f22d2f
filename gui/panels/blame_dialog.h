// SPDX-License-Identifier: Apache-2.0
// What stages of a dump are run with to find the pass to blame.
#ifndef HLOSCOPE_GUI_PANELS_BLAME_DIALOG_H_
#define HLOSCOPE_GUI_PANELS_BLAME_DIALOG_H_

#include <QLabel>
#include <QLineEdit>

#include "gui/models/blame_inputs.h"
#include "gui/panels/arguments_dialog.h"

namespace hloscope::gui {

class BlameDialog : public ArgumentsDialog {
  Q_OBJECT

 public:
  // `module`: the first stage.
  BlameDialog(const Module& module, const BlameInputs& inputs, QWidget* parent = nullptr);

  BlameInputs inputs() const;
  QLineEdit* place() { return place_; }
  QLineEdit* tolerances() { return tolerances_; }
  // Stays open while what is written cannot be read; says why.
  void accept() override;
  QString problem() const { return problem_->text(); }

 private:
  QLineEdit *place_, *tolerances_;
  QLabel* problem_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_BLAME_DIALOG_H_
