// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/parallel_copy.h"

#include <algorithm>
#include <cstring>

#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/parallel/small_vector.h"

namespace hloscope::numerics {

Outcome CopyStridedInParallel(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                              std::span<const int64_t> source_strides, uint8_t* target,
                              std::span<const int64_t> target_strides, Executor& executor) {
  const DimensionVector sizes(dimensions.begin(), dimensions.end());
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  if (count == 0) return Outcome::kDone;
  if (sizes.empty()) {
    std::memcpy(target, source, static_cast<size_t>(element_bytes));
    return Outcome::kDone;
  }
  // Threads share the longest dimension.
  const size_t d = static_cast<size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  // Transpositions read and write whole cache lines, in pairs, only if neighbours stay together.
  constexpr int64_t kNeighbours = 64;
  const int64_t together = sizes[d] >= 16 * kNeighbours ? kNeighbours : 1;
  const bool past_cache = count * element_bytes >= kPastCacheBytes;
  const double nanoseconds = 0.3 * static_cast<double>(count / sizes[d] * element_bytes * together);
  return ParallelLoop(executor, (sizes[d] - 1) / together + 1, nanoseconds, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * together;
    DimensionVector part = sizes;
    part[d] = std::min(sizes[d], end * together) - first;
    CopyStrided(element_bytes, part, source + first * source_strides[d] * element_bytes, source_strides,
                target + first * target_strides[d] * element_bytes, target_strides, past_cache);
  });
}

}  // namespace hloscope::numerics
