// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/message_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace hloscope::cli {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr size_t kPart = size_t{1} << 16;
// A line without an end must not fill the memory. Frames are as long as they say: arrays are large.
constexpr size_t kLongestJson = size_t{1} << 30;

// What copies and prints values calls itself once for each level.
constexpr int kDeepestJson = 200;

using Json = nlohmann::ordered_json;

bool IsTooDeep(absl::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && in_string) {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > kDeepestJson) return true;
    } else if (!in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

std::string Dumped(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

// The text of a module is appended in parts to a string that has room for it: one that grows by doubling would be there
// twice.
void AppendString(const std::string& text, std::string* out) {
  constexpr size_t kMostOfCharacter = 4;
  const auto is_inside = [&](size_t at) { return (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80; };
  out->reserve(out->size() + text.size() + text.size() / 16 + kPart);
  out->push_back('"');
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.size(), at + kPart);
    for (size_t k = 1; k < kMostOfCharacter && end < text.size() && is_inside(end); ++k) ++end;
    const std::string part = Dumped(text.substr(at, end - at));
    out->append(part, 1, part.size() - 2);
    at = end;
  }
  out->push_back('"');
}

void AppendJson(const Json& json, std::string* out) {
  if (json.is_string() && json.get_ref<const std::string&>().size() > kPart) {
    return AppendString(json.get_ref<const std::string&>(), out);
  }
  if (!json.is_object()) {
    out->append(Dumped(json));
    return;
  }
  out->push_back('{');
  bool is_first = true;
  for (const auto& [key, value] : json.items()) {
    if (!is_first) out->push_back(',');
    is_first = false;
    out->append(Dumped(key)).push_back(':');
    AppendJson(value, out);
  }
  out->push_back('}');
}

}  // namespace

// False at the end of the input.
bool MessageStream::Fill() {
  if (consumed_ > 0) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
  }
  const size_t size = buffer_.size();
  buffer_.resize(size + kPiece);
  const size_t came = ReadSome(buffer_.data() + size, kPiece);
  buffer_.resize(size + came);
  return came > 0;
}

// How many bytes came; 0 at the end of the input.
size_t MessageStream::ReadSome(char* bytes, size_t room) {
  ssize_t count;
  do {
    count = read(input_fd_, bytes, room);
  } while (count < 0 && errno == EINTR);
  return static_cast<size_t>(std::max<ssize_t>(count, 0));
}

std::optional<std::string> MessageStream::ReadLine() {
  size_t searched = consumed_;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(consumed_, end - consumed_);
      consumed_ = end + 1;
      return line;
    }
    if (buffer_.size() - consumed_ > kLongestJson) return std::nullopt;
    searched = buffer_.size() - consumed_;
    if (!Fill()) return std::nullopt;
  }
}

std::optional<std::string> MessageStream::ReadBytes(uint64_t count) {
  const size_t buffered = std::min<uint64_t>(buffer_.size() - consumed_, count);
  std::string bytes = buffer_.substr(consumed_, buffered);
  consumed_ += buffered;
  // Directly to where they stay, and no more room than what has come: a length may be any number.
  size_t filled = buffered;
  while (filled < count) {
    if (filled == bytes.size()) bytes.resize(filled + std::min<uint64_t>(count - filled, std::max(filled, kPiece)));
    const size_t came = ReadSome(bytes.data() + filled, bytes.size() - filled);
    if (came == 0) return std::nullopt;
    filled += came;
  }
  return bytes;
}

std::optional<ServeMessage> MessageStream::Read() {
  std::optional<std::string> text = ReadLine();
  while (text.has_value() && absl::StripAsciiWhitespace(*text).empty()) text = ReadLine();
  if (!text.has_value()) return std::nullopt;
  ServeMessage message;
  const bool has_headers = absl::StartsWithIgnoreCase(*text, "content-length:");
  if (has_headers) {
    uint64_t length = 0;
    const bool is_number = absl::SimpleAtoi(absl::string_view(*text).substr(text->find(':') + 1), &length);
    while (text.has_value() && !absl::StripAsciiWhitespace(*text).empty()) text = ReadLine();
    if (!is_number || length > kLongestJson) {
      message.problem = "Content-Length is no number of bytes up to 1 GiB";
      return message;
    }
    text = ReadBytes(length);
    if (!text.has_value()) return std::nullopt;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_headers_ = has_headers;
  }
  if (IsTooDeep(*text)) {
    message.problem = absl::StrCat("a message is nested at most ", kDeepestJson, " deep");
    return message;
  }
  message.json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (message.json.is_discarded() || !message.json.is_object()) {
    message.problem = "a message is a JSON object in one line";
    message.json = Json();
    return message;
  }
  const auto frames = message.json.find("frames");
  if (frames == message.json.end()) return message;
  if (!frames->is_array()) {
    message.problem = "`frames` is an array of lengths";
    return message;
  }
  for (const Json& length : *frames) {
    if (!length.is_number_unsigned()) {
      message.problem = "`frames` is an array of lengths";
      return message;
    }
    std::optional<std::string> frame = ReadBytes(length.get<uint64_t>());
    if (!frame.has_value()) return std::nullopt;
    message.frames.push_back(*std::move(frame));
  }
  return message;
}

bool MessageStream::WriteAll(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(output_fd_, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

bool MessageStream::Write(Json json, const std::vector<std::string>& frames) {
  if (!frames.empty()) {
    Json lengths = Json::array();
    for (const std::string& frame : frames) lengths.push_back(frame.size());
    json["frames"] = std::move(lengths);
  }
  std::string text;
  AppendJson(json, &text);
  json = Json();  // an answer may be as large as a module: it is there once
  const std::lock_guard<std::mutex> lock(mutex_);
  bool written = true;
  if (has_headers_) {
    written = WriteAll(absl::StrCat("Content-Length: ", text.size(), "\r\n\r\n"));
  } else {
    text.push_back('\n');
  }
  written = written && WriteAll(text);
  for (const std::string& frame : frames) written = written && WriteAll(frame);
  return written;
}

}  // namespace hloscope::cli
