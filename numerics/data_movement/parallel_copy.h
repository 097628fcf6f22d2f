// SPDX-License-Identifier: Apache-2.0
// Copying strided elements on all threads.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_PARALLEL_COPY_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_PARALLEL_COPY_H_

#include <cstdint>
#include <span>

#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// CopyStrided (numerics/data_movement/strided_copy.h) on the executor's threads. Errors: kCancelled.
Outcome CopyStridedInParallel(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                              std::span<const int64_t> source_strides, uint8_t* target,
                              std::span<const int64_t> target_strides, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_PARALLEL_COPY_H_
