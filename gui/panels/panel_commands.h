// SPDX-License-Identifier: Apache-2.0
// Lines for a shell that make again what a panel shows.
#ifndef HLOSCOPE_GUI_PANELS_PANEL_COMMANDS_H_
#define HLOSCOPE_GUI_PANELS_PANEL_COMMANDS_H_

#include <QString>
#include <QWidget>
#include <optional>

#include "gui/models/blame_inputs.h"

namespace hloscope::gui {

// `hloscope memory FILE --html=memory.html` and the like, for the panels whose content a command has; else empty.
// `file`: the one that is open.
QString CommandOfPanel(QWidget* panel, const QString& file);

// What finds the pass of a dumped module after which results differ first.
// `inputs`: nothing: made up.
QString BlameCommand(const QString& folder, int module, const std::optional<BlameInputs>& inputs);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PANEL_COMMANDS_H_
