// SPDX-License-Identifier: Apache-2.0
// The kernel of a convolution as the right operand of a matrix product.
#ifndef HLOSCOPE_NUMERICS_CONVOLUTION_KERNEL_MATRIX_H_
#define HLOSCOPE_NUMERICS_CONVOLUTION_KERNEL_MATRIX_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hloscope::numerics {

// The kernel as a matrix [element and input feature, output feature].
template <typename T>
struct KernelMatrix {
  const T* data;
  int64_t inner, columns, row_stride;
  int64_t features;               // rows of an element
  const int64_t* element_starts;  // where the rows of each element begin

  const T* Row(int64_t row) const { return data + element_starts[row / features] + row % features * row_stride; }

  // Rows [begin, end) of columns [first, first + count) as panels of `panel` columns; panel p starts at
  // to[p * panel * inner].
  void Pack(int64_t begin, int64_t end, int64_t first, int64_t count, int64_t panel, T* to) const {
    for (int64_t k = begin; k < end; ++k) {
      for (int64_t column = 0; column < count; column += panel) {
        PackRow(k, first + column, std::min(panel, count - column), panel, to + column * inner + k * panel);
      }
    }
  }

  // Rows [begin, end) of the panel of `panel` columns from `first` on.
  void PackPanel(int64_t begin, int64_t end, int64_t first, int64_t panel, T* to) const {
    const int64_t width = std::min(panel, columns - first);
    for (int64_t k = begin; k < end; ++k, to += panel) PackRow(k, first, width, panel, to);
  }

 private:
  void PackRow(int64_t row, int64_t first, int64_t width, int64_t panel, T* to) const {
    std::memcpy(to, Row(row) + first, static_cast<size_t>(width) * sizeof(T));
    if (width < panel) std::fill(to + width, to + panel, T());
  }
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONVOLUTION_KERNEL_MATRIX_H_
