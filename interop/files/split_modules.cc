// SPDX-License-Identifier: Apache-2.0
#include "interop/files/split_modules.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace hloscope::interop {
namespace {

constexpr absl::string_view kWord = "HloModule";

std::string NameIn(absl::string_view line) {
  line = absl::StripAsciiWhitespace(line.substr(kWord.size()));
  return std::string(line.substr(0, line.find_first_of(", \t\r\n:")));
}

// The end of the string or comment that begins at `at`; `at` if none does.
size_t SkipOpaque(absl::string_view text, size_t at) {
  const auto end_after = [&](absl::string_view mark, size_t from) {
    const size_t found = text.find(mark, from);
    return found == text.npos ? text.size() : found + mark.size();
  };
  switch (text[at]) {
    case '"':
    case '\'': {
      size_t i = at + 1;
      while (i < text.size() && text[i] != text[at]) i += text[i] == '\\' ? 2 : 1;
      return std::min(i + 1, text.size());
    }
    case '/':
      if (absl::StartsWith(text.substr(at), "/*")) return end_after("*/", at + 2);
      if (absl::StartsWith(text.substr(at), "//")) {
        const size_t end = text.find('\n', at);
        return end == text.npos ? text.size() : end;
      }
      return at;
    default:
      return at;
  }
}

bool IsModuleLine(absl::string_view text, size_t at) {
  if (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r') return false;
  return absl::StartsWith(text.substr(at), kWord) && at + kWord.size() < text.size() &&
         absl::ascii_isblank(static_cast<unsigned char>(text[at + kWord.size()]));
}

}  // namespace

std::vector<ModulePart> SplitModules(absl::string_view text) {
  std::vector<size_t> starts;
  // Most texts have one: they are not searched for strings.
  size_t candidates = 0;
  for (size_t at = text.find(kWord); at != text.npos && candidates < 2; at = text.find(kWord, at + 1)) {
    candidates += IsModuleLine(text, at);
  }
  if (candidates >= 2) {
    for (size_t at = 0; at < text.size();) {
      const size_t next = SkipOpaque(text, at);
      if (next == at && text[at] == 'H' && IsModuleLine(text, at)) starts.push_back(at);
      at = next == at ? at + 1 : next;
    }
  }
  std::vector<ModulePart> parts;
  if (starts.empty()) {
    const size_t at = text.find(kWord);
    parts.push_back({at != text.npos && IsModuleLine(text, at) ? NameIn(text.substr(at)) : "", 0, text.size()});
    return parts;
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : text.size();
    parts.push_back({NameIn(text.substr(starts[i])), i == 0 ? 0 : starts[i], end});
  }
  return parts;
}

}  // namespace hloscope::interop
