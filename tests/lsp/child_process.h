// SPDX-License-Identifier: Apache-2.0
// A program of the build with pipes to its standard input and output.
#ifndef HLOSCOPE_TESTS_LSP_CHILD_PROCESS_H_
#define HLOSCOPE_TESTS_LSP_CHILD_PROCESS_H_

#include <sys/types.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lsp/transport/framing.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {

// Speaks the base protocol with a child process. Every wait ends after 30 seconds with a failure of the test.
class ChildProcess {
 public:
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments);
  // Kills the child if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void SendBytes(const std::string& bytes);
  // The next message that `matches`, which is taken out of those received; null after the time is over.
  nlohmann::json Wait(const std::function<bool(const nlohmann::json&)>& matches);
  // Called with every message that comes.
  void set_on_message(std::function<void(const std::string&)> on_message) { on_message_ = std::move(on_message); }

  // Of the child; -1 if it has ended.
  pid_t pid() const { return pid_; }
  void CloseInput();
  // Stops reading what the child writes.
  void CloseOutput();
  // The exit status; -1 if it does not end in time, -2 if it died by a signal.
  int WaitExit();

 private:
  // False when the time is over or the child has closed its output.
  bool ReadMore(int timeout_milliseconds);

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  MessageFramer framer_;
  struct Received {
    std::string text;
    std::optional<nlohmann::json> message;  // once it was parsed
  };
  std::deque<Received> received_;
  std::function<void(const std::string&)> on_message_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_CHILD_PROCESS_H_
