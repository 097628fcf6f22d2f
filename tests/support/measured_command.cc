// SPDX-License-Identifier: Apache-2.0
#include "tests/support/measured_command.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hloscope {
namespace {

const char* PathOrNothing(const std::string& path) { return path.empty() ? "/dev/null" : path.c_str(); }

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Usage MeasureCommand(std::vector<std::string> arguments, const CommandFiles& files) {
  arguments.insert(arguments.begin(), HLOSCOPE_BINARY_DIR "/bin/hloscope");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(PathOrNothing(files.input), O_RDONLY), STDIN_FILENO);
    dup2(open(PathOrNothing(files.output), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(open(PathOrNothing(files.errors), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    const rlimit most = {30, 30};
    setrlimit(RLIMIT_CPU, &most);
    execv(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  rusage used = {};
  wait4(child, &status, 0, &used);
  Usage usage;
  if (WIFEXITED(status)) usage.exit_status = WEXITSTATUS(status);
  usage.processor_seconds = SecondsOf(used.ru_utime) + SecondsOf(used.ru_stime);
  usage.peak_bytes = int64_t{used.ru_maxrss} * 1024;
  return usage;
}

}  // namespace hloscope
