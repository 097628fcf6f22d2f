// SPDX-License-Identifier: Apache-2.0
#include "reports/layout_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "reports/grid_drawing.h"

namespace hloscope::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMaxRows = 16;           // of one table
constexpr int64_t kMaxPlanes = 4;          // of an array of more than two dimensions
constexpr int64_t kMaxMemoryRows = 16;     // of the map of the memory
constexpr int64_t kMaxMemoryColumns = 16;  // cells beside one another
constexpr int64_t kMaxJsonCells = 65536;

absl::string_view MemorySpaceName(int64_t space) {
  switch (space) {
    case 0:
      return "device main memory";
    case 1:
      return "fast on-chip memory";
    case 5:
      return "host memory, pinned";
    case 6:
      return "host memory";
    default:
      return "device specific";
  }
}

std::string Sizes(absl::Span<const int64_t> sizes) { return sizes.empty() ? "one cell" : absl::StrJoin(sizes, " x "); }

std::string Count(int64_t n, absl::string_view noun) { return absl::StrCat(n, " ", noun, n == 1 ? "" : "s"); }

class Painter {
 public:
  explicit Painter(const LayoutTextOptions& options) : options_(options) {}
  std::string Heading(absl::string_view text) const { return Wrapped("\x1b[1m", text); }
  std::string Dim(absl::string_view text) const { return Wrapped("\x1b[2m", text); }

 private:
  std::string Wrapped(absl::string_view code, absl::string_view text) const {
    return options_.color ? absl::StrCat(code, text, "\x1b[0m") : std::string(text);
  }
  const LayoutTextOptions& options_;
};

// The address of an element; with its piece, if the array is split.
std::string PlaceText(const PhysicalLayout& layout, absl::Span<const int64_t> index) {
  const PhysicalLayout::Place place = layout.PlaceOf(index);
  return layout.piece_count() > 1 ? absl::StrCat(place.piece, ":", place.address) : absl::StrCat(place.address);
}

size_t WidestPlace(const PhysicalLayout& layout) {
  const size_t address = absl::StrCat(layout.cell_count()).size();
  return layout.piece_count() > 1 ? address + 1 + absl::StrCat(layout.piece_count()).size() : address;
}

// A table of the last two dimensions; the others are fixed at what `index` says. Rank 1 is one row.
std::string Plane(const PhysicalLayout& layout, std::vector<int64_t> index, const LayoutTextOptions& options,
                  const Painter& painter) {
  const absl::Span<const int64_t> sizes = layout.shape().dimensions();
  const size_t rank = sizes.size();
  const int64_t row_count = rank >= 2 ? sizes[rank - 2] : 1, column_count = rank >= 1 ? sizes[rank - 1] : 1;
  const size_t head = std::max<size_t>(absl::StrCat(row_count).size(), 3) + 2;
  const size_t width = std::max(WidestPlace(layout), absl::StrCat(column_count).size());
  const int64_t fitting =
      (static_cast<int64_t>(options.width) - static_cast<int64_t>(head) - 4) / static_cast<int64_t>(width + 2);
  const std::vector<int64_t> columns = ShownNumbers(column_count, std::clamp<int64_t>(fitting, 3, 32));
  const auto cell = [&](absl::string_view text) {
    return absl::StrCat("  ", std::string(width - std::min(width, text.size()), ' '), text);
  };
  std::string out;
  std::string header(head + 2, ' ');
  for (int64_t column : columns) absl::StrAppend(&header, cell(column == kLeftOutNumber ? ".." : absl::StrCat(column)));
  absl::StrAppend(&out, painter.Dim(header), "\n");
  for (int64_t row : ShownNumbers(row_count, kMaxRows)) {
    const std::string name = row == kLeftOutNumber ? ".." : rank >= 2 ? absl::StrCat(row) : "";
    absl::StrAppend(&out, painter.Dim(absl::StrCat(std::string(head - name.size(), ' '), name, " |")));
    for (int64_t column : columns) {
      if (row == kLeftOutNumber || column == kLeftOutNumber) {
        absl::StrAppend(&out, cell(".."));
        continue;
      }
      if (rank >= 2) index[rank - 2] = row;
      if (rank >= 1) index[rank - 1] = column;
      absl::StrAppend(&out, cell(PlaceText(layout, index)));
    }
    absl::StrAppend(&out, "\n");
  }
  return out;
}

std::string ElementTable(const PhysicalLayout& layout, const LayoutTextOptions& options, const Painter& painter) {
  const absl::Span<const int64_t> sizes = layout.shape().dimensions();
  std::string out =
      absl::StrCat("\n",
                   painter.Heading(layout.piece_count() > 1 ? "The array: piece and address of each element"
                                                            : "The array: address of each element"),
                   "\n");
  std::vector<int64_t> index(sizes.size(), 0);
  if (sizes.size() <= 2) return absl::StrCat(out, Plane(layout, index, options, painter));
  const absl::Span<const int64_t> outer = sizes.subspan(0, sizes.size() - 2);
  int64_t plane_count = 1;
  for (int64_t size : outer) plane_count *= size;  // at most the element count
  for (int64_t plane : ShownNumbers(plane_count, kMaxPlanes)) {
    if (plane == kLeftOutNumber) {
      absl::StrAppend(&out, "  ...\n");
      continue;
    }
    int64_t rest = plane;
    for (size_t d = outer.size(); d-- > 0;) {
      index[d] = rest % outer[d];
      rest /= outer[d];
    }
    absl::StrAppend(&out, "  [", absl::StrJoin(absl::MakeSpan(index).subspan(0, outer.size()), ","), ",:,:]\n",
                    Plane(layout, index, options, painter));
  }
  return out;
}

// The cells of one piece in the order of their addresses; bars between tiles.
std::string MemoryTable(const PhysicalLayout& layout, int64_t piece, const LayoutTextOptions& options,
                        const Painter& painter) {
  size_t width = 1;
  for (int64_t size : layout.shape().dimensions()) width += absl::StrCat(std::max<int64_t>(size - 1, 0)).size() + 1;
  const size_t head = absl::StrCat(layout.cell_count()).size() + 2;
  const int64_t fitting = std::clamp<int64_t>(
      (static_cast<int64_t>(options.width) - static_cast<int64_t>(head) - 4) / static_cast<int64_t>(width + 1), 1,
      kMaxMemoryColumns);
  // A row is one run of the most minor stored dimension, or a part of it.
  int64_t columns = layout.stored_dimensions().empty() ? 1 : layout.stored_dimensions().back();
  if (columns > fitting) {
    int64_t even = fitting;
    while (even > 1 && columns % even != 0) --even;
    columns = even > fitting / 2 ? even : fitting;
  } else {
    // Short runs share a row as long as whole ones fit.
    columns *= std::max<int64_t>(1, std::min<int64_t>(fitting, 8) / columns);
  }
  const int64_t cells = layout.cell_count(), tile = InnermostTileCells(layout);
  std::string out;
  for (int64_t row : ShownNumbers((cells + columns - 1) / columns, kMaxMemoryRows)) {
    if (row == kLeftOutNumber) {
      absl::StrAppend(&out, std::string(head - 1, ' '), "..\n");
      continue;
    }
    const std::string address = absl::StrCat(row * columns);
    absl::StrAppend(&out, painter.Dim(absl::StrCat(std::string(head + 1 - address.size(), ' '), address, " |")));
    for (int64_t at = row * columns; at < std::min(cells, (row + 1) * columns); ++at) {
      if (tile > 1 && at % tile == 0 && at > row * columns) absl::StrAppend(&out, painter.Dim(" |"));
      const auto index = layout.IndexAt({piece, at});
      const std::string text = index ? absl::StrCat("(", absl::StrJoin(*index, ","), ")") : ".";
      const std::string blanks(width + 1 - std::min(width + 1, text.size()), ' ');
      absl::StrAppend(&out, blanks, index ? text : painter.Dim(text));
    }
    absl::StrAppend(&out, "\n");
  }
  return out;
}

}  // namespace

int64_t InnermostTileCells(const PhysicalLayout& layout) {
  const std::vector<Tile>& tiles = layout.shape().layout().tiles;
  if (tiles.empty()) return 0;
  int64_t cells = 1;
  for (int64_t size : tiles.back().dimensions) {
    if (size != Tile::kCombine) cells *= size;  // at most the cells of the buffer
  }
  return cells;
}

std::vector<LayoutFact> LayoutFacts(const PhysicalLayout& layout, const std::optional<std::string>& padding_value) {
  const Layout& record = layout.shape().layout();
  std::vector<LayoutFact> facts;
  const auto fact = [&](absl::string_view name, absl::string_view value) {
    facts.push_back({std::string(name), std::string(value)});
  };
  if (layout.shape().rank() > 0) {
    fact("minor to major", absl::StrCat(absl::StrJoin(record.minor_to_major, ","), "   (dimension ",
                                        record.minor_to_major[0], " varies fastest)"));
  }
  fact("physical order", Sizes(layout.physical_dimensions(0)));
  for (int64_t level = 0; level < layout.level_count(); ++level) {
    const std::string tile = absl::StrJoin(
        record.tiles[static_cast<size_t>(level)].dimensions, ",",
        [](std::string* s, int64_t size) { absl::StrAppend(s, size == Tile::kCombine ? "*" : absl::StrCat(size)); });
    fact(absl::StrCat("tiled by (", tile, ")"), Sizes(layout.physical_dimensions(level + 1)));
  }
  if (record.tail_padding_alignment_in_elements > 1) {
    fact("rounded up to", absl::StrCat("a multiple of ", record.tail_padding_alignment_in_elements, " cells"));
  }
  if (layout.piece_count() > 1) {
    fact("split into", absl::StrCat(layout.piece_count(), " pieces; sizes below are those of the longest one"));
  }
  std::string element = Count(layout.element_bits(), "bit");
  if (layout.element_bits() < 8) absl::StrAppend(&element, ", packed: the first element in the low bits of a byte");
  fact("element", element);
  if (record.memory_space != 0) {
    fact("memory space", absl::StrCat(record.memory_space, " (", MemorySpaceName(record.memory_space), ")"));
  }
  if (record.dynamic_shape_metadata_prefix_bytes > 0) {
    fact("prefix", absl::StrCat(Count(record.dynamic_shape_metadata_prefix_bytes, "byte"),
                                " in front, for the sizes of dynamic dimensions"));
  }
  fact("elements", absl::StrCat(layout.element_count(), " in ", Count(layout.cell_count(), "cell"),
                                layout.piece_count() > 1 ? " a piece" : ""));
  fact("data", Count(layout.data_bytes(), "byte"));
  fact("memory", absl::StrCat(Count(layout.physical_bytes(), "byte"), layout.piece_count() > 1 ? " a piece" : ""));
  fact("waste", absl::StrFormat("%.1f%%", layout.waste() * 100));
  if (padding_value) fact("padding holds", *padding_value);
  return facts;
}

std::string LayoutText(const PhysicalLayout& layout, const LayoutTextOptions& options) {
  const Painter painter(options);
  std::string out = absl::StrCat(painter.Heading(layout.shape().ToString()), "\n");
  for (const LayoutFact& fact : LayoutFacts(layout, options.padding_value)) {
    absl::StrAppend(&out, "  ", absl::StrFormat("%-18s", fact.name), fact.value, "\n");
  }
  if (layout.element_count() == 0) return absl::StrCat(out, "\nThe array has no elements.\n");
  absl::StrAppend(&out, ElementTable(layout, options, painter));
  const bool has_padding = layout.cell_count() * layout.piece_count() > layout.element_count();
  for (int64_t piece : ShownNumbers(layout.piece_count(), kMaxPlanes)) {
    if (piece == kLeftOutNumber) {
      absl::StrAppend(&out, "  ...\n");
      continue;
    }
    const std::string which = layout.piece_count() > 1 ? absl::StrCat("Piece ", piece, " of the memory") : "The memory";
    absl::StrAppend(
        &out, "\n",
        painter.Heading(absl::StrCat(which, ": element in each cell", has_padding ? ", `.` for padding" : "")), "\n",
        MemoryTable(layout, piece, options, painter));
  }
  return out;
}

Json LayoutJson(const PhysicalLayout& layout) {
  const Layout& record = layout.shape().layout();
  Json tiles = Json::array();
  for (const Tile& tile : record.tiles) {
    Json sizes = Json::array();
    for (int64_t size : tile.dimensions) sizes.push_back(size == Tile::kCombine ? Json("*") : Json(size));
    tiles.push_back(std::move(sizes));
  }
  Json levels = Json::array();
  for (int64_t level = 0; level <= layout.level_count(); ++level) {
    levels.push_back(
        std::vector<int64_t>(layout.physical_dimensions(level).begin(), layout.physical_dimensions(level).end()));
  }
  Json json = {
      {"shape", layout.shape().ToString()},
      {"element_type", std::string(ElementTypeName(layout.shape().element_type()))},
      {"dimensions", std::vector<int64_t>(layout.shape().dimensions().begin(), layout.shape().dimensions().end())},
      {"minor_to_major", record.minor_to_major},
      {"tiles", std::move(tiles)},
      {"physical_dimensions", std::move(levels)},
      {"memory_space", record.memory_space},
      {"element_bits", layout.element_bits()},
      {"elements", layout.element_count()},
      {"cells", layout.cell_count()},
      {"pieces", layout.piece_count()},
      {"data_bytes", layout.data_bytes()},
      {"physical_bytes", layout.physical_bytes()},
      {"waste", layout.waste()}};
  if (layout.cell_count() > kMaxJsonCells / layout.piece_count()) return json;
  Json addresses = Json::array();
  std::vector<int64_t> index(static_cast<size_t>(layout.shape().rank()), 0);
  if (layout.element_count() > 0) {
    do {
      addresses.push_back(layout.AddressOf(index));
    } while (NextIndex(layout.shape().dimensions(), absl::MakeSpan(index)));
  }
  Json memory = Json::array();
  for (int64_t piece = 0; piece < layout.piece_count(); ++piece) {
    Json cells = Json::array();
    for (int64_t at = 0; at < layout.cell_count(); ++at) {
      const auto element = layout.IndexAt({piece, at});
      cells.push_back(element ? Json(std::vector<int64_t>(element->begin(), element->end())) : Json());
    }
    memory.push_back(std::move(cells));
  }
  json["addresses"] = std::move(addresses);
  json["memory"] = layout.piece_count() > 1 ? std::move(memory) : std::move(memory[0]);
  return json;
}

std::string RelayoutText(absl::string_view what, const PhysicalLayout& from, const PhysicalLayout& to,
                         const Relayout& relayout) {
  const std::string head = absl::StrCat("\n", what, " ", from.shape().ToString(), " -> ", to.shape().ToString(), ": ");
  if (relayout.is_free) return absl::StrCat(head, "free, every element keeps its address (a bitcast)\n");
  std::string out = absl::StrCat(head, "not free, ", relayout.reason, "\n");
  if (relayout.moved_elements) {
    absl::StrAppend(&out, "  moved             ", *relayout.moved_elements, " of ",
                    Count(to.element_count(), "element"), "\n");
  }
  absl::StrAppend(&out, "  read and written  ", Count(relayout.bytes_moved, "byte"));
  if (relayout.least_bytes_moved) absl::StrAppend(&out, ", at least ", *relayout.least_bytes_moved);
  return absl::StrCat(out, "\n");
}

Json RelayoutJson(absl::string_view what, const PhysicalLayout& to, const Relayout& relayout) {
  Json json = {{"kind", std::string(what)},
               {"to", to.shape().ToString()},
               {"free", relayout.is_free},
               {"reason", relayout.reason},
               {"bytes_moved", relayout.bytes_moved}};
  if (relayout.moved_elements) json["moved_elements"] = *relayout.moved_elements;
  if (relayout.least_bytes_moved) json["least_bytes_moved"] = *relayout.least_bytes_moved;
  return json;
}

}  // namespace hloscope::reports
