// SPDX-License-Identifier: Apache-2.0
#include "reports/grid_drawing.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "insight/html/html_text.h"

namespace hloscope::reports {
namespace {

// Points.
constexpr double kMargin = 12, kRowHeight = 22, kTitleHeight = 26, kLetter = 7.3, kGap = 14;
constexpr size_t kLeastLetters = 3;  // of a cell

// Pale, so that dark letters can be read on all of them.
constexpr const char* kColors[] = {"#dbe9ff", "#ffe3c9", "#d8f2d6", "#f3dcf5",
                                   "#fff3b8", "#d3f1f2", "#ffd9dc", "#e6e2d5"};

std::string Escaped(absl::string_view text) {
  std::string out;
  insight::AppendEscaped(text, &out);
  return out;
}

// Characters of UTF-8.
size_t Letters(absl::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct GridSize {
  double head = 0, cell = 0, width = 0, height = 0;
};

GridSize SizeOf(const DrawnGrid& grid) {
  size_t head = 0, letters = kLeastLetters, columns = grid.columns.size();
  for (const std::string& column : grid.columns) letters = std::max(letters, Letters(column));
  for (const DrawnGrid::Row& row : grid.rows) {
    head = std::max(head, Letters(row.head));
    columns = std::max(columns, row.cells.size());
    for (const DrawnCell& cell : row.cells) letters = std::max(letters, Letters(cell.text));
  }
  GridSize size;
  size.head = head == 0 ? 0 : static_cast<double>(head) * kLetter + 10;
  size.cell = static_cast<double>(letters) * kLetter + 8;
  size.width = std::max(size.head + size.cell * static_cast<double>(columns),
                        static_cast<double>(Letters(grid.title)) * kLetter * 1.1);
  size.height =
      kTitleHeight + kRowHeight * static_cast<double>(grid.rows.size() + (grid.columns.empty() ? 0 : 1)) + kGap;
  return size;
}

void AddText(std::string* out, double x, double y, absl::string_view anchor, absl::string_view style,
             absl::string_view text) {
  if (text.empty()) return;
  absl::StrAppendFormat(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, anchor, style,
                        Escaped(text));
}

void AddGrid(std::string* out, const DrawnGrid& grid, double top) {
  const GridSize size = SizeOf(grid);
  AddText(out, kMargin, top + 16, "start", "font-weight=\"bold\"", grid.title);
  double y = top + kTitleHeight;
  const auto left = [&](size_t column) { return kMargin + size.head + size.cell * static_cast<double>(column); };
  if (!grid.columns.empty()) {
    for (size_t c = 0; c < grid.columns.size(); ++c) {
      AddText(out, left(c) + size.cell / 2, y + 15, "middle", "fill=\"#666\"", grid.columns[c]);
    }
    y += kRowHeight;
  }
  for (const DrawnGrid::Row& row : grid.rows) {
    AddText(out, kMargin + size.head - 8, y + 15, "end", "fill=\"#666\"", row.head);
    for (size_t c = 0; c < row.cells.size(); ++c) {
      const DrawnCell& cell = row.cells[c];
      if (cell.kind != DrawnCell::Kind::kLeftOut) {
        const bool is_padding = cell.kind == DrawnCell::Kind::kPadding;
        absl::StrAppendFormat(
            out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"#888\"/>\n", left(c),
            y, size.cell, kRowHeight,
            is_padding ? "url(#padding)" : kColors[static_cast<size_t>(cell.group) % std::size(kColors)]);
      }
      AddText(out, left(c) + size.cell / 2, y + 15, "middle", "fill=\"#111\"", cell.text);
    }
    y += kRowHeight;
  }
}

}  // namespace

std::vector<int64_t> ShownNumbers(int64_t count, int64_t most) {
  std::vector<int64_t> shown;
  if (count <= most) {
    for (int64_t i = 0; i < count; ++i) shown.push_back(i);
    return shown;
  }
  const int64_t first = std::max<int64_t>(1, most - 2);
  for (int64_t i = 0; i < first; ++i) shown.push_back(i);
  shown.push_back(kLeftOutNumber);
  shown.push_back(count - 1);
  return shown;
}

std::string GridsToSvg(absl::Span<const DrawnGrid> grids) {
  double width = 0, height = 2 * kMargin;
  for (const DrawnGrid& grid : grids) {
    const GridSize size = SizeOf(grid);
    width = std::max(width, size.width);
    height += size.height;
  }
  width += 2 * kMargin;
  std::string out = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"monospace\" font-size=\"12\">\n"
      "<defs><pattern id=\"padding\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
      "<rect width=\"6\" height=\"6\" fill=\"#f4f4f4\"/><path d=\"M0 6L6 0\" stroke=\"#bbb\"/></pattern></defs>\n"
      "<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n",
      width, height, width, height, width, height);
  double top = kMargin;
  for (const DrawnGrid& grid : grids) {
    AddGrid(&out, grid, top);
    top += SizeOf(grid).height;
  }
  return out + "</svg>\n";
}

}  // namespace hloscope::reports
