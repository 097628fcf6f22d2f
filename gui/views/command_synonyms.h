// SPDX-License-Identifier: Apache-2.0
// Words under which commands are found besides their names: those of other programs, and what people call things.
#ifndef HLOSCOPE_GUI_VIEWS_COMMAND_SYNONYMS_H_
#define HLOSCOPE_GUI_VIEWS_COMMAND_SYNONYMS_H_

#include <QString>

namespace hloscope::gui {

// By the object name of the action; empty if there are none.
QString SynonymsOf(const QString& action);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_COMMAND_SYNONYMS_H_
