// SPDX-License-Identifier: Apache-2.0
#include "cli/markdown.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hloscope::cli {
namespace {

constexpr absl::string_view kReset = "\x1b[0m";
constexpr absl::string_view kBold = "\x1b[1m";
constexpr absl::string_view kCode = "\x1b[36m";

class Renderer {
 public:
  explicit Renderer(const MarkdownOptions& options) : options_(options) {}

  std::string Render(absl::string_view page) {
    bool in_code = false;
    page = absl::StripAsciiWhitespace(page);
    if (page.empty()) return "";
    for (absl::string_view line : absl::StrSplit(page, '\n')) {
      line = absl::StripTrailingAsciiWhitespace(line);
      if (absl::StartsWith(line, "```")) {
        FlushParagraph();
        in_code = !in_code;
      } else if (in_code) {
        absl::StrAppend(&out_, line.empty() ? "" : "    ", line, "\n");
      } else if (line.empty()) {
        FlushParagraph();
        absl::StrAppend(&out_, "\n");
      } else if (absl::StartsWith(line, "#")) {
        FlushParagraph();
        Heading(line);
      } else if (absl::StartsWith(line, "* ") || absl::StartsWith(line, "- ")) {
        FlushParagraph();
        paragraph_ = std::string(line.substr(2));
        is_item_ = true;
      } else {
        absl::StrAppend(&paragraph_, paragraph_.empty() ? "" : " ", absl::StripLeadingAsciiWhitespace(line));
      }
    }
    FlushParagraph();
    return std::move(out_);
  }

 private:
  void Heading(absl::string_view line) {
    const absl::string_view title =
        absl::StripLeadingAsciiWhitespace(line.substr(std::min(line.size(), line.find_first_not_of('#'))));
    absl::StrAppend(&out_, options_.color ? kBold : "", title, options_.color ? kReset : "", "\n");
  }

  // Wraps the collected words. Emphasis may span words, so its state is kept from word to word.
  void FlushParagraph() {
    if (paragraph_.empty()) return;
    const size_t width = static_cast<size_t>(std::max(20, options_.width));
    const absl::string_view indent = is_item_ ? "  " : "";
    std::string line(is_item_ ? "* " : "");
    size_t column = line.size();
    bool at_start = true;
    for (const absl::string_view word : absl::StrSplit(paragraph_, ' ', absl::SkipEmpty())) {
      const ShownWord shown = Show(word);
      if (!at_start && column + 1 + shown.width > width) {
        absl::StrAppend(&out_, line, "\n");
        line = std::string(indent);
        column = indent.size();
        at_start = true;
      }
      absl::StrAppend(&line, at_start ? "" : " ", shown.text);
      column += shown.width + (at_start ? 0 : 1);
      at_start = false;
    }
    absl::StrAppend(&out_, line, "\n");
    paragraph_.clear();
    is_item_ = false;
  }

  struct ShownWord {
    std::string text;
    size_t width = 0;  // columns
  };

  // Without the asterisks of bold, and without the backticks of code where a color stands for them.
  ShownWord Show(absl::string_view word) {
    ShownWord shown;
    for (size_t i = 0; i < word.size(); ++i) {
      if (word[i] == '`') {
        code_ = !code_;
        absl::StrAppend(&shown.text, !options_.color ? "`" : code_ ? kCode : kReset);
        if (!options_.color) ++shown.width;
      } else if (!code_ && absl::StartsWith(word.substr(i), "**")) {
        bold_ = !bold_;
        if (options_.color) absl::StrAppend(&shown.text, bold_ ? kBold : kReset);
        ++i;
      } else {
        shown.text.push_back(word[i]);
        if ((static_cast<unsigned char>(word[i]) & 0xC0) != 0x80) ++shown.width;
      }
    }
    return shown;
  }

  MarkdownOptions options_;
  std::string out_;
  std::string paragraph_;
  bool is_item_ = false;
  bool code_ = false, bold_ = false;
};

}  // namespace

std::string RenderMarkdown(absl::string_view page, const MarkdownOptions& options) {
  return Renderer(options).Render(page);
}

}  // namespace hloscope::cli
