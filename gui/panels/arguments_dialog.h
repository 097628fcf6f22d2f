// SPDX-License-Identifier: Apache-2.0
// Where the entry computation's arguments come from: a fill, and files for single parameters.
#ifndef HLOSCOPE_GUI_PANELS_ARGUMENTS_DIALOG_H_
#define HLOSCOPE_GUI_PANELS_ARGUMENTS_DIALOG_H_

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableWidget>

#include "core/ir/module.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

class ArgumentsDialog : public QDialog {
  Q_OBJECT

 public:
  // `recorded`: values that the file holds; null: none.
  ArgumentsDialog(const Module& module, const ArgumentSource& arguments, QWidget* parent = nullptr,
                  std::shared_ptr<const std::vector<evaluator::Value>> recorded = nullptr);

  ArgumentSource arguments() const;
  void SetFile(int parameter, const QString& path);
  // Gives the files to the first parameters that have none.
  void AddFiles(const QStringList& paths);

 protected:
  // Above the parameters.
  void AddRow(const QString& caption, QWidget* widget);
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum Column { kNumber, kName, kShape, kFill, kFile, kColumnCount };

  void ChooseFile(int row);
  QComboBox* FillOf(int row) const;

  QFormLayout* form_;
  QComboBox* fill_;
  QLineEdit* seed_;
  QTableWidget* parameters_;
  QSpinBox* replicas_;
  QSpinBox* partitions_;
  QCheckBox* use_recorded_;
  const std::shared_ptr<const std::vector<evaluator::Value>> recorded_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_ARGUMENTS_DIALOG_H_
