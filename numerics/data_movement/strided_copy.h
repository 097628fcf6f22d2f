// SPDX-License-Identifier: Apache-2.0
// Copying between strided views: the one place that walks indices of two layouts at once.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_

#include <cstdint>
#include <span>

namespace hloscope::numerics {

// Copies element (i0, i1, ...) of `source` to element (i0, i1, ...) of `target` for every index below `dimensions`.
// Strides are in elements of `element_bytes` (1, 2, 4, 8 or 16) bytes and may be zero or negative in the source. The
// ranges must not overlap. `past_cache`: transpositions may write as CopyPastCache does (past_cache.h).
void CopyStrided(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                 std::span<const int64_t> source_strides, uint8_t* target, std::span<const int64_t> target_strides,
                 bool past_cache = false);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_
