// SPDX-License-Identifier: Apache-2.0
// What `hloscope layout` prints.
#ifndef HLOSCOPE_REPORTS_LAYOUT_TEXT_H_
#define HLOSCOPE_REPORTS_LAYOUT_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "core/layout/physical_layout.h"
#include "core/layout/relayout.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::reports {

struct LayoutTextOptions {
  bool color = false;
  int width = 100;                           // columns of the terminal
  std::optional<std::string> padding_value;  // what padding cells hold, if it is known
};

// One line about a layout: "physical order", "3 x 2".
struct LayoutFact {
  std::string name, value;
};

// Order, tiles, element, sizes and waste, in the order in which people read them.
std::vector<LayoutFact> LayoutFacts(const PhysicalLayout& layout, const std::optional<std::string>& padding_value);

// Cells of one tile of the innermost level; 0 without tiles.
int64_t InnermostTileCells(const PhysicalLayout& layout);

// Facts and sizes, the array with the address of each element, and memory with the element of each cell. Large arrays
// show their beginnings and ends.
std::string LayoutText(const PhysicalLayout& layout, const LayoutTextOptions& options);

// The same as data. "addresses" (by element, row-major) and "cells" (indices, null for padding, by address; one list
// per piece if the array is split) are there for at most 65536 cells.
nlohmann::ordered_json LayoutJson(const PhysicalLayout& layout);

// Whether `what` ("reshape") from one layout to the other is free, and what it costs.
std::string RelayoutText(absl::string_view what, const PhysicalLayout& from, const PhysicalLayout& to,
                         const Relayout& relayout);
nlohmann::ordered_json RelayoutJson(absl::string_view what, const PhysicalLayout& to, const Relayout& relayout);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_LAYOUT_TEXT_H_
