// SPDX-License-Identifier: Apache-2.0
#include "core/lex/unexpected_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/ir/element_type.h"
#include "core/lex/word_scan.h"

namespace hloscope {
namespace {

bool IsStray(char c) {
  const uint8_t byte = static_cast<uint8_t>(c);
  return byte >= 0x80 || (byte < 0x20 && !IsClass(c, kSpace)) || byte == 0x7F;
}

bool IsBetweenDigits(absl::string_view text, size_t pos) {
  return pos > 0 && IsClass(text[pos - 1], kDigit) && IsClass(ByteAt(text, pos + 1), kDigit);
}

// What may be meant by a character that no token holds.
absl::string_view HintAtCharacter(absl::string_view text, size_t pos) {
  switch (text[pos]) {
    case ';':
      if (IsBetweenDigits(text, pos)) return "; dimensions are separated by `,`";
      return "; an instruction ends without it";
    case '>':
      // `b01f_01ix->b01f`: the letters before it are a name.
      if (pos > 0 && text[pos - 1] == '-')
        return "; in dimension labels, `b01f_01io->b01f`, only `b`, `f` (`i`, `o` of the kernel), digits and `?` "
               "occur";
      if (pos > 1 && text[pos - 1] == '=' && !IsClass(text[pos - 2], kWordByte)) return "; an arrow is written `->`";
      if (ByteAt(text, pos + 1) == '>')
        return "; there are no signs: `shift-right-logical(a, b)`, `shift-right-arithmetic(a, b)`";
      return ByteAt(text, pos + 1) == '=' ? "; there are no comparison signs: `compare(a, b), direction=GE`"
                                          : "; there are no comparison signs: `compare(a, b), direction=GT`";
    case '&':
      return "; there are no signs: `and(a, b)`";
    case '|':
      return "; there are no signs: `or(a, b)`";
    case '^':
      return "; there are no signs: `xor(a, b)`, `power(a, b)`";
    case '~':
      return "; there are no signs: `not(a)`";
    case '!':
      return ByteAt(text, pos + 1) == '=' ? "; there are no comparison signs: `compare(a, b), direction=NE`"
                                          : "; there are no signs: `not(a)`";
    default:
      return "; it has no meaning in HLO";
  }
}

struct Substitute {
  absl::string_view utf8, plain;
};
constexpr Substitute kSubstitutes[] = {{"\xE2\x80\x9C", "\""},  {"\xE2\x80\x9D", "\""}, {"\xE2\x80\x9E", "\""},
                                       {"\xE2\x80\x98", "'"},   {"\xE2\x80\x99", "'"},  {"\xE2\x80\x93", "-"},
                                       {"\xE2\x80\x94", "-"},   {"\xE2\x88\x92", "-"},  {"\xE2\x86\x92", "->"},
                                       {"\xE2\x80\xA6", "..."}, {"\xE2\x89\xA4", "<="}, {"\xC2\xA0", " "},
                                       {"\xE2\x80\xAF", " "},   {"\xE2\x80\x89", " "},  {"\xC3\x97", "x"}};

// Whether the line after the line break at `i` starts with `name = ` or with the brace that closes a body.
bool StartsInstructionOrEndsBody(absl::string_view text, size_t i) {
  const auto skip_blanks = [&] {
    while (ByteAt(text, i) == ' ' || ByteAt(text, i) == '\t') ++i;
  };
  ++i;
  if (ByteAt(text, i) == '\n') ++i;
  skip_blanks();
  if (ByteAt(text, i) == '}') return true;
  if (text.substr(std::min(i, text.size()), 5) == "ROOT ") i += 5;
  skip_blanks();
  if (ByteAt(text, i) == '%') ++i;
  if (!IsClass(ByteAt(text, i), kWordStart | kDigit)) return false;
  i = static_cast<size_t>(EndOfWord(text.data() + i, text.data() + text.size()) - text.data());
  skip_blanks();
  return ByteAt(text, i) == '=' && (ByteAt(text, i + 1) == ' ' || ByteAt(text, i + 1) == '\t');
}

// What is meant by a word with `<` after it, the last one of `text`; empty where nothing is.
absl::string_view HintAtAngle(absl::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && IsClass(text[begin - 1], kWordByte)) --begin;
  const absl::string_view word = text.substr(begin);
  if (word == "tensor" || word == "memref" || word == "vector") {
    return "; MLIR's `tensor<8x16xf32>` is `f32[8,16]` in HLO";
  }
  if (word == "dense") return "; MLIR's `dense<[1, 2]>` is `constant({1, 2})` in HLO";
  if (absl::StrContains(word, "stablehlo") || absl::StrContains(word, "mhlo")) {
    return "; MLIR's `#stablehlo<comparison_direction GT>` is `GT` in HLO";
  }
  if (ElementTypeFromName(word)) return "; dimensions are in brackets, `f32[8,16]`";
  return "";
}

}  // namespace

BadTokenText BadTokenAt(absl::string_view text, size_t pos) {
  size_t end = pos + 1;
  switch (text[pos]) {
    case '/':
      if (IsBetweenDigits(text, pos)) return {end, "; a fraction is written as a decimal number"};
      return {end, "; comments are `// ...` or `/* ... */`"};
    case '<':
      if (ByteAt(text, end) == '-') return {end, "; a name is followed by `=`"};
      if (ByteAt(text, end) == '<') return {end, "; there are no signs: `shift-left(a, b)`"};
      if (ByteAt(text, end) == ' ') return {end, "; there are no comparison signs: `compare(a, b), direction=LT`"};
      if (const absl::string_view hint = HintAtAngle(text.substr(0, pos)); !hint.empty()) return {end, hint};
      return {end, "; the bound of a dynamic dimension is written `<=8`"};
    case '-':
      if (ByteAt(text, end) != '-') {
        const absl::string_view word = text.substr(end, text.find_first_of(" ,)}\n", end) - end);
        if (absl::EndsWith(word, "inf") || absl::EndsWith(word, "infinity")) {
          return {end, "; infinity is written `-inf`"};
        }
        return {end, "; a minus sign touches its number"};
      }
      while (ByteAt(text, end) == '-') ++end;
      return {end, "; comments are `// ...` or `/* ... */`"};
    case '.':
      return {end, "; what was left out is written `...`"};
    default:
      return {end, ""};
  }
}

StrayBytes StrayBytesAt(absl::string_view text, size_t pos) {
  const uint8_t first = static_cast<uint8_t>(text[pos]);
  size_t end = pos + 1;
  if (IsStray(text[pos])) {
    while (end < text.size() && IsStray(text[end])) ++end;
  }
  constexpr absl::string_view kHint = "; HLO text is ASCII outside comments and strings";
  if (first == 0) return {end, "NUL byte", kHint};
  if (pos == 0 && absl::StartsWith(text, "\xEF\xBB\xBF")) return {3, "byte order mark", kHint, true};
  if (first >= 0x80) return {end, "non-ASCII character", kHint, first == 0xEF && end == 3};
  if (first < 0x20 || first == 0x7F) return {end, absl::StrFormat("control character 0x%02x", first), kHint};
  return {end, absl::StrCat("character `", text.substr(pos, 1), "`"), HintAtCharacter(text, pos),
          first == ';' && !IsBetweenDigits(text, pos)};
}

std::optional<TypographicText> TypographicTextAt(absl::string_view text, size_t pos) {
  const auto found = std::find_if(std::begin(kSubstitutes), std::end(kSubstitutes),
                                  [&](const Substitute& s) { return absl::StartsWith(text.substr(pos), s.utf8); });
  if (found == std::end(kSubstitutes)) return std::nullopt;
  const size_t character_end = pos + found->utf8.size();
  TypographicText result{character_end, found->plain, character_end, {}};
  if (found->plain != "\"" && found->plain != "'") return result;
  // The string that is meant: up to the closing quote of either kind on this line.
  for (size_t i = character_end; i < text.size() && text[i] != '\n' && text[i] != '\r'; ++i) {
    if (text[i] == found->plain[0]) {
      result.end = i + 1;
      break;
    }
    const auto close = std::find_if(std::begin(kSubstitutes), std::end(kSubstitutes), [&](const Substitute& s) {
      return s.plain == found->plain && absl::StartsWith(text.substr(i), s.utf8);
    });
    if (close == std::end(kSubstitutes)) continue;
    result.end = i + close->utf8.size();
    result.closing_quote = {static_cast<uint32_t>(i), static_cast<uint32_t>(result.end)};
    break;
  }
  return result;
}

bool OpensAnotherString(absl::string_view text, size_t line_end, size_t close) {
  const char before = text[close - 1], after = ByteAt(text, close + 1);
  const bool may_close = IsClass(after, kSpace) || after == '\0' || std::strchr(",:)]}/", after) != nullptr;
  return !may_close && std::strchr("={([, \t", before) != nullptr && StartsInstructionOrEndsBody(text, line_end);
}

}  // namespace hloscope
