// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/complex_parts.h"

#include <algorithm>

#include "numerics/contraction/pack_lines.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// The parts of `count` neighbouring numbers, as they are and turned.
#define HLOSCOPE_EXPAND_NEIGHBOURS(T)                                                               \
  HLOSCOPE_VECTOR_CLONES void ExpandNeighbours(const T* from, int64_t count, T* parts, T* turned) { \
    HLOSCOPE_INDEPENDENT_LANES                                                                      \
    for (int64_t j = 0; j < count; ++j) {                                                           \
      const T real = from[2 * j], imaginary = from[2 * j + 1];                                      \
      parts[2 * j] = real;                                                                          \
      parts[2 * j + 1] = imaginary;                                                                 \
      turned[2 * j] = -imaginary;                                                                   \
      turned[2 * j + 1] = real;                                                                     \
    }                                                                                               \
  }
HLOSCOPE_EXPAND_NEIGHBOURS(float)
HLOSCOPE_EXPAND_NEIGHBOURS(double)
#undef HLOSCOPE_EXPAND_NEIGHBOURS

// `count` numbers of a row of the right operand, to two rows of parts.
template <typename T>
void ExpandRow(const std::complex<T>* from, int64_t stride, int64_t count, T* parts, T* turned) {
  if (stride == 1) return ExpandNeighbours(reinterpret_cast<const T*>(from), count, parts, turned);
  for (int64_t j = 0; j < count; ++j) {
    const std::complex<T> z = from[j * stride];
    parts[2 * j] = z.real();
    parts[2 * j + 1] = z.imag();
    turned[2 * j] = -z.imag();
    turned[2 * j + 1] = z.real();
  }
}

}  // namespace

template <typename T>
void PackPartsOfRows(const std::complex<T>* data, int64_t row_stride, int64_t column_stride, int64_t first,
                     int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) {
  if (column_stride == 1) {
    PackStrided(reinterpret_cast<const T*>(data), 2 * row_stride, int64_t{1}, first, count, begin, end, panel, to);
    return;
  }
  if (count < panel) std::fill_n(to, panel * (end - begin), T());
  for (int64_t k = begin / 2; k < end / 2; ++k, to += 2 * panel) {
    const std::complex<T>* const column = data + first * row_stride + k * column_stride;
    for (int64_t line = 0; line < count; ++line) {
      to[line] = column[line * row_stride].real();
      to[panel + line] = column[line * row_stride].imag();
    }
  }
}

template <typename T>
void PackPartsOfColumns(const std::complex<T>* data, int64_t row_stride, int64_t column_stride, int64_t first,
                        int64_t count, int64_t begin, int64_t end, int64_t panel, T* to) {
  if (count < panel) std::fill_n(to, panel * (end - begin), T());
  data += first / 2 * column_stride;
  for (int64_t k = begin / 2; k < end / 2; ++k, to += 2 * panel) {
    ExpandRow(data + k * row_stride, column_stride, count / 2, to, to + panel);
  }
}

template <typename T>
void ExpandRightRows(const std::complex<T>* data, int64_t rows, int64_t columns, T* to) {
  for (int64_t k = 0; k < rows; ++k, data += columns, to += 4 * columns) {
    ExpandRow(data, 1, columns, to, to + 2 * columns);
  }
}

#define HLOSCOPE_FOR_PART(T)                                                                                        \
  template void PackPartsOfRows<T>(const std::complex<T>*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,    \
                                   int64_t, T*);                                                                    \
  template void PackPartsOfColumns<T>(const std::complex<T>*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, \
                                      int64_t, T*);                                                                 \
  template void ExpandRightRows<T>(const std::complex<T>*, int64_t, int64_t, T*);
HLOSCOPE_FOR_PART(float)
HLOSCOPE_FOR_PART(double)
#undef HLOSCOPE_FOR_PART

}  // namespace hloscope::numerics
