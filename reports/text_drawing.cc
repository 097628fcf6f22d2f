// SPDX-License-Identifier: Apache-2.0
#include "reports/text_drawing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "insight/html/html_text.h"

namespace hloscope::reports {
namespace {

// Points.
constexpr double kTextMargin = 10, kLineHeight = 17, kFixedLetter = 7.3;
constexpr size_t kMostLines = 400, kMostLetters = 160;

// At a boundary of UTF-8.
absl::string_view FirstLetters(absl::string_view text, size_t most) {
  size_t end = 0, letters = 0;
  while (end < text.size() && letters < most) {
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    ++letters;
  }
  return text.substr(0, end);
}

const char* ColorOfLine(absl::string_view line, bool* in_change) {
  const absl::string_view plain = absl::StripLeadingAsciiWhitespace(line);
  const size_t indentation = line.size() - plain.size();
  constexpr size_t kDetail = 6;
  if (*in_change && indentation >= kDetail) return "#fff8c5";
  *in_change = absl::StartsWith(plain, "~ ");
  if (*in_change) return "#fff8c5";
  if (absl::StartsWith(plain, "+ ")) return "#dafbe1";
  if (absl::StartsWith(plain, "- ")) return "#ffebe9";
  return "";
}

}  // namespace

std::string DiffTextSvg(absl::string_view title, absl::string_view text) {
  std::vector<std::string> lines = absl::StrSplit(absl::StripSuffix(text, "\n"), '\n');
  if (lines.size() > kMostLines) {
    const std::string more = absl::StrCat("and ", lines.size() - kMostLines, " more lines");
    lines.resize(kMostLines);
    lines.push_back(more);
  }
  size_t longest = title.size();
  for (std::string& line : lines) {
    const absl::string_view shown = FirstLetters(line, kMostLetters);
    if (shown.size() < line.size()) line = absl::StrCat(shown, "...");
    longest = std::max(longest, line.size());
  }
  const double width = 2 * kTextMargin + kFixedLetter * static_cast<double>(std::min(longest, kMostLetters + 3));
  const double height = 2 * kTextMargin + kLineHeight * static_cast<double>(lines.size() + 1);
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"monospace\" "
      "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height);
  double y = kTextMargin;
  const auto add = [&](absl::string_view line, absl::string_view color, absl::string_view style) {
    if (!color.empty()) {
      absl::StrAppendFormat(&svg, "<rect x=\"0\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\" fill=\"%s\"/>\n", y, width,
                            kLineHeight, color);
    }
    std::string escaped;
    insight::AppendEscaped(line, &escaped);
    absl::StrAppendFormat(&svg, "<text x=\"%.1f\" y=\"%.1f\" xml:space=\"preserve\"%s>%s</text>\n", kTextMargin,
                          y + 12.5, style, escaped);
    y += kLineHeight;
  };
  add(title, "", " font-weight=\"bold\"");
  bool in_change = false;
  for (const std::string& line : lines) add(line, ColorOfLine(line, &in_change), "");
  return svg + "</svg>\n";
}

}  // namespace hloscope::reports
