// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/parallel_copy.h"

#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

Outcome CopyStridedInParallel(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                              std::span<const int64_t> source_strides, uint8_t* target,
                              std::span<const int64_t> target_strides, Executor& executor) {
  int64_t count = 1;
  for (int64_t size : dimensions) count *= size;
  const StridedCopy copy(element_bytes, dimensions, source, source_strides, target, target_strides,
                         count * element_bytes >= kPastCacheBytes);
  const double nanoseconds = 3 + 0.3 * static_cast<double>(copy.part_elements() * element_bytes);
  return ParallelLoop(executor, copy.part_count(), nanoseconds,
                      [&](int64_t begin, int64_t end) { copy.CopyParts(begin, end); });
}

}  // namespace hloscope::numerics
