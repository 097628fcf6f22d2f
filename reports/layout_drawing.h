// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts and broadcasts, for pages and bug reports.
#ifndef HLOSCOPE_REPORTS_LAYOUT_DRAWING_H_
#define HLOSCOPE_REPORTS_LAYOUT_DRAWING_H_

#include <string>

#include "absl/types/span.h"
#include "core/builder/broadcasting.h"
#include "core/layout/physical_layout.h"

namespace hloscope::reports {

// Each array with the address of each element beside the memory with the element of each cell, in the colours of tiles
// (without tiles: of runs of the most minor dimension); padding is hatched. Large arrays show their beginnings and
// ends.
std::string LayoutSvg(absl::Span<const PhysicalLayout> layouts);

// The operands, and for each element of the result which element of each operand it reads: one colour for each of them.
std::string BroadcastSvg(const BroadcastPlan& plan);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_LAYOUT_DRAWING_H_
