// SPDX-License-Identifier: Apache-2.0
// The memory of a run as a picture.
#ifndef HLOSCOPE_REPORTS_MEMORY_DRAWING_H_
#define HLOSCOPE_REPORTS_MEMORY_DRAWING_H_

#include <string>

#include "insight/memory/explanation.h"

namespace hloscope::reports {

// An SVG: the bytes alive over the steps, and below them the lives of the 300 largest arrays, whose names are titles.
std::string MemorySvg(const insight::MemoryExplanation& memory);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_MEMORY_DRAWING_H_
