#include "evaluator/kernels/depthwise_lanes.h"

#include "evaluator/kernels/lane_loops.h"

namespace hloscope {

HLOSCOPE_VECTOR_CLONES void AddProducts(const float* a, const float* b, float* sums, int64_t count, bool accumulate) {
  if (accumulate) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t c = 0; c < count; ++c) sums[c] += a[c] * b[c];
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t c = 0; c < count; ++c) sums[c] = a[c] * b[c];
  }
}

}  // namespace hloscope
