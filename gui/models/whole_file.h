// SPDX-License-Identifier: Apache-2.0
// Files that are either written as a whole or stay as they were.
#ifndef HLOSCOPE_GUI_MODELS_WHOLE_FILE_H_
#define HLOSCOPE_GUI_MODELS_WHOLE_FILE_H_

#include <QSaveFile>
#include <QString>

namespace hloscope::gui {

// Makes what was written to `file` the content of its path, if all `size` bytes of it have reached the disk: what
// QSaveFile holds back until then may meet a full one, which it does not tell. What went wrong, for people; empty if
// nothing. Then the path has its old content.
QString Commit(QSaveFile* file, qint64 size);

// The same of a whole content. A device or a folder is no path to write to.
QString WriteWholeFile(const QString& path, const char* bytes, qint64 size);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_WHOLE_FILE_H_
