#include "numerics/parallel/parallel_copy.h"

#include <algorithm>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "numerics/parallel/parallel_loop.h"
#include "numerics/parallel/strided_copy.h"

namespace hloscope {

absl::Status CopyStridedInParallel(int64_t element_bytes, absl::Span<const int64_t> dimensions, const uint8_t* source,
                                   absl::Span<const int64_t> source_strides, uint8_t* target,
                                   absl::Span<const int64_t> target_strides, KernelRuntime& runtime) {
  const absl::InlinedVector<int64_t, 6> sizes(dimensions.begin(), dimensions.end());
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  if (count == 0) return absl::OkStatus();
  if (sizes.empty()) {
    std::memcpy(target, source, static_cast<size_t>(element_bytes));
    return absl::OkStatus();
  }
  // Threads share the longest dimension.
  const size_t d = static_cast<size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  // Transpositions read or write whole cache lines only if neighbours stay together.
  constexpr int64_t kNeighbours = 16;
  const int64_t together = sizes[d] >= 16 * kNeighbours ? kNeighbours : 1;
  const double nanoseconds = 0.3 * static_cast<double>(count / sizes[d] * element_bytes * together);
  return ParallelLoop(runtime, (sizes[d] - 1) / together + 1, nanoseconds, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * together;
    absl::InlinedVector<int64_t, 6> part = sizes;
    part[d] = std::min(sizes[d], end * together) - first;
    CopyStrided(element_bytes, part, source + first * source_strides[d] * element_bytes, source_strides,
                target + first * target_strides[d] * element_bytes, target_strides);
  });
}

}  // namespace hloscope
