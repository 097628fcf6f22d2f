// SPDX-License-Identifier: Apache-2.0
// The base protocol of LSP and DAP: messages framed by a `Content-Length` header.
#ifndef HLOSCOPE_LSP_TRANSPORT_FRAMING_H_
#define HLOSCOPE_LSP_TRANSPORT_FRAMING_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::lsp {

// The message as it goes over the wire: header, empty line, payload.
std::string EncodeFrame(absl::string_view payload);

// Cuts a byte stream into messages. Bytes may arrive in pieces of any size. What is not a frame (garbage between
// frames, a header without a usable length, a payload over the limit) is skipped and reported once; reading goes on at
// the next `Content-Length`. Memory held: the current payload, as far as it has arrived.
class MessageFramer {
 public:
  // Longest payload accepted: room for the largest sensible module with every character escaped.
  static constexpr uint64_t kDefaultMaxPayload = uint64_t{1} << 30;

  struct Event {
    enum class Kind : uint8_t { kMessage, kError };
    Kind kind;
    std::string text;  // the payload, or what was wrong
  };

  explicit MessageFramer(uint64_t max_payload = kDefaultMaxPayload) : max_payload_(max_payload) {}

  void Append(absl::string_view bytes);
  // The next finished message or problem; nullopt when more bytes are needed.
  std::optional<Event> Next();

 private:
  enum class State : uint8_t { kHeader, kPayload, kSkip };

  std::optional<Event> ReadHeader();
  std::optional<Event> FinishHeaderLine();
  std::optional<Event> FinishHeader();
  absl::string_view unread() const { return absl::string_view(buffer_).substr(consumed_); }

  const uint64_t max_payload_;
  std::string buffer_;
  size_t consumed_ = 0;
  State state_ = State::kHeader;
  std::string line_;      // the header line being read
  bool garbage_ = false;  // bytes that are no header were seen since the last frame
  bool has_length_ = false;
  uint64_t length_ = 0;  // of the payload; while skipping: bytes left to skip
  std::string payload_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_TRANSPORT_FRAMING_H_
