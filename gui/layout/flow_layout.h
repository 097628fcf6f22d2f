// A layered layout in linear time for graphs of any size, made for HLO: thousands of layers, few boxes a layer, many
// long edges. The order of the boxes is the order of the program; nothing is searched for, so the picture of a module
// stays the same when an instruction is added to it.
//
//   * A box stands one row below the lowest of its operands. Sources, and chains of one operand that hang on them, are
//     pulled down to the row above their first user.
//   * One longest path, the spine, runs straight down; what branches off stands beside it, as near as there is room.
//   * Rows wider than the column are broken into several. Graphs of many rows are set in columns, like a newspaper, and
//     these in bands. Where a column ends is decided by which boxes are there, not by counting: an instruction that is
//     added changes its own column, and the others stay where they are.
//   * Edges that span more than `max_span` rows, go to another column or go backwards are jumps: whoever draws them
//     shows a stub at each end. Others run straight, or down a rail: a vertical line that crosses no box.
//
// Distances are in pixels at scale 1, y downwards.
#ifndef HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_
#define HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace hloscope {

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

struct FlowLayout {
  float width = 0, height = 0;
  struct Corner {
    float x = 0, y = 0;
  };
  std::vector<Corner> corners;    // upper left, by box
  std::vector<FlowRoute> routes;  // by edge
  uint32_t row_count = 0;
  uint32_t column_count = 0;
  uint32_t band_count = 0;
};

// O(boxes log(boxes of a row) + edges * max_span log(boxes of a row)). Deterministic. Edges whose numbers are not of
// boxes are jumps. `identities`: something that stays the same for a box when others are added, as a hash of its name;
// empty: its number.
FlowLayout LayOutFlow(absl::Span<const FlowSize> sizes, absl::Span<const FlowEdge> edges,
                      absl::Span<const uint32_t> identities, const FlowOptions& options = {});

}  // namespace hloscope

#endif  // HLOSCOPE_GUI_LAYOUT_FLOW_LAYOUT_H_
