// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers as products of their real and imaginary parts, so that they use the innermost loops of
// real ones: with every row of the left operand as its parts, one after the other, and two rows for every row of the
// right one, its parts (re, im) and those of i times it (-im, re), the real product has the parts of the complex one.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_COMPLEX_PARTS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_COMPLEX_PARTS_H_

#include <complex>
#include <cstdint>

#include "numerics/contraction/gemm.h"

namespace hloscope::numerics {

// Of the product of the parts.
inline GemmSizes SizesOfParts(const GemmSizes& sizes) { return {sizes.rows, 2 * sizes.columns, 2 * sizes.inner}; }

// As PackPanel (packed_gemm.h) says of the parts: `first`, `count`, `begin` and `end` count them, and are even but for
// rows. Strides count complex numbers. T: float, double.
template <typename T>
void PackPartsOfRows(const std::complex<T>* data, int64_t row_stride, int64_t column_stride, int64_t first,
                     int64_t count, int64_t begin, int64_t end, int64_t panel, T* to);
template <typename T>
void PackPartsOfColumns(const std::complex<T>* data, int64_t row_stride, int64_t column_stride, int64_t first,
                        int64_t count, int64_t begin, int64_t end, int64_t panel, T* to);

// The parts of a dense right operand, `columns` wide, in the same order: 2 rows of 2 * columns for each row.
template <typename T>
void ExpandRightRows(const std::complex<T>* data, int64_t rows, int64_t columns, T* to);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_COMPLEX_PARTS_H_
