// SPDX-License-Identifier: Apache-2.0
#include "gui/models/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QProcess>

namespace hloscope::gui {

void EndWithThisThread(QProcess& process) {
  const pid_t parent = getpid();
  process.setChildProcessModifier([parent] {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before the child asked to be told.
    if (getppid() != parent) _exit(1);
  });
}

}  // namespace hloscope::gui
