// SPDX-License-Identifier: Apache-2.0
#include "core/print/string_printer.h"

#include <cstring>
#include <optional>

#include "core/lex/lexer.h"

namespace hloscope {
namespace {

void AppendEscaped(char c, std::string* out) {
  switch (c) {
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    case '"':
      out->append("\\\"");
      return;
    case '\'':
      out->append("\\'");
      return;
    case '\\':
      out->append("\\\\");
      return;
    default:
      break;
  }
  const unsigned byte = static_cast<unsigned char>(c);
  const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                        static_cast<char>('0' + (byte & 7))};
  out->append(octal, sizeof(octal));
}

// Eight bytes of which none is one of those that any string escapes.
bool IsPlain(const char* bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101u;
  constexpr uint64_t kHigh = 0x8080808080808080u;
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  // The high bit of a byte of the result is set where one of `low` is 0, or at the byte before it.
  const auto has = [&](uint64_t byte) {
    const uint64_t low = word ^ (byte * kOnes);
    return (low - kOnes) & ~low;
  };
  const uint64_t below_blank = (word - 0x20 * kOnes) & ~word;
  const uint64_t found = word | below_blank | has(0x7F) | has('"') | has('\'') | has('\\');
  return (found & kHigh) == 0;
}

template <typename NeedsEscape>
void AppendQuotedIf(absl::string_view text, NeedsEscape needs_escape, std::string* out) {
  out->push_back('"');
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    while (i + 8 <= text.size() && IsPlain(text.data() + i)) i += 8;
    if (i == text.size()) break;
    if (!needs_escape(text[i])) continue;
    out->append(text.data() + copied, i - copied);
    AppendEscaped(text[i], out);
    copied = i + 1;
  }
  out->append(text.data() + copied, text.size() - copied);
  out->push_back('"');
}

}  // namespace

void AppendQuoted(absl::string_view text, std::string* out) {
  AppendQuotedIf(
      text, [](char c) { return c < 0x20 || c > 0x7E || c == '"' || c == '\'' || c == '\\'; }, out);
}

void AppendQuotedName(absl::string_view text, std::string* out) {
  AppendQuotedIf(
      text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F || c == '"' || c == '\\'; }, out);
}

void AppendRawOrQuoted(absl::string_view text, std::string* out) {
  if (!text.empty() && text[0] == '{' && RawBlockEnd(text, 0) == std::optional<size_t>(text.size())) {
    out->append(text.data(), text.size());
  } else {
    AppendQuoted(text, out);
  }
}

}  // namespace hloscope
