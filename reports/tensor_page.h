// SPDX-License-Identifier: Apache-2.0
// Arrays in reports, to be sliced and looked at.
#ifndef HLOSCOPE_REPORTS_TENSOR_PAGE_H_
#define HLOSCOPE_REPORTS_TENSOR_PAGE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "insight/html/html_report.h"
#include "reports/tensor_drawing.h"

namespace hloscope::reports {

// Elements that a page holds of an array; of a larger one, every second, fourth ... along its longest dimensions. Four
// arrays have so many each, more of them share these.
inline constexpr int64_t kMostPageElements = int64_t{1} << 19;

// A part for each array: facts, and the view; for kMostDrawnArrays at most, and a word that there are more. Errors:
// ResourceExhausted.
absl::Status AddTensors(absl::Span<const NamedTensor> tensors, insight::HtmlReport* page);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_TENSOR_PAGE_H_
