#include "evaluator/kernels/depthwise_lanes.h"

#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

template <typename T>
[[gnu::always_inline]] inline void SumRows(const ScaledRow<T>* rows, size_t row_count, int64_t step, T* sums,
                                           int64_t count) {
  for (int64_t x = 0; x < count; ++x) sums[x] = 0;
  for (size_t r = 0; r < row_count; ++r) {
    const T scale = rows[r].scale;
    const T* const inputs = rows[r].inputs;
    T* const out = sums + rows[r].begin;
    const int64_t size = rows[r].end - rows[r].begin;
    if (step == 1) {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t x = 0; x < size; ++x) out[x] += scale * inputs[x];
    } else {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t x = 0; x < size; ++x) out[x] += scale * inputs[x * step];
    }
  }
}

}  // namespace

HLOSCOPE_VECTOR_CLONES void AddProducts(const float* a, const float* b, float* sums, int64_t count, bool accumulate) {
  if (accumulate) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t c = 0; c < count; ++c) sums[c] += a[c] * b[c];
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t c = 0; c < count; ++c) sums[c] = a[c] * b[c];
  }
}

HLOSCOPE_VECTOR_CLONES void SumScaledRows(const ScaledRow<float>* rows, size_t row_count, int64_t step, float* sums,
                                          int64_t count) {
  SumRows(rows, row_count, step, sums, count);
}

HLOSCOPE_VECTOR_CLONES void SumScaledRows(const ScaledRow<double>* rows, size_t row_count, int64_t step, double* sums,
                                          int64_t count) {
  SumRows(rows, row_count, step, sums, count);
}

}  // namespace hloscope
