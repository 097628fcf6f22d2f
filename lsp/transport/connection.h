// SPDX-License-Identifier: Apache-2.0
// A byte connection to one client: blocking reads by one thread, writes from any thread that never wait for the client.
#ifndef HLOSCOPE_LSP_TRANSPORT_CONNECTION_H_
#define HLOSCOPE_LSP_TRANSPORT_CONNECTION_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lsp/transport/framing.h"

namespace hloscope::lsp {

// The file descriptors stay open and belong to the caller. SIGPIPE must be ignored by the process.
class Connection {
 public:
  Connection(int input_fd, int output_fd);
  // Writes what is queued as long as the client takes it (at most a second of standstill), then stops.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for the next message. nullopt: the client is gone. Call from one thread only.
  // `alive` is asked about once a second while nothing comes; false means the client is gone too.
  std::optional<MessageFramer::Event> Read(const std::function<bool()>& alive = nullptr);

  // Queues one message; messages leave in the order of the calls. Thread-safe, never blocks on the client.
  void Send(std::string payload);

  // Waits until fewer bytes than this wait for the client, or it is gone, or the connection closes.
  void WaitUntilBelow(size_t bytes);
  // Writes what is queued, as the destructor does; what is sent later is dropped.
  void Finish();
  // Lets waiting threads go; nothing waits any more.
  void StopWaiting();

 private:
  void WriteLoop();
  // False if the client is gone, or hangs while closing.
  bool WriteAll(const std::string& bytes);

  const int input_fd_;
  const int output_fd_;
  MessageFramer framer_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable drained_;
  std::deque<std::string> queue_;
  size_t queued_bytes_ = 0;
  bool may_wait_ = true;
  bool closing_ = false;
  bool broken_ = false;  // the client is gone: drop what is sent
  std::thread writer_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_TRANSPORT_CONNECTION_H_
