// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/child_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(30);

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return left.count() < 0 ? 0 : static_cast<int>(left.count());
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments) {
  signal(SIGPIPE, SIG_IGN);
  int input[2], output[2];
  if (pipe(input) != 0 || pipe(output) != 0) std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  for (int fd : {input[0], input[1], output[0], output[1]}) posix_spawn_file_actions_addclose(&actions, fd);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  if (posix_spawn(&pid_, program.c_str(), &actions, nullptr, pointers.data(), environ) != 0) {
    ADD_FAILURE() << "cannot start " << program;
    pid_ = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  to_child_ = input[1];
  from_child_ = output[0];
}

ChildProcess::~ChildProcess() {
  CloseInput();
  CloseOutput();
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void ChildProcess::SendBytes(const std::string& bytes) {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n = write(to_child_, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the child is gone; the next wait reports it
    written += static_cast<size_t>(n);
  }
}

bool ChildProcess::ReadMore(int timeout_milliseconds) {
  pollfd ready = {from_child_, POLLIN, 0};
  if (poll(&ready, 1, timeout_milliseconds) <= 0) return false;
  std::array<char, 65536> chunk;
  const ssize_t n = read(from_child_, chunk.data(), chunk.size());
  if (n <= 0) return false;
  framer_.Append(absl::string_view(chunk.data(), static_cast<size_t>(n)));
  while (auto event = framer_.Next()) {
    if (event->kind == MessageFramer::Event::Kind::kError) ADD_FAILURE() << "the child sent garbage: " << event->text;
    if (on_message_) on_message_(event->text);
    received_.push_back({std::move(event->text), std::nullopt});
  }
  return true;
}

json ChildProcess::Wait(const std::function<bool(const json&)>& matches) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  size_t seen = 0;
  while (true) {
    for (; seen < received_.size(); ++seen) {
      Received& received = received_[seen];
      // Waiting looks at what was not waited for again and again.
      if (!received.message.has_value()) {
        received.message = json::parse(received.text);
        received.text.clear();
      }
      if (!matches(*received.message)) continue;
      json message = *std::move(received.message);
      received_.erase(received_.begin() + static_cast<ptrdiff_t>(seen));
      return message;
    }
    if (!ReadMore(MillisecondsUntil(deadline))) {
      ADD_FAILURE() << "the awaited message did not come";
      return json();
    }
  }
}

void ChildProcess::CloseInput() {
  if (to_child_ >= 0) close(std::exchange(to_child_, -1));
}

void ChildProcess::CloseOutput() {
  if (from_child_ >= 0) close(std::exchange(from_child_, -1));
}

int ChildProcess::WaitExit() {
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (Clock::now() < deadline) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

}  // namespace hloscope::lsp
