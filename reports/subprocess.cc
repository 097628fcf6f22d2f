// SPDX-License-Identifier: Apache-2.0
#include "reports/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "reports/process_group.h"

extern char** environ;

namespace hloscope::reports {
namespace {

// A file descriptor that is closed once.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }
  int get() const { return fd_; }
  void Reset(int fd) {
    Close();
    fd_ = fd;
  }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

bool MakePipe(Descriptor& read_end, Descriptor& write_end) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  read_end.Reset(fds[0]);
  write_end.Reset(fds[1]);
  return true;
}

bool IsControl(char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }

bool IsInterrupted(const ProgramWatch& watch) {
  return (watch.interrupted != nullptr && watch.interrupted->load()) || (watch.is_cancelled && watch.is_cancelled());
}

using Clock = std::chrono::steady_clock;

// Why nobody waits for a program any longer, or that it has ended.
enum class WaitEnd { kEnded, kLate, kInterrupted, kTooMuchOutput };

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Feeds the child and collects its output until it closes it.
WaitEnd Exchange(Descriptor& input_end, Descriptor& output_end, absl::string_view input, Clock::time_point start,
                 double timeout_seconds, const ProgramWatch& watch, std::string* output) {
  fcntl(input_end.get(), F_SETFL, O_NONBLOCK);
  if (input.empty()) input_end.Close();
  while (output_end.get() >= 0) {
    const double left = timeout_seconds - SecondsSince(start);
    if (IsInterrupted(watch)) return WaitEnd::kInterrupted;
    if (left <= 0) return WaitEnd::kLate;
    if (watch.while_waiting) watch.while_waiting();
    struct pollfd fds[2] = {{output_end.get(), POLLIN, 0}, {input_end.get(), POLLOUT, 0}};
    const int ready =
        poll(fds, input_end.get() >= 0 ? 2 : 1,
             static_cast<int>(std::ceil(std::min(left * 1000, double(watch.milliseconds_between_looks)))));
    if (ready < 0 && errno != EINTR) return WaitEnd::kEnded;
    if (ready <= 0) continue;
    if (fds[0].revents != 0) {
      char buffer[1 << 16];
      const ssize_t count = read(output_end.get(), buffer, sizeof(buffer));
      if (count > 0) {
        if (output->size() + static_cast<size_t>(count) > watch.max_output_bytes) return WaitEnd::kTooMuchOutput;
        output->append(buffer, static_cast<size_t>(count));
        if (watch.on_output) watch.on_output({buffer, static_cast<size_t>(count)});
      } else if (count == 0 || errno != EINTR) {
        output_end.Close();
      }
    }
    if (input_end.get() >= 0 && fds[1].revents != 0) {
      const ssize_t count = write(input_end.get(), input.data(), input.size());
      if (count > 0) input.remove_prefix(static_cast<size_t>(count));
      if (input.empty() || (count < 0 && errno != EINTR && errno != EAGAIN)) input_end.Close();
    }
  }
  return WaitEnd::kEnded;
}

// Waits for the end of a child that has closed its output, which need not be soon.
WaitEnd WaitForEnd(pid_t child, Clock::time_point start, double timeout_seconds, const ProgramWatch& watch,
                   int* status) {
  constexpr double kLongestPause = 0.02;
  double pause = 0.0002;
  while (true) {
    const pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return WaitEnd::kEnded;
    if (IsInterrupted(watch)) return WaitEnd::kInterrupted;
    if (SecondsSince(start) >= timeout_seconds) return WaitEnd::kLate;
    if (watch.while_waiting) watch.while_waiting();
    std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    pause = std::min(2 * pause, kLongestPause);
  }
}

absl::Status WhyStopped(WaitEnd end, absl::string_view program, double timeout_seconds, const ProgramWatch& watch) {
  switch (end) {
    case WaitEnd::kEnded:
      break;
    case WaitEnd::kLate:
      return absl::DeadlineExceededError(absl::StrCat("`", program, "` took longer than ", timeout_seconds, " s"));
    case WaitEnd::kInterrupted:
      return absl::CancelledError(absl::StrCat("`", program, "` was interrupted"));
    case WaitEnd::kTooMuchOutput:
      return absl::ResourceExhaustedError(
          absl::StrCat("`", program, "` wrote more than ", watch.max_output_bytes, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ProgramResult> RunProgram(const std::vector<std::string>& command, absl::string_view input,
                                         double timeout_seconds, bool silent, const ProgramWatch& watch) {
  Descriptor child_input, input_end, output_end, child_output;
  if (!MakePipe(child_input, input_end) || !MakePipe(output_end, child_output)) {
    return absl::InternalError(absl::StrCat("cannot make a pipe: ", strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, child_input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, child_output.get(), STDOUT_FILENO);
  if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // The parent ignores SIGPIPE; the child should not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  // A group of its own, so that all of it can be ended.
  const ProcessGroup group;
  posix_spawnattr_setpgroup(&attributes, group.id());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == ENOENT) return absl::NotFoundError(absl::StrCat("there is no program `", command[0], "`"));
  if (error != 0) return absl::InternalError(absl::StrCat("cannot run `", command[0], "`: ", strerror(error)));
  child_input.Close();
  child_output.Close();

  ProgramResult result;
  const Clock::time_point start = Clock::now();
  int status = 0;
  WaitEnd end = Exchange(input_end, output_end, input, start, timeout_seconds, watch, &result.output);
  if (end == WaitEnd::kEnded) end = WaitForEnd(child, start, timeout_seconds, watch, &status);
  if (end != WaitEnd::kEnded) {
    kill(group.id() != 0 ? -group.id() : -child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WhyStopped(end, command[0], timeout_seconds, watch);
  }
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

absl::StatusOr<std::string> RunFilter(const std::vector<std::string>& command, absl::string_view input,
                                      double timeout_seconds, const ProgramWatch& watch) {
  absl::StatusOr<ProgramResult> result = RunProgram(command, input, timeout_seconds, /*silent=*/false, watch);
  if (!result.ok()) return result.status();
  if (result->exit_status != 0) return absl::InternalError(absl::StrCat("`", command[0], "` failed"));
  return std::move(result->output);
}

std::string ShellQuoted(absl::string_view word) {
  const bool has_control = std::any_of(word.begin(), word.end(), [](char c) { return IsControl(c); });
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_-./=:,+@%", c);
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  if (!has_control) return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
  std::string quoted = "$'";
  for (const char c : word) {
    if (IsControl(c)) {
      absl::StrAppendFormat(&quoted, "\\%03o", static_cast<unsigned char>(c));
    } else {
      absl::StrAppend(&quoted, c == '\'' || c == '\\' ? "\\" : "", std::string(1, c));
    }
  }
  return absl::StrCat(quoted, "'");
}

}  // namespace hloscope::reports
