// Copying between strided views: the one place that walks indices of two layouts at once.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_STRIDED_COPY_H_
#define HLOSCOPE_NUMERICS_PARALLEL_STRIDED_COPY_H_

#include <cstdint>

#include "absl/types/span.h"

namespace hloscope {

// Copies element (i0, i1, ...) of `source` to element (i0, i1, ...) of `target` for every index below `dimensions`.
// Strides are in elements of `element_bytes` (1, 2, 4, 8 or 16) bytes and may be zero or negative in the source. The
// ranges must not overlap.
void CopyStrided(int64_t element_bytes, absl::Span<const int64_t> dimensions, const uint8_t* source,
                 absl::Span<const int64_t> source_strides, uint8_t* target, absl::Span<const int64_t> target_strides);

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_PARALLEL_STRIDED_COPY_H_
