// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/file_uri.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace hloscope::lsp {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = absl::ascii_tolower(static_cast<unsigned char>(c));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::optional<std::string> PathFromUri(absl::string_view uri) {
  constexpr absl::string_view kScheme = "file://";
  if (!absl::StartsWithIgnoreCase(uri, kScheme)) return std::nullopt;
  absl::string_view rest = uri.substr(kScheme.size());
  if (absl::StartsWith(rest, "localhost/")) rest.remove_prefix(9);
  if (rest.empty() || rest[0] != '/') return std::nullopt;
  std::string path;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size() && HexDigit(rest[i + 1]) >= 0 && HexDigit(rest[i + 2]) >= 0) {
      path.push_back(static_cast<char>(HexDigit(rest[i + 1]) * 16 + HexDigit(rest[i + 2])));
      i += 2;
    } else {
      path.push_back(rest[i]);
    }
  }
  return path;
}

std::string UriFromPath(absl::string_view path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (char c : path) {
    const uint8_t byte = static_cast<uint8_t>(c);
    const bool plain = absl::ascii_isalnum(byte) || absl::StrContains("/-._~", c);
    if (plain) {
      uri.push_back(c);
    } else {
      uri.push_back('%');
      uri.push_back(kDigits[byte >> 4]);
      uri.push_back(kDigits[byte & 15]);
    }
  }
  return uri;
}

absl::string_view FileName(absl::string_view path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace hloscope::lsp
