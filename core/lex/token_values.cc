// SPDX-License-Identifier: Apache-2.0
// What tokens hold: names, strings, integers.
#include <algorithm>

#include "absl/strings/match.h"
#include "core/lex/lexer.h"
#include "core/lex/word_scan.h"

namespace hloscope {
namespace {

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (code >> 6)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else if (code < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (code >> 12)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else {
    out->push_back(static_cast<char>(0xF0 | (code >> 18)));
    out->push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3F)));
  }
}

// Up to `max_digits` digits of `base` at text[i]; advances i. Nothing without a digit.
std::optional<uint32_t> ReadDigits(absl::string_view text, size_t* i, int base, size_t max_digits) {
  uint32_t value = 0;
  size_t count = 0;
  while (*i < text.size() && count < max_digits) {
    const char c = text[*i];
    int digit;
    if (IsDigit(c)) {
      digit = c - '0';
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = (c | 0x20) - 'a' + 10;
    } else {
      break;
    }
    if (digit >= base) break;
    value =
        value > (0xFFFFFFFFu >> 4) ? 0xFFFFFFFFu : value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
    ++count;
    ++*i;
  }
  if (count == 0) return std::nullopt;
  return value;
}

}  // namespace

absl::string_view PlainSpellingOfNonFinite(absl::string_view word) {
  for (const absl::string_view plain : {"inf", "nan"}) {
    if (word != plain && absl::EqualsIgnoreCase(word, plain)) return plain;
  }
  return absl::EqualsIgnoreCase(word, "infinity") ? "inf" : "";
}

absl::string_view TokenName(TokenKind kind, absl::string_view text) {
  if (!text.empty() && text.front() == '%') return text.substr(1);
  const bool has_suffix = kind == TokenKind::kAttributeName || kind == TokenKind::kName;
  if (has_suffix && !text.empty() && (text.back() == ':' || text.back() == '=')) return text.substr(0, text.size() - 1);
  return text;
}

std::optional<std::string> DecodeString(absl::string_view token, size_t* bad_escape) {
  std::string out;
  if (token.size() < 2) return out;
  const absl::string_view text = token.substr(0, token.size() - 1);
  out.reserve(text.size());
  for (size_t i = 1; i < text.size();) {
    const size_t start = std::min(text.find('\\', i), text.size());
    out.append(text.data() + i, start - i);
    if (start == text.size()) break;
    i = start + 1;
    if (bad_escape != nullptr) *bad_escape = start;
    if (i >= text.size()) return std::nullopt;
    const char c = text[i++];
    switch (c) {
      case 'a':
        out.push_back('\a');
        break;
      case 'b':
        out.push_back('\b');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'n':
        out.push_back('\n');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'v':
        out.push_back('\v');
        break;
      case '\\':
      case '?':
      case '\'':
      case '"':
        out.push_back(c);
        break;
      case 'x':
      case 'X': {
        const auto value = ReadDigits(text, &i, 16, text.size());
        if (!value || *value > 0xFF) return std::nullopt;
        out.push_back(static_cast<char>(*value));
        break;
      }
      case 'u':
      case 'U': {
        const size_t digits = c == 'u' ? 4 : 8;
        const size_t first = i;
        const auto value = ReadDigits(text, &i, 16, digits);
        if (!value || i - first != digits || *value > 0x10FFFF || (*value >= 0xD800 && *value < 0xE000)) {
          return std::nullopt;
        }
        AppendUtf8(*value, &out);
        break;
      }
      default: {
        --i;
        const auto value = ReadDigits(text, &i, 8, 3);
        if (!value || *value > 0377) return std::nullopt;
        out.push_back(static_cast<char>(*value));
      }
    }
  }
  return out;
}

std::optional<int64_t> DecodeInteger(absl::string_view token) {
  const bool negative = !token.empty() && token[0] == '-';
  uint64_t value = 0;
  if (token.size() <= kSafeDigits) {
    for (size_t i = negative ? 1 : 0; i < token.size(); ++i) value = value * 10 + static_cast<uint64_t>(token[i] - '0');
    return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
  }
  for (size_t i = negative ? 1 : 0; i < token.size(); ++i) {
    const uint64_t digit = static_cast<uint64_t>(token[i] - '0');
    if (value > (~uint64_t{0} - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  if (!negative) return static_cast<int64_t>(value);
  if (value > uint64_t{1} << 63) return std::nullopt;
  return static_cast<int64_t>(~value + 1);
}

// After the brace that closes the block at `begin`, or none; `depth`: braces that are open then or at the end.
static std::optional<size_t> ScanRawBlock(absl::string_view text, size_t begin, int64_t* depth) {
  *depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{') {
      ++*depth;
    } else if (c == '}') {
      if (--*depth == 0) return i + 1;
    } else if (c == '"') {
      ++i;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<size_t> RawBlockEnd(absl::string_view text, size_t begin) {
  int64_t depth = 0;
  return ScanRawBlock(text, begin, &depth);
}

int64_t OpenBraces(absl::string_view block) {
  int64_t depth = 0;
  ScanRawBlock(block, 0, &depth);
  return depth;
}

}  // namespace hloscope
