// SPDX-License-Identifier: Apache-2.0
// The script of pages with arrays: slices, heat map, table.
#ifndef HLOSCOPE_INSIGHT_HTML_TENSOR_SCRIPT_H_
#define HLOSCOPE_INSIGHT_HTML_TENSOR_SCRIPT_H_

#include "absl/strings/string_view.h"

namespace hloscope::insight {

// Shows the elements of each box of HtmlReport::AddTensor in place of what the box holds.
absl::string_view TensorScript();

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_TENSOR_SCRIPT_H_
