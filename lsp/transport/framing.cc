// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/framing.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace hloscope::lsp {
namespace {

constexpr absl::string_view kLengthHeader = "content-length:";
// Longer header lines are garbage; of those only the end is kept, where a header may begin.
constexpr size_t kMaxHeaderLine = 4096;
// Consumed bytes are dropped from the buffer once there are this many.
constexpr size_t kCompactThreshold = 64 * 1024;
// Of an announced payload this much is made room for before it comes: nobody has to keep what he promises.
constexpr uint64_t kMaxReserved = uint64_t{16} << 20;
// Room after the payload, with which it can be read where it is (simdjson).
constexpr size_t kPadding = 64;

// Position of `Content-Length:` in a line, in any case; npos if there is none. Garbage may come before it.
size_t FindLengthHeader(absl::string_view line) {
  return absl::AsciiStrToLower(line).rfind(kLengthHeader.data(), std::string::npos, kLengthHeader.size());
}

// A header of the base protocol other than the length.
bool IsOtherHeader(absl::string_view line) { return absl::StartsWithIgnoreCase(line, "content-type:"); }

}  // namespace

std::string EncodeFrame(absl::string_view payload) {
  return absl::StrCat("Content-Length: ", payload.size(), "\r\n\r\n", payload);
}

void MessageFramer::Append(absl::string_view bytes) {
  if (consumed_ >= kCompactThreshold || consumed_ == buffer_.size()) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
  }
  buffer_.append(bytes.data(), bytes.size());
}

std::optional<MessageFramer::Event> MessageFramer::Next() {
  while (true) {
    switch (state_) {
      case State::kHeader: {
        const size_t before = consumed_;
        if (std::optional<Event> event = ReadHeader()) return event;
        if (state_ == State::kHeader && consumed_ == before) return std::nullopt;
        break;
      }
      case State::kPayload: {
        const size_t n = static_cast<size_t>(std::min<uint64_t>(unread().size(), length_ - payload_.size()));
        payload_.append(buffer_, consumed_, n);
        consumed_ += n;
        if (payload_.size() < length_) return std::nullopt;
        state_ = State::kHeader;
        return Event{Event::Kind::kMessage, std::exchange(payload_, std::string())};
      }
      case State::kSkip: {
        const size_t n = static_cast<size_t>(std::min<uint64_t>(unread().size(), length_));
        consumed_ += n;
        length_ -= n;
        if (length_ > 0) return std::nullopt;
        state_ = State::kHeader;
        break;
      }
    }
  }
}

// Reads up to the end of one header line.
std::optional<MessageFramer::Event> MessageFramer::ReadHeader() {
  const absl::string_view rest = unread();
  const size_t newline = rest.find('\n');
  const absl::string_view piece = rest.substr(0, newline);
  consumed_ += newline == absl::string_view::npos ? rest.size() : newline + 1;
  line_.append(piece.data(), piece.size());
  if (line_.size() > kMaxHeaderLine) {
    line_.erase(0, line_.size() - kMaxHeaderLine / 2);
    garbage_ = true;
  }
  if (newline == absl::string_view::npos) return std::nullopt;
  return FinishHeaderLine();
}

std::optional<MessageFramer::Event> MessageFramer::FinishHeaderLine() {
  std::string line = std::exchange(line_, std::string());
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.empty()) return FinishHeader();

  const size_t at = FindLengthHeader(line);
  if (at == std::string::npos) {
    garbage_ = garbage_ || !IsOtherHeader(line);
    return std::nullopt;
  }
  garbage_ = garbage_ || at > 0;
  has_length_ = absl::SimpleAtoi(absl::string_view(line).substr(at + kLengthHeader.size()), &length_);
  garbage_ = garbage_ || !has_length_;
  return std::nullopt;
}

std::optional<MessageFramer::Event> MessageFramer::FinishHeader() {
  const bool garbage = std::exchange(garbage_, false);
  if (!std::exchange(has_length_, false)) {
    // Empty lines between frames are harmless.
    if (!garbage) return std::nullopt;
    return Event{Event::Kind::kError, "expected a header with a valid Content-Length"};
  }
  if (length_ > max_payload_) {
    state_ = State::kSkip;
    return Event{Event::Kind::kError,
                 absl::StrCat("a message of ", length_, " bytes exceeds the limit of ", max_payload_, " bytes")};
  }
  state_ = State::kPayload;
  payload_.clear();
  payload_.reserve(static_cast<size_t>(std::min(length_, kMaxReserved)) + kPadding);
  if (garbage) return Event{Event::Kind::kError, "skipped bytes before a Content-Length header"};
  return std::nullopt;
}

}  // namespace hloscope::lsp
