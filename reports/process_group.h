// SPDX-License-Identifier: Apache-2.0
// The programs that this process starts, ended with it however it ends.
#ifndef HLOSCOPE_REPORTS_PROCESS_GROUP_H_
#define HLOSCOPE_REPORTS_PROCESS_GROUP_H_

#include <sys/types.h>

namespace hloscope::reports {

// A process group for a program and what that starts in its turn. Its leader is a shell that waits on a pipe whose
// other end this process alone has: when this process is gone, by a signal that nobody can catch too, the pipe closes
// and the shell kills the group. (A signal at the death of the parent would reach the program alone, and not its
// compilers.)
class ProcessGroup {
 public:
  ProcessGroup();
  // Ends the shell; what still runs in the group goes on, as it would in a shell.
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  // 0 if there is no shell: then the program is to lead a group of its own.
  pid_t id() const { return leader_; }

 private:
  pid_t leader_ = 0;
  int pipe_ = -1;  // the end that keeps the group alive
};

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_PROCESS_GROUP_H_
