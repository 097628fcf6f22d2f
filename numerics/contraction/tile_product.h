// SPDX-License-Identifier: Apache-2.0
// One tile of a product, also one that hangs over the edge of the result.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_TILE_PRODUCT_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_TILE_PRODUCT_H_

#include <cstdint>

#include "numerics/contraction/gemm_micro.h"

namespace hloscope::numerics {

// The most elements of a tile.
constexpr int64_t kMaxTile = 16 * 64;

// The first `height` rows and `width` columns of what `kernel` makes of panels of `inner` elements: stored in `result`,
// whose rows are `stride` apart, or added to it.
template <typename T, typename Packed>
void MultiplyTilePart(const MicroKernel<T, Packed>& kernel, int64_t inner, const Packed* rows, const Packed* columns,
                      int64_t height, int64_t width, T* result, int64_t stride, bool accumulate) {
  if (width == kernel.columns && height == ComputedRows(kernel.rows, height)) {
    kernel.multiply(height, inner, rows, columns, result, stride, accumulate);
    return;
  }
  // Computed whole beside the result.
  alignas(64) T tile[kMaxTile];
  kernel.multiply(height, inner, rows, columns, tile, kernel.columns, false);
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t j = 0; j < width; ++j) {
      T& element = result[i * stride + j];
      const T sum = tile[i * kernel.columns + j];
      element = accumulate ? element + sum : sum;
    }
  }
}

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_TILE_PRODUCT_H_
