// SPDX-License-Identifier: Apache-2.0
#include "reports/process_group.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace hloscope::reports {
namespace {

// Interactive signals go to the group of the terminal, which this is not; a polite end of the group should not end the
// watch before the group.
constexpr char kWatch[] = "trap '' HUP INT TERM; read -r line; kill -s KILL 0";

}  // namespace

ProcessGroup::ProcessGroup() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  char shell[] = "/bin/sh", option[] = "-c", watch[sizeof kWatch];
  for (size_t i = 0; i < sizeof kWatch; ++i) watch[i] = kWatch[i];
  char* const words[] = {shell, option, watch, nullptr};
  const int error = posix_spawn(&leader_, shell, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[0]);
  if (error == 0) {
    pipe_ = ends[1];
  } else {
    leader_ = 0;
    close(ends[1]);
  }
}

ProcessGroup::~ProcessGroup() {
  if (leader_ == 0) return;
  kill(leader_, SIGKILL);
  while (waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(pipe_);
}

}  // namespace hloscope::reports
