// SPDX-License-Identifier: Apache-2.0
// Tables of cells as an SVG picture: arrays and memory on pages and in bug reports.
#ifndef HLOSCOPE_REPORTS_GRID_DRAWING_H_
#define HLOSCOPE_REPORTS_GRID_DRAWING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace hloscope::reports {

struct DrawnCell {
  enum class Kind : uint8_t {
    kElement,
    kPadding,  // hatched
    kLeftOut,  // what a large grid does not show
  };
  std::string text;
  Kind kind = Kind::kElement;
  int64_t group = 0;  // cells of one group have one colour
};

struct DrawnGrid {
  std::string title;
  std::vector<std::string> columns;  // heads; may be empty
  struct Row {
    std::string head;
    std::vector<DrawnCell> cells;
  };
  std::vector<Row> rows;
};

// 0, 1, ..., count - 1, or the first and the last ones with kLeftOutNumber between them if there are more than `most`.
inline constexpr int64_t kLeftOutNumber = -1;
std::vector<int64_t> ShownNumbers(int64_t count, int64_t most);

// The grids below each other, with their titles. Texts are escaped; the picture has no script and loads nothing.
std::string GridsToSvg(absl::Span<const DrawnGrid> grids);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_GRID_DRAWING_H_
