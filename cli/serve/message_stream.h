// SPDX-License-Identifier: Apache-2.0
// Messages of `hloscope serve`: JSON with binary frames after it (docs/serve.md).
#ifndef HLOSCOPE_CLI_SERVE_MESSAGE_STREAM_H_
#define HLOSCOPE_CLI_SERVE_MESSAGE_STREAM_H_

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace hloscope::cli {

struct ServeMessage {  // NOLINT(bugprone-exception-escape): of the JSON that is moved
  nlohmann::ordered_json json;
  std::vector<std::string> frames;
  std::string problem;  // why the bytes are no message; then the rest is empty
};

// A message is a line of JSON, or, as in the language server protocol, a header `Content-Length: N`, an empty line and
// N bytes of it. Its member `frames` holds the lengths of the binary frames that follow directly. Answers are framed as
// the last message that was read. Read from one thread; Write from any.
class MessageStream {
 public:
  MessageStream(int input_fd, int output_fd) : input_fd_(input_fd), output_fd_(output_fd) {}

  // Waits for the next message; nothing at the end of the input, also in the middle of a message.
  std::optional<ServeMessage> Read();
  // Adds the lengths of the frames. False if nobody reads any more.
  bool Write(nlohmann::ordered_json json, const std::vector<std::string>& frames);

 private:
  bool Fill();
  size_t ReadSome(char* bytes, size_t room);
  std::optional<std::string> ReadLine();
  std::optional<std::string> ReadBytes(uint64_t count);
  bool WriteAll(const std::string& bytes);

  const int input_fd_, output_fd_;
  std::string buffer_;
  size_t consumed_ = 0;
  std::mutex mutex_;
  bool has_headers_ = false;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_SERVE_MESSAGE_STREAM_H_
