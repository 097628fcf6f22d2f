// SPDX-License-Identifier: Apache-2.0
// Moving many elements, such as those of a transposed array, and fetching what is read next.
#ifndef HLO_COPY_H_
#define HLO_COPY_H_

#include <cstdint>
#include <span>

#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/rows_ahead.h"

namespace hlo {

// Copies elements of `bytes` bytes for all indices below `sizes` between arrays of these strides (in elements), on all
// threads.
void CopyStrided(int bytes, std::span<const int64_t> sizes, const void* from, std::span<const int64_t> from_strides,
                 void* to, std::span<const int64_t> to_strides);

using hloscope::numerics::CopyPastCache;
using hloscope::numerics::FinishPastCache;
using hloscope::numerics::RowsAhead;

}  // namespace hlo

#endif  // HLO_COPY_H_
