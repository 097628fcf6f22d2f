// SPDX-License-Identifier: Apache-2.0
#include "core/print/string_printer.h"

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

template <typename NeedsEscape>
void AppendQuotedIf(absl::string_view text, NeedsEscape needs_escape, std::string* out) {
  out->push_back('"');
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
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
