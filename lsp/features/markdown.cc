// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/markdown.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hloscope::lsp {
namespace {

// Length of the longest run of backticks.
size_t LongestBacktickRun(absl::string_view text) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string ShortenText(absl::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  while (max_bytes > 0 && (static_cast<uint8_t>(text[max_bytes]) & 0xC0) == 0x80) --max_bytes;
  return absl::StrCat(text.substr(0, max_bytes), "...");
}

std::string MarkdownCode(absl::string_view text, size_t max_bytes) {
  std::string shown = ShortenText(text, max_bytes);
  for (char& c : shown) {
    if (static_cast<uint8_t>(c) < 0x20) c = ' ';
  }
  const std::string fence(LongestBacktickRun(shown) + 1, '`');
  const bool pad = shown.empty() || shown.front() == '`' || shown.back() == '`';
  return absl::StrCat(fence, pad ? " " : "", shown, pad ? " " : "", fence);
}

std::string MarkdownHloBlock(absl::string_view text) {
  const std::string fence(std::max<size_t>(3, LongestBacktickRun(text) + 1), '`');
  return absl::StrCat(fence, "hlo\n", text, "\n", fence);
}

std::string ShortBytes(int64_t bytes) {
  constexpr std::array<absl::string_view, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return absl::StrCat(bytes, bytes == 1 ? " byte" : " bytes");
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.4g %s", value, kUnits[unit]);
}

std::string FormatBytes(int64_t bytes) {
  if (bytes < 1024) return ShortBytes(bytes);
  return absl::StrFormat("%s (%s bytes)", ShortBytes(bytes), FormatCount(bytes));
}

std::string FormatCount(int64_t count) {
  std::string digits = absl::StrCat(count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

}  // namespace hloscope::lsp
