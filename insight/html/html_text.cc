// SPDX-License-Identifier: Apache-2.0
#include "insight/html/html_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hloscope::insight {
namespace {

// The character that begins at `at`, and its bytes; 0 bytes if what is there is not UTF-8.
uint32_t CharacterAt(absl::string_view text, size_t at, size_t* bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
  *bytes = 0;
  if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || at + length > text.size()) return 0;
  static constexpr uint8_t kMask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  uint32_t character = first & kMask[length];
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3F);
  }
  static constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < kSmallest[length] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) return 0;
  *bytes = length;
  return character;
}

// Control characters, and what makes text look other than it is.
bool IsSpelledOut(uint32_t c) {
  if (c == '\n' || c == '\t') return false;
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xFDD0 && c <= 0xFDEF) || (c >= 0xE0000 && c <= 0xE0FFF);
}

}  // namespace

void AppendEscaped(absl::string_view text, std::string* out) {
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
      out->append(c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : "&#39;");
      ++at;
      continue;
    }
    if (c >= 0x20 && c < 0x7F) {
      out->push_back(c);
      ++at;
      continue;
    }
    size_t bytes = 0;
    const uint32_t character = CharacterAt(text, at, &bytes);
    if (bytes == 0) {
      absl::StrAppendFormat(out, "\\x%02x", static_cast<uint8_t>(c));
      ++at;
    } else if (IsSpelledOut(character)) {
      character < 0x100 ? absl::StrAppendFormat(out, "\\x%02x", character)
                        : absl::StrAppendFormat(out, "\\u{%x}", character);
      at += bytes;
    } else {
      out->append(text.data() + at, bytes);
      at += bytes;
    }
  }
}

HtmlText& HtmlText::Wrapped(absl::string_view open, absl::string_view text, absl::string_view close) {
  html_.append(open.data(), open.size());
  AppendEscaped(text, &html_);
  html_.append(close.data(), close.size());
  return *this;
}

HtmlText& HtmlText::Add(absl::string_view text) { return Wrapped("", text, ""); }
HtmlText& HtmlText::Code(absl::string_view text) { return Wrapped("<code>", text, "</code>"); }
HtmlText& HtmlText::Strong(absl::string_view text) { return Wrapped("<b>", text, "</b>"); }
HtmlText& HtmlText::Removed(absl::string_view text) { return Wrapped("<del>", text, "</del>"); }
HtmlText& HtmlText::Added(absl::string_view text) { return Wrapped("<ins>", text, "</ins>"); }

HtmlText& HtmlText::Link(absl::string_view text, int anchor) {
  return Wrapped(absl::StrCat("<a href=\"#a", anchor, "\">"), text, "</a>");
}

HtmlText& HtmlText::Bar(double value, double whole) {
  const double share = whole > 0 && value > 0 ? std::min(1.0, value / whole) : 0;
  absl::StrAppendFormat(&html_, "<progress max=\"1\" value=\"%.4f\"></progress>", share);
  return *this;
}

}  // namespace hloscope::insight
