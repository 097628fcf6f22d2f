// SPDX-License-Identifier: Apache-2.0
// Where something is to be saved.
#ifndef HLOSCOPE_GUI_VIEWS_SAVE_PATH_H_
#define HLOSCOPE_GUI_VIEWS_SAVE_PATH_H_

#include <QString>
#include <QWidget>

namespace hloscope::gui {

// Asks for a path, beginning at `suggested`. A name without an ending gets that of the suggestion, before the question
// whether a file of that name may be overwritten. Empty: cancelled.
QString AskSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter = QString());

// A path for `name` in the folder of the file; `name` alone if the file is none of the file system.
QString BesideFile(const QString& file, const QString& name);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_SAVE_PATH_H_
