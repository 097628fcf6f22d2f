// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/peers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/bench/evaluator_runs.h"

namespace hloscope::bench {
namespace {

// To load PyTorch on a machine that does other work too.
constexpr double kStartSeconds = 60;

std::vector<std::string> Words(const std::string& line) { return absl::StrSplit(line, ' ', absl::SkipEmpty()); }

}  // namespace

void PeerProcess::Start() {
  int commands[2], answers[2];
  // Closed in other peers, which would keep this one's input open.
  if (pipe2(commands, O_CLOEXEC) != 0) return;
  if (pipe2(answers, O_CLOEXEC) != 0) {
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
    std::vector<char*> argv;
    for (const std::string& word : command_) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
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
  from_ = answers[0];
  names_ = Words(Ask("peers", kStartSeconds));
}

void PeerProcess::Stop(bool kill) {
  if (kill && child_ > 0) ::kill(child_, SIGKILL);
  if (to_ != nullptr) std::fclose(to_);
  if (from_ >= 0) close(from_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
  to_ = nullptr;
  from_ = -1;
  child_ = -1;
}

std::string PeerProcess::Ask(const std::string& command, double seconds) {
  if (to_ == nullptr) return "";
  std::fprintf(to_, "%s\n", command.c_str());
  std::fflush(to_);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string answer;
  while (answer.empty() || answer.back() != '\n') {
    const double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
    pollfd readable = {from_, POLLIN, 0};
    char text[4096];
    const ssize_t count =
        left > 0 && poll(&readable, 1, static_cast<int>(left * 1e3) + 1) > 0 ? read(from_, text, sizeof(text)) : 0;
    if (count <= 0) {
      Stop(/*kill=*/true);
      return "";
    }
    answer.append(text, static_cast<size_t>(count));
  }
  answer.pop_back();
  return answer;
}

std::vector<std::string> PeerProcess::Prepare(const std::string& row, double seconds) {
  if (names_.empty()) return {};
  if (to_ == nullptr) Start();
  return Words(Ask("prepare " + row, seconds));
}

std::vector<double> PeerProcess::Run(const std::string& peer, int count, double seconds) {
  std::vector<double> runs;
  for (const std::string& word : Words(Ask(absl::StrCat("run ", peer, " ", count), seconds))) {
    runs.push_back(std::strtod(word.c_str(), nullptr));
  }
  // Its threads keep looking for more work for up to some hundred milliseconds, and who is measured next would not have
  // the processor: after 20 ms a product took twice as long as alone.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return runs;
}

void PeerProcess::Drop() { Ask("drop", kStartSeconds); }

Peers::Peers() {
  const char* wanted = std::getenv("HLOSCOPE_BENCH_PEERS");
  if (wanted != nullptr && std::string(wanted) == "none") return;
  const std::string script = HLOSCOPE_SOURCE_DIR "/tests/bench/peers.py";
  processes_.push_back(std::make_unique<PeerProcess>(std::vector<std::string>{"python3", script}));
  processes_.push_back(std::make_unique<PeerProcess>(std::vector<std::string>{"python3", script, "--kept"}));
#ifdef HLOSCOPE_BENCH_ONEDNN
  processes_.push_back(std::make_unique<PeerProcess>(
      std::vector<std::string>{"env", absl::StrCat("OMP_NUM_THREADS=", ThreadCount()),
                               "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", HLOSCOPE_BENCH_ONEDNN}));
#endif
  for (const auto& process : processes_) {
    names_.insert(names_.end(), process->names().begin(), process->names().end());
  }
}

bool Peers::Has(const std::string& name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

std::vector<std::string> Peers::Prepare(const std::string& row, double seconds) {
  std::vector<std::string> present;
  for (const auto& process : processes_) {
    for (std::string& name : process->Prepare(row, seconds)) present.push_back(std::move(name));
  }
  return present;
}

std::vector<double> Peers::Run(const std::string& peer, int count, double seconds) {
  for (const auto& process : processes_) {
    const std::vector<std::string>& names = process->names();
    if (std::find(names.begin(), names.end(), peer) != names.end()) return process->Run(peer, count, seconds);
  }
  return {};
}

void Peers::Drop() {
  for (const auto& process : processes_) process->Drop();
}

std::vector<double> BestOfTorch(const Peers::Times& times) {
  std::vector<double> best;
  for (const char* name : {"torch", "torch_kept"}) {
    const auto found = times.find(name);
    if (found == times.end() || found->second.empty()) continue;
    if (best.empty() || Median(found->second) < Median(best)) best = found->second;
  }
  return best;
}

}  // namespace hloscope::bench
