// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/blame_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>

#include "gui/models/text.h"
#include "gui/views/named_widget.h"

namespace hloscope::gui {

BlameDialog::BlameDialog(const Module& module, const BlameInputs& inputs, QWidget* parent)
    : ArgumentsDialog(module, inputs.arguments, parent),
      place_(new QLineEdit(inputs.place)),
      tolerances_(new QLineEdit(inputs.tolerances)),
      problem_(new QLabel) {
  setWindowTitle(tr("Arguments and tolerances for Blame"));
  place_->setPlaceholderText(tr("none"));
  NameWidget(place_,
             tr("A snapshot, a folder with arg0.npy, arg1.npy, ..., or an .npz archive: the arguments that have "
                "no file below"));
  tolerances_->setPlaceholderText(tr("what is usual for what computes a value"));
  NameWidget(tolerances_, tr("[TYPE:][OPCODE:]rtol=X,atol=Y,ulp=N, several with spaces between them, as in "
                             "\"bf16:rtol=1e-2 dot:ulp=8\""));
  auto* file = new QPushButton(tr("File..."));
  auto* folder = new QPushButton(tr("Folder..."));
  connect(file, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Arguments"), place_->text(),
                                                      tr("Snapshots and archives (*.pb *.npz);;All files (*)"));
    if (!path.isEmpty()) place_->setText(path);
  });
  connect(folder, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Folder with arg0.npy, arg1.npy, ..."));
    if (!path.isEmpty()) place_->setText(path);
  });
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins({});
  for (QWidget* one : std::initializer_list<QWidget*>{place_, file, folder}) line->addWidget(one);
  AddRow(tr("Arguments from"), row);
  AddRow(tr("Tolerances"), tolerances_);
  problem_->setWordWrap(true);
  problem_->hide();
  AddRow(QString(), problem_);
}

BlameInputs BlameDialog::inputs() const {
  BlameInputs inputs;
  inputs.arguments = arguments();
  inputs.place = place_->text().trimmed();
  inputs.tolerances = tolerances_->text().trimmed();
  return inputs;
}

void BlameDialog::accept() {
  const BlameInputs wanted = inputs();
  const auto tolerances = TolerancesIn(wanted.tolerances);
  QString problem;
  if (!tolerances.ok()) problem = ToQString(tolerances.status().message());
  if (!wanted.place.isEmpty() && !QFileInfo::exists(wanted.place))
    problem = tr("%1: there is no such file").arg(wanted.place);
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  if (problem.isEmpty()) ArgumentsDialog::accept();
}

}  // namespace hloscope::gui
