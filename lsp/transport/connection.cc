// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hloscope::lsp {
namespace {

constexpr size_t kReadChunk = 64 * 1024;
constexpr int kPipeBytes = 1 << 20;
constexpr int kPollMilliseconds = 250;
constexpr int kAliveMilliseconds = 1000;
// Polls without progress before a closing connection gives up.
constexpr int kMaxStandstill = 4;

}  // namespace

Connection::Connection(int input_fd, int output_fd)
    : input_fd_(input_fd), output_fd_(output_fd), writer_([this] { WriteLoop(); }) {
  // A client with a large text then waits less often. Not every input is a pipe, nor every pipe ours to change.
  static_cast<void>(fcntl(input_fd_, F_SETPIPE_SZ, kPipeBytes));
}

Connection::~Connection() { Finish(); }

void Connection::Finish() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  if (writer_.joinable()) writer_.join();
}

std::optional<MessageFramer::Event> Connection::Read(const std::function<bool()>& alive) {
  std::array<char, kReadChunk> chunk;
  while (true) {
    if (std::optional<MessageFramer::Event> event = framer_.Next()) return event;
    if (alive != nullptr) {
      pollfd ready = {input_fd_, POLLIN, 0};
      if (::poll(&ready, 1, kAliveMilliseconds) == 0) {
        if (!alive()) return std::nullopt;
        continue;
      }
    }
    const ssize_t n = ::read(input_fd_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    framer_.Append(absl::string_view(chunk.data(), static_cast<size_t>(n)));
  }
}

void Connection::Send(std::string payload) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (broken_ || closing_) return;
    queued_bytes_ += payload.size();
    queue_.push_back(std::move(payload));
  }
  wake_.notify_one();
}

void Connection::WaitUntilBelow(size_t bytes) {
  std::unique_lock<std::mutex> lock(mutex_);
  drained_.wait(lock, [&] { return queued_bytes_ < bytes || broken_ || closing_ || !may_wait_; });
}

void Connection::StopWaiting() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    may_wait_ = false;
  }
  drained_.notify_all();
}

void Connection::WriteLoop() {
  while (true) {
    std::string payload;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      payload = std::move(queue_.front());
      queue_.pop_front();
    }
    const bool written = WriteAll(EncodeFrame(payload));
    {
      std::lock_guard<std::mutex> lock(mutex_);
      queued_bytes_ -= payload.size();
      if (!written) {
        broken_ = true;
        queue_.clear();
      }
    }
    drained_.notify_all();
    if (!written) return;
  }
}

bool Connection::WriteAll(const std::string& bytes) {
  size_t written = 0;
  int standstill = 0;
  while (written < bytes.size()) {
    pollfd ready = {output_fd_, POLLOUT, 0};
    const int n = ::poll(&ready, 1, kPollMilliseconds);
    if (n < 0 && errno != EINTR) return false;
    if (n <= 0) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (closing_ && ++standstill >= kMaxStandstill) return false;
      continue;
    }
    // A writable pipe takes PIPE_BUF bytes without blocking, so a client that stops reading never traps this thread.
    const ssize_t taken =
        ::write(output_fd_, bytes.data() + written, std::min<size_t>(bytes.size() - written, PIPE_BUF));
    if (taken < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (taken > 0) {
      written += static_cast<size_t>(taken);
      standstill = 0;
    }
  }
  return true;
}

}  // namespace hloscope::lsp
