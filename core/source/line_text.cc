// SPDX-License-Identifier: Apache-2.0
#include "core/source/line_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace hloscope {

absl::string_view IndentationOf(const SourceText& source, uint32_t offset) {
  const absl::string_view text = source.text();
  uint32_t begin = offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r') return "";
  return text.substr(begin, offset - begin);
}

uint32_t BeginOfCommentsAbove(const SourceText& source, uint32_t offset) {
  uint32_t line = source.LineColumnAt(offset).line;
  if (source.LineStart(line) != offset) return offset;
  while (line > 0 && absl::StartsWith(absl::StripLeadingAsciiWhitespace(source.Line(line - 1)), "//")) --line;
  return source.LineStart(line);
}

}  // namespace hloscope
