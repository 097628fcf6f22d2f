// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/plain_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

size_t RunOf(absl::string_view text, size_t at, char c) {
  size_t end = at;
  while (end < text.size() && text[end] == c) ++end;
  return end - at;
}

// Appends what is shown of the code span that begins at `at`; returns where it ends, `at` if there is none.
size_t AddCode(absl::string_view line, size_t at, std::string* out) {
  const size_t fence = RunOf(line, at, '`');
  for (size_t end = at + fence; end < line.size();) {
    const size_t run = RunOf(line, end, '`');
    if (run == fence) {
      absl::string_view code = line.substr(at + fence, end - at - fence);
      // A space on both sides keeps backticks apart.
      if (code.size() > 2 && code.front() == ' ' && code.back() == ' ') code = code.substr(1, code.size() - 2);
      out->append(code.data(), code.size());
      return end + run;
    }
    end += std::max<size_t>(run, 1);
  }
  return at;
}

std::string PlainLine(absl::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size();) {
    if (line[i] == '\\' && i + 1 < line.size() && absl::ascii_ispunct(static_cast<unsigned char>(line[i + 1]))) {
      out.push_back(line[i + 1]);
      i += 2;
      continue;
    }
    if (line[i] == '`') {
      if (const size_t end = AddCode(line, i, &out); end > i) {
        i = end;
        continue;
      }
    }
    if (line[i] == '*' && RunOf(line, i, '*') == 2) {
      i += 2;
      continue;
    }
    if (line[i] == '[') {
      const size_t middle = line.find("](", i);
      const size_t end = middle == absl::string_view::npos ? middle : line.find(')', middle);
      if (end != absl::string_view::npos && line.substr(i + 1, middle - i - 1).find('[') == absl::string_view::npos) {
        out += PlainLine(line.substr(i + 1, middle - i - 1));
        i = end + 1;
        continue;
      }
    }
    out.push_back(line[i++]);
  }
  return out;
}

}  // namespace

std::string PlainTextOf(absl::string_view markdown) {
  std::string text;
  absl::string_view fence;  // of the block that is open
  bool is_blank = true;     // the last line
  for (absl::string_view line : absl::StrSplit(markdown, '\n')) {
    const absl::string_view trimmed = absl::StripLeadingAsciiWhitespace(line);
    const size_t ticks = RunOf(trimmed, 0, '`');
    if (fence.empty() ? ticks >= 3 : ticks >= fence.size() && ticks == trimmed.size()) {
      fence = fence.empty() ? trimmed.substr(0, ticks) : absl::string_view();
      continue;
    }
    std::string shown(line);
    if (fence.empty()) {
      if (absl::StartsWith(line, "#")) {
        line = absl::StripLeadingAsciiWhitespace(line.substr(RunOf(line, 0, '#')));
      }
      // Rules between parts are blank lines.
      shown = trimmed == "---" ? std::string() : PlainLine(line);
    }
    if (shown.empty() && is_blank) continue;
    is_blank = shown.empty();
    text += shown;
    text += '\n';
  }
  return std::string(absl::StripTrailingAsciiWhitespace(text));
}

nlohmann::json MarkupJson(absl::string_view markdown, bool client_shows_markdown) {
  return {{"kind", client_shows_markdown ? "markdown" : "plaintext"},
          {"value", client_shows_markdown ? std::string(markdown) : PlainTextOf(markdown)}};
}

}  // namespace hloscope::lsp
