#include "tests/bench/peers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "absl/strings/str_split.h"

namespace hloscope::bench {
namespace {

std::vector<std::string> Words(const std::string& line) { return absl::StrSplit(line, ' ', absl::SkipEmpty()); }

}  // namespace

Peers::Peers() {
  int commands[2], answers[2];
  if (pipe(commands) != 0) return;
  if (pipe(answers) != 0) {
    close(commands[0]);
    close(commands[1]);
    return;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a peer that died ends its column, not the benchmark
  child_ = fork();
  if (child_ == 0) {
    dup2(commands[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    for (int end : {commands[0], commands[1], answers[0], answers[1]}) close(end);
    execlp("python3", "python3", HLOSCOPE_SOURCE_DIR "/tests/bench/peers.py", nullptr);
    _exit(127);
  }
  close(commands[0]);
  close(answers[1]);
  if (child_ < 0) {
    close(commands[1]);
    close(answers[0]);
    return;
  }
  to_ = fdopen(commands[1], "w");
  from_ = fdopen(answers[0], "r");
  names_ = Words(Ask("peers"));
}

Peers::~Peers() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

std::string Peers::Ask(const std::string& command) {
  if (to_ == nullptr || from_ == nullptr) return "";
  std::fprintf(to_, "%s\n", command.c_str());
  std::fflush(to_);
  char line[256];
  if (std::fgets(line, sizeof(line), from_) == nullptr) return "";
  std::string answer = line;
  while (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

std::vector<std::string> Peers::Prepare(const std::string& row) {
  return names_.empty() ? std::vector<std::string>() : Words(Ask("prepare " + row));
}

double Peers::Run(const std::string& peer) {
  const std::string answer = Ask("run " + peer);
  // Its threads keep looking for more work for some milliseconds, and who is measured next would not have the
  // processor.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return answer.empty() ? -1 : std::strtod(answer.c_str(), nullptr);
}

void Peers::Drop() {
  if (!names_.empty()) Ask("drop");
}

}  // namespace hloscope::bench
