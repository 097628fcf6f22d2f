// SPDX-License-Identifier: Apache-2.0
// Copying parts of matrices into the panels that the innermost loops of a product read (packed_gemm.h).
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_PACK_LINES_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_PACK_LINES_H_

#include <cstdint>

namespace hloscope::numerics {

// Packs lines that start `line_stride` elements apart, with `step` elements between neighbours of a line: element k of
// line l, begin <= k < end and first <= l < first + count, goes to to[(k - begin) * panel + l - first]; lines from
// `count` up to `panel` are zero. T: float, double, uint32_t.
template <typename T>
void PackStrided(const T* data, int64_t line_stride, int64_t step, int64_t first, int64_t count, int64_t begin,
                 int64_t end, int64_t panel, T* to);
// Element offset + k of lines[l] to to[k * panel + l], 0 <= k < elements and 0 <= l < count. T: float, double.
template <typename T>
void PackLines(const T* const* lines, int64_t offset, int64_t count, int64_t elements, int64_t panel, T* to);

// Element l of lines[2 * p] and, in the upper half, of lines[2 * p + 1] to to[p * panel + l], 0 <= l < count.
void PackLinePairs(const uint16_t* const* lines, int64_t pairs, int64_t count, int64_t panel, uint32_t* to);

// One matrix of bf16 with its lines (rows of the left operand, columns of the right one), `inner` elements each.
struct Bf16Lines {
  const uint16_t* data;
  int64_t line_stride, step, inner;

  // As PackStrided, widened to f32.
  void Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, float* to) const;
  // The same for pairs of neighbours, begin <= pair < end; the lower half of a word is the first one. The half that an
  // odd `inner` leaves over is zero.
  void PackPairs(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) const;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_PACK_LINES_H_
