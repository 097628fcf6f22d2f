// SPDX-License-Identifier: Apache-2.0
// Transpositions of matrices a tile of whole cache lines at a time.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_TRANSPOSED_TILES_H_

#include <cstdint>

namespace hloscope::numerics {

// Elements along the side of a tile; 0 if this processor has no tiles of elements of so many bytes.
int64_t TileSide(int64_t element_bytes);
// True if tiles need not be whole.
bool TakesPartsOfTiles(int64_t element_bytes);

// Rows of a matrix and of its transpose, strides in elements.
template <typename Byte>
struct TiledRows {
  Byte* data;
  int64_t stride;
};

// target[i * target.stride + j] = source[j * source.stride + i] for i < columns, j < rows: if tiles must be whole,
// multiples of their side, which is not 0. `past_cache`: as CopyPastCache, where lines of the target are aligned.
void TransposeTiles(int64_t element_bytes, TiledRows<const uint8_t> source, TiledRows<uint8_t> target, int64_t columns,
                    int64_t rows, bool past_cache);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_TRANSPOSED_TILES_H_
