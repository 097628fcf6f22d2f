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
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

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

// Feeds the child and collects its output until it closes it. False at the deadline and when it is interrupted.
bool Exchange(Descriptor& input_end, Descriptor& output_end, absl::string_view input, double timeout_seconds,
              const ProgramWatch& watch, std::string* output) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  fcntl(input_end.get(), F_SETFL, O_NONBLOCK);
  if (input.empty()) input_end.Close();
  while (output_end.get() >= 0) {
    const double left = timeout_seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0 || IsInterrupted(watch)) return false;
    if (watch.while_waiting) watch.while_waiting();
    struct pollfd fds[2] = {{output_end.get(), POLLIN, 0}, {input_end.get(), POLLOUT, 0}};
    const int ready =
        poll(fds, input_end.get() >= 0 ? 2 : 1,
             static_cast<int>(std::ceil(std::min(left * 1000, double(watch.milliseconds_between_looks)))));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    if (fds[0].revents != 0) {
      char buffer[1 << 16];
      const ssize_t count = read(output_end.get(), buffer, sizeof(buffer));
      if (count > 0) {
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
  return true;
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
  posix_spawnattr_setpgroup(&attributes, 0);
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
  const bool in_time = Exchange(input_end, output_end, input, timeout_seconds, watch, &result.output);
  if (!in_time) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time && IsInterrupted(watch)) return absl::CancelledError(absl::StrCat("`", command[0], "` was interrupted"));
  if (!in_time) {
    return absl::DeadlineExceededError(absl::StrCat("`", command[0], "` took longer than ", timeout_seconds, " s"));
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
