// SPDX-License-Identifier: Apache-2.0
// Differences of texts as a picture.
#ifndef HLOSCOPE_REPORTS_TEXT_DRAWING_H_
#define HLOSCOPE_REPORTS_TEXT_DRAWING_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::reports {

// An SVG of lines in a fixed font: those that begin with `+`, `-` or `~` after their indentation are green, red and
// yellow, what is further indented below a `~` too. Lines beyond 400 are counted, letters beyond 160 are left out.
std::string DiffTextSvg(absl::string_view title, absl::string_view text);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_TEXT_DRAWING_H_
