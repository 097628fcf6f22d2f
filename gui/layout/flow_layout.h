// SPDX-License-Identifier: Apache-2.0
// A layered layout in linear time for graphs of any size, made for HLO: thousands of layers, few boxes a layer, many
// long edges. The order of the boxes is the order of the program; nothing is searched for.
//
//   * A box is one row below the lowest of its operands. Sources, and chains of one operand that hang on them, are
//     pulled down to the row above their first user.
//   * One longest path, the spine, runs straight down; what branches off is beside it, as near as there is room.
//   * Rows wider than the column are broken into several. Graphs of many rows are set in columns, like a newspaper, and
//     these in bands. Where a column ends is decided by which boxes are there, not by counting.
//   * Edges that span more than `max_span` rows, go to another column or go backwards are jumps: whoever draws them
//     shows a stub at each end. Others run straight, or down a rail: a vertical line that crosses no box.
//
// When a module is edited, its picture is not laid out again but updated: boxes that were there keep their places, a
// new one gets a free place between its operands and its users or in a row of its own, for which the rows below
// it in the same column make room by at most 50 pixels.
//
// Distances are in pixels at scale 1, y downwards.
#ifndef HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_
#define HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace hloscope::gui {

struct FlowSize {
  float width = 0, height = 0;
};

struct FlowEdge {
  uint32_t from = 0, to = 0;  // numbers of boxes; an edge with from >= to is a jump
};

struct FlowOptions {
  float gap = 14;          // between boxes of a row
  float row_gap = 18;      // between rows
  float column_gap = 70;   // between columns
  float band_gap = 160;    // between bands of columns
  uint32_t max_span = 16;  // rows; longer edges are jumps
  // Layers from which on the picture is set in columns, and how many a column has at least and at most.
  uint32_t layers_for_columns = 128;
  uint32_t column_min = 48, column_max = 112;
};

struct FlowRoute {
  enum class Kind : uint8_t { kStraight, kRail, kJump };
  Kind kind = Kind::kJump;
  float from_x = 0, to_x = 0;  // where it leaves the producer's lower side and enters the consumer's upper side
  // Of a rail: its x, and where it begins and ends.
  float rail_x = 0, rail_top = 0, rail_bottom = 0;
};

// Boxes beside each other.
struct FlowRow {
  uint32_t begin = 0, end = 0;  // in FlowLayout::order
  uint32_t column = 0;
  float y = 0, height = 0;
  float left = 0, right = 0;  // of its boxes
};

struct FlowColumn {
  float left = 0, right = 0;
  uint32_t band = 0;
};

struct FlowLayout {
  float width = 0, height = 0;
  struct Corner {
    float x = 0, y = 0;
  };
  std::vector<Corner> corners;    // upper left, by box
  std::vector<FlowRoute> routes;  // by edge
  bool centered = false;          // boxes are in the middles of their rows; else at their upper ends
  // What an update keeps.
  std::vector<uint32_t> order;   // boxes row by row, from left to right
  std::vector<FlowRow> rows;     // column by column, from top to bottom
  std::vector<uint32_t> row_of;  // by box
  std::vector<FlowColumn> columns;
  std::vector<float> band_tops;
  uint32_t row_count = 0;
  uint32_t column_count = 0;
  uint32_t band_count = 0;
};

// O(boxes log(boxes of a row) + edges * max_span log(boxes of a row)). Deterministic. Edges whose numbers are not of
// boxes are jumps. `identities`: something that stays the same for a box when others are added, as a hash of its name;
// empty: its number.
FlowLayout LayOutFlow(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges,
                      absl::Span<const uint32_t> identities, const FlowOptions& options = {});

// What a box of a graph was in the graph before; kNoFlowBox for a new one.
inline constexpr uint32_t kNoFlowBox = 0xFFFFFFFFu;

// The layout of a graph that came out of another one by an edit. `former`: by box, its number in the graph that
// `previous` is of. No box that was there moves by more than 50 pixels for each added row of at most 50 pixels above it
// in its column, none of other columns moves, unless a band of columns has no room left: then the bands below it move
// down. O(boxes log(boxes of a row) + added boxes * rows of a column + edges * max_span log(boxes of a row)).
FlowLayout UpdateFlow(const FlowLayout& previous, absl::Span<const uint32_t> former, absl::Span<const FlowSize> sizes,
                      absl::Span<const FlowEdge> edges, const FlowOptions& options = {});

// Whether so much stayed the same that an update gives a picture worth having: at most a tenth is new (or four boxes),
// at most a quarter is gone (or four boxes, if no fewer stay).
bool CanUpdateFlow(const FlowLayout& previous, absl::Span<const uint32_t> former);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_
