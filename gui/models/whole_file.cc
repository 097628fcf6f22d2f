// SPDX-License-Identifier: Apache-2.0
#include "gui/models/whole_file.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace hloscope::gui {
namespace {

struct WholeFileText {
  Q_DECLARE_TR_FUNCTIONS(WholeFile)
};

QString Reason(const QSaveFile& file) {
  // Where the system has taken a part of it without an error.
  return file.errorString() == QLatin1String("Unknown error")
             ? WholeFileText::tr("not all of it could be written, the disk may be full")
             : file.errorString();
}

}  // namespace

QString Commit(QSaveFile* file, qint64 size) {
  if (file->flush() && file->error() == QFileDevice::NoError && file->size() == size) {
    return file->commit() ? QString() : Reason(*file);
  }
  const QString reason = Reason(*file);
  file->cancelWriting();
  file->commit();
  return reason;
}

QString WriteWholeFile(const QString& path, const char* bytes, qint64 size) {
  if (const QFileInfo info(path); info.exists() && !info.isFile()) return WholeFileText::tr("it is no regular file");
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes, size) != size) return Reason(file);
  return Commit(&file, size);
}

}  // namespace hloscope::gui
