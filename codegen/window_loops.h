// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of a window, as C++ text.
#ifndef HLOSCOPE_CODEGEN_WINDOW_LOOPS_H_
#define HLOSCOPE_CODEGEN_WINDOW_LOOPS_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "core/ir/attribute_values.h"
#include "core/ir/shape.h"

namespace hloscope::codegen {

// Nested loops over the window at the place i0, i1, ... of an array of windows, a level for each dimension of `window`.
// Elements in padding and holes are left out. `base` is the dense array that the window moves over; further dimensions
// of it are not walked.
class WindowLoops {
 public:
  WindowLoops(absl::Span<const WindowDimension> window, const Shape& base);

  // The beginnings of the loops.
  const std::string& begin() const { return begin_; }
  // Before lines inside of them.
  const std::string& indent() const { return indent_; }
  // Inside of them, the index of the base's element.
  const std::string& at() const { return at_; }
  std::string end() const;
  // Elements of the window.
  int64_t size() const { return size_; }

 private:
  size_t levels_;
  std::string begin_, indent_ = "  ", at_ = "0";
  int64_t size_ = 1;
};

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_WINDOW_LOOPS_H_
