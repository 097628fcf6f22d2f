// SPDX-License-Identifier: Apache-2.0
#include "core/editing/line_attributes.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"

namespace hloscope {

std::vector<WrittenAttribute> AttributesOf(const RepairLine& line) {
  std::vector<WrittenAttribute> attributes;
  const auto starts_attribute = [&](size_t i) {
    const absl::string_view word = line.word(i);
    if (line.kind(i) == TokenKind::kAttributeName) return true;
    if (line.kind(i) == TokenKind::kName && absl::EndsWith(word, ":"))
      return IsAttributeName(word.substr(0, word.size() - 1));
    return line.kind(i) == TokenKind::kIdentifier && i > 0 && line.kind(i - 1) == TokenKind::kComma &&
           IsAttributeName(word);
  };
  for (size_t i = 0; i < line.size(); ++i) {
    if (!starts_attribute(i)) continue;
    WrittenAttribute attribute;
    attribute.name = i;
    attribute.key = std::string(line.word(i));
    if (attribute.key.back() == '=' || attribute.key.back() == ':') attribute.key.pop_back();
    size_t value = i + 1;
    while (line.word(value) == "=") ++value;
    attribute.value = value;
    size_t end = value;
    int depth = 0;
    while (end < line.size()) {
      if (IsOpeningBracket(line.kind(end))) ++depth;
      if (IsClosingBracket(line.kind(end))) --depth;
      const bool is_next = end > value && depth <= 0 && starts_attribute(end);
      if (is_next) break;
      ++end;
    }
    if (end > value && end < line.size() && line.kind(end - 1) == TokenKind::kComma) --end;
    attribute.last = end > value ? end - 1 : value;
    if (end > value) attributes.push_back(attribute);
    i = std::max(i, attribute.last);
  }
  return attributes;
}

void WriteValue(RepairLine& line, const WrittenAttribute& attribute, std::string value) {
  line.Write(line.At(attribute.name), line.End(attribute.last), absl::StrCat(attribute.key, "=", value));
}

}  // namespace hloscope
