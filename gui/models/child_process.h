// SPDX-License-Identifier: Apache-2.0
// Programs that the app starts.
#ifndef HLOSCOPE_GUI_MODELS_CHILD_PROCESS_H_
#define HLOSCOPE_GUI_MODELS_CHILD_PROCESS_H_

class QProcess;

namespace hloscope::gui {

// The system ends the process when the thread that starts it is gone, so that nothing goes on working for an app that
// was killed. Before its start.
void EndWithThisThread(QProcess& process);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_CHILD_PROCESS_H_
