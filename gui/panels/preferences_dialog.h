// SPDX-License-Identifier: Apache-2.0
// The preferences on one page. What is changed counts at once; the dialog stays beside the window as long as it is
// wanted.
#ifndef HLOSCOPE_GUI_PANELS_PREFERENCES_DIALOG_H_
#define HLOSCOPE_GUI_PANELS_PREFERENCES_DIALOG_H_

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QSpinBox>

#include "gui/models/preferences.h"

namespace hloscope::gui {

class PreferencesDialog : public QDialog {
  Q_OBJECT

 public:
  explicit PreferencesDialog(const Preferences& preferences, QWidget* parent = nullptr);

  // Shows them; tells nobody.
  void SetPreferences(const Preferences& preferences);
  Preferences preferences() const;

 Q_SIGNALS:
  void Changed(const hloscope::gui::Preferences& preferences);

 private:
  QSpinBox* AddNumber(const char* name, int least, int most);
  void Tell();

  QComboBox* appearance_;
  QSpinBox* code_font_;
  QCheckBox* value_hints_;
  QComboBox* fill_;
  QSpinBox* memory_;
  QSpinBox* threads_;
  QSpinBox* whole_computation_;
  QSpinBox* graphviz_;
  bool setting_ = false;
};

// The ways to make up arguments, with their captions; the data is a FillKind as int.
void AddFillKinds(QComboBox* box);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PREFERENCES_DIALOG_H_
