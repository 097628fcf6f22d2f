// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/json_rpc.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// Shorter ones are read in no time.
constexpr size_t kLargePayload = size_t{1} << 14;
constexpr absl::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr absl::string_view kEscapedReplacement = "\\ufffd";

// Length of the well-formed UTF-8 character at `at`, 0 if there is none.
size_t Utf8Length(absl::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(at);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(at + 1) || !continues(at + 2)) return 0;
    if (first == 0xE0 && byte(at + 1) < 0xA0) return 0;  // overlong
    if (first == 0xED && byte(at + 1) > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(at + 1) || !continues(at + 2) || !continues(at + 3)) return 0;
    if (first == 0xF0 && byte(at + 1) < 0x90) return 0;
    if (first == 0xF4 && byte(at + 1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

// The code unit of a `\uXXXX` escape at `at`, if there is one.
std::optional<uint32_t> EscapedUnit(absl::string_view text, size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  uint32_t unit = 0;
  for (size_t i = at + 2; i < at + 6; ++i) {
    const char c = absl::ascii_tolower(static_cast<unsigned char>(text[i]));
    if (c >= '0' && c <= '9') {
      unit = unit * 16 + static_cast<uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      unit = unit * 16 + static_cast<uint32_t>(c - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return unit;
}

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

std::string RepairText(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      const size_t n = Utf8Length(text, i);
      const absl::string_view character = n == 0 ? kReplacement : text.substr(i, n);
      out.append(character.data(), character.size());
      i += n == 0 ? 1 : n;
      continue;
    }
    size_t n = std::min<size_t>(2, text.size() - i);  // an escaped backslash must not start the next escape
    absl::string_view escape = text.substr(i, n);
    if (const std::optional<uint32_t> unit = EscapedUnit(text, i)) {
      n = 6;
      escape = text.substr(i, n);
      const std::optional<uint32_t> next = EscapedUnit(text, i + 6);
      if (IsHighSurrogate(*unit) && next.has_value() && IsLowSurrogate(*next)) {
        n = 12;
        escape = text.substr(i, n);
      } else if (IsHighSurrogate(*unit) || IsLowSurrogate(*unit)) {
        escape = kEscapedReplacement;
      }
    }
    out.append(escape.data(), escape.size());
    i += n;
  }
  return out;
}

json IdToJson(const RequestId& id) {
  return std::visit([](const auto& value) { return json(value); }, id);
}

LargePayloadReader g_read_large = nullptr;

}  // namespace

void SetLargePayloadReader(LargePayloadReader reader) { g_read_large = reader; }

std::optional<json> ParsePayload(const std::string& payload) {
  if (g_read_large != nullptr && payload.size() >= kLargePayload) {
    if (std::optional<json> value = g_read_large(payload)) return value;
  }
  json value = json::parse(payload.begin(), payload.end(), nullptr, /*allow_exceptions=*/false);
  if (!value.is_discarded()) return value;
  const std::string repaired = RepairText(payload);
  if (repaired == payload) return std::nullopt;
  value = json::parse(repaired, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::optional<RequestId> ReadRequestId(const json& value) {
  if (const auto* text = value.get_ptr<const json::string_t*>()) return RequestId(*text);
  // The unsigned case first: get_ptr of the signed type also accepts unsigned values.
  if (value.is_number_unsigned()) {
    const uint64_t number = *value.get_ptr<const json::number_unsigned_t*>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return RequestId(static_cast<int64_t>(number));
  }
  if (value.is_number_integer()) return RequestId(*value.get_ptr<const json::number_integer_t*>());
  return std::nullopt;
}

std::string JsonText(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string ResultPayload(const RequestId& id, absl::string_view result) {
  return absl::StrCat("{\"jsonrpc\":\"2.0\",\"id\":", JsonText(IdToJson(id)), ",\"result\":", result, "}");
}

std::string ErrorPayload(const std::optional<RequestId>& id, ErrorCode code, absl::string_view message) {
  json error = json::object();
  error["code"] = static_cast<int>(code);
  error["message"] = std::string(message);
  json reply = json::object();
  reply["jsonrpc"] = "2.0";
  reply["id"] = id.has_value() ? IdToJson(*id) : json();
  reply["error"] = std::move(error);
  return JsonText(reply);
}

std::string RequestPayload(const RequestId& id, absl::string_view method, json params) {
  json message = json::object();
  message["jsonrpc"] = "2.0";
  message["id"] = IdToJson(id);
  message["method"] = std::string(method);
  message["params"] = std::move(params);
  return JsonText(message);
}

std::string NotificationPayload(absl::string_view method, json params) {
  json message = json::object();
  message["jsonrpc"] = "2.0";
  message["method"] = std::string(method);
  message["params"] = std::move(params);
  return JsonText(message);
}

}  // namespace hloscope::lsp
