// SPDX-License-Identifier: Apache-2.0
#include "codegen/window_loops.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/cpp_types.h"

namespace hloscope::codegen {

WindowLoops::WindowLoops(absl::Span<const WindowDimension> window, const Shape& base) : levels_(window.size()) {
  const std::vector<int64_t> strides = RowMajorStridesOf(base.dimensions());
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDimension& w = window[d];
    size_ *= w.size;
    absl::StrAppend(&begin_, indent_, "for (int64_t k", d, " = 0; k", d, " < ", w.size, "; ++k", d, ") {\n");
    indent_ += "  ";
    // The place in the dilated and padded base.
    absl::StrAppend(&begin_, indent_, "const int64_t p", d, " = i", d, " * ", w.stride, " + k", d, " * ",
                    w.window_dilation, " - ", w.padding_low, ";\n");
    absl::StrAppend(&begin_, indent_, "if (p", d, " < 0 || p", d,
                    " >= ", (base.dimension(static_cast<int64_t>(d)) - 1) * w.base_dilation + 1,
                    w.base_dilation == 1 ? "" : absl::StrCat(" || p", d, " % ", w.base_dilation, " != 0"),
                    ") continue;\n");
    absl::StrAppend(&at_, " + p", d, w.base_dilation == 1 ? "" : absl::StrCat(" / ", w.base_dilation), " * ",
                    strides[d]);
  }
}

std::string WindowLoops::end() const {
  std::string text;
  for (size_t d = levels_; d > 0; --d) absl::StrAppend(&text, std::string(2 * d, ' '), "}\n");
  return text;
}

}  // namespace hloscope::codegen
