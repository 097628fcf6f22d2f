// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/render.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

constexpr absl::string_view kReset = "\x1b[0m";
constexpr absl::string_view kBold = "\x1b[1m";
constexpr absl::string_view kDim = "\x1b[2m";
constexpr absl::string_view kCaretColor = "\x1b[1;32m";
constexpr int kTabWidth = 4;

absl::string_view SeverityColor(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "\x1b[1;31m";
    case Severity::kWarning:
      return "\x1b[1;35m";
    case Severity::kInformation:
    case Severity::kHint:
      return "\x1b[1;36m";
  }
  return "";
}

// Length of the UTF-8 character at text[i], and its code point; a byte that starts none counts as one character of its
// own, with code point -1.
struct Character {
  size_t bytes = 1;
  int32_t code_point = -1;
};
Character DecodeCharacter(absl::string_view text, size_t i) {
  const unsigned char lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return {};
  int32_t code_point = lead & (0xFF >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    const unsigned char next = static_cast<unsigned char>(text[i + k]);
    if ((next & 0xC0) != 0x80) return {};
    code_point = (code_point << 6) | (next & 0x3F);
  }
  static constexpr int32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallest[length] || code_point > 0x10FFFF || is_surrogate) return {};
  return {length, code_point};
}

// Columns a terminal gives to a character.
int DisplayWidth(int32_t c) {
  const auto in = [c](int32_t first, int32_t last) { return first <= c && c <= last; };
  if (in(0x300, 0x36F) || in(0x200B, 0x200F) || in(0xFE00, 0xFE0F)) return 0;
  const bool wide = in(0x1100, 0x115F) || in(0x2E80, 0xA4CF) || in(0xAC00, 0xD7A3) || in(0xF900, 0xFAFF) ||
                    in(0xFE30, 0xFE6F) || in(0xFF00, 0xFF60) || in(0xFFE0, 0xFFE6) || in(0x1F300, 0x1FAFF) ||
                    in(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

// One character of a source line as shown.
struct Cell {
  uint32_t begin = 0, end = 0;  // byte offsets in the text
  std::string shown;
  int width = 0;
};

// What terminals obey instead of showing it; with that which ends lines or turns the direction of writing, so that what
// is shown is not what is there.
bool IsControl(int32_t c) {
  const auto in = [c](int32_t first, int32_t last) { return first <= c && c <= last; };
  return in(0, 0x1F) || in(0x7F, 0x9F) || c == 0x61C || in(0x200E, 0x200F) || in(0x2028, 0x202E) || in(0x2066, 0x2069);
}

Cell MakeCell(absl::string_view text, size_t i) {
  const Character character = DecodeCharacter(text, i);
  Cell cell;
  cell.begin = static_cast<uint32_t>(i);
  cell.end = static_cast<uint32_t>(i + character.bytes);
  if (character.code_point == '\t') {
    cell.shown = std::string(kTabWidth, ' ');
    cell.width = kTabWidth;
  } else if (character.code_point < 0 || IsControl(character.code_point)) {
    cell.shown = "\xEF\xBF\xBD";  // U+FFFD, the replacement character
    cell.width = 1;
  } else {
    cell.shown = std::string(text.substr(i, character.bytes));
    cell.width = DisplayWidth(character.code_point);
  }
  return cell;
}

// The characters of the line around `focus`, about `width` columns before and after it.
std::vector<Cell> CellsAround(const SourceText& source, uint32_t line, uint32_t focus, int width) {
  const absl::string_view text = source.text();
  const size_t line_begin = source.LineStart(line);
  const size_t line_end = line_begin + source.Line(line).size();
  const size_t reach = static_cast<size_t>(width) * 4;  // bytes: no character is longer
  size_t begin = focus > line_begin + reach ? focus - reach : line_begin;
  while (begin > line_begin && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  const size_t end = std::min(line_end, std::max<size_t>(focus, line_begin) + reach);
  std::vector<Cell> cells;
  for (size_t i = begin; i < end;) {
    cells.push_back(MakeCell(text.substr(0, line_end), i));
    i = cells.back().end;
  }
  return cells;
}

int WidthOf(const std::vector<Cell>& cells, size_t begin, size_t end) {
  int width = 0;
  for (size_t i = begin; i < end; ++i) width += cells[i].width;
  return width;
}

// `label` is what comes before the message: the severity, or `note` for a related place.
void AppendPlaceLine(const SourceText& source, SourceRange range, Severity severity, absl::string_view label,
                     absl::string_view message, absl::string_view code, bool color, std::string* out) {
  const LineColumn position = HumanPosition(source, range.begin);
  if (color) absl::StrAppend(out, kBold);
  absl::StrAppend(out, OneLine(source.name()), ":", position.line, ":", position.column, ": ");
  if (color) absl::StrAppend(out, SeverityColor(severity));
  absl::StrAppend(out, label, ": ");
  if (color) absl::StrAppend(out, kReset, kBold);
  absl::StrAppend(out, OneLine(message));
  if (color) absl::StrAppend(out, kReset);
  if (!code.empty()) absl::StrAppend(out, " ", color ? kDim : "", "[", code, "]", color ? kReset : "");
  out->push_back('\n');
}

}  // namespace

LineColumn HumanPosition(const SourceText& source, uint32_t offset) {
  LineColumn position = source.LineColumnAt(offset, ColumnUnit::kUtf32);
  ++position.line;
  ++position.column;
  return position;
}

std::string OneLine(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const Character character = DecodeCharacter(text, i);
    if (character.code_point == '\n') {
      out.append("\\n");
    } else if (character.code_point == '\t') {
      out.append("\\t");
    } else if (character.code_point < 0 || IsControl(character.code_point)) {
      for (size_t k = 0; k < character.bytes; ++k) {
        absl::StrAppend(&out, "\\x", absl::Hex(static_cast<unsigned char>(text[i + k]), absl::kZeroPad2));
      }
    } else {
      out.append(text.data() + i, character.bytes);
    }
    i += character.bytes;
  }
  return out;
}

std::string RenderExcerpt(const SourceText& source, SourceRange range, const RenderOptions& options) {
  const uint32_t line = source.LineColumnAt(range.begin).line;
  const std::string number = absl::StrCat(line + 1);
  const std::string gutter = absl::StrCat(std::string(number.size() < 5 ? 5 - number.size() : 0, ' '), number, " | ");
  const std::string empty_gutter = absl::StrCat(std::string(gutter.size() - 2, ' '), "| ");
  const int width = std::max(20, options.width - static_cast<int>(gutter.size()));

  const std::vector<Cell> cells = CellsAround(source, line, range.begin, width);
  // The marked characters; an empty range, or one that starts at the line's end, marks one column.
  size_t mark_begin = 0;
  while (mark_begin < cells.size() && cells[mark_begin].end <= range.begin) ++mark_begin;
  size_t mark_end = mark_begin;
  while (mark_end < cells.size() && cells[mark_end].begin < range.end) ++mark_end;

  // The window: the whole line if it fits, else what is around the mark, with dots where text is left out.
  constexpr absl::string_view kDots = "...";
  const uint32_t line_begin = source.LineStart(line);
  const uint32_t line_end = line_begin + static_cast<uint32_t>(source.Line(line).size());
  size_t begin = 0, end = cells.size();
  const bool fits = (cells.empty() || (cells.front().begin == line_begin && cells.back().end == line_end)) &&
                    WidthOf(cells, 0, cells.size()) <= width;
  bool dots_before = false, dots_behind = false;
  if (!fits) {
    const int room = width - 2 * static_cast<int>(kDots.size());
    // A third of the room before the mark, the rest after its beginning.
    begin = mark_begin;
    int before = 0;
    while (begin > 0 && before + cells[begin - 1].width <= room / 3) before += cells[--begin].width;
    end = mark_begin;
    int after = 0;
    while (end < cells.size() && before + after + cells[end].width <= room) after += cells[end++].width;
    // Near the line's end there is room left for more before the mark.
    while (begin > 0 && before + after + cells[begin - 1].width <= room) before += cells[--begin].width;
    dots_before = begin > 0 || (!cells.empty() && cells.front().begin > line_begin);
    dots_behind = end < cells.size() || (!cells.empty() && cells.back().end < line_end);
  }
  mark_end = std::min(mark_end, std::max(end, mark_begin));

  std::string out;
  absl::StrAppend(&out, options.color ? kDim : "", gutter, options.color ? kReset : "", dots_before ? kDots : "");
  for (size_t i = begin; i < end; ++i) out.append(cells[i].shown);
  absl::StrAppend(&out, dots_behind ? kDots : "", "\n");
  const int indent =
      WidthOf(cells, begin, std::max(begin, mark_begin)) + (dots_before ? static_cast<int>(kDots.size()) : 0);
  const int marks = std::max(1, WidthOf(cells, mark_begin, mark_end));
  absl::StrAppend(&out, options.color ? kDim : "", empty_gutter, options.color ? kReset : "",
                  std::string(static_cast<size_t>(indent), ' '), options.color ? kCaretColor : "", "^",
                  std::string(static_cast<size_t>(marks - 1), '~'), options.color ? kReset : "", "\n");
  return out;
}

std::string RenderDiagnostic(const SourceText& source, const Diagnostic& diagnostic, const RenderOptions& options) {
  std::string out;
  AppendPlaceLine(source, diagnostic.range, diagnostic.severity, SeverityName(diagnostic.severity),
                  diagnostic.Message(), diagnostic.code(), options.color, &out);
  if (!options.source_lines) return out;
  absl::StrAppend(&out, RenderExcerpt(source, diagnostic.range, options));
  for (const RelatedLocation& related : diagnostic.related) {
    AppendPlaceLine(source, related.range, Severity::kInformation, "note", related.message, "", options.color, &out);
    absl::StrAppend(&out, RenderExcerpt(source, related.range, options));
  }
  for (const FixIt& fix : diagnostic.fixes) {
    absl::StrAppend(&out, "      = ", options.color ? kBold : "", "fix: ", options.color ? kReset : "",
                    OneLine(fix.title), "\n");
  }
  return out;
}

}  // namespace hloscope
