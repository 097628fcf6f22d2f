// What `hloscope layout` prints.
#ifndef HLOSCOPE_REPORTS_LAYOUT_TEXT_H_
#define HLOSCOPE_REPORTS_LAYOUT_TEXT_H_

#include <optional>
#include <string>

#include "core/layout/physical_layout.h"
#include "core/layout/relayout.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope {

struct LayoutTextOptions {
  bool color = false;
  int width = 100;                           // columns of the terminal
  std::optional<std::string> padding_value;  // what padding cells hold, if it is known
};

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

}  // namespace hloscope

#endif  // HLOSCOPE_REPORTS_LAYOUT_TEXT_H_
