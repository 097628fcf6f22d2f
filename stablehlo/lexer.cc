// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/lexer.h"

#include <array>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace hloscope::stablehlo {
namespace {

enum ByteClass : uint8_t { kWordStart = 1, kDigit = 2, kWordRest = 4, kSuffix = 8, kBlank = 16 };

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kWordStart | kWordRest | kSuffix;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kWordStart | kWordRest | kSuffix;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit | kWordRest | kSuffix;
  classes['_'] = kWordStart | kWordRest | kSuffix;
  classes['$'] = classes['.'] = kWordRest | kSuffix;
  classes['-'] = kSuffix;
  classes[' '] = classes['\t'] = classes['\n'] = classes['\r'] = kBlank;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, uint8_t classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

}  // namespace

bool IsWordByte(char c) { return Is(c, kWordRest); }
bool IsSuffixByte(char c) { return Is(c, kSuffix); }

uint32_t Lexer::SkipBlanks(uint32_t position) const {
  const size_t size = text_.size();
  size_t at = position;
  while (at < size) {
    if (Is(text_[at], kBlank)) {
      ++at;
    } else if (text_[at] == '/' && at + 1 < size && text_[at + 1] == '/') {
      const void* const end = std::memchr(text_.data() + at, '\n', size - at);
      at = end == nullptr ? size : static_cast<size_t>(static_cast<const char*>(end) - text_.data());
    } else {
      break;
    }
  }
  return static_cast<uint32_t>(at);
}

uint32_t Lexer::EndOfString(uint32_t position, bool* closed) const {
  const char* const data = text_.data();
  size_t at = position + 1;
  while (at < text_.size()) {
    const void* const quote = std::memchr(data + at, '"', text_.size() - at);
    const size_t end = quote == nullptr ? text_.size() : static_cast<size_t>(static_cast<const char*>(quote) - data);
    if (const void* const line_end = std::memchr(data + at, '\n', end - at); line_end != nullptr) {
      if (closed != nullptr) *closed = false;
      return static_cast<uint32_t>(static_cast<const char*>(line_end) - data);
    }
    if (quote == nullptr) break;
    size_t backslashes = 0;
    while (end > position + 1 + backslashes && data[end - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) {
      if (closed != nullptr) *closed = true;
      return static_cast<uint32_t>(end + 1);
    }
    at = end + 1;
  }
  if (closed != nullptr) *closed = false;
  return static_cast<uint32_t>(text_.size());
}

uint32_t Lexer::EndOfBracket(uint32_t position) const {
  const uint32_t end = FindEndOfBracket(position);
  bracket_bytes_ += end - position;
  return end;
}

uint32_t Lexer::FindEndOfBracket(uint32_t position) const {
  constexpr uint64_t kAlways = 16 << 20, kForEachByte = 16;
  const bool is_in_line = bracket_bytes_ > kAlways + kForEachByte * text_.size();
  uint32_t depth = 0;
  for (uint32_t at = position; at < text_.size(); ++at) {
    switch (text_[at]) {
      case '"':
        at = EndOfString(at) - 1;
        break;
      case '<':
      case '(':
      case '[':
      case '{':
        ++depth;
        break;
      case '>':
        if (at > 0 && text_[at - 1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (--depth == 0) return at + 1;
        break;
      case '\n':
        if (is_in_line) return at;
        break;
      default:
        break;
    }
  }
  return static_cast<uint32_t>(text_.size());
}

Token Lexer::ReadPrefixed(uint32_t begin) {
  const char prefix = text_[begin];
  const size_t size = text_.size();
  uint32_t end = begin + 1;
  if (prefix == '@' && end < size && text_[end] == '"') {
    bool closed = true;
    end = EndOfString(end, &closed);
    if (!closed)
      sink_->Report(DiagnosticKind::kShloLexical, {begin, begin + 2}, "this name is never closed; expected `\"`");
    return Make(TokenKind::kSymbol, begin, end);
  }
  if (prefix == '%' && end < size && Is(text_[end], kDigit)) {
    while (end < size && Is(text_[end], kDigit)) ++end;
    return Make(TokenKind::kValue, begin, end);
  }
  while (end < size && Is(text_[end], kSuffix)) ++end;
  // `#-}` ends a file trailer; a name does not end in the dash of an arrow.
  if (prefix == '#' && end == begin + 2 && text_[begin + 1] == '-' && end < size && text_[end] == '}') {
    return Make(TokenKind::kCloseFile, begin, end + 1);
  }
  if (end > begin + 1 && text_[end - 1] == '-' && end < size && text_[end] == '>') --end;
  if (end == begin + 1) {
    sink_->Report(DiagnosticKind::kShloLexical, {begin, end},
                  absl::StrCat("`", text_.substr(begin, 1), "` must be followed directly by a name"));
    return Make(TokenKind::kBad, begin, end);
  }
  switch (prefix) {
    case '%':
      return Make(TokenKind::kValue, begin, end);
    case '^':
      return Make(TokenKind::kBlock, begin, end);
    case '@':
      return Make(TokenKind::kSymbol, begin, end);
    case '#':
      return Make(TokenKind::kHash, begin, end);
    default:
      return Make(TokenKind::kBang, begin, end);
  }
}

Token Lexer::ReadNumber(uint32_t begin) {
  const size_t size = text_.size();
  uint32_t end = begin;
  if (text_[begin] == '0' && begin + 2 < size && text_[begin + 1] == 'x' && absl::ascii_isxdigit(text_[begin + 2])) {
    end += 2;
    while (end < size && absl::ascii_isxdigit(text_[end])) ++end;
    return Make(TokenKind::kInteger, begin, end);
  }
  while (end < size && Is(text_[end], kDigit)) ++end;
  if (end >= size || text_[end] != '.') return Make(TokenKind::kInteger, begin, end);
  ++end;
  while (end < size && Is(text_[end], kDigit)) ++end;
  if (end < size && (text_[end] == 'e' || text_[end] == 'E')) {
    uint32_t digits = end + 1;
    if (digits < size && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
    if (digits < size && Is(text_[digits], kDigit)) {
      end = digits;
      while (end < size && Is(text_[end], kDigit)) ++end;
    }
  }
  return Make(TokenKind::kFloat, begin, end);
}

Token Lexer::ReadString(uint32_t begin) {
  bool closed = true;
  const uint32_t end = EndOfString(begin, &closed);
  if (!closed) {
    sink_->Report(DiagnosticKind::kShloLexical, {begin, begin + 1},
                  "this string is never closed; expected `\"` on its line");
  }
  return Make(TokenKind::kString, begin, end);
}

Token Lexer::ReadPunctuation(uint32_t begin) {
  const auto follows = [&](absl::string_view rest) { return text_.substr(begin + 1, rest.size()) == rest; };
  switch (text_[begin]) {
    case '(':
      return Make(TokenKind::kLeftParen, begin, begin + 1);
    case ')':
      return Make(TokenKind::kRightParen, begin, begin + 1);
    case '{':
      if (follows("-#")) return Make(TokenKind::kOpenFile, begin, begin + 3);
      return Make(TokenKind::kLeftBrace, begin, begin + 1);
    case '}':
      return Make(TokenKind::kRightBrace, begin, begin + 1);
    case '[':
      return Make(TokenKind::kLeftBracket, begin, begin + 1);
    case ']':
      return Make(TokenKind::kRightBracket, begin, begin + 1);
    case '<':
      return Make(TokenKind::kLess, begin, begin + 1);
    case '>':
      return Make(TokenKind::kGreater, begin, begin + 1);
    case ',':
      return Make(TokenKind::kComma, begin, begin + 1);
    case ':':
      return Make(TokenKind::kColon, begin, begin + 1);
    case '=':
      return Make(TokenKind::kEquals, begin, begin + 1);
    case '-':
      return follows(">") ? Make(TokenKind::kArrow, begin, begin + 2) : Make(TokenKind::kMinus, begin, begin + 1);
    case '?':
      return Make(TokenKind::kQuestion, begin, begin + 1);
    case '*':
      return Make(TokenKind::kStar, begin, begin + 1);
    case '+':
      return Make(TokenKind::kPlus, begin, begin + 1);
    case '/':
      return Make(TokenKind::kSlash, begin, begin + 1);
    case '|':
      return Make(TokenKind::kBar, begin, begin + 1);
    case '.':
      if (follows("..")) return Make(TokenKind::kEllipsis, begin, begin + 3);
      [[fallthrough]];
    default:
      break;
  }
  // The whole character, if it is one of several bytes.
  uint32_t end = begin + 1;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  sink_->Report(
      DiagnosticKind::kShloLexical, {begin, end},
      absl::StrCat("`", absl::CHexEscape(text_.substr(begin, end - begin)), "` starts no token of MLIR text"));
  return Make(TokenKind::kBad, begin, end);
}

Token Lexer::ReadFrom(uint32_t position) {
  const uint32_t begin = SkipBlanks(position);
  if (begin >= text_.size()) return Make(TokenKind::kEnd, begin, begin);
  const char c = text_[begin];
  if (Is(c, kWordStart)) {
    uint32_t end = begin + 1;
    while (end < text_.size() && Is(text_[end], kWordRest)) ++end;
    return Make(TokenKind::kWord, begin, end);
  }
  if (Is(c, kDigit)) return ReadNumber(begin);
  switch (c) {
    case '%':
    case '^':
    case '@':
    case '#':
    case '!':
      return ReadPrefixed(begin);
    case '"':
      return ReadString(begin);
    default:
      return ReadPunctuation(begin);
  }
}

}  // namespace hloscope::stablehlo
