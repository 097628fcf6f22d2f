// SPDX-License-Identifier: Apache-2.0
#include "gui/views/save_path.h"

#include <QFileDialog>
#include <QFileInfo>

namespace hloscope::gui {

QString AskSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter) {
  const QFileInfo file(suggested);
  QFileDialog dialog(parent, title, file.path(), filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(file.suffix());
  dialog.selectFile(file.fileName());
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString BesideFile(const QString& file, const QString& name) {
  if (file.isEmpty() || file.startsWith(QLatin1Char(':'))) return name;
  return QFileInfo(QFileInfo(file).absolutePath(), name).filePath();
}

}  // namespace hloscope::gui
